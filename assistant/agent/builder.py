"""Putting an agent together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from assistant.agent.after_hours import LONGEST, AfterHours
from assistant.agent.agent import Agent, Closer, agent_tasks
from assistant.agent.guarded_model import GuardedModel
from assistant.agent.guardrails import Guardrail, checked_guardrails
from assistant.agent.remembering import MemoryOptions
from assistant.agent.summaries import Summaries
from assistant.agent.turn_options import OnTurnEnded, TurnOptions
from assistant.cache.semantic_cache import SemanticCache
from assistant.context.engine import ContextEngine
from assistant.conversation.base import ConversationStore
from assistant.core.errors import InvalidInputError
from assistant.core.text import check_text
from assistant.memory.base import MemoryProvider
from assistant.memory.learning.making import make_learner
from assistant.models.base import ChatModel, ChatOptions

if TYPE_CHECKING:
    from assistant.memory.learning.learner import Learner

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
    learner: Learner | None = None,
    memory_index_turns: bool = False,
    memory_recall_turns: bool = True,
    conversation_store: ConversationStore | None = None,
    history_messages: int = 100,
    history_token_budget: int = 4000,
    cache: SemanticCache | None = None,
    context_engine: ContextEngine | None = None,
    guardrails: Sequence[Guardrail] = (),
    options: ChatOptions = DEFAULT_OPTIONS,
    summarise: bool = False,
    after_hours: AfterHours | None = None,
    on_turn_ended: OnTurnEnded | None = None,
    owns: bool = True,
) -> Agent:
    """An agent that answers with what it remembers.

    Args:
        model: "preset:model" such as "openai:gpt-5-mini", or a model.
        instructions: what the agent is and how it answers; the first system message of each prompt.
        memory: recalled before each reply.
        memory_auto_store: keep what a user asks in plain words to remember, what rules find in the user's own words,
            and, after the reply, what the model finds in them. What is sensitive, or reads as an instruction, waits for
            the user's word where the memory can hold what waits (`open_memory`), else it is not kept.
        memory_limit: memories in one prompt at most.
        memory_token_budget: estimated tokens that they may cost.
        memory_min_score: 0..1; what scores lower is not used. A memory with a recall of its own (`open_memory`)
            decides itself what fits.
        memory_timeout: seconds that a turn waits for memory before it goes on without.
        learner: keeps memories from turns in place of the one that memory_auto_store makes, with consent and listeners
            of its own; stays the caller's to close.
        memory_index_turns: what is said in stored conversations can be recalled in later ones.
        memory_recall_turns: what was said in earlier conversations, as far as memory has it, is recalled.
        conversation_store: keeps the turns that name a session.
        history_messages, history_token_budget: how much of a stored conversation goes into a prompt: messages,
            and estimated tokens (of no matter with a context_engine).
        cache: gives an answer again when a caller asks the same in the same situation.
        context_engine: decides what fits into the model's window; its own layers go into each prompt. The agent
            fills its identity, memory, conversation and user message.
        guardrails: what is sent, and what comes back, passes them in this order. A reply is shown when it is whole
            then, and thoughts are not shown.
        options: asked of the model in each turn.
        summarise: what no longer fits into a stored conversation's prompts is summarised by the model when nothing is
            running, and the summary goes into the later ones. Needs conversation_store and context_engine.
        after_hours: when that is done, in place of a schedule of the agent's own; stays the caller's to clear.
        on_turn_ended: told of each stored turn, however it ended.
        owns: `shutdown` closes model, memory, store, cache and context engine. A model that is opened here by its
            name is closed anyway.

    Raises:
        InvalidInputError: an option out of its range or without what it needs, or a model's name that says nothing.
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
    if summarise and (conversation_store is None or context_engine is None):
        raise InvalidInputError("summarise needs a conversation_store and a context_engine.")
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
    tasks = agent_tasks()
    owns_learner = learner is None and memory_auto_store and memory is not None
    if owns_learner:
        assert memory is not None
        # What guardrails keep from a turn they keep from an extraction, too.
        asked = GuardedModel(opened, checks, tasks) if checks else opened
        learner = make_learner(memory, asked, consent="save", on_learned=None, tasks=tasks)
    listeners: list[OnTurnEnded] = [] if on_turn_ended is None else [on_turn_ended]
    if summarise:
        assert conversation_store is not None
        assert context_engine is not None
        if after_hours is None:
            after_hours = AfterHours(
                tasks, first=None if learner is None else partial(learner.settle, LONGEST)
            )
            closers.insert(0, after_hours.clear)
        summaries = Summaries(
            GuardedModel(opened, checks, tasks) if checks else opened,
            conversation_store,
            after_hours,
            window=lambda: context_engine.for_turn(opened).window.tokens,
        )
        listeners.append(summaries.turn_ended)
    return Agent(
        opened,
        learner=learner,
        owns_learner=owns_learner,
        tasks=tasks,
        memory=memory,
        conversation_store=conversation_store,
        options=TurnOptions(
            instructions, history_messages, history_token_budget, options, context_engine, summarise
        ),
        memory_options=MemoryOptions(
            limit=memory_limit,
            min_score=memory_min_score,
            token_budget=memory_token_budget,
            timeout=memory_timeout,
            index_said=memory_index_turns,
            recall_said=memory_recall_turns,
        ),
        cache=cache,
        guardrails=checks,
        after_hours=after_hours,
        on_turn_ended=listeners,
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
