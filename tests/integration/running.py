"""The application as a child process of a test, on a screen of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.config.paths import AppPaths
from assistant.config.settings import Settings
from assistant.config.settings_store import SettingsStore

REPO = Path(__file__).resolve().parents[2]
TIMEOUT = 240.0


@dataclass
class RunningApp:
    """A started application.

    Attributes:
        process: the child.
    """

    process: asyncio.subprocess.Process

    async def seen(self) -> dict[str, Any]:
        """The next thing that the scenario tells."""
        assert self.process.stdout is not None
        async with asyncio.timeout(TIMEOUT):
            while line := await self.process.stdout.readline():
                if line.startswith(b"{"):
                    found: dict[str, Any] = json.loads(line)
                    assert "failed" not in found, found
                    return found
        assert self.process.stderr is not None
        raise AssertionError(f"the application ended: {(await self.process.stderr.read()).decode()[-4000:]}")

    def go_on(self) -> None:
        """Let a waiting scenario go on."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")

    async def ended(self) -> tuple[int, str]:
        """Exit code and what was written to stderr, once it has ended."""
        async with asyncio.timeout(TIMEOUT):
            _, errors = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, errors.decode()


@asynccontextmanager
async def running(
    home: Path,
    scenario: str,
    *arguments: str,
    prefix: Sequence[str] = (),
    environment: dict[str, str] | None = None,
) -> AsyncIterator[RunningApp]:
    """Start the application with a scenario of `tests.integration.driver`; ended by its id at the end."""
    process = await asyncio.create_subprocess_exec(
        *prefix,
        sys.executable,
        "-m",
        "tests.integration.driver",
        scenario,
        *arguments,
        cwd=REPO,
        env={**os.environ, "KEEPSAKE_HOME": str(home), **(environment or {})},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=1 << 24,
    )
    try:
        yield RunningApp(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def settings(home: Path, **values: Any) -> None:
    """Write the settings of that home before a start."""
    paths = AppPaths.below(home)
    paths.ensure()
    SettingsStore(paths.settings_file).save(Settings(**{"first_start_done": True, **values}))
