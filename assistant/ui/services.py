"""What the presenters work with; made by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.agent.agent import Agent
    from assistant.agent.switchboard import Switchboard
    from assistant.config.paths import AppPaths
    from assistant.config.settings_keeper import SettingsKeeper
    from assistant.core.tasks import Supervisor
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
        agent: the agent for the model in force, None when no model is chosen.
        on_preparing: registers a listener (what, done, total) for the embedding model's preparation.
        connections: what was connected to since the start, oldest first.
        version: of the application.
        redact: removes keys from text.
    """

    paths: AppPaths
    settings: SettingsKeeper
    switchboard: Switchboard
    profile: Profile
    supervisor: Supervisor
    agent: Callable[[], Awaitable[Agent | None]]
    on_preparing: Callable[[Callable[[str, int, int], None]], None]
    connections: Callable[[], Sequence[NetworkRecord]]
    version: str
    redact: Callable[[str], str]
