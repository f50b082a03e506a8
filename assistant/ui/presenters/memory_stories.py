"""Opens the dialogs that tell about memories: all about one, and which ones a reply was given."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from assistant.ui.models.messages import RecalledFact
from assistant.ui.presenters.memory_changes import MemoryChanges
from assistant.ui.presenters.memory_reading import MemoryReader
from assistant.ui.widgets.memory_panel import MemoryPanel


async def show_details(
    window: QWidget, reader: MemoryReader, changes: MemoryChanges, panel: MemoryPanel, memory_id: str
) -> None:
    """All that is known of one memory.

    Raises:
        AssistantError: it can't be read.
    """
    from assistant.ui.windows.memory_details import MemoryDetailsDialog

    details = await reader.details(memory_id)
    if details is None:
        changes.say_gone()
        return
    dialog = MemoryDetailsDialog(window, details)
    dialog.edit_requested.connect(changes.ask_edit)
    dialog.delete_requested.connect(changes.delete)
    dialog.pin_toggled.connect(changes.pin)
    dialog.accept_requested.connect(lambda key: changes.accept([key]))
    dialog.dismiss_requested.connect(lambda key: changes.dismiss([key]))
    dialog.restore_requested.connect(changes.restore_text)
    dialog.other_requested.connect(panel.details_requested)
    dialog.source_requested.connect(panel.source_requested)
    dialog.open()


async def show_recalled(
    window: QWidget,
    reader: MemoryReader,
    changes: MemoryChanges,
    panel: MemoryPanel,
    facts: Sequence[RecalledFact],
    host: str,
    *,
    cached: bool = False,
) -> None:
    """Which memories a reply was given, and what has become of them.

    Raises:
        AssistantError: they can't be read.
    """
    from assistant.ui.windows.recalled import RecalledDialog

    dialog = RecalledDialog(window, await reader.used(facts), host, cached=cached)
    dialog.edit_requested.connect(changes.ask_edit)
    dialog.forget_requested.connect(changes.delete)
    dialog.bar_requested.connect(changes.bar)
    dialog.details_requested.connect(panel.details_requested)
    dialog.source_requested.connect(panel.source_requested)
    dialog.open()
