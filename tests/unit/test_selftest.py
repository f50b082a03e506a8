"""The self-test: each part is checked for what it does, and one broken part does not hide the others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assistant import selftest
from assistant.core.errors import UnreachableError
from assistant.selftest import EmbeddingChecks, Outcome, check_key_store, examine
from tests.embedding_fixtures import seed_embedding_cache


async def test_a_check_that_ends_well_is_one_line_with_its_time() -> None:
    async def works() -> str:
        return "as it should"

    outcome = await examine("part", works)
    assert outcome.passed
    assert str(Outcome("part", True, "as it should", 12)) == "ok    part: as it should (12 ms)"


async def test_an_error_of_ours_is_a_failed_line_with_its_detail() -> None:
    async def fails() -> str:
        raise UnreachableError("It does not answer.", detail="port 1")

    outcome = await examine("part", fails)
    assert (outcome.passed, outcome.detail) == (False, "It does not answer. port 1")


async def test_a_foreign_error_is_a_failed_line_too() -> None:
    async def fails() -> str:
        raise ImportError("no module\nnamed x")

    outcome = await examine("part", fails)
    assert (outcome.passed, outcome.detail) == (False, "ImportError: no module named x")
    assert "\n" not in str(outcome)


async def test_a_check_that_hangs_is_ended() -> None:
    async def hangs() -> str:
        await asyncio.Event().wait()
        return ""

    outcome = await examine("part", hangs, timeout=0.05)
    assert (outcome.passed, outcome.detail) == (False, "no answer within 0.05 s")


def test_one_broken_part_makes_the_exit_code_one_and_the_rest_is_still_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def works(*_: object) -> str:
        return "fine"

    async def fails() -> str:
        raise OSError("broken")

    for name in ("check_key_store", "check_model_server"):
        monkeypatch.setattr(selftest, name, works)
    for name in ("check_embedder", "check_memory"):
        monkeypatch.setattr(EmbeddingChecks, name, works)
    monkeypatch.setattr(selftest, "check_window", works)
    assert selftest.run_self_test() == 0
    monkeypatch.setattr(selftest, "check_window", fails)
    assert selftest.run_self_test() == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert lines[5].startswith("FAIL  window: OSError: broken")
    assert all(line.startswith("ok  ") for line in lines[:5] + lines[6:])


async def test_without_a_key_store_it_passes_and_says_how_long_keys_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
    assert "keys last until" in await check_key_store()


async def test_embedder_and_memory_are_checked_on_real_parts(
    home: Path, tmp_path: Path, exported_model: Path
) -> None:
    seed_embedding_cache(exported_model, home / "keepsake" / "cache")
    checks = EmbeddingChecks(tmp_path)
    try:
        assert "384 dimensions" in await checks.check_embedder()
        assert "deleted" in await checks.check_memory()
    finally:
        await checks.close()
