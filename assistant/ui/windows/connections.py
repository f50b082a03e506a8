"""Where this program has connected to since it was started."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from assistant.models.network import NetworkRecord
from assistant.ui.windows.dialogs import Dialog
from assistant.ui.words import size

_COLUMNS = ("When", "Host", "What for", "Sent", "Received", "")
_OUTCOMES = {"open": "running", "done": "", "failed": "failed", "refused": "refused"}
_SHOWN = 500


class ConnectionsDialog(Dialog):
    """The connections, newest first."""

    def __init__(self, parent: QWidget, records: Sequence[NetworkRecord]) -> None:
        super().__init__(parent, "Connections")
        self.setMinimumSize(680, 460)
        if not records:
            self.say("Keepsake has not connected to anything since it was started.", "muted")
            self.body.addStretch(1)
        else:
            self.say("All that Keepsake connected to since it was started, newest first.", "muted")
            self.body.addWidget(self._table(list(reversed(records))[:_SHOWN]), 1)
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()

    def _table(self, records: Sequence[NetworkRecord]) -> QTableWidget:
        table = QTableWidget(len(records), len(_COLUMNS))
        table.setAccessibleName("Connections")
        table.setHorizontalHeaderLabels(list(_COLUMNS))
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        for row, record in enumerate(records):
            host = f"{record.host}:{record.port}" + (f" through {record.through}" if record.through else "")
            cells = (
                record.started_at.astimezone().strftime("%H:%M:%S"),
                host,
                record.why,
                size(record.sent),
                size(record.received),
                _OUTCOMES[record.outcome],
            )
            for column, text in enumerate(cells):
                table.setItem(row, column, QTableWidgetItem(text))
        return table
