"""What a turn is told: how to answer, and what."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass

from assistant.context.engine import ContextEngine
from assistant.context.reports import ContextReport
from assistant.core.types import Message
from assistant.models.base import ChatOptions


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """How an agent answers.

    Attributes:
        instructions: the first system message; empty for none.
        history_messages: stored messages to one prompt at most.
        history_token_budget: estimated tokens that they may cost, when no context engine decides that.
        chat: what is asked of the model.
        context_engine: decides what fits into a prompt, None for nobody.
        summaries: what does not fit is represented by its summary, where there is one; with a context engine.
    """

    instructions: str
    history_messages: int
    history_token_budget: int
    chat: ChatOptions
    context_engine: ContextEngine | None = None
    summaries: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is sent.

    Attributes:
        messages: in order, as the guardrails let them pass.
        report: its numbers, layer by layer; None without a context engine.
    """

    messages: tuple[Message, ...]
    report: ContextReport | None


OnPrompt = Callable[[Prompt], object]


@dataclass(frozen=True, slots=True)
class TurnTask:
    """What is to be answered.

    Attributes:
        messages: those given; only the user's new ones with a transcript.
        answer_to: id of a stored message to answer again, None for a new one.
        owner: whom the turn is for, None for nobody.
        on_prompt: called with what goes to the model, just before it does; not for an answer from the cache.
        instead_of: id of a stored message of the user beside which `messages` begin another branch, None for none.
    """

    messages: tuple[Message, ...]
    answer_to: str | None
    owner: str | None
    on_prompt: OnPrompt | None = None
    instead_of: str | None = None


@dataclass(frozen=True, slots=True)
class EndedTurn:
    """What a stored turn leaves for the time after it.

    Attributes:
        session_id, owner: the conversation.
        temporary: nothing of it may be kept anywhere else.
        left_out: position of the last message of the path that was not in the prompt, -1 when all were.
        summarised: position of the last message that the newest known summary covers, -1 without one.
        context: the turn's context variables.
    """

    session_id: str
    owner: str
    temporary: bool
    left_out: int
    summarised: int
    context: Context


OnTurnEnded = Callable[[EndedTurn], object]
