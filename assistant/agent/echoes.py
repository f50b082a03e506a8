"""Recalled turns in which the same was asked before: they tell nothing new."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence

from assistant.cache.guards import same_wording
from assistant.cache.reading import Reading, read_question
from assistant.core.types import CallerContext
from assistant.memory.base import MemoryResult

_QUESTIONS = 1_000
_ANSWERS = 8
_Key = tuple[str, tuple[str, ...]]
Place = tuple[str, int]
"""A conversation, and the position of a message in it."""


class Echoes:
    """What was said when a question was asked before would keep every repeated question from its answer, were it
    counted among what that answer depends on.

    Such turns are the question itself, what followed it, and the answers that it got while this object lives.
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[_Key, OrderedDict[int, None]] = OrderedDict()

    def said(self, question: str, answer: str, caller: CallerContext) -> None:
        """Note that `caller` got `answer` to `question`."""
        key = _key(read_question(question), caller)
        answers = self._answers.setdefault(key, OrderedDict())
        answers[hash(answer)] = None
        while len(answers) > _ANSWERS:
            answers.popitem(last=False)
        self._answers.move_to_end(key)
        while len(self._answers) > _QUESTIONS:
            self._answers.popitem(last=False)

    def without(
        self,
        memories: Sequence[MemoryResult],
        question: str,
        caller: CallerContext,
        asked_before: Mapping[Place, str],
    ) -> list[MemoryResult]:
        """`memories` without the echoes of `question`.

        Args:
            asked_before: what the user said just before recalled replies, by its place.
        """
        asked = read_question(question)
        answers: Collection[int] = self._answers.get(_key(asked, caller), ())
        turns = dict(asked_before)
        turns |= {place: memory.content for memory in memories if (place := place_of(memory)) is not None}
        questions = {place for place, text in turns.items() if _asks_the_same(asked, text)}
        echoes = questions | {(session, position + 1) for session, position in questions}
        echoes |= {place for place, text in turns.items() if hash(text) in answers}
        return [memory for memory in memories if place_of(memory) not in echoes]


def _key(asked: Reading, caller: CallerContext) -> _Key:
    return caller.owner, (asked.exact,) if asked.leans or not asked.form else asked.form


def _asks_the_same(asked: Reading, text: str) -> bool:
    said = read_question(text)
    return said.exact == asked.exact or same_wording(said, asked)


def place_of(memory: MemoryResult) -> Place | None:
    """Conversation and position of what was said in one, None for a fact."""
    said = memory.metadata
    session, position = said.get("session_id"), said.get("position")
    if said.get("kind") != "turn" or not isinstance(session, str) or not isinstance(position, int):
        return None
    return session, position
