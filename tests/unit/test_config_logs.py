"""The log file: bounded, private, without keys and without what libraries say about requests."""

from __future__ import annotations

import logging
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.config.logs import LogFile, setup_logs
from assistant.core.errors import StoreFullError
from assistant.core.redact import Redactor

OWN_KEY = "own-key-without-any-shape"
log = logging.getLogger("assistant.somewhere")


@contextmanager
def logging_to(folder: Path, level: int | str = logging.INFO) -> Iterator[LogFile]:
    redactor = Redactor()
    redactor.add(OWN_KEY)
    file = setup_logs(folder, level, redactor=redactor)
    try:
        yield file
    finally:
        file.close()


def test_messages_of_keepsake_are_kept_from_the_level_on(tmp_path: Path) -> None:
    with logging_to(tmp_path / "logs", logging.INFO) as file:
        log.debug("too fine")
        log.info("opened %d stores", 3)
    written = file.path.read_text()
    assert "opened 3 stores" in written
    assert "too fine" not in written


def test_other_libraries_are_heard_only_when_they_warn(tmp_path: Path) -> None:
    other = logging.getLogger("some.http.client")
    other.setLevel(logging.DEBUG)
    try:
        with logging_to(tmp_path, logging.DEBUG) as file:
            other.debug("request body: my private question")
            other.info("request body: my private question")
            other.warning("slow server")
    finally:
        other.setLevel(logging.NOTSET)
    written = file.path.read_text()
    assert "private question" not in written
    assert "slow server" in written


@pytest.mark.parametrize("key", [OWN_KEY, "sk-proj-0123456789abcdefghij", "aB3dE5gH7jK9mN1pQ3rS5tU7wX9zA1cD"])
def test_a_key_is_masked_in_message_arguments_exception_and_traceback(tmp_path: Path, key: str) -> None:
    def fail(text: str) -> None:
        raise ValueError(f"bad value {text}") from KeyError(text)

    with logging_to(tmp_path) as file:
        log.warning("key " + key)
        log.warning("key %s of %r", key, {"k": key})
        try:
            fail(key)
        except ValueError:
            log.exception("failed with %s", key)
        log.warning("stack", stack_info=True)
    written = file.path.read_text()
    assert key not in written
    assert written.count("[redacted]") >= 6
    assert "ValueError: bad value [redacted]" in written


def test_a_bearer_header_in_a_log_line_is_masked(tmp_path: Path) -> None:
    with logging_to(tmp_path) as file:
        log.warning("sent %s", {"Authorization": "Bearer short1"})
    assert "short1" not in file.path.read_text()


def test_a_key_that_becomes_known_later_is_masked_from_then_on(tmp_path: Path) -> None:
    with logging_to(tmp_path) as file:
        file.redactor.add("learned-at-run-time")
        log.warning("have learned-at-run-time")
    assert "learned-at-run-time" not in file.path.read_text()


def test_the_log_is_for_this_user_alone(tmp_path: Path) -> None:
    with logging_to(tmp_path / "logs") as file:
        log.warning("x")
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700


def test_three_files_of_a_megabyte_are_the_most(tmp_path: Path) -> None:
    with logging_to(tmp_path):
        for _ in range(90):
            log.warning("lorem ipsum " * 5_000)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir() if path.is_file()}
    assert set(sizes) == {"keepsake.log", "keepsake.log.1", "keepsake.log.2"}
    assert max(sizes.values()) <= 1_000_000


def test_text_that_no_file_can_hold_does_not_end_logging(tmp_path: Path) -> None:
    with logging_to(tmp_path) as file:
        log.warning("half a character \ud800")
        log.warning("after")
    assert "after" in file.path.read_text(encoding="utf-8", errors="replace")


def test_closing_twice_is_safe_and_ends_logging(tmp_path: Path) -> None:
    before = logging.getLogger("assistant").level
    with logging_to(tmp_path, logging.DEBUG) as file:
        log.warning("before")
        file.close()
        log.warning("after")
    assert "after" not in file.path.read_text()
    assert logging.getLogger("assistant").level == before


def test_a_folder_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    with pytest.raises(StoreFullError):
        setup_logs(tmp_path / "logs")


def test_an_unknown_level_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    handlers = list(logging.getLogger().handlers)
    with pytest.raises(ValueError, match="NOISY"):
        setup_logs(tmp_path, "NOISY")
    assert logging.getLogger().handlers == handlers
