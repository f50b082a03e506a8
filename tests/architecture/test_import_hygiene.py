"""Importing a part of Keepsake loads no heavy package.

The contracts in pyproject.toml see who imports whom, not when. Only a fresh interpreter shows what an import
really loads, so each test starts one and looks at `sys.modules`. Packages are found on disk: a new one is
covered without being named here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]

HEAVY = (
    "chromadb", "openai", "onnxruntime", "tokenizers", "sentence_transformers", "torch", "transformers",
    "mem0", "redis", "xllamacpp", "onnx", "onnxscript",
)  # fmt: skip
WINDOW = ("PySide6", "qasync", "qtawesome")

KNOWS_QT = ("assistant.ui", "assistant.bootstrap", "assistant.selftest")
"""Where the window may be imported."""

RUNS_AS_CHILD = ("assistant.models.local_server", "assistant.embedding.export")
"""Programs of their own process: importing them there is the point."""


def _name(path: Path) -> str:
    parts = path.relative_to(REPO).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _knows_qt(name: str) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in KNOWS_QT)


SOURCES = sorted((REPO / "assistant").rglob("*.py"))
PACKAGES = sorted({_name(path) for path in SOURCES if path.name == "__init__.py"})
MODULES = sorted({_name(path) for path in SOURCES} - set(RUNS_AS_CHILD))


def _loads(names: list[str], unwanted: tuple[str, ...]) -> str:
    """Code that imports `names` and prints the unwanted packages, each with the module that brought it."""
    return f"""
import importlib, sys
seen = set()
for name in {names!r}:
    importlib.import_module(name)
    for package in {unwanted!r}:
        if package in sys.modules and package not in seen:
            seen.add(package)
            print(f"{{name}} loads {{package}}")
"""


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_loads_nothing_heavy(package: str, fresh_interpreter: Callable[[str], str]) -> None:
    unwanted = HEAVY if _knows_qt(package) else HEAVY + WINDOW
    assert fresh_interpreter(_loads([package], unwanted)) == ""


@pytest.mark.parametrize("module", ["assistant.__main__", "assistant.bootstrap", "assistant.ui.app"])
def test_what_the_first_frame_waits_for_loads_nothing_heavy(
    module: str, fresh_interpreter: Callable[[str], str]
) -> None:
    assert fresh_interpreter(_loads([module], HEAVY)) == ""


def test_no_module_without_a_window_loads_anything_heavy_or_qt(
    fresh_interpreter: Callable[[str], str],
) -> None:
    headless = [name for name in MODULES if not _knows_qt(name)]
    assert fresh_interpreter(_loads(headless, HEAVY + WINDOW)) == ""


def test_no_module_of_the_window_loads_anything_heavy(fresh_interpreter: Callable[[str], str]) -> None:
    assert fresh_interpreter(_loads([name for name in MODULES if _knows_qt(name)], HEAVY)) == ""


def test_every_folder_with_code_is_a_package() -> None:
    folders = {path.parent for path in SOURCES}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


PUBLIC_NAMES = """
import assistant, sys
for name in assistant.__all__:
    value = getattr(assistant, name)
    assert getattr(assistant, name) is value, name
    assert name in dir(assistant), name
print(",".join(sorted(set({heavy!r}) & set(sys.modules))))
"""


def test_every_public_name_resolves_and_still_loads_nothing_heavy(
    fresh_interpreter: Callable[[str], str],
) -> None:
    assert fresh_interpreter(PUBLIC_NAMES.format(heavy=HEAVY + WINDOW)) == ""


def test_importing_the_library_loads_none_of_its_layers(fresh_interpreter: Callable[[str], str]) -> None:
    code = "import assistant, sys; print(*sorted(m for m in sys.modules if m.startswith('assistant.')))"
    loaded = fresh_interpreter(code).split()
    assert [name for name in loaded if not name.startswith("assistant.core")] == []


def test_every_exported_name_of_every_package_is_there(fresh_interpreter: Callable[[str], str]) -> None:
    code = f"""
import importlib
for name in {PACKAGES!r}:
    package = importlib.import_module(name)
    for exported in getattr(package, "__all__", ()):
        getattr(package, exported)
    try:
        package.no_such_name
    except AttributeError:
        continue
    print(name)
"""
    assert fresh_interpreter(code) == ""
