"""What every place for cached answers does; each backend runs these."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest

from assistant.cache.base import CacheBackend, Limits
from assistant.core.errors import StoreClosedError
from tests.cache_fixtures import ROOMY, kept

OpenBackend = Callable[[], AbstractAsyncContextManager[CacheBackend]]


class BackendConformance:
    """Subclasses give the fixture `backend`."""

    async def test_an_answer_is_found_by_its_question_and_shelf(self, backend: OpenBackend) -> None:
        async with backend() as place:
            await place.put(kept("q", body=b"\x00\xff answer"), limits=ROOMY, now=0)
            [found] = await place.find("s", "q", "", now=0, limit=5)
            assert (found.body, found.keys.exact, found.created) == (b"\x00\xff answer", "q", 0)
            assert list(await place.find("t", "q", "", now=0, limit=5)) == []
            assert list(await place.find("s", "r", "", now=0, limit=5)) == []

    async def test_the_exact_one_comes_first_then_the_newest_of_its_gist(self, backend: OpenBackend) -> None:
        async with backend() as place:
            for number in range(4):
                await place.put(kept(f"q{number}", created=number), limits=ROOMY, now=number)
            found = await place.find("s", "q1", "g", now=4, limit=3)
            assert [answer.keys.exact for answer in found] == ["q1", "q3", "q2"]
            found = await place.find("s", "q1", "", now=4, limit=3)
            assert [answer.keys.exact for answer in found] == ["q1"]

    async def test_a_new_answer_to_a_question_replaces_the_old_one(self, backend: OpenBackend) -> None:
        async with backend() as place:
            await place.put(kept("q", body=b"old", memories=["m"]), limits=ROOMY, now=0)
            await place.put(kept("q", body=b"new", created=1, gist="h"), limits=ROOMY, now=1)
            assert [found.body for found in await place.find("s", "q", "h", now=1, limit=5)] == [b"new"]
            assert await place.count() == 1

    async def test_what_has_expired_is_not_given(self, backend: OpenBackend) -> None:
        async with backend() as place:
            await place.put(kept("q", expires=60_000_000), limits=ROOMY, now=0)
            assert len(await place.find("s", "q", "g", now=59_999_999, limit=5)) == 1
            assert list(await place.find("s", "q", "g", now=60_000_000, limit=5)) == []
            assert list(await place.find("s", "other", "g", now=60_000_000, limit=5)) == []

    async def test_what_has_expired_goes_with_the_next_answer(self, backend: OpenBackend) -> None:
        async with backend() as place:
            for number in range(3):
                await place.put(kept(f"q{number}", created=0, expires=60_000_000), limits=ROOMY, now=0)
            await place.put(
                kept("new", created=60_000_000, expires=120_000_000), limits=ROOMY, now=60_000_000
            )
            assert await place.count() == 1

    async def test_beyond_an_owners_limit_the_oldest_go(self, backend: OpenBackend) -> None:
        async with backend() as place:
            for number in range(5):
                answer = kept(f"q{number}", owner="o", created=number)
                await place.put(answer, limits=Limits(3, 100), now=number)
            await place.put(kept("other", owner="p", shelf="t", created=9), limits=Limits(3, 100), now=9)
            found = await place.find("s", "none", "g", now=9, limit=9)
            assert [answer.keys.exact for answer in found] == ["q4", "q3", "q2"]
            assert (await place.count("o"), await place.count("p"), await place.count()) == (3, 1, 4)

    async def test_beyond_the_total_the_oldest_of_all_go(self, backend: OpenBackend) -> None:
        async with backend() as place:
            for number in range(6):
                answer = kept("q", owner=f"o{number}", shelf=f"s{number}", created=number)
                await place.put(answer, limits=Limits(9, 4), now=number)
            assert await place.count() == 4
            assert [await place.count(f"o{number}") for number in range(6)] == [0, 0, 1, 1, 1, 1]

    async def test_an_owner_is_removed_whole_and_nobody_else(self, backend: OpenBackend) -> None:
        async with backend() as place:
            for number in range(3):
                await place.put(kept(f"q{number}", owner="o", shelf="a"), limits=ROOMY, now=0)
            await place.put(kept("q", owner="p", shelf="b"), limits=ROOMY, now=0)
            assert await place.remove_owner("o") == 3
            assert await place.remove_owner("o") == 0
            assert list(await place.find("a", "q1", "g", now=0, limit=5)) == []
            assert len(await place.find("b", "q", "g", now=0, limit=5)) == 1

    async def test_answers_go_with_a_memory_that_they_were_made_with(self, backend: OpenBackend) -> None:
        async with backend() as place:
            await place.put(kept("q1", memories=["m", "n"]), limits=ROOMY, now=0)
            await place.put(kept("q2", memories=["n"]), limits=ROOMY, now=0)
            await place.put(kept("q3"), limits=ROOMY, now=0)
            assert await place.remove_memories(["m"]) == 1
            assert await place.remove_memories(["m", "n"]) == 1
            found = await place.find("s", "none", "g", now=0, limit=9)
            assert [answer.keys.exact for answer in found] == ["q3"]

    async def test_a_replaced_answer_no_longer_goes_with_the_old_ones_memory(
        self, backend: OpenBackend
    ) -> None:
        async with backend() as place:
            await place.put(kept("q", memories=["m"]), limits=ROOMY, now=0)
            await place.put(kept("q", memories=["n"]), limits=ROOMY, now=0)
            assert await place.remove_memories(["m"]) == 0
            assert await place.count() == 1

    async def test_one_answer_is_removed(self, backend: OpenBackend) -> None:
        async with backend() as place:
            await place.put(kept("q1", memories=["m"]), limits=ROOMY, now=0)
            await place.put(kept("q2"), limits=ROOMY, now=0)
            await place.remove(kept("q1").keys)
            found = await place.find("s", "q1", "g", now=0, limit=9)
            assert [answer.keys.exact for answer in found] == ["q2"]
            assert await place.remove_memories(["m"]) == 0

    async def test_after_close_every_call_says_so(self, backend: OpenBackend) -> None:
        async with backend() as place:
            await place.close()
            await place.close()
            with pytest.raises(StoreClosedError):
                await place.find("s", "q", "", now=0, limit=1)
            with pytest.raises(StoreClosedError):
                await place.remove_owner("o")
