"""What presenters have in common: work that fails says so, and none is begun while the application closes."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QObject, Signal

from assistant.core.errors import AssistantError
from assistant.ui.services import Services


class Presenter(QObject):
    """Between widgets and services.

    Signals:
        failed(AssistantError): something failed that has no place of its own to be shown.
    """

    failed = Signal(object)

    def __init__(self, parent: QObject, services: Services) -> None:
        super().__init__(parent)
        self._services = services

    def run(self, work: Coroutine[Any, Any, object], name: str, *, replaces: bool = False) -> None:
        """Run `work` as a task; an AssistantError that it raises is told by `failed`.

        Args:
            name: as in Supervisor.start.
            replaces: as in Supervisor.start.
        """
        supervisor = self._services.supervisor
        if supervisor.is_closing:
            work.close()
            return
        task = supervisor.start(self._guarded(work), name=name, replaces=replaces)
        # A task that is cancelled before its first step never gets to awaiting its work.
        task.add_done_callback(lambda _: work.close())

    async def _guarded(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except AssistantError as error:
            self.failed.emit(error)
