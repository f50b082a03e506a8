"""Parts for tests of the learner: plain ones, whose decisions a test can read off."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from assistant.core.tasks import Supervisor
from assistant.core.types import Message
from assistant.memory.base import MemoryProvider
from assistant.memory.caution.base import Caution
from assistant.memory.learning import Learner, Pace
from assistant.memory.learning.base import (
    Candidate,
    Extraction,
    Learned,
    Origin,
    Utterance,
    Verdict,
)
from assistant.models.base import ChatModel, TextDelta
from assistant.models.scripted import ScriptedModel
from tests.ledger_fixtures import START

NO_REST = Pace(first_rest=0.0)

_STATEMENT = re.compile(r"My [^.!?]+ is [^.!?]+")
_CAREFUL = {
    "illness": Caution("health", "it is about health"),
    "password": Caution("credentials", "it holds a credential"),
    "always reply": Caution("instruction", "it reads as an instruction"),
}


def said(text: str, *, session: str | None = "s1", message: str | None = "m1", minute: int = 0) -> Utterance:
    return Utterance(text, START + timedelta(minutes=minute), session, message)


def statements(text: str, origin: Origin) -> tuple[Candidate, ...]:
    """Each "My … is …" of a text."""
    return tuple(
        Candidate(match.group(), match.group(), language="en", origin=origin)
        for match in _STATEMENT.finditer(text)
    )


class PlainRules:
    """Takes each "My … is …" of a message."""

    async def extract(self, utterance: Utterance) -> Extraction:
        return Extraction(statements(utterance.text, "rules"))


class NoRules:
    """Finds nothing."""

    async def extract(self, utterance: Utterance) -> Extraction:
        return Extraction()


class PlainModelExtractor:
    """Asks a model for a JSON list of statements, and takes those that are in the message."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def extract(self, utterance: Utterance) -> Extraction:
        parts = [
            event.text
            async for event in self._model.stream([Message("user", utterance.text)])
            if isinstance(event, TextDelta)
        ]
        proposed: list[str] = json.loads("".join(parts))
        real = [text for text in proposed if text in utterance.text]
        return Extraction(
            tuple(Candidate(text, text, origin="model") for text in real),
            {"not in the message": len(proposed) - len(real)} if len(real) < len(proposed) else {},
        )


def reads(messages: Sequence[Message]) -> str:
    """What a good model answers to PlainModelExtractor."""
    return json.dumps([match.group() for match in _STATEMENT.finditer(messages[-1].content)])


class PlainConsolidator:
    """The same text is the same; "My … is B" takes the place of "My … is A", and perhaps so when it says "perhaps".

    Attributes:
        asked: contents, in the order in which they were asked about.
    """

    def __init__(self, memory: MemoryProvider) -> None:
        self._memory = memory
        self.asked: list[str] = []

    async def verdict(self, candidate: Candidate, *, user_id: str | None = None) -> Verdict:
        self.asked.append(candidate.content)
        slot = candidate.content.partition(" is ")[0]
        for known in await self._memory.search(candidate.content, limit=50, user_id=user_id):
            if known.content == candidate.content:
                return Verdict("same", known.memory_id)
            if known.content.partition(" is ")[0] == slot:
                if "perhaps" in candidate.content:
                    return Verdict("ask", known.memory_id, "It may be another one.")
                return Verdict("supersede", known.memory_id)
        return Verdict("add")


def plain_cautions(text: str) -> tuple[Caution, ...]:
    """Health, credentials and instructions, by one word each."""
    return tuple(caution for word, caution in _CAREFUL.items() if word in text)


class Heard:
    """Collects what a learner tells, and can be waited for."""

    def __init__(self) -> None:
        self.learned: list[tuple[str | None, Utterance, Learned]] = []
        self._changed = asyncio.Event()

    def __call__(self, owner: str | None, utterance: Utterance, learned: Learned) -> None:
        self.learned.append((owner, utterance, learned))
        self._changed.set()

    async def times(self, count: int) -> None:
        while len(self.learned) < count:
            self._changed.clear()
            await self._changed.wait()

    @property
    def texts(self) -> list[str]:
        return [memory.content for _, _, learned in self.learned for memory in learned.kept]


@asynccontextmanager
async def learner(memory: MemoryProvider, **options: Any) -> AsyncIterator[Learner]:
    """A learner of plain parts, closed at the end."""
    tasks = Supervisor()
    parts: dict[str, Any] = {
        "rules": PlainRules(),
        "model_extractor": None,
        "host": "this computer",
        "consolidator": PlainConsolidator(memory),
        "cautions": plain_cautions,
        "tasks": tasks,
        "pace": NO_REST,
    }
    made = Learner(memory, **(parts | options))
    try:
        yield made
    finally:
        await made.close()
        await tasks.close()


def reading(model: ScriptedModel, **more: Any) -> dict[str, Any]:
    """Parts of a learner that learns by a model alone."""
    return {"rules": NoRules(), "model_extractor": PlainModelExtractor(model), **more}


class Held:
    """An extractor that waits in each call until it is let go."""

    def __init__(self) -> None:
        self.called = asyncio.Event()
        self.go = asyncio.Event()
        self.calls = 0
        self.running = 0
        self.most_running = 0

    async def extract(self, utterance: Utterance) -> Extraction:
        self.calls += 1
        self.running += 1
        self.most_running = max(self.running, self.most_running)
        self.called.set()
        try:
            await self.go.wait()
        finally:
            self.running -= 1
        return Extraction(statements(utterance.text, "model"))


class Deaf(Held):
    """As Held, but no cancellation ends a call."""

    async def extract(self, utterance: Utterance) -> Extraction:
        self.calls += 1
        self.called.set()
        while not self.go.is_set():
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                continue
        return Extraction(statements(utterance.text, "model"))
