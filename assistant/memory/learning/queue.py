"""Messages that a model still has to read: what a queue of them promises, and one that lasts as long as its process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, Protocol, runtime_checkable

from assistant.core.text import check_text
from assistant.memory.learning.base import Utterance
from assistant.memory.remember import remember_wish

MOST_LESSONS = 1_000
"""Lessons that one owner's queue holds; the oldest goes when another one comes."""
LONGEST_LESSON = 16_000
"""Characters of a message that are kept for a model to read."""
HERE = "this computer"
"""The host of a model that runs on this computer (see ChatModel)."""

But = Literal["nothing", "wishes", "held"]
"""What stays when a queue is cleared. held: what no turn has learned from yet; wishes: what asks to be kept of that."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A message that a model has to read.

    Attributes:
        number: names it in its queue.
        utterance: the message.
        user_id: who said it; None for nobody (a shared memory).
        attempts: how often it was taken, this time included.
        held: its turn has not learned from it: what it asks to keep, and what the rules find, is to be kept too.
    """

    number: int
    utterance: Utterance
    user_id: str | None
    attempts: int
    held: bool = False


class LessonQueue(Protocol):
    """Lessons in order, of all owners.

    Attributes:
        order: held by whoever takes a lesson, until it is finished or given back: one at a time, even while one
            learner takes over from another.
    """

    @property
    def order(self) -> asyncio.Lock: ...

    async def put(self, utterance: Utterance, *, user_id: str | None, held: bool = False) -> None:
        """Queue a message, of a long one its beginning; a message that waits already is not queued twice.

        Args:
            held: see Lesson; queued again without it, it is held no longer.

        Raises:
            MemoryIsolationError: the memory is kept for each person, and nobody is named.
            InvalidTextError: the text is not valid Unicode.
            StorageError: the disk failed.
        """
        ...

    async def take(self, host: str | None = HERE) -> Lesson | None:
        """The lesson that was tried least often, the oldest of these, and count the attempt; None for none. It stays
        in the queue until it is finished.

        Args:
            host: where the model is that reads it. One on this computer reads all; another one reads what went there
                anyway; None reads nothing. What is held is taken in any case.
        """
        ...

    async def learned(self, lesson: Lesson) -> bool:
        """Hold a lesson no longer; False when it was dropped meanwhile."""
        ...

    async def drop(self, utterance: Utterance, *, user_id: str | None) -> None:
        """Remove the lesson of a message, when there is one."""
        ...

    async def give_back(self, lesson: Lesson) -> None:
        """Take an attempt back that said nothing about the lesson."""
        ...

    async def finish(self, lesson: Lesson) -> bool:
        """Remove a lesson; False when it was dropped meanwhile."""
        ...

    async def drop_session(
        self, session_id: str, *, user_id: str | None, message_id: str | None = None
    ) -> int:
        """Remove the lessons from a conversation (or from one message of it); how many there were."""
        ...

    async def clear(self, *, user_id: str | None = None, but: But = "nothing") -> int:
        """Remove all lessons (of one owner, when named) but these; how many there were."""
        ...

    async def count(self, *, user_id: str | None = None) -> int:
        """How many lessons wait (for one owner, when named)."""
        ...


@runtime_checkable
class KeepsLessons(Protocol):
    """A memory that keeps a queue on disk."""

    @property
    def lessons(self) -> LessonQueue: ...


def may_read(reader: str | None, host: str | None) -> bool:
    """Whether a model at `reader` may read what went to `host`: it stays on this computer, or was sent there anyway."""
    return reader == HERE or (reader is not None and reader == host)


def stays(text: str, held: bool, but: But) -> bool:
    """Whether a lesson stays when a queue is cleared."""
    return held and (but == "held" or (but == "wishes" and remember_wish(text) is not None))


def shortened(utterance: Utterance) -> Utterance:
    """`utterance` as a queue keeps it.

    Raises:
        InvalidTextError: it is not valid Unicode.
    """
    for text in (utterance.text, utterance.session_id or "", utterance.message_id or ""):
        check_text(text)
    return replace(utterance, text=utterance.text[:LONGEST_LESSON])


class InMemoryLessons:
    """A LessonQueue in this process, for memories that keep none."""

    def __init__(self) -> None:
        self._order = asyncio.Lock()
        self._lessons: dict[int, Lesson] = {}
        self._last = 0

    @property
    def order(self) -> asyncio.Lock:
        return self._order

    async def put(self, utterance: Utterance, *, user_id: str | None, held: bool = False) -> None:
        kept = shortened(utterance)
        own = [lesson for lesson in self._lessons.values() if lesson.user_id == user_id]
        for lesson in own:
            if lesson.utterance == kept:
                said = replace(kept, host=kept.host or lesson.utterance.host)
                self._lessons[lesson.number] = replace(lesson, utterance=said, held=lesson.held and held)
                return
        for lesson in own[: max(len(own) - MOST_LESSONS + 1, 0)]:
            del self._lessons[lesson.number]
        self._last += 1
        self._lessons[self._last] = Lesson(self._last, kept, user_id, 0, held)

    async def take(self, host: str | None = HERE) -> Lesson | None:
        readable = [
            each for each in self._lessons.values() if each.held or may_read(host, each.utterance.host)
        ]
        if not readable:
            return None
        first = min(readable, key=lambda lesson: (lesson.attempts, lesson.number))
        taken = replace(first, attempts=first.attempts + 1)
        self._lessons[taken.number] = taken
        return taken

    async def give_back(self, lesson: Lesson) -> None:
        if lesson.number in self._lessons:
            known = self._lessons[lesson.number]
            self._lessons[lesson.number] = replace(known, attempts=lesson.attempts - 1)

    async def learned(self, lesson: Lesson) -> bool:
        known = self._lessons.get(lesson.number)
        if known is None:
            return False
        self._lessons[lesson.number] = replace(known, held=False)
        return True

    async def drop(self, utterance: Utterance, *, user_id: str | None) -> None:
        kept = shortened(utterance)
        self._drop(
            each for each in self._lessons.values() if each.user_id == user_id and each.utterance == kept
        )

    async def finish(self, lesson: Lesson) -> bool:
        return self._lessons.pop(lesson.number, None) is not None

    async def drop_session(
        self, session_id: str, *, user_id: str | None, message_id: str | None = None
    ) -> int:
        return self._drop(
            lesson
            for lesson in self._lessons.values()
            if lesson.user_id == user_id
            and lesson.utterance.session_id == session_id
            and message_id in (None, lesson.utterance.message_id)
        )

    async def clear(self, *, user_id: str | None = None, but: But = "nothing") -> int:
        return self._drop(
            lesson
            for lesson in self._lessons.values()
            if user_id in (None, lesson.user_id) and not stays(lesson.utterance.text, lesson.held, but)
        )

    async def count(self, *, user_id: str | None = None) -> int:
        return sum(user_id is None or lesson.user_id == user_id for lesson in self._lessons.values())

    def _drop(self, chosen: Iterable[Lesson]) -> int:
        numbers = [lesson.number for lesson in chosen]
        for number in numbers:
            del self._lessons[number]
        return len(numbers)
