"""An answer comes again to the same caller in the same situation, and to nobody else."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Any

import pytest

from assistant.cache import SemanticCache, context_digest
from assistant.cache.outage import Outage
from assistant.core.errors import (
    EmbeddingError,
    InvalidInputError,
    InvalidTextError,
    StorageError,
    StoreClosedError,
)
from assistant.core.types import CallerContext, Message
from assistant.embedding.base import Priority, Vectors
from tests.cache_fixtures import (
    ALICE,
    BOB,
    HOSTILE_OWNERS,
    MODEL,
    BrokenBackend,
    SetClock,
    answer_to,
    ask,
    keep,
    killers,
    opened,
)
from tests.memory_fixtures import HashEmbedder

QUESTION = "How do I learn French?"


class FixedSimilarity(HashEmbedder):
    """Two texts have the cosine that is asked for."""

    def __init__(self, cosine: float) -> None:
        super().__init__()
        self.cosine = cosine

    async def embed(self, texts: Any, *, priority: Priority = "index") -> Vectors:
        import numpy as np

        self.texts.extend(texts)
        rows = [[1.0, 0.0], [self.cosine, (1 - self.cosine**2) ** 0.5]]
        return np.array([rows[len(text) % 2] for text in texts], dtype=np.float32)


# What comes again


async def test_the_same_question_gets_the_answer_again() -> None:
    async with opened() as cache:
        assert await keep(cache, QUESTION, "Daily.", used=["m1"])
        found = await ask(cache, "how do I learn  french")
        assert found is not None
        assert (found.answer, found.question, found.match, found.similarity) == (
            "Daily.",
            QUESTION,
            "exact",
            1.0,
        )
        assert found.used == ("m1",)


async def test_another_wording_gets_it_without_the_embedding_model() -> None:
    embedder = HashEmbedder()
    async with opened(embedder=embedder) as cache:
        await keep(cache, QUESTION)
        found = await ask(cache, "What is the best way to learn French?")
        assert found is not None
        assert (found.match, found.similarity) == ("wording", 1.0)
        assert embedder.texts == []


@pytest.mark.parametrize(("cosine", "hit"), [(0.96, True), (0.94, False)])
async def test_a_small_difference_beyond_wording_needs_the_similarity(cosine: float, hit: bool) -> None:
    async with opened(embedder=FixedSimilarity(cosine)) as cache:
        await keep(cache, "Why is diversity good in teams?")
        found = await ask(cache, "Why is diversity a good thing in a team?")
        assert (found is not None) is hit
        if found is not None:
            assert (found.match, round(found.similarity, 2)) == ("semantic", cosine)


async def test_guards_hold_whatever_the_similarity() -> None:
    async with opened(embedder=FixedSimilarity(1.0), similarity_threshold=0.01) as cache:
        for _, _, one, other in killers():
            await keep(cache, one)
            assert await ask(cache, other) is None
            await cache.purge_user("alice")


async def test_exact_matching_gives_nothing_else() -> None:
    async with opened(match="exact") as cache:
        await keep(cache, QUESTION)
        assert await answer_to(cache, "how do I learn French?") == "An answer."
        assert await ask(cache, "How can I learn French?") is None


async def test_the_newer_answer_replaces_the_older_one() -> None:
    async with opened() as cache:
        await keep(cache, QUESTION, "Old.")
        await keep(cache, QUESTION, "New.")
        assert await answer_to(cache, QUESTION) == "New."
        assert await cache.count() == 1


# What keeps answers apart


@pytest.mark.parametrize(
    "other",
    [
        {"caller": BOB},
        {"caller": CallerContext("alice", tenant_id="acme")},
        {"model": "preset:other at this computer"},
        {"model": "preset:model at elsewhere"},
        {"instructions": "Be brief."},
        {"context": "another"},
    ],
)
async def test_an_answer_stays_in_its_situation(other: dict[str, Any]) -> None:
    async with opened() as cache:
        situation = {"caller": ALICE, "model": MODEL, "instructions": "Be long.", "context": "c"}
        await cache.put(QUESTION, "Mine.", **situation)
        assert await cache.get(QUESTION, **situation) is not None
        assert await cache.get(QUESTION, **(situation | other)) is None
        assert await cache.get("How can I learn French?", **(situation | other)) is None


async def test_parts_of_a_situation_do_not_run_into_each_other() -> None:
    async with opened() as cache:
        await cache.put(QUESTION, "A.", caller=ALICE, model="m", instructions="ab", context="c")
        assert await cache.get(QUESTION, caller=ALICE, model="m", instructions="a", context="bc") is None
        assert await cache.get(QUESTION, caller=ALICE, model="ma", instructions="b", context="c") is None


@pytest.mark.parametrize("backend", ["memory", "sqlite"])
async def test_hostile_owners_never_share(backend: str, tmp_path: Any) -> None:
    async with opened(backend=backend, path=tmp_path / "answers.db") as cache:
        for name in HOSTILE_OWNERS:
            await keep(cache, QUESTION, f"for {name!r}", CallerContext(name))
        for name in HOSTILE_OWNERS:
            assert await answer_to(cache, QUESTION, CallerContext(name)) == f"for {name!r}"
        for name in HOSTILE_OWNERS:
            assert await cache.purge_user(name) == 1
        assert await cache.count() == 0


async def test_a_shared_cache_serves_everybody_and_still_purges_by_person() -> None:
    async with opened(scope="shared") as cache:
        await keep(cache, QUESTION, "Everybody's.", ALICE)
        assert await answer_to(cache, QUESTION, BOB) == "Everybody's."
        assert await cache.purge_user("bob") == 0
        assert await cache.purge_user("alice") == 1
        assert await ask(cache, QUESTION, BOB) is None


async def test_without_a_caller_nothing_is_kept_or_given() -> None:
    async with opened() as cache:
        assert not await cache.put(QUESTION, "A.", caller=None, model=MODEL)
        assert await ask(cache, QUESTION, None) is None
        assert cache.stats().skipped == 2
        assert await cache.count() == 0


def test_a_context_depends_on_messages_and_memories_and_not_on_the_order_of_memories() -> None:
    messages = [Message("user", "Hello"), Message("assistant", "Hi")]
    digest = context_digest(messages, [("m1", 1), ("m2", 1)])
    assert digest == context_digest(messages, [("m2", 1), ("m1", 1)])
    assert context_digest([]) == ""
    others = [
        context_digest(messages[:1], [("m1", 1), ("m2", 1)]),
        context_digest(messages, [("m1", 2), ("m2", 1)]),
        context_digest(messages, [("m1", 1)]),
        context_digest([Message("assistant", "Hello"), Message("assistant", "Hi")], [("m1", 1), ("m2", 1)]),
        context_digest([Message("user", "HelloHi")], [("m1", 1), ("m2", 1)]),
        context_digest(messages, [("m1", 1), ("m2", 1)], extra="max_tokens"),
    ]
    assert len({digest, *others}) == len(others) + 1


# What is not kept


@pytest.mark.parametrize("finish", ["length", "content_filter", "stopped", ""])
async def test_a_partial_reply_is_not_kept(finish: str) -> None:
    async with opened() as cache:
        assert not await keep(cache, QUESTION, "Half an", finish=finish)
        assert await ask(cache, QUESTION) is None
        assert cache.stats().dropped == 1


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_an_empty_reply_or_question_is_not_kept(text: str) -> None:
    async with opened() as cache:
        assert not await keep(cache, QUESTION, text)
        assert not await keep(cache, text, "Answer.")
        assert await ask(cache, text) is None


async def test_a_question_of_the_hour_is_neither_kept_nor_answered() -> None:
    async with opened(match="exact") as cache:
        assert not await keep(cache, "What day is it today?", "Monday.")
        assert await ask(cache, "What day is it today?") is None
        assert cache.stats().skipped == 2


async def test_text_that_is_not_unicode_is_refused() -> None:
    async with opened() as cache:
        with pytest.raises(InvalidTextError):
            await ask(cache, "half \ud800")
        with pytest.raises(InvalidTextError):
            await keep(cache, QUESTION, "half \ud800")


# How long


async def test_an_answer_lives_as_long_as_it_is_told_to() -> None:
    clock = SetClock()
    async with opened(ttl=timedelta(hours=1), clock=clock) as cache:
        await keep(cache, QUESTION)
        clock.advance(minutes=59, seconds=59)
        assert await ask(cache, QUESTION) is not None
        clock.advance(seconds=1)
        assert await ask(cache, QUESTION) is None


async def test_without_an_end_an_answer_lives_on() -> None:
    clock = SetClock()
    async with opened(ttl=None, clock=clock) as cache:
        await keep(cache, QUESTION)
        clock.advance(days=10_000)
        assert await ask(cache, QUESTION) is not None


async def test_limits_let_the_oldest_go() -> None:
    clock = SetClock()
    async with opened(max_entries_per_owner=2, max_entries=3, clock=clock) as cache:
        for number in range(3):
            clock.advance(seconds=1)
            await keep(cache, f"Question {number}?", str(number))
        assert [await answer_to(cache, f"Question {number}?") for number in range(3)] == [None, "1", "2"]
        for caller in (BOB, CallerContext("carol")):
            clock.advance(seconds=1)
            await keep(cache, QUESTION, caller=caller)
        assert [await answer_to(cache, f"Question {number}?") for number in range(3)] == [None, None, "2"]
        assert await cache.count() == 3


# Forgetting


async def test_answers_go_with_a_forgotten_memory_and_others_stay() -> None:
    async with opened() as cache:
        await keep(cache, QUESTION, "With.", used=["m1", "m2"])
        await keep(cache, "Who was Plato?", "Without.")
        assert await cache.forget(["m2", "m2", "unknown"]) == 1
        assert await ask(cache, QUESTION) is None
        assert await answer_to(cache, "Who was Plato?") == "Without."
        assert await cache.forget([]) == 0


async def test_an_answer_that_was_begun_before_a_forgetting_is_not_kept_after_it() -> None:
    async with opened() as cache:
        before = cache.moment
        await cache.forget(["m1"])
        assert not await keep(cache, QUESTION, used=["m1"], since=before)
        assert await keep(cache, QUESTION, used=["m2"], since=before)
        assert await keep(cache, "Who was Plato?", used=["m1"], since=cache.moment)


async def test_an_answer_that_was_begun_before_a_purge_is_not_kept_after_it() -> None:
    async with opened() as cache:
        before = cache.moment
        await cache.purge_user("alice")
        assert not await keep(cache, QUESTION, since=before)
        assert await keep(cache, QUESTION, caller=BOB, since=before)


async def test_a_purge_leaves_other_people_alone() -> None:
    async with opened() as cache:
        for caller in (ALICE, BOB):
            for number in range(3):
                await keep(cache, f"Question {number}?", caller=caller)
        assert await cache.purge_user("alice") == 3
        assert (await cache.count("alice"), await cache.count("bob")) == (0, 3)


async def test_a_discarded_answer_is_gone() -> None:
    async with opened() as cache:
        await keep(cache, QUESTION)
        found = await ask(cache, "How can I learn French?")
        assert found is not None
        await cache.discard(found, caller=ALICE, model=MODEL)
        assert await ask(cache, QUESTION) is None


# Options


@pytest.mark.parametrize(
    "option",
    [
        {"scope": "per_usr"},
        {"match": "fuzzy"},
        {"backend": "disk"},
        {"similarity_threshold": 5},
        {"similarity_threshold": 0},
        {"similarity_threshold": True},
        {"similarity_threshold": float("nan")},
        {"ttl": 0},
        {"ttl": timedelta(0)},
        {"ttl": float("inf")},
        {"ttl": float("nan")},
        {"max_entries": 0},
        {"max_entries": 1.5},
        {"max_entries_per_owner": -1},
        {"encrypt": "yes"},
        {"backend": "redis", "redis_url": "http://127.0.0.1"},
    ],
)
def test_a_mistyped_option_raises(option: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        SemanticCache(**option)


def test_an_option_that_does_not_exist_raises() -> None:
    with pytest.raises(TypeError):
        SemanticCache(treshold=0.9)  # type: ignore[call-arg]


@pytest.mark.parametrize("user", ["", None, 5])
async def test_purging_nobody_is_refused(user: Any) -> None:
    async with opened() as cache:
        with pytest.raises(InvalidInputError):
            await cache.purge_user(user)


# When something fails


async def test_a_place_that_fails_is_a_miss_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    broken = BrokenBackend()
    async with opened(backend=broken) as cache:
        with caplog.at_level(logging.INFO, "assistant.cache"):
            for _ in range(5):
                assert await ask(cache, QUESTION) is None
                assert not await keep(cache, QUESTION)
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert broken.calls == 1
        with pytest.raises(StorageError):
            await cache.purge_user("alice")
        with pytest.raises(StorageError):
            await cache.forget(["m1"])


def test_an_outage_is_tried_again_after_a_pause_and_its_end_is_said(caplog: pytest.LogCaptureFixture) -> None:
    time = [0.0]
    outage = Outage(pause=2.0, now=lambda: time[0])
    with caplog.at_level(logging.INFO, "assistant.cache"):
        outage.begun(StorageError("Down."))
        assert outage.wait()
        time[0] = 2.0
        assert not outage.wait()
        outage.begun(StorageError("Down."))
        assert outage.wait()
        outage.over()
        outage.over()
        assert not outage.wait()
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


async def test_an_embedding_model_that_fails_is_a_miss() -> None:
    class Broken(HashEmbedder):
        async def embed(self, texts: Any, *, priority: Priority = "index") -> Vectors:
            raise EmbeddingError("No model.")

    async with opened(embedder=Broken()) as cache:
        await keep(cache, "Why is diversity good in teams?")
        assert await ask(cache, "Why is diversity a good thing in a team?") is None
        assert cache.stats().failures == 1


async def test_a_factory_that_failed_is_asked_again_and_what_it_made_is_closed() -> None:
    made = HashEmbedder()
    tries: list[int] = []

    async def factory() -> HashEmbedder:
        tries.append(1)
        if len(tries) == 1:
            raise EmbeddingError("Not yet.")
        return made

    cache = SemanticCache(embedder=factory, similarity_threshold=0.01)
    with pytest.raises(EmbeddingError):
        await asyncio.to_thread(cache.warmup)
    await asyncio.to_thread(cache.warmup)
    assert len(made.texts) == 1
    await cache.close()
    await cache.close()
    assert made.closed


async def test_warming_up_works_while_the_loop_waits_for_it() -> None:
    made = HashEmbedder()

    async def factory() -> HashEmbedder:
        return made

    cache = SemanticCache(embedder=factory)
    cache.warmup()
    assert made.texts
    await cache.close()


async def test_a_given_embedder_stays_its_owners() -> None:
    embedder = HashEmbedder()
    async with opened(embedder=embedder):
        pass
    assert not embedder.closed


async def test_after_close_every_call_says_so() -> None:
    cache = SemanticCache(embedder=HashEmbedder())
    await cache.close()
    with pytest.raises(StoreClosedError):
        await ask(cache, QUESTION)
    with pytest.raises(StoreClosedError):
        await keep(cache, QUESTION)
    with pytest.raises(StoreClosedError):
        await cache.purge_user("alice")
    with pytest.raises(StoreClosedError):
        await cache.open()


async def test_the_statistics_tell_what_happened() -> None:
    async with opened() as cache:
        await keep(cache, QUESTION)
        await ask(cache, QUESTION)
        await ask(cache, "How can I learn French?")
        await ask(cache, "How can I learn Latin?")
        await keep(cache, "Does Ann know Tom?")
        await ask(cache, "Does Tom know Ann?")
        stats = cache.stats()
        assert (stats.exact, stats.wording, stats.semantic, stats.misses, stats.stored) == (1, 1, 0, 2, 2)
        assert stats.hits == 2
        assert dict(stats.refused) == {"order": 1}
