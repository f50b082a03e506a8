"""Keeps the agent of the window up to date with what the user chose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from assistant.agent.agent import Agent
    from assistant.agent.switchboard import Switchboard
    from assistant.config.settings_keeper import SettingsKeeper
    from assistant.conversation.base import ConversationStore
    from assistant.memory.base import MemoryProvider

IDENTITY = (
    "You are Keepsake, a helpful assistant on the user's own computer. Answer in the user's language, plainly and "
    "briefly. When remembered facts are given, use those that fit the question. Say so when you do not know."
)


class Stores(Protocol):
    """What a profile keeps. Each is another object after a wipe."""

    @property
    def memory(self) -> MemoryProvider: ...

    @property
    def conversations(self) -> ConversationStore: ...


@dataclass
class AgentDesk:
    """Keeps one agent for the model, the memory and the settings in force."""

    settings: SettingsKeeper
    switchboard: Switchboard
    profile: Stores
    _agent: Agent | None = None
    _made_for: tuple[object, ...] = field(default_factory=tuple)

    async def agent(self) -> Agent | None:
        """The agent, None when no model is chosen.

        Raises:
            AssistantError: the model can't be made.
        """
        from assistant.agent import build_agent

        model = await self.switchboard.model()
        if model is None:
            return None
        s = self.settings.current
        wanted = (
            model,
            self.profile.memory,
            s.instructions,
            s.memory_enabled,
            s.memory_token_budget,
            s.memory_min_score,
        )
        if self._agent is None or wanted != self._made_for:
            self._agent = await build_agent(
                model=model,
                instructions=f"{IDENTITY}\n\n{s.instructions}".strip(),
                memory=self.profile.memory if s.memory_enabled else None,
                memory_auto_store=s.memory_enabled,
                memory_token_budget=s.memory_token_budget,
                memory_min_score=s.memory_min_score,
                conversation_store=self.profile.conversations,
                owns=False,
            )
            self._made_for = wanted
        return self._agent
