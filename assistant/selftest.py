"""`keepsake --self-test`: does every part work on this computer? Uses the real parts, in a folder of its own."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import AssistantError

if TYPE_CHECKING:
    from assistant.embedding.base import Embedder
    from assistant.memory.chroma_provider import ChromaProvider

CHECK_TIMEOUT = 180.0
"""Seconds that one check may take; the embedder's first start is the slowest."""

_FACT = "Moved from Hamburg to Porto in spring."
_SAME_FACT = "In spring there was a move from Hamburg to Porto."
_OTHER_FACT = "The printer on the second floor is out of paper."


class CheckFailedError(AssistantError):
    """A part answered, but not as it should."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one check found.

    Attributes:
        name: what was checked.
        passed: whether it works.
        detail: what was seen, or what went wrong, in one line.
        milliseconds: how long it took.
    """

    name: str
    passed: bool
    detail: str
    milliseconds: int

    def __str__(self) -> str:
        return f"{'ok  ' if self.passed else 'FAIL'}  {self.name}: {self.detail} ({self.milliseconds} ms)"


Check = Callable[[], Awaitable[str]]


def run_self_test() -> int:
    """Check window, embedder, memory, key store and model server; print one line for each.

    Returns:
        0 when all work, 1 otherwise.
    """
    return asyncio.run(_run())


async def _run() -> int:
    with tempfile.TemporaryDirectory(prefix="keepsake-self-test-", ignore_cleanup_errors=True) as place:
        embedding = EmbeddingChecks(Path(place))
        checks: dict[str, Check] = {
            "window": check_window,
            "embedder": embedding.check_embedder,
            "memory": embedding.check_memory,
            "key store": check_key_store,
            "model server": check_model_server,
        }
        passed = True
        try:
            for name, check in checks.items():
                outcome = await examine(name, check)
                print(outcome, flush=True)
                passed = passed and outcome.passed
        finally:
            await embedding.close()
    return 0 if passed else 1


async def examine(name: str, check: Check, *, timeout: float = CHECK_TIMEOUT) -> Outcome:
    """Run one check; whatever it raises becomes a failed outcome, so that the others still run."""
    started = time.perf_counter()
    try:
        detail, passed = await asyncio.wait_for(check(), timeout), True
    except TimeoutError:
        detail, passed = f"no answer within {timeout:g} s", False
    except AssistantError as error:
        detail, passed = f"{error} {error.detail}", False
    except Exception as error:  # noqa: BLE001 - an incomplete installation fails in any way; the line says how
        detail, passed = f"{type(error).__name__}: {error}", False
    return Outcome(name, passed, " ".join(detail.split()), round((time.perf_counter() - started) * 1000))


async def check_window() -> str:
    """Show a window in the app's look, with an icon of each kind, until the system has painted it."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    import qtawesome
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication, QLabel
    from qasync import QEventLoop

    from assistant.config.paths import resource
    from assistant.ui.theme import Theme

    application = QApplication.instance() or QApplication(["keepsake"])
    if not isinstance(application, QApplication) or not issubclass(QEventLoop, asyncio.AbstractEventLoop):
        raise CheckFailedError("Qt has no application to show windows with.")
    Theme(application)
    icons = (QIcon(str(resource("icons/keepsake.svg"))), qtawesome.icon("mdi6.plus"))
    if any(icon.pixmap(32, 32).isNull() for icon in icons):
        raise CheckFailedError("An icon can't be drawn.")
    window = QLabel("Keepsake")
    window.setWindowIcon(icons[0])
    window.resize(320, 200)
    window.show()
    try:
        while (handle := window.windowHandle()) is None or not handle.isExposed():
            application.processEvents()
            await asyncio.sleep(0.01)
        picture = window.grab().toImage()
        if picture.isNull():
            raise CheckFailedError("The window stayed empty.")
        return f"{picture.width()} x {picture.height()} on {application.platformName()}"
    finally:
        window.close()
        application.processEvents()


class EmbeddingChecks:
    """The two checks that embed text; one embedder serves both.

    Args:
        place: an empty folder for the memory.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._embedder: Embedder | None = None

    async def check_embedder(self) -> str:
        """The same fact in other words must be closer than another fact."""
        vectors = await (await self._opened()).embed([_FACT, _SAME_FACT, _OTHER_FACT], priority="query")
        same, other = float(vectors[0] @ vectors[1]), float(vectors[0] @ vectors[2])
        if not same > other + 0.2:
            raise CheckFailedError(f"It does not tell meanings apart: {same:.2f} and {other:.2f}.")
        return f"{vectors.shape[1]} dimensions, same meaning {same:.2f}, other meaning {other:.2f}"

    async def check_memory(self) -> str:
        """Keep two facts on disk, find one by meaning after opening again, delete it."""
        owner = "self-test"
        first = await self._memory()
        try:
            memory_id = await first.add(_FACT, user_id=owner)
            await first.add(_OTHER_FACT, user_id=owner)
        finally:
            await first.close()
        memory = await self._memory()
        try:
            found = await memory.search("Where does the user live now?", limit=1, user_id=owner)
            if [result.content for result in found] != [_FACT]:
                raise CheckFailedError("A memory was not found again.")
            if await memory.search("Porto", user_id="somebody else"):
                raise CheckFailedError("A memory was given to somebody else.")
            if not await memory.delete(memory_id, user_id=owner) or await memory.count(user_id=owner) != 1:
                raise CheckFailedError("A memory could not be deleted.")
        finally:
            await memory.close()
        return f"added, found again with score {found[0].score:.2f}, deleted"

    async def close(self) -> None:
        if self._embedder is not None:
            await self._embedder.close()

    async def _opened(self) -> Embedder:
        if self._embedder is None:
            from assistant.config.paths import AppPaths
            from assistant.embedding.provision import open_embedder

            self._embedder = await open_embedder(AppPaths.for_user().cache)
        return self._embedder

    async def _memory(self) -> ChromaProvider:
        from assistant.memory.base import MemoryScope
        from assistant.memory.chroma_provider import ChromaProvider

        return ChromaProvider(
            persist_directory=self._place / "memory",
            scope=MemoryScope.PER_USER,
            embedder=await self._opened(),
        )


async def check_key_store() -> str:
    """Keep a key, read it back, remove it; without a key store say what happens to keys."""
    from assistant.config.secrets import open_secrets

    store = await open_secrets(service="Keepsake self-test")
    if store.kind == "session":
        return "none on this computer; keys last until the app is closed"
    entry, secret = f"self-test-{secrets.token_hex(4)}", secrets.token_hex(16)
    await store.set(entry, secret)
    try:
        kept = await store.get(entry)
    finally:
        removed = await store.delete(entry)
    if kept != secret or not removed:
        raise CheckFailedError("The key store did not give back what it was given.")
    return "a key was kept, read and removed"


async def check_model_server() -> str:
    """Start the trial model and read the beginning of a reply."""
    from assistant.core.types import Message
    from assistant.models.base import ChatOptions, TextDelta
    from assistant.models.local_model import LocalChatModel, LocalModelServer, trial_model_path

    path = trial_model_path()
    model = LocalChatModel(LocalModelServer(path))
    try:
        question = [Message("user", "Say hello.")]
        pieces = 0
        async with aclosing(model.stream(question, options=ChatOptions(max_tokens=8))) as events:
            async for event in events:
                pieces += isinstance(event, TextDelta) and bool(event.text)
    finally:
        await model.close()
    if not pieces:
        raise CheckFailedError("The model gave no text.")
    return f"{path.stem} answered in {pieces} pieces"
