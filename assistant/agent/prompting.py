"""The prompt of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.agent.history import Summary, fitting
from assistant.agent.remembering import Recollection
from assistant.agent.summaries import end_of_left_out, summary_message
from assistant.agent.turn_options import TurnOptions
from assistant.context.engine import ContextEngine
from assistant.context.layers import LayerItems
from assistant.context.reports import Assembly
from assistant.core.errors import ContextTooLongError
from assistant.core.types import Message
from assistant.memory.injection import inject
from assistant.memory.recall.result import RecalledMemory

_NO_LIMIT = 1_000_000_000


def plain_prompt(
    options: TurnOptions, given: Sequence[Message], history: Sequence[Message], quoted: Message | None
) -> list[Message]:
    """The prompt when no context engine decides what fits: instructions, memories, earlier messages, what the user
    says. A caller's own leading system messages stay in front of the memories.

    Args:
        given: what the turn was called with.
        history: earlier messages that were stored; the newest go in as far as the options allow.
        quoted: the memories.
    """
    leading = _leading(given)
    front = [Message("system", options.instructions)] if options.instructions.strip() else []
    memories = [quoted] if quoted is not None else []
    earlier = fitting(history, options.history_token_budget)
    return [*front, *given[:leading], *memories, *earlier, *given[leading:]]


async def check_room(engine: ContextEngine, instructions: str, given: Sequence[Message]) -> None:
    """Refuse what can't be sent whatever gives way.

    The model's server is asked only about what seems too long, so that nothing else waits for it.

    Args:
        engine: of this turn alone.
        instructions, given: as in `assembled`.

    Raises:
        ContextTooLongError: instructions and message alone are too large.
    """
    _fill_required(engine, instructions, given)
    try:
        await engine.aassemble(ask=False)
    except ContextTooLongError:
        await engine.aassemble()


async def assembled(
    engine: ContextEngine,
    *,
    instructions: str,
    given: Sequence[Message],
    history: Sequence[Message],
    recollection: Recollection,
    summary: Summary | None = None,
    ask: bool = True,
) -> tuple[Assembly, Recollection]:
    """Fill the layers of a turn and assemble them.

    Args:
        engine: of this turn alone; the caller's own layers are in it.
        instructions: the identity, with the system messages that `given` begins with.
        given: what the turn was called with; the last one is what the user says. Empty when nothing is said yet.
        history: earlier messages that were stored.
        recollection: the memories to quote.
        summary: of earlier messages; goes in when some of them do not.
        ask: as in ContextEngine.aassemble.

    Returns:
        The prompt, and the recollection with those memories alone that are in it.

    Raises:
        ContextTooLongError: instructions and message alone are too large.
    """
    _fill_required(engine, instructions, given)
    if recollection.message is not None:
        engine.add_layer("memory", content=_quoted(recollection))
    engine.add_layer("conversation", content=[*history, *given[_leading(given) : -1]])
    assembly = await engine.aassemble(ask=ask)
    if summary is not None and end_of_left_out(history, assembly.fallen_out) >= summary.first:
        engine.add_layer("summary", content=summary_message(summary))
        assembly = await engine.aassemble(ask=ask)
    return assembly, _kept(recollection, assembly)


def _fill_required(engine: ContextEngine, instructions: str, given: Sequence[Message]) -> None:
    identity = [
        *([Message("system", instructions)] if instructions.strip() else []),
        *given[: _leading(given)],
    ]
    if identity:
        engine.add_layer("identity", content=identity)
    if given:
        engine.add_layer("user_message", content=given[-1])


def _leading(given: Sequence[Message]) -> int:
    """How many system messages `given` begins with."""
    return next((n for n, message in enumerate(given) if message.role != "system"), len(given))


def _quoted(recollection: Recollection) -> LayerItems[RecalledMemory]:
    def render(memories: Sequence[RecalledMemory]) -> Message | None:
        if len(memories) == len(recollection.items):
            return recollection.message
        injection = inject(memories, token_budget=_NO_LIMIT)
        return None if injection is None else injection.message

    return LayerItems(recollection.items, render)


def _kept(recollection: Recollection, assembly: Assembly) -> Recollection:
    layer = assembly.report.layer("memory")
    if recollection.message is None or layer is None or not layer.trimmed:
        return recollection
    items = recollection.items[: layer.kept]
    message = _quoted(recollection).render(items) if items else None
    return replace(recollection, items=items, message=message)
