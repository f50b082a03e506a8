"""LoCoMo dialogues (Maharana et al. 2024, https://github.com/snap-research/locomo), read and scored.

A file is a list of conversations between two people, each with sessions of turns, and with questions whose evidence
names the turns that answer them. The data is CC BY-NC: it is given on the command line and is no part of the project.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

CUTS = (1, 5, 10, 50)
CATEGORIES = {1: "several turns", 2: "time", 3: "open domain", 4: "one turn", 5: "adversarial"}

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said.

    Attributes:
        turn_id: such as "D3:7", the seventh turn of the third session.
        session: such as "session_3".
        position: within the session, from 0.
        said_at: start of the session, taken as UTC.
    """

    turn_id: str
    speaker: str
    text: str
    session: str
    position: int
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of the turns that answer it; never empty."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One conversation; its name is used as the owner of its memories."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Evidence recall at each of CUTS and mean reciprocal rank of the first evidence, in per cent and 0..1."""

    recall: tuple[float, ...]
    mrr: float
    questions: int


def read(path: Path) -> list[Dialogue]:
    """The dialogues of a file. Questions without evidence that is in the dialogue are left out: nothing can be found
    for them."""
    return [
        _dialogue(entry, number) for number, entry in enumerate(json.loads(path.read_text(encoding="utf-8")))
    ]


def figures(ranked: Iterable[tuple[Question, Sequence[str]]]) -> Figures:
    """Score rankings.

    Evidence recall at k is the share of a question's evidence turns that are among the first k, averaged over the
    questions.

    Args:
        ranked: each question with turn ids, best first.
    """
    shares: list[tuple[float, ...]] = []
    reciprocals: list[float] = []
    for question, found in ranked:
        places = [place for place, turn_id in enumerate(found, 1) if turn_id in question.evidence]
        shares.append(tuple(sum(place <= cut for place in places) / len(question.evidence) for cut in CUTS))
        reciprocals.append(1 / places[0] if places else 0.0)
    if not shares:
        return Figures((0.0,) * len(CUTS), 0.0, 0)
    columns = zip(*shares, strict=True)
    return Figures(tuple(100 * fmean(column) for column in columns), fmean(reciprocals), len(shares))


def _dialogue(entry: dict[str, Any], number: int) -> Dialogue:
    turns = tuple(_turns(entry["conversation"]))
    known = {turn.turn_id for turn in turns}
    questions = []
    for item in entry["qa"]:
        # An entry may hold several ids ("D8:6; D9:17") or be mistyped ("D:11:26").
        named = _TURN.findall(" ".join(map(str, item.get("evidence") or [])))
        evidence = frozenset(f"D{int(session)}:{int(turn)}" for session, turn in named) & known
        if evidence:
            questions.append(Question(str(item["question"]), int(item["category"]), evidence))
    return Dialogue(str(entry.get("sample_id", number)), turns, tuple(questions))


def _turns(conversation: dict[str, Any]) -> Iterable[Turn]:
    numbers = sorted(int(match[1]) for key in conversation if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        session = f"session_{number}"
        said_at = datetime.strptime(
            conversation[f"{session}_date_time"].replace(",", ""), "%I:%M %p on %d %B %Y"
        ).replace(tzinfo=UTC)
        for position, turn in enumerate(conversation[session]):
            text = str(turn["text"])
            # A photo comes with a caption: it is part of what was shared.
            if caption := turn.get("blip_caption"):
                text = f"{text} [shares {caption}]"
            yield Turn(turn["dia_id"], turn["speaker"], text, session, position, said_at)
