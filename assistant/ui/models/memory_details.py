"""One memory with all that is known of it, as the window shows it."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.ui.models.memories import RowKind


@dataclass(frozen=True, slots=True)
class PastText:
    """What was remembered before.

    Attributes:
        text: what it said.
        when: from when to when, or until when, in a few words.
        memory_id: of the memory that it is; empty for an older text of the same memory.
    """

    text: str
    when: str
    memory_id: str = ""


@dataclass(frozen=True, slots=True)
class MemoryDetails:
    """One memory.

    Attributes:
        memory_id, text: the memory.
        row_kind: fact, waiting, earlier or said.
        facts: labels and what they say ("Said": "3 Nov 2026, 14:02, by you").
        quote: the words that it was taken from, empty for none (or when they are the memory itself).
        session_id, message_id: where it was said, empty when nowhere.
        pinned: in every prompt.
        versions: what it said before, newest first.
        replaced: memories whose place it took, newest first.
        replaced_by: the memory that took its place, None for none.
    """

    memory_id: str
    text: str
    row_kind: RowKind
    facts: tuple[tuple[str, str], ...]
    quote: str = ""
    session_id: str = ""
    message_id: str = ""
    pinned: bool = False
    versions: tuple[PastText, ...] = ()
    replaced: tuple[PastText, ...] = ()
    replaced_by: PastText | None = None


@dataclass(frozen=True, slots=True)
class UsedMemory:
    """A memory that a reply was given, and what has become of it since.

    Attributes:
        memory_id: its id.
        text: as the reply was given it.
        caption: when and by whom it was said.
        why: why it was found; empty when unknown.
        is_turn: it is something that was said in a conversation.
        is_there: it is still remembered.
        is_barred: it is not used any more.
        session_id, message_id: where it was said, empty when unknown.
    """

    memory_id: str
    text: str
    caption: str
    why: str = ""
    is_turn: bool = False
    is_there: bool = True
    is_barred: bool = False
    session_id: str = ""
    message_id: str = ""
