"""How Keepsake starts its own child processes, frozen or not."""

from __future__ import annotations

import sys


def child_command(module: str) -> list[str]:
    """The command line that runs `module` (such as `assistant.models.local_server`) as a child process.

    A frozen program has no interpreter beside it: there the program starts itself with `--child MODULE`,
    which `assistant.__main__` answers for the modules that it lists.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, "--child", module]
    return [sys.executable, "-m", module]
