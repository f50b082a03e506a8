"""What the embedding benchmark measures on, and how benchmarks report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.report import Row, report
from benchmarks.sentences import LANGUAGES, varied_sentences


def test_a_thousand_sentences_are_all_different_and_the_same_each_time() -> None:
    sentences = varied_sentences(1000)
    assert len(set(sentences)) == 1000
    assert len(LANGUAGES) == 10
    assert sentences == varied_sentences(1000)


def test_a_report_is_a_flat_object_and_fails_on_a_missed_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        Row("speed", "speed_ratio", 3.0, unit="x", at_least=2.5),
        Row("memory", "memory_ratio", 0.7, at_most=0.6),
        Row("for information", "seconds", 1.25, unit="s"),
    ]
    assert report("Title", rows, tmp_path / "figures.json") == 1
    assert json.loads((tmp_path / "figures.json").read_text()) == {
        "speed_ratio": 3.0,
        "memory_ratio": 0.7,
        "seconds": 1.25,
    }
    printed = capsys.readouterr().out
    assert "at least 2.5" in printed
    assert "MISSED" in printed
    assert report("Title", rows[::2]) == 0


def test_a_value_that_is_no_number_meets_no_target() -> None:
    assert Row("speed", "speed_ratio", float("nan"), at_least=2.5).met is False
