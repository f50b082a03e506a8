"""Finds the memories that a new statement may repeat or replace."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

from assistant.memory.base import MemoryPage, MemoryProvider, MemoryResult
from assistant.memory.consolidation.reading import Reading

LIMIT = 10
_DEEPER = (1, 8, 64)

_PROBES = {
    "residence": "I live in, moved to; wohne in, gezogen; j'habite à, déménagé; vivo en, me mudé a; trasferito; "
    "住在 搬到 住んで 引っ越",
    "employer": "I work at, employer, joined; arbeite bei, Arbeitgeber; je travaille chez; trabajo en, empresa; "
    "lavoro per, azienda; 工作 働いて",
    "job": "I work as, job, profession; arbeite als, Beruf; travaille comme, métier; trabajo como; lavoro come",
    "age": "I am years old, turned; Jahre alt; ans; años; anni; 岁 歳",
    "phone": "phone number; Telefonnummer Handynummer; numéro de téléphone; número de teléfono móvil; numero di "
    "telefono",
    "email": "email address; E-Mail-Adresse; adresse mail; correo electrónico; indirizzo email",
    "address": "address; Adresse; adresse; dirección; indirizzo",
    "car": "my car, I drive; Auto, fahre; voiture, conduis; coche, conduzco; auto macchina, guido",
    "diet": "vegan vegetarian diet meat; vegetarisch Fleisch; végétarien viande; vegetariano carne",
    "relationship": "single married engaged divorced; verheiratet ledig geschieden; célibataire marié; soltero "
    "casado; sposato divorziato",
    "name": "name is called; heißt Name; s'appelle nom; se llama nombre; si chiama nome",
    "favourite": "favourite favorite; Lieblings; préféré favori; favorito preferido; preferito",
}
"""What people say of an attribute: a new value may have no word in common with the old one."""


@runtime_checkable
class Waiting(Protocol):
    """A memory that also lists what waits for a person's word (the ledger)."""

    async def propose(self, content: str, *, user_id: str | None = None) -> str: ...

    async def list(
        self,
        *,
        user_id: str | None = None,
        offset: int = 0,
        limit: int = 50,
        state: Literal["pending", "active", "superseded"] = "active",
    ) -> MemoryPage: ...


async def neighbours(
    memory: MemoryProvider, text: str, reading: Reading, user_id: str | None
) -> list[MemoryResult]:
    """Memories near a statement, best first, without what was merely said in conversations."""
    found: dict[str, MemoryResult] = {}
    for query in dict.fromkeys([text, *_queries(reading)]):
        for result in await _facts(memory, query, user_id):
            found.setdefault(result.memory_id, result)
    return list(found.values())


async def waiting(memory: MemoryProvider, user_id: str | None) -> list[MemoryResult]:
    """What waits for the person's word, the newest 100; nothing where the memory has no such state."""
    if not isinstance(memory, Waiting):
        return []
    page = await memory.list(user_id=user_id, limit=100, state="pending")
    return list(page.items)


def is_turn(result: MemoryResult) -> bool:
    """Whether a memory is something that was said, which nothing is merged with."""
    return result.metadata.get("kind") == "turn"


def _queries(reading: Reading) -> list[str]:
    return [
        _PROBES[kind] for frame in reading.frames if (kind := frame.attribute.partition(":")[0]) in _PROBES
    ]


async def _facts(memory: MemoryProvider, query: str, user_id: str | None) -> list[MemoryResult]:
    """The best facts for a query. Turns may crowd the first results, so it looks deeper when they do."""
    facts: list[MemoryResult] = []
    for factor in _DEEPER:
        limit = LIMIT * factor
        results = await memory.search(query, limit=limit, user_id=user_id)
        facts = [result for result in results if not is_turn(result)]
        if len(facts) >= LIMIT or len(results) < limit:
            break
    return facts[:LIMIT]
