"""Putting an agent together."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.agent.agent import Agent, Closer
from assistant.agent.guardrails import Guardrail, checked_guardrails
from assistant.agent.remembering import MemoryOptions
from assistant.agent.turn import TurnOptions
from assistant.cache.semantic_cache import SemanticCache
from assistant.context.engine import ContextEngine
from assistant.conversation.base import ConversationStore
from assistant.core.errors import InvalidInputError
from assistant.core.text import check_text
from assistant.memory.base import MemoryProvider
from assistant.models.base import ChatModel, ChatOptions

DEFAULT_OPTIONS = ChatOptions()


async def build_agent(
    model: str | ChatModel,
    *,
    instructions: str = "",
    memory: MemoryProvider | None = None,
    memory_auto_store: bool = False,
    memory_limit: int = 8,
    memory_token_budget: int = 800,
    memory_min_score: float = 0.3,
    memory_timeout: float = 5.0,
    conversation_store: ConversationStore | None = None,
    history_messages: int = 100,
    history_token_budget: int = 4000,
    cache: SemanticCache | None = None,
    context_engine: ContextEngine | None = None,
    guardrails: Sequence[Guardrail] = (),
    options: ChatOptions = DEFAULT_OPTIONS,
    owns: bool = True,
) -> Agent:
    """An agent that answers with what it remembers.

    Args:
        model: "preset:model" such as "openai:gpt-5-mini", or a model.
        instructions: what the agent is and how it answers; the first system message of each prompt.
        memory: recalled before each reply.
        memory_auto_store: keep what a user asks in plain words to remember.
        memory_limit: memories in one prompt at most.
        memory_token_budget: estimated tokens that they may cost.
        memory_min_score: 0..1; what scores lower is not used.
        memory_timeout: seconds that a turn waits for memory before it goes on without.
        conversation_store: keeps the turns that name a session.
        history_messages, history_token_budget: how much of a stored conversation goes into a prompt: messages,
            and estimated tokens (of no matter with a context_engine).
        cache: gives an answer again when a caller asks the same in the same situation.
        context_engine: decides what fits into the model's window; its own layers go into each prompt. The agent
            fills its identity, memory, conversation and user message.
        guardrails: what is sent, and what comes back, passes them in this order. A reply is shown when it is whole
            then, and thoughts are not shown.
        options: asked of the model in each turn.
        owns: `shutdown` closes model, memory, store, cache and context engine. A model that is opened here by its
            name is closed anyway.

    Raises:
        InvalidInputError: an option out of its range, or a model's name that says nothing.
        ConfigError, SecretsError: the model's endpoint or key, or the key of an encrypted cache can't be had.
    """
    _check_range("memory_limit", memory_limit, 0)
    _check_range("memory_token_budget", memory_token_budget, 0)
    _check_range("history_messages", history_messages, 0)
    _check_range("history_token_budget", history_token_budget, 0)
    if not 0.0 <= memory_min_score <= 1.0:
        raise InvalidInputError(f"memory_min_score is between 0 and 1; got {memory_min_score}.")
    if not memory_timeout > 0:
        raise InvalidInputError(f"memory_timeout is above 0 seconds; got {memory_timeout}.")
    check_text(instructions)
    checks = checked_guardrails(guardrails)
    if cache is not None:
        await cache.open()
    closers: list[Closer] = []
    opened = _opened(model)
    if owns or opened is not model:
        closers.append(opened.close)
    if owns:
        closers.extend(
            part.close for part in (memory, conversation_store, cache, context_engine) if part is not None
        )
    return Agent(
        opened,
        memory=memory,
        conversation_store=conversation_store,
        options=TurnOptions(instructions, history_messages, history_token_budget, options, context_engine),
        memory_options=MemoryOptions(
            limit=memory_limit,
            min_score=memory_min_score,
            token_budget=memory_token_budget,
            timeout=memory_timeout,
            auto_store=memory_auto_store,
        ),
        cache=cache,
        guardrails=checks,
        closers=closers,
    )


def _opened(model: str | ChatModel) -> ChatModel:
    if not isinstance(model, str):
        return model
    from assistant.models.resolve import open_model

    return open_model(model)


def _check_range(name: str, value: int, least: int) -> None:
    if value < least:
        raise InvalidInputError(f"{name} is at least {least}; got {value}.")
