"""How Keepsake starts its own child processes, frozen or not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def child_command(module: str) -> list[str]:
    """The command line that runs `module` (such as `assistant.models.local_server`) as a child process.

    A frozen program has no interpreter beside it: there the program starts itself with `--child MODULE`,
    which `assistant.__main__` answers for the modules that it lists.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, "--child", module]
    return [sys.executable, "-m", module]


def start_child(
    module: str,
    *,
    stderr: int = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
    own_session: bool = False,
) -> subprocess.Popen[bytes]:
    """Start `module` as a child with pipes for its input and output.

    Its folder and its import path are those of this program, not the user's current folder, which must not decide
    what is imported.

    Args:
        stderr: as for Popen.
        environment: set on top of this process's own.
        own_session: for a child that computes for long: where the system shares the processor between sessions, this
            one is not charged for it. Not for one whose threads wake each other all the time: Linux lets such a
            session run on, and a window wait for 40 ms.
    """
    variables = {**os.environ, **(environment or {})}
    folder = Path(sys.executable).parent
    if not getattr(sys, "frozen", False):
        folder = Path(__file__).resolve().parents[2]
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), variables.get("PYTHONPATH"))))
    return subprocess.Popen(
        child_command(module),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        cwd=folder,
        env=variables,
        start_new_session=own_session,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)
        | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
    )
