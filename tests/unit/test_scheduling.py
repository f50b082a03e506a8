"""What is asked of the system's scheduler changes nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
SCRIPT = """
import psutil
from assistant.core.scheduling import {call}
before = psutil.Process().nice()
{call}({arguments})
{call}({arguments})
print(psutil.Process().nice() - before)
"""


@pytest.mark.parametrize(
    ("call", "arguments", "change"),
    [("wake_promptly", "", 0), ("give_way", "3", 6 if hasattr(os, "nice") else 0)],
)
def test_niceness_is_as_asked(call: str, arguments: str, change: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(call=call, arguments=arguments)],
        cwd=REPO,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert int(done.stdout) == change


def test_a_thread_that_wakes_promptly_leaves_those_that_it_starts_as_they_are() -> None:
    script = (
        "import os, threading\n"
        "from assistant.core.scheduling import wake_promptly\n"
        "def policies(found):\n"
        "    found.append(os.sched_getscheduler(0) if hasattr(os, 'sched_getscheduler') else 0)\n"
        "before, after = [], []\n"
        "for found in (before, after):\n"
        "    thread = threading.Thread(target=policies, args=(found,))\n"
        "    thread.start()\n"
        "    thread.join()\n"
        "    wake_promptly()\n"
        "print(before == after)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=REPO, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "True"
