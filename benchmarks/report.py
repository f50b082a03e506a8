"""What all benchmarks share: figures with their targets, a table, and `--json FILE`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number.

    Attributes:
        name: its key in the JSON file.
        value: the number.
        unit: "s", "ms", "x", "MB" or empty.
        at_least, at_most: the target; None where there is none.
        note: what it means, or what it was made of.
    """

    name: str
    value: float
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without a target. A number that is none (NaN) meets nothing."""
        if self.at_least is None and self.at_most is None:
            return None
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    @property
    def target(self) -> str:
        bounds = []
        if self.at_least is not None:
            bounds.append(f"at least {self.at_least:g}")
        if self.at_most is not None:
            bounds.append(f"at most {self.at_most:g}")
        return ", ".join(bounds)


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the option that every benchmark has."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures as one flat object")


def report(title: str, figures: Sequence[Figure], *, json_file: Path | None = None) -> int:
    """Print the figures as a table, and write them to `json_file` when given.

    Returns:
        An exit code: 1 when a target is missed, else 0.
    """
    verdicts = {None: "", True: "met", False: "MISSED"}
    head = ("figure", "value", "target", "", "what it is")
    rows = [
        (
            figure.name,
            f"{_shown(figure.value)} {figure.unit}".strip(),
            figure.target,
            verdicts[figure.met],
            figure.note,
        )
        for figure in figures
    ]
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    print(title)
    for row in (head, tuple("-" * width for width in widths), *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if json_file is not None:
        numbers = {figure.name: figure.value for figure in figures}
        json_file.write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")
    return 1 if any(figure.met is False for figure in figures) else 0


def _shown(value: float) -> str:
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.6f}" if 0.99 < abs(value) < 1 else f"{value:.4g}"
