"""A person who asks some questions again and again, over weeks, in new conversations."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.agent import build_agent
from assistant.cache import SemanticCache
from assistant.core.types import CallerContext, Message
from assistant.embedding.base import Embedder
from assistant.memory import NewMemory
from assistant.memory.ledger import MemoryLedger, open_memory
from assistant.models.scripted import ScriptedModel

TURNS = 240
CALLER = CallerContext("ann")

TOPICS = (
    "boil an egg", "tie a bowline", "prune an apple tree", "sharpen a chisel", "fold a fitted sheet",
    "descale a kettle", "bleed a radiator", "repot an orchid", "patch a bicycle tube", "whip cream by hand",
    "read a weather map",
    "tune a ukulele", "clean a cast iron pan", "store fresh basil", "season a wok", "hang a heavy mirror",
    "remove candle wax from wool", "start a compost heap", "defrost a freezer", "polish brass", "knead sourdough",
    "graft a rose", "sail close to the wind", "solder a copper joint", "wax a wooden table", "dry lavender",
    "splice a rope", "frame a watercolour", "make marmalade", "dye linen with onion skins",
)  # fmt: skip
WORDINGS = ("How do I {}?", "how do i {}", "How can I {}?", "What is the best way to {}?", "How to {}?")
WISHES = (
    "Remember that my sister's name is Ida.", "Remember that I prefer tea to coffee.",
    "Remember that my dog is called Bosun.", "Remember that I work at the harbour office.",
    "Remember that my flat has no oven.", "Remember that I was born in Tromsø.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Workload:
    """What came of it.

    Attributes:
        turns: questions that were asked, wishes not counted.
        calls: those that the model answered.
        distinct: different questions among them.
        wrong: answers that belong to another question.
    """

    turns: int
    calls: int
    distinct: int
    wrong: int

    @property
    def saved(self) -> float:
        """Share of model calls that were not made."""
        return 1 - self.calls / self.turns

    @property
    def possible(self) -> float:
        """Share that could be saved: every asking but the first."""
        return 1 - self.distinct / self.turns


async def run_workload(folder: Path, embedder: Embedder) -> Workload:
    """Ask TURNS questions, few of them often and many seldom; wishes are kept, and every turn is indexed."""
    dice = random.Random(20261129)
    weights = [1 / (place + 1) for place in range(len(TOPICS))]
    memory = await open_memory(folder / "memory", embedder=embedder)
    answers = SemanticCache(backend="sqlite", path=folder / "workload.db", embedder=embedder)
    model = ScriptedModel(_answer for _ in range(2 * TURNS))
    agent = await build_agent(model, memory=memory, memory_auto_store=True, cache=answers, owns=False)
    calls = wrong = 0
    asked: set[str] = set()
    for turn in range(TURNS):
        if turn % (TURNS // len(WISHES)) == 0:
            await agent.ainvoke(_says(WISHES[turn * len(WISHES) // TURNS]), caller=CALLER)
        [topic] = dice.choices(TOPICS, weights)
        question = dice.choice(WORDINGS).format(topic)
        result = await agent.ainvoke(_says(question), caller=CALLER)
        reply = result["messages"][-1].content
        asked.add(topic)
        calls += not result["cached"]
        wrong += topic not in reply
        await _index(memory, turn, question, reply)
    await agent.shutdown()
    await answers.close()
    await memory.close()
    return Workload(TURNS, calls, len(asked), wrong)


def _answer(messages: Sequence[Message]) -> str:
    return f"This is how it is done: {messages[-1].content}"


def _says(text: str) -> dict[str, list[Message]]:
    return {"messages": [Message("user", text)]}


async def _index(memory: MemoryLedger, turn: int, question: str, reply: str) -> None:
    said = {"kind": "turn", "session_id": f"session {turn}"}
    await memory.add_many(
        [
            NewMemory(question, {**said, "speaker": "user", "position": 0}),
            NewMemory(reply, {**said, "speaker": "assistant", "position": 1}),
        ],
        user_id=CALLER.owner,
    )
