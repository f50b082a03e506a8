"""The script that gives the tests a key store of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "with_secret_service.sh"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(SCRIPT), *command], capture_output=True, text=True, check=False, timeout=60)


def test_the_commands_exit_code_and_output_come_through() -> None:
    done = run("sh", "-c", 'echo "$1"; exit 7', "sh", "two words")
    assert (done.returncode, done.stdout) == (7, "two words\n")


def test_its_home_is_not_the_users_and_is_gone_afterwards(home: Path) -> None:
    given = Path(run("sh", "-c", 'echo "$HOME"').stdout.strip())
    if sys.platform != "darwin":
        assert given != home
        assert not given.exists()


def test_without_a_command_it_says_how_it_is_used() -> None:
    done = run()
    assert done.returncode == 64
    assert "usage" in done.stderr
