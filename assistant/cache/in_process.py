"""Answers in the memory of this process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from assistant.cache.base import AnswerKeys, KeptAnswer, Limits
from assistant.core.errors import StoreClosedError

Key = TypeVar("Key")
_Place = tuple[str, str]


class InProcessBackend:
    """A CacheBackend that is gone when the process ends."""

    def __init__(self) -> None:
        self._answers: dict[_Place, KeptAnswer] = {}
        self._of_owner: defaultdict[str, dict[_Place, None]] = defaultdict(dict)
        self._of_gist: defaultdict[_Place, dict[_Place, None]] = defaultdict(dict)
        self._of_memory: defaultdict[str, set[_Place]] = defaultdict(set)
        self._closed = False

    async def open(self, fingerprint: str) -> None:
        self._check_open()

    async def find(self, shelf: str, exact: str, gist: str, *, now: int, limit: int) -> Sequence[KeptAnswer]:
        self._check_open()
        places = [(shelf, exact)]
        if gist:
            places += [
                place for place in reversed(self._of_gist.get((shelf, gist), {})) if place not in places
            ]
        found = (self._answers.get(place) for place in places)
        valid = [answer for answer in found if answer is not None and not _expired(answer, now)]
        return valid[:limit]

    async def put(self, answer: KeptAnswer, *, limits: Limits, now: int) -> None:
        self._check_open()
        keys = answer.keys
        place = (keys.shelf, keys.exact)
        self._drop([place])
        self._drop([old for old, kept in self._expiring(now)])
        self._answers[place] = answer
        self._of_owner[keys.owner][place] = None
        self._of_gist[keys.shelf, keys.gist][place] = None
        for memory in answer.memories:
            self._of_memory[memory].add(place)
        own = self._of_owner[keys.owner]
        self._drop(list(own)[: max(0, len(own) - limits.per_owner)])
        self._drop(list(self._answers)[: max(0, len(self._answers) - limits.total)])

    async def remove(self, keys: AnswerKeys) -> None:
        self._check_open()
        self._drop([(keys.shelf, keys.exact)])

    async def remove_owner(self, owner: str) -> int:
        self._check_open()
        return self._drop(list(self._of_owner.get(owner, {})))

    async def remove_memories(self, memories: Sequence[str]) -> int:
        self._check_open()
        return self._drop({place for memory in memories for place in self._of_memory.get(memory, ())})

    async def count(self, owner: str | None = None) -> int:
        self._check_open()
        return len(self._answers if owner is None else self._of_owner.get(owner, {}))

    async def close(self) -> None:
        self._closed = True
        self._drop(list(self._answers))

    def _expiring(self, now: int) -> Iterable[tuple[_Place, KeptAnswer]]:
        """Those at the front, which are the oldest; a fixed time to live keeps them in this order."""
        for place, answer in self._answers.items():
            if not _expired(answer, now):
                return
            yield place, answer

    def _drop(self, places: Iterable[_Place]) -> int:
        dropped = 0
        for place in places:
            answer = self._answers.pop(place, None)
            if answer is None:
                continue
            dropped += 1
            keys = answer.keys
            _forget(self._of_owner, keys.owner, place)
            _forget(self._of_gist, (keys.shelf, keys.gist), place)
            for memory in answer.memories:
                self._of_memory[memory].discard(place)
                if not self._of_memory[memory]:
                    del self._of_memory[memory]
        return dropped

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError("The answer cache was closed.")


def _expired(answer: KeptAnswer, now: int) -> bool:
    return answer.expires is not None and answer.expires <= now


def _forget(index: dict[Key, dict[_Place, None]], key: Key, place: _Place) -> None:
    places = index[key]
    places.pop(place, None)
    if not places:
        del index[key]
