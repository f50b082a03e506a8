"""How memories come about: what was said is read, checked, compared with what is known, and kept with consent."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.memory.learning.base import (
        Candidate,
        Consent,
        Extraction,
        Learned,
        LearnedMemory,
        Utterance,
    )
    from assistant.memory.learning.learner import Learner
    from assistant.memory.learning.making import make_learner
    from assistant.memory.learning.worker import Pace

_HOMES = {
    "Candidate": "base",
    "Consent": "base",
    "Extraction": "base",
    "Learned": "base",
    "LearnedMemory": "base",
    "Learner": "learner",
    "Pace": "worker",
    "Utterance": "base",
    "make_learner": "making",
}

__all__ = [
    "Candidate", "Consent", "Extraction", "Learned", "LearnedMemory", "Learner", "Pace", "Utterance", "make_learner",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
