"""Three ways to find a turn: Keepsake's memory, Chroma alone, BM25 alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol, Self

import apsw

from assistant.embedding.base import Embedder
from assistant.memory.base import BrowsableMemory, MemoryScope, NewMemory
from assistant.memory.chroma_provider import ChromaProvider
from assistant.memory.ledger import open_memory
from benchmarks.locomo import Dialogue, Turn


class Finder(Protocol):
    """Something that finds turns."""

    @classmethod
    async def opened(cls, folder: Path, embedder: Embedder) -> Self: ...

    async def add(self, dialogue: Dialogue) -> None: ...

    async def find(self, owner: str, question: str, limit: int) -> list[str]:
        """Turn ids, best first."""
        ...

    async def close(self) -> None: ...


class _Provided:
    """Over a memory provider."""

    def __init__(self, memory: BrowsableMemory) -> None:
        self._memory = memory

    async def find(self, owner: str, question: str, limit: int) -> list[str]:
        found = await self._memory.search(question, limit=limit, user_id=owner)
        return [result.metadata["turn_id"] for result in found]

    async def close(self) -> None:
        await self._memory.close()


class Keepsake(_Provided):
    """Turns with who said them, when and where, as the app adds them."""

    @classmethod
    async def opened(cls, folder: Path, embedder: Embedder) -> Self:
        return cls(await open_memory(folder, embedder=embedder))

    async def add(self, dialogue: Dialogue) -> None:
        await self._memory.add_many(
            [NewMemory(turn.text, as_metadata(turn)) for turn in dialogue.turns], user_id=dialogue.name
        )


class PlainChroma(_Provided):
    """Texts in Chroma, found by the nearest vectors."""

    @classmethod
    async def opened(cls, folder: Path, embedder: Embedder) -> Self:
        return cls(ChromaProvider(persist_directory=folder, scope=MemoryScope.PER_USER, embedder=embedder))

    async def add(self, dialogue: Dialogue) -> None:
        items = [NewMemory(turn.text, {"turn_id": turn.turn_id}) for turn in dialogue.turns]
        await self._memory.add_many(items, user_id=dialogue.name)


class Bm25:
    """SQLite's FTS5 with the Porter stemmer over "(date) speaker: text", any word of the question."""

    def __init__(self) -> None:
        self._connection = apsw.Connection(":memory:")
        self._tables: dict[str, str] = {}

    @classmethod
    async def opened(cls, folder: Path, embedder: Embedder) -> Self:
        return cls()

    async def add(self, dialogue: Dialogue) -> None:
        table = self._tables[dialogue.name] = f"turns_{len(self._tables)}"
        self._connection.execute(
            f"CREATE VIRTUAL TABLE {table} USING fts5(id UNINDEXED, text, tokenize='porter unicode61')"
        )
        self._connection.executemany(
            f"INSERT INTO {table} VALUES (?, ?)",
            (
                (turn.turn_id, f"({turn.said_at:%-d %B %Y}) {turn.speaker}: {turn.text}")
                for turn in dialogue.turns
            ),
        )

    async def find(self, owner: str, question: str, limit: int) -> list[str]:
        table = self._tables[owner]
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        sql = f"SELECT id FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT ?"
        return [turn_id for (turn_id,) in self._connection.execute(sql, (words, limit))]

    async def close(self) -> None:
        self._connection.close()


def as_metadata(turn: Turn) -> dict[str, str | int]:
    """A turn's metadata as Keepsake takes it."""
    return {
        "kind": "turn",
        "speaker": turn.speaker,
        "said_at": turn.said_at.isoformat(),
        "session_id": turn.session,
        "position": turn.position,
        "turn_id": turn.turn_id,
    }
