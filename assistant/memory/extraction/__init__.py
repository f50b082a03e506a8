"""Extraction: what a person's own words say that is worth keeping, and the proof that they say it.

`passages` and `reading` read a message, `grounding` holds a candidate against it, `rules` finds plain statements with
no model, `model_extractor` asks one. Nothing here stores anything.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.memory.extraction.grounding import sift, ungrounded
    from assistant.memory.extraction.model_extractor import ModelExtractor
    from assistant.memory.extraction.model_judge import ModelJudge
    from assistant.memory.extraction.rules import RulesExtractor
    from assistant.memory.extraction.together import TogetherExtractor
    from assistant.memory.extraction.wishes import without_wish

_HOMES = {
    "sift": "grounding",
    "ungrounded": "grounding",
    "ModelExtractor": "model_extractor",
    "ModelJudge": "model_judge",
    "RulesExtractor": "rules",
    "TogetherExtractor": "together",
    "without_wish": "wishes",
}

__all__ = [
    "ModelExtractor",
    "ModelJudge",
    "RulesExtractor",
    "TogetherExtractor",
    "sift",
    "ungrounded",
    "without_wish",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
