"""The settings file: written in one step, never trusted, never with a key."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.config.settings import Settings
from assistant.config.settings_store import SettingsMigration, SettingsStore
from assistant.core.errors import ConfigError, InvalidInputError, SettingsVersionError, StoreFullError
from assistant.core.redact import Redactor

REPO = Path(__file__).resolve().parents[2]


class StoppedClock:
    def now(self) -> datetime:
        return datetime(2026, 11, 29, 19, 0, tzinfo=UTC)


def store_with(tmp_path: Path, content: Any, **options: Any) -> SettingsStore:
    path = tmp_path / "settings.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return SettingsStore(path, clock=StoppedClock(), **options)


def test_a_missing_file_gives_the_defaults_and_no_notice(tmp_path: Path) -> None:
    loaded = SettingsStore(tmp_path / "settings.json").load()
    assert (loaded.settings, loaded.notice) == (Settings(), None)


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "deep" / "settings.json")
    chosen = Settings(
        theme="dark", memory_token_budget=1200, instructions="Kurz, bitte.\n日本語 \0 🎉", model="m"
    )
    store.save(chosen)
    assert store.load().settings == chosen
    assert store.load().notice is None


def test_the_file_is_for_this_user_alone(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "deep" / "settings.json")
    store.save(Settings())
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700


def test_saving_leaves_no_other_file(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    store.save(Settings())
    store.save(Settings(theme="dark"))
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["settings.json"]


DAMAGED = [
    "",
    "{",
    "[]",
    "null",
    "3",
    '"text"',
    '{"theme": "dark"}',
    '{"version": "1"}',
    '{"version": true}',
    '{"version": 0}',
    '{"version": 1.0}',
    "[" * 100_000,
    "9" * 5_000,
    "\0\0\0\0",
]


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, content: str) -> None:
    store = store_with(tmp_path, content)
    loaded = store.load()
    aside = tmp_path / "settings.damaged-20261129-190000.json"
    assert loaded.settings == Settings()
    assert loaded.notice is not None
    assert aside.name in loaded.notice
    assert aside.read_text() == content
    assert not store.path.exists()


def test_a_file_that_is_no_text_is_set_aside(tmp_path: Path) -> None:
    store = store_with(tmp_path, "")
    store.path.write_bytes(b"\xff\xfe\x00binary")
    assert store.load().notice is not None
    assert (tmp_path / "settings.damaged-20261129-190000.json").read_bytes() == b"\xff\xfe\x00binary"


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path: Path) -> None:
    for content in ("first", "second"):
        store_with(tmp_path, content).load()
    kept = sorted(path.read_text() for path in tmp_path.glob("settings.damaged-*"))
    assert kept == ["first", "second"]


def test_saving_over_a_damaged_file_sets_it_aside_too(tmp_path: Path) -> None:
    store = store_with(tmp_path, "{broken")
    store.save(Settings(theme="dark"))
    assert store.load().settings.theme == "dark"
    assert [path.read_text() for path in tmp_path.glob("settings.damaged-*")] == ["{broken"]


def test_a_newer_file_is_refused_and_untouched(tmp_path: Path) -> None:
    content = json.dumps({"version": 99, "theme": "holographic"})
    store = store_with(tmp_path, content)
    with pytest.raises(SettingsVersionError):
        store.load()
    with pytest.raises(SettingsVersionError):
        store.save(Settings())
    assert store.path.read_text() == content
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["settings.json"]


def test_values_that_can_not_be_used_become_defaults_one_by_one(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        {"version": 1, "theme": 7, "memory_token_budget": 10**9, "model": "kept", "instructions": "\ud800"},
    )
    loaded = store.load()
    assert loaded.settings == Settings(model="kept")
    assert loaded.notice is not None
    for name in ("theme", "memory_token_budget", "instructions"):
        assert name in loaded.notice
    assert "model" not in loaded.notice


def test_fields_of_the_same_version_that_are_not_known_are_kept(tmp_path: Path) -> None:
    store = store_with(tmp_path, {"version": 1, "later_setting": {"a": [1, None]}, "theme": "dark"})
    assert store.load().notice is None
    store.save(Settings(theme="light"))
    raw = json.loads(store.path.read_text())
    assert raw["later_setting"] == {"a": [1, None]}
    assert raw["theme"] == "light"


def _renamed(raw: dict[str, Any]) -> dict[str, Any]:
    raw["theme"] = raw.pop("colours")
    return raw


def _doubled(raw: dict[str, Any]) -> dict[str, Any]:
    raw["memory_token_budget"] *= 2
    return raw


def test_older_formats_are_brought_up_step_by_step_and_copied_first(tmp_path: Path) -> None:
    old = {"version": 1, "colours": "dark", "memory_token_budget": 400}
    store = store_with(
        tmp_path, old, migrations=(SettingsMigration(2, _renamed), SettingsMigration(3, _doubled))
    )
    loaded = store.load().settings
    assert (loaded.theme, loaded.memory_token_budget) == ("dark", 800)
    assert json.loads((tmp_path / "settings.backup-v1.json").read_text()) == old
    store.save(loaded)
    assert json.loads(store.path.read_text())["version"] == 3
    assert store.load().settings == loaded


def test_an_unreadable_file_is_an_error_and_not_a_fresh_start(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    with pytest.raises(ConfigError):
        SettingsStore(tmp_path / "settings.json").load()


def test_a_full_disk_is_said_and_leaves_the_old_file(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    store.save(Settings(model="old"))
    script = """
import resource, sys
from pathlib import Path
from assistant.config.settings import Settings
from assistant.config.settings_store import SettingsStore
from assistant.core.errors import StoreFullError
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    SettingsStore(Path(sys.argv[1])).save(Settings(model="new"))
except StoreFullError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(store.path)], capture_output=True, text=True, check=True, cwd=REPO
    )
    assert "those from before are still there" in done.stdout
    assert store.load().settings.model == "old"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["settings.json"]


def test_a_folder_that_can_not_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file")
    with pytest.raises((StoreFullError, ConfigError)):
        SettingsStore(tmp_path / "config" / "settings.json").save(Settings())


def test_a_process_that_is_killed_while_saving_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    script = """
import sys
from pathlib import Path
from assistant.config.settings import Settings
from assistant.config.settings_store import SettingsStore
store = SettingsStore(Path(sys.argv[1]))
count = 0
while True:
    store.save(Settings(instructions=str(count) * 2000))
    count += 1
    if count == 3:
        print("running", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, cwd=REPO)
    assert child.stdout is not None
    with child.stdout:
        child.stdout.readline()
        child.kill()
        child.wait()
    loaded = SettingsStore(path).load()
    assert loaded.notice is None
    assert loaded.settings.instructions


KEY = "Zq7-own-key-of-a-local-server"


def test_a_key_in_use_is_never_written_whatever_its_shape(tmp_path: Path) -> None:
    redactor = Redactor()
    redactor.add(KEY)
    store = SettingsStore(tmp_path / "settings.json", redactor=redactor)
    with pytest.raises(ConfigError, match="instructions"):
        store.save(Settings(instructions=f"my key is {KEY}"))
    assert not store.path.exists()


@pytest.mark.parametrize(
    "field",
    [
        {"api_key": "abcdef"},
        {"OPENAI_API_KEY": "abcdef"},
        {"custom_password": "abcdef"},
        {"note": "sk-proj-0123456789abcdefghijkl"},
        {"nested": {"headers": {"Authorization": "Bearer abcdef0123"}}},
        {"note": KEY},
    ],
)
def test_a_key_that_somebody_wrote_into_the_file_is_said_and_goes_at_the_next_save(
    tmp_path: Path, field: dict[str, Any]
) -> None:
    redactor = Redactor()
    redactor.add(KEY)
    store = store_with(tmp_path, {"version": 1, **field}, redactor=redactor)
    loaded = store.load()
    assert loaded.notice is not None
    assert "key" in loaded.notice
    store.save(loaded.settings)
    assert set(json.loads(store.path.read_text())) == {"version", *asdict(Settings())}


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.dictionaries(st.sampled_from([*asdict(Settings()), "other"]), ANY_JSON, max_size=6))
def test_whatever_the_file_holds_loading_gives_valid_settings_that_can_be_saved(
    tmp_path: Path, raw: dict[str, Any]
) -> None:
    store = store_with(tmp_path, {"version": 1, **raw})
    loaded = store.load()
    store.save(loaded.settings)
    assert store.load().settings == loaded.settings


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    prefix=st.sampled_from(["sk-", "sk-proj-", "gsk_", "hf_", "xai-"]),
    tail=st.from_regex(r"[A-Za-z]{20}[0-9]{6}", fullmatch=True),
    name=st.sampled_from(["model", "base_url", "proxy", "instructions", "ca_file", "gguf_path"]),
)
def test_no_saved_file_holds_a_key(tmp_path: Path, prefix: str, tail: str, name: str) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    with pytest.raises(InvalidInputError):
        store.save(Settings(**{name: f"x {prefix}{tail}"}))  # type: ignore[arg-type]
    assert not store.path.exists()


def test_os_replace_is_what_makes_the_file_appear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    store.save(Settings(model="old"))
    seen: list[tuple[str, str]] = []
    real = os.replace

    def replace(source: Any, target: Any) -> None:
        seen.append(
            (json.loads(Path(source).read_text())["model"], json.loads(Path(target).read_text())["model"])
        )
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    store.save(Settings(model="new"))
    assert seen == [("new", "old")]
