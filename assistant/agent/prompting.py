"""The prompt of a turn, when a context engine decides what fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.agent.remembering import Recollection
from assistant.context.engine import ContextEngine
from assistant.context.layers import LayerItems
from assistant.context.reports import Assembly
from assistant.core.types import Message
from assistant.memory.base import MemoryResult
from assistant.memory.injection import inject

_NO_LIMIT = 1_000_000_000


async def assembled(
    engine: ContextEngine,
    *,
    instructions: str,
    given: Sequence[Message],
    history: Sequence[Message],
    recollection: Recollection,
) -> tuple[Assembly, Recollection]:
    """Fill the layers of a turn and assemble them.

    Args:
        engine: of this turn alone; the caller's own layers are in it.
        instructions: the identity, with the system messages that `given` begins with.
        given: what the turn was called with; the last one is what the user says.
        history: earlier messages that were stored.
        recollection: the memories to quote.

    Returns:
        The prompt, and the recollection with those memories alone that are in it.

    Raises:
        ContextTooLongError: instructions and message alone are too large.
    """
    leading = next((n for n, message in enumerate(given) if message.role != "system"), len(given))
    identity = [*([Message("system", instructions)] if instructions.strip() else []), *given[:leading]]
    if identity:
        engine.add_layer("identity", content=identity)
    if recollection.message is not None:
        engine.add_layer("memory", content=_quoted(recollection))
    engine.add_layer("conversation", content=[*history, *given[leading:-1]])
    engine.add_layer("user_message", content=given[-1])
    assembly = await engine.aassemble()
    return assembly, _kept(recollection, assembly)


def _quoted(recollection: Recollection) -> LayerItems[MemoryResult]:
    def render(memories: Sequence[MemoryResult]) -> Message | None:
        if len(memories) == len(recollection.memories):
            return recollection.message
        injection = inject(memories, token_budget=_NO_LIMIT)
        return None if injection is None else injection.message

    return LayerItems(recollection.memories, render)


def _kept(recollection: Recollection, assembly: Assembly) -> Recollection:
    layer = assembly.report.layer("memory")
    if recollection.message is None or layer is None or not layer.trimmed:
        return recollection
    memories = recollection.memories[: layer.kept]
    message = _quoted(recollection).render(memories) if memories else None
    return replace(recollection, memories=memories, message=message)
