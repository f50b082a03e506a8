"""Where files go, and what comes with the program."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.config import paths as paths_module
from assistant.config.paths import AppPaths, resource
from assistant.core.errors import ConfigError, InvalidInputError, StoreFullError


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter, with nothing in it."""
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_keepsake_home_takes_all_four_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEPSAKE_HOME", str(tmp_path))
    assert AppPaths.for_user() == AppPaths(
        tmp_path / "data", tmp_path / "config", tmp_path / "cache", tmp_path / "logs"
    )


def test_a_relative_keepsake_home_does_not_move_with_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEEPSAKE_HOME", "here")
    assert AppPaths.for_user().data == tmp_path / "here" / "data"


def test_without_it_the_folders_are_the_systems_own_and_below_the_home(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEEPSAKE_HOME")
    places = AppPaths.for_user()
    for folder in (places.data, places.config, places.cache, places.logs):
        assert folder.is_relative_to(home)
        assert "Keepsake" in folder.parts


def test_a_profile_has_a_folder_of_its_own_in_data(tmp_path: Path) -> None:
    places = AppPaths.below(tmp_path)
    assert places.profile() == tmp_path / "data" / "profiles" / "default"
    assert places.profile("work") != places.profile("home")


@pytest.mark.parametrize("name", ["", "..", ".", "a/b", "a\\b", "-x", "a" * 65, "ü", "a\0b", "con:"])
def test_a_profile_name_that_could_leave_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInputError):
        AppPaths.below(tmp_path).profile(name)


def test_ensure_makes_folders_for_this_user_alone(tmp_path: Path) -> None:
    places = AppPaths.below(tmp_path / "new" / "place")
    places.ensure()
    for folder in (places.data, places.config, places.cache, places.logs):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert list(folder.iterdir()) == []


def test_ensure_may_run_again_and_keeps_what_is_there(tmp_path: Path) -> None:
    places = AppPaths.below(tmp_path)
    places.ensure()
    (places.data / "kept").write_text("kept")
    places.ensure()
    assert (places.data / "kept").read_text() == "kept"


def test_a_file_where_a_folder_should_be_is_said_clearly(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(StoreFullError) as caught:
        AppPaths.below(tmp_path).ensure()
    assert str(tmp_path / "data") in caught.value.message
    assert (tmp_path / "data").read_text() == "in the way"


def _ensure_in_child(folder: Path, before: str) -> str:
    """What `ensure` says in a process that did `before` first."""
    script = f"""
import os, resource as limits, sys
from pathlib import Path
from assistant.config.paths import AppPaths
from assistant.core.errors import StoreFullError
{before}
try:
    AppPaths.below(Path(sys.argv[1])).ensure()
except StoreFullError as error:
    print(error.title, "|", error)
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True, cwd=root
    )
    return done.stdout


def test_a_read_only_folder_is_told_from_a_full_disk(open_folder: Path) -> None:
    become_nobody = "os.setuid(65534) if os.geteuid() == 0 else os.chmod(sys.argv[1], 0o555)"
    said = _ensure_in_child(open_folder, become_nobody)
    open_folder.chmod(0o755)
    assert said.startswith("The folder is read-only |")
    assert "KEEPSAKE_HOME" in said


def test_a_disk_without_space_is_said_and_no_probe_is_left(open_folder: Path) -> None:
    said = _ensure_in_child(open_folder, "limits.setrlimit(limits.RLIMIT_FSIZE, (100, 100))")
    assert said.startswith("The disk is full |")
    assert "Free some space" in said
    assert [path for path in open_folder.rglob("*") if path.is_file()] == []


def test_resources_are_found_in_a_checkout() -> None:
    assert resource(".").samefile(Path(__file__).resolve().parents[2] / "resources")


def test_resources_are_found_in_a_frozen_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    icon = tmp_path / "resources" / "icons" / "one.svg"
    icon.parent.mkdir(parents=True)
    icon.write_text("<svg/>")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resource("icons/one.svg") == icon


def test_resources_are_found_in_an_installed_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "site-packages" / "assistant" / "config" / "paths.py"
    icon = tmp_path / "site-packages" / "assistant" / "resources" / "one.svg"
    icon.parent.mkdir(parents=True)
    icon.write_text("<svg/>")
    monkeypatch.setattr(paths_module, "__file__", str(module))
    assert resource("one.svg") == icon.resolve()


def test_a_missing_resource_says_that_the_installation_is_incomplete() -> None:
    with pytest.raises(ConfigError, match=r"nothing/here\.svg"):
        resource("nothing/here.svg")


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../pyproject.toml", "icons/../../x", "a\\b", "C:x"])
def test_a_resource_name_never_leaves_the_folder(name: str) -> None:
    with pytest.raises(InvalidInputError):
        resource(name)
