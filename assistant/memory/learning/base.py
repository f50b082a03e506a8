"""What passes between the parts that learn: what was said, what may be kept of it, and what became of that.

utterance -> extractors -> candidates -> grounding -> caution -> consolidation -> consent -> memory
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal, Protocol, runtime_checkable

Origin = Literal["wish", "rules", "model"]
"""wish: the person asked in plain words to keep it. rules, model: which extractor proposed it."""

Action = Literal["add", "same", "supersede", "ask", "forgotten"]
"""add: nothing known is like it. same: it is known. supersede: a new value of a known fact. ask: it may be one or the
other, and a person must say. forgotten: the person had it forgotten before."""

Consent = Literal["ask", "save", "manual"]
"""ask: each candidate waits for the person's word. save: it is kept, and can be undone. manual: only what the person
asks for is kept."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message of a person: the only thing that is learned from.

    Attributes:
        text: as written.
        said_at: when; timezone-aware.
        session_id, message_id: where it is stored, None where it is not.
        host: where the model is that it was sent to (see ChatModel), None for nowhere or unknown. No other model
            elsewhere may read it.
    """

    text: str
    said_at: datetime
    session_id: str | None = None
    message_id: str | None = None
    host: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement that may become a memory.

    Attributes:
        content: the statement, in the language of the quote.
        quote: the words of the utterance that it was taken from, verbatim.
        kind: "fact", "preference", "plan", "event", "relation", "explicit" (a wish).
        subject: "user", or the name of whom or what it is about.
        language: a language tag, None when unknown.
        valid_from, valid_to: timezone-aware, None when not said.
        origin: see Origin.
    """

    content: str
    quote: str
    kind: str = "fact"
    subject: str = "user"
    language: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    origin: Origin = "rules"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor found in an utterance.

    Attributes:
        candidates: grounded ones, in the order of the text.
        dropped: why others were dropped ("not in the message", "a number changed" …), and how many each.
    """

    candidates: tuple[Candidate, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


class Extractor(Protocol):
    """Finds statements in an utterance."""

    async def extract(self, utterance: Utterance) -> Extraction:
        """Grounded candidates (see grounding); nothing where nothing is certain.

        Raises:
            ModelError: the model that was asked failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Gathered:
    """What several messages of a person say together.

    Attributes:
        found: grounded candidates, each with the message that its quote is from.
        dropped: as in Extraction.
    """

    found: tuple[tuple[Utterance, Candidate], ...] = ()
    dropped: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


class ReadsTogether(Protocol):
    """Finds statements in several messages of one conversation."""

    async def extract_together(self, utterances: Sequence[Utterance]) -> Gathered:
        """Grounded candidates; nothing where nothing is certain.

        Args:
            utterances: of one person, oldest first.

        Raises:
            ModelError: the model that was asked failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a candidate relates to what is known.

    Attributes:
        action: see Action.
        memory_id: the memory that it repeats, replaces or may replace; None for none.
        reason: in plain words, for the person who is asked.
        others: further memories that the candidate replaces as well (see MemoryLedger.supersede).
    """

    action: Action
    memory_id: str | None = None
    reason: str = ""
    others: tuple[str, ...] = ()


class Judge(Protocol):
    """Decides where rules cannot: a model."""

    async def relation(self, known: str, new: str) -> Literal["same", "update", "different", "unsure"]:
        """How the statement `new` relates to `known`.

        Raises:
            ModelError: the model failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class LearnedMemory:
    """What became of a candidate that was kept.

    Attributes:
        memory_id, content: the memory.
        waits: it waits for the person's word; otherwise it is active.
        reason: why it waits, in plain words; empty otherwise.
        replaced: id of the memory whose place it took (or would take), None for none.
        metadata: as it was kept with it.
    """

    memory_id: str
    content: str
    waits: bool = False
    reason: str = ""
    replaced: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), compare=False)


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned from an utterance.

    Attributes:
        kept: active and waiting memories, in order.
        dropped: reasons and counts of what was not kept ("known already", "forgotten before", "must be asked, and this
            memory can't wait" …).
    """

    kept: tuple[LearnedMemory, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


@runtime_checkable
class LearningMemory(Protocol):
    """A memory that can hold what waits for a person's word, replace, and know what was forgotten (the ledger)."""

    async def propose(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        """Keep a memory that waits; it is found by nothing but a list of what waits."""
        ...

    async def accept(self, memory_id: str, *, user_id: str | None = None) -> bool:
        """Make a waiting memory an active one; False when there is none of that id. One that was proposed to take
        another's place (metadata "replaces") supersedes it."""
        ...

    async def supersede(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> str | None:
        """Put a new memory in the place of an active one, which becomes history; None when there is none."""
        ...

    async def forget(self, memory_ids: Sequence[str], *, user_id: str | None = None) -> int:
        """Remove memories with all their versions, bar what they were taken from, and remember (as keyed digests,
        without any text) that they must not be learned again. How many there were."""
        ...

    async def was_forgotten(self, statement: str, *, user_id: str | None = None) -> bool:
        """Whether a statement, or one that says the same in other words, was forgotten."""
        ...

    async def may_return(self, statement: str, *, user_id: str | None = None) -> None:
        """Let a statement be learned again: the person asked for it."""
        ...
