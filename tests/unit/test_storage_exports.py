"""The packages name what they offer, and load it only when it is asked for."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
PACKAGES = ("assistant.config", "assistant.storage", "assistant.conversation")


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_is_there(name: str) -> None:
    package = importlib.import_module(name)
    assert [public for public in package.__all__ if not hasattr(package, public)] == []


@pytest.mark.parametrize("name", PACKAGES)
def test_an_unknown_name_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = importlib.import_module(name).nothing


@pytest.mark.parametrize("name", PACKAGES)
def test_importing_a_package_loads_no_third_party_module(name: str) -> None:
    script = (
        f"import sys, {name}; print([m for m in ('apsw', 'keyring', 'platformdirs') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=REPO
    )
    assert done.stdout.strip() == "[]"


def test_secrets_and_paths_load_neither_keyring_nor_platformdirs() -> None:
    script = (
        "import sys, assistant.config.secrets, assistant.config.paths; "
        "print([m for m in ('keyring', 'platformdirs') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=REPO
    )
    assert done.stdout.strip() == "[]"
