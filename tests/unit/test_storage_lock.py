"""One holder at a time, and none after the holder's end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assistant.core.errors import StoreFullError, StoreInUseError
from assistant.storage.lock import DirectoryLock, FileLock

REPO = Path(__file__).resolve().parents[2]
HOLD = """
import sys
from pathlib import Path
from assistant.storage.lock import DirectoryLock
lock = DirectoryLock(Path(sys.argv[1]))
lock.acquire()
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_holder_in_this_process_is_refused(tmp_path: Path) -> None:
    with DirectoryLock(tmp_path), pytest.raises(StoreInUseError, match="This profile is open already"):
        DirectoryLock(tmp_path).acquire()


def test_the_same_lock_is_not_taken_twice(tmp_path: Path) -> None:
    lock = DirectoryLock(tmp_path)
    with lock, pytest.raises(StoreInUseError):
        lock.acquire()
    assert not lock.held


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    first, second = DirectoryLock(tmp_path), DirectoryLock(tmp_path)
    first.acquire()
    first.release()
    first.release()
    second.acquire()
    assert (first.held, second.held) == (False, True)
    second.release()


def test_two_folders_do_not_lock_each_other(tmp_path: Path) -> None:
    with DirectoryLock(tmp_path / "a"), DirectoryLock(tmp_path / "b"):
        pass


def test_another_process_is_kept_out_and_its_death_frees_the_lock(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=REPO
    )
    assert child.stdout is not None
    assert child.stdin is not None
    with child.stdout, child.stdin:
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(StoreInUseError):
            DirectoryLock(tmp_path).acquire()
        child.kill()
        child.wait()
    with DirectoryLock(tmp_path) as lock:
        assert lock.held


def test_a_place_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFullError):
        FileLock(tmp_path / "file" / "x.lock", "It").acquire()


def test_a_child_process_does_not_keep_the_lock_alive(tmp_path: Path) -> None:
    lock = DirectoryLock(tmp_path)
    lock.acquire()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    try:
        lock.release()
        with DirectoryLock(tmp_path) as again:
            assert again.held
    finally:
        child.kill()
        child.wait()
        assert child.stdin is not None
        child.stdin.close()
