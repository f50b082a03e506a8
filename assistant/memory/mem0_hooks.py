"""What mem0 gets instead of embedding and chat clients of its own: Keepsake's, called from mem0's thread.

mem0 is synchronous and runs on a worker thread; Keepsake's embedders and models belong to the caller's loop. A hook
hands the work to that loop and waits for it. mem0's own clients, which take addresses and keys from the environment,
are never made.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from assistant.core.errors import AssistantError, ModelError, StoreClosedError
from assistant.core.types import Message
from assistant.embedding.base import Embedder, Priority, Vectors
from assistant.models.base import ChatModel, ChatOptions, TextDelta

T = TypeVar("T")

_EXTRACTED: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "memory": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "attributed_to": {"type": "string", "enum": ["user", "assistant"]},
                },
                "required": ["text", "attributed_to"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["memory"],
    "additionalProperties": False,
}
"""The answer that mem0's extraction prompt asks for."""

_LONGEST_EMBEDDING = 120.0
_LONGEST_ANSWER = 200_000
"""Characters of a reply that are read; a list of memories is far shorter."""


class LoopBridge:
    """Runs coroutines on a loop for a thread that waits for them.

    Attributes:
        failure: what went wrong since `begin`, which mem0 may have swallowed; None when nothing did.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._waiting: Future[Any] | None = None
        self._closed = False
        self.failure: AssistantError | None = None

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Work begins whose caller lives on `loop`."""
        self._loop = loop
        self.failure = None

    def run(self, work: Coroutine[Any, Any, T], timeout: float) -> T:
        """The result of `work`, which is cancelled after `timeout` seconds. Call it off the loop.

        Raises:
            StoreClosedError: `stop` was called.
            TimeoutError: it took too long.
        """
        try:
            return self._waited(work, timeout)
        except AssistantError as error:
            self.failure = error
            raise

    def stop(self) -> None:
        """Cancel what is waited for, and refuse what comes after it."""
        with self._lock:
            self._closed = True
            if self._waiting is not None:
                self._waiting.cancel()

    def _waited(self, work: Coroutine[Any, Any, T], timeout: float) -> T:
        with self._lock:
            if self._closed or self._loop is None or self._loop.is_closed():
                work.close()
                raise StoreClosedError("This memory was closed.")
            future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, timeout), self._loop)
            self._waiting = future
        try:
            # The loop may have ended without a word: then its own time limit never comes.
            return future.result(timeout + 5.0)
        except CancelledError:
            raise StoreClosedError("This memory was closed.") from None
        finally:
            with self._lock:
                self._waiting = None


class EmbeddingHook:
    """mem0's embedding model, over an Embedder.

    Args:
        bridge: to the caller's loop.

    Attributes:
        prepared: float32 vectors of shape (dimension,) that were made before, by text.
        embedder: makes those of texts that only mem0 knows.
    """

    def __init__(self, bridge: LoopBridge) -> None:
        self._bridge = bridge
        self.prepared: Mapping[str, Vectors] = {}
        self.embedder: Embedder | None = None

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self.embed_batch([text], memory_action)[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = "add") -> list[list[float]]:
        missing = [text for text in texts if text not in self.prepared]
        made: dict[str, Vectors] = {}
        if missing:
            assert self.embedder is not None
            priority: Priority = "query" if memory_action == "search" else "index"
            vectors = self._bridge.run(self.embedder.embed(missing, priority=priority), _LONGEST_EMBEDDING)
            made = dict(zip(missing, vectors, strict=True))
        return [_plain(made[text] if text in made else self.prepared[text]) for text in texts]


class ModelHook:
    """mem0's chat model, over a ChatModel.

    Args:
        bridge: to the caller's loop.
        turn: the lock that mem0 is used under; let go while the model is waited for.
        model: asked when mem0 extracts; None when it never does.
        timeout: seconds for one answer.
    """

    def __init__(
        self, bridge: LoopBridge, turn: threading.Lock, model: ChatModel | None, timeout: float
    ) -> None:
        self._bridge = bridge
        self._turn = turn
        self._model = model
        self._timeout = timeout

    def generate_response(
        self, messages: Sequence[Mapping[str, str]], response_format: object = None, **others: object
    ) -> str:
        assert self._model is not None
        self._turn.release()
        try:
            return self._bridge.run(self._answer(self._model, messages), self._timeout + 1.0)
        finally:
            self._turn.acquire()

    async def _answer(self, model: ChatModel, messages: Sequence[Mapping[str, str]]) -> str:
        asked = [Message.of(message) for message in messages]
        pieces: list[str] = []
        length = 0
        try:
            async with asyncio.timeout(self._timeout):
                stream = model.stream(asked, options=ChatOptions(temperature=0.0, json_schema=_EXTRACTED))
                async for event in stream:
                    if isinstance(event, TextDelta):
                        pieces.append(event.text)
                        length += len(event.text)
                        if length > _LONGEST_ANSWER:
                            raise ModelError("The model's answer was too long. Nothing was kept.")
        except TimeoutError:
            raise ModelError(
                f"The model did not answer within {self._timeout:g} seconds. Nothing was kept.",
                hint="Try again, or keep the text as it is (infer=False).",
            ) from None
        return "".join(pieces)


def hook_of(config: Any) -> Any:
    """The hook that a configuration of mem0 carries as its model: what mem0's factories call."""
    return config.model


def _plain(vector: Vectors) -> list[float]:
    plain: list[float] = vector.tolist()
    return plain
