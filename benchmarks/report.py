"""What all benchmarks share: figures with their targets, a table, and `--json FILE`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One measured number.

    Attributes:
        label: what it is, for people.
        name: its key in the JSON file.
        value: the number.
        unit: such as "s", "ms", "x", "MB", or empty.
        at_least, at_most: the target; None where there is none.
        note: what it was made of.
    """

    label: str
    name: str
    value: float
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without a target. A value that is no number meets nothing."""
        if self.at_least is None and self.at_most is None:
            return None
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    @property
    def target(self) -> str:
        """The target in words, empty without one."""
        bounds = (("at least", self.at_least), ("at most", self.at_most))
        return ", ".join(f"{words} {bound:g}" for words, bound in bounds if bound is not None)


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the option that every benchmark has."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures as one flat object")


def report(title: str, rows: Sequence[Row], json_file: Path | str | None = None) -> int:
    """Print the rows as a table, and write name -> value to `json_file` when given.

    Returns:
        An exit code: 1 when a target is missed, else 0.
    """
    verdicts = {None: "", True: "met", False: "MISSED"}
    table: list[tuple[str, ...]] = [("figure", "value", "target", "", "")]
    for row in rows:
        table.append(
            (row.label, f"{_shown(row.value)} {row.unit}".strip(), row.target, verdicts[row.met], row.note)
        )
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    table.insert(1, tuple("-" * width for width in widths))
    print(title)
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    if json_file is not None:
        numbers = {row.name: row.value for row in rows}
        Path(json_file).write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")
    return 1 if any(row.met is False for row in rows) else 0


def _shown(value: float) -> str:
    if value == round(value, 6) and float(value).is_integer():
        return str(int(value))
    # Seven digits below one, where a cosine lives; four significant ones elsewhere.
    return f"{value:.7f}" if 0.99 < abs(value) < 1 else f"{value:.4g}"
