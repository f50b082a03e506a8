"""The list of connections says where, why, how much, and what was refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from PySide6.QtWidgets import QLabel, QTableWidget

from assistant.models.network import NetworkRecord
from assistant.ui.windows.connections import ConnectionsDialog

WHEN = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)


def rows(table: QTableWidget) -> list[list[str]]:
    found = []
    for row in range(table.rowCount()):
        cells = (table.item(row, column) for column in range(1, table.columnCount()))
        found.append([cell.text() for cell in cells if cell is not None])
    return found


def test_the_newest_comes_first_with_its_host_reason_and_bytes(qapp: Any) -> None:
    records = [
        NetworkRecord(1, WHEN, "127.0.0.1", 11434, "model list", "done", 412, 9_120, WHEN),
        NetworkRecord(2, WHEN, "api.example", 443, "chat", "failed", 5_120, 0, WHEN, "proxy.example:3128"),
        NetworkRecord(3, WHEN, "elsewhere.example", 443, "chat", "refused", ended_at=WHEN),
    ]
    table = ConnectionsDialog(None, records).findChild(QTableWidget)
    assert isinstance(table, QTableWidget)
    assert rows(table) == [
        ["elsewhere.example:443", "chat", "0 bytes", "0 bytes", "refused"],
        ["api.example:443 through proxy.example:3128", "chat", "5.1 kB", "0 bytes", "failed"],
        ["127.0.0.1:11434", "model list", "412 bytes", "9.1 kB", ""],
    ]


def test_without_connections_it_says_so(qapp: Any) -> None:
    dialog = ConnectionsDialog(None, [])
    assert dialog.findChild(QTableWidget) is None
    assert any("not connected" in label.text() for label in dialog.findChildren(QLabel))
