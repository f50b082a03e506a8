"""What the presenters work with; made by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.agent.agent import Agent
    from assistant.agent.desk import AgentDesk
    from assistant.agent.switchboard import Switchboard
    from assistant.config.paths import AppPaths
    from assistant.config.settings_keeper import SettingsKeeper
    from assistant.core.tasks import Supervisor
    from assistant.memory.learning.learner import Learner, OnLearned
    from assistant.memory.ledger.indexer import IndexProgress
    from assistant.models.network import NetworkRecord
    from assistant.ownership.profile import Profile


@dataclass(frozen=True, slots=True)
class Services:
    """Everything below the window.

    Attributes:
        paths: where things lie.
        settings: see SettingsKeeper.
        switchboard: which model answers.
        profile: the stores of the person.
        supervisor: owns all tasks.
        learner: takes a person's word about memories.
        on_learned: registers a listener for what was learned in the background.
        agent: the agent for the model in force, None when no model is chosen.
        desk: what that agent works with: answers that are given again, and the context engine.
        on_preparing: registers a listener (what, done, total) for the embedding model's preparation.
        on_indexing: registers a listener for how far the memory's index is.
        connections: what was connected to since the start, oldest first.
        version: of the application.
        redact: removes keys from text.
    """

    paths: AppPaths
    settings: SettingsKeeper
    switchboard: Switchboard
    profile: Profile
    supervisor: Supervisor
    learner: Callable[[], Awaitable[Learner]]
    on_learned: Callable[[OnLearned], None]
    agent: Callable[[], Awaitable[Agent | None]]
    desk: AgentDesk
    on_preparing: Callable[[Callable[[str, int, int], None]], None]
    on_indexing: Callable[[Callable[[IndexProgress], None]], None]
    connections: Callable[[], Sequence[NetworkRecord]]
    version: str
    redact: Callable[[str], str]

    async def forget_answers(self, memory_ids: Iterable[str]) -> int:
        """Drop the kept answers that were made with one of these memories, which were forgotten or changed; how many.

        Raises:
            StorageError: it failed; what is left is not known.
        """
        return await self.desk.forget_answers(memory_ids)
