"""The default embedder: ONNX Runtime over an exported model."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from assistant.core.errors import EmbeddingError, EmbeddingModelError, InvalidInputError
from assistant.embedding.base import Priority, Vectors
from assistant.embedding.lane import Lane, Steps, usable_cores
from assistant.embedding.manifest import GRAPH_FILE, OUTPUT_NAME, TOKENIZER_FILE, read_manifest
from assistant.embedding.tokens import TextTokens, check_texts, copied_texts, plan_batches

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

# About 400 padded ids at a time stay in the processor's cache: larger batches are slower per text. One such
# batch takes a single thread some 50 ms, which is also how long a cancelled job goes on.
_BATCH_TOKENS = 400
_BATCH_TEXTS = 32
_WINDOW = 512
_TOKENIZE_STEP = 64
_MOST_QUERY_THREADS = 8
# A text takes three milliseconds with threads that spin between operators, and up to five with threads that
# sleep and are woken a hundred times. By default they would spin on for 30 ms after the last operator.
_QUERY_SPIN_US = "2000"
_LOG_ERRORS_ONLY = 3


class OnnxEmbedder:
    """Embeds with the model that `assistant.embedding.export` made.

    Queries and indexing have a thread and a session each. The query's session uses all cores. The one for
    indexing keeps to its own thread and never spins, since spinning workers are what makes a window stutter.
    Both map the same weights file, so that only the matrices that the runtime packs for itself are in memory
    twice; each is loaded at its first use.

    Args:
        model_folder: an exported model; only its manifest is read here.

    Raises:
        EmbeddingModelError: the folder has no usable manifest.
    """

    def __init__(self, model_folder: Path) -> None:
        self._folder = model_folder
        self._manifest = read_manifest(model_folder)
        self._lanes: dict[Priority, Lane] = {"query": Lane("embed-query"), "index": Lane("embed-index")}
        self._sessions: dict[Priority, InferenceSession] = {}
        self._tokens: TextTokens | None = None
        self._tokens_lock = threading.Lock()

    @property
    def embedder_id(self) -> str:
        return self._manifest.embedder_id

    @property
    def dimension(self) -> int:
        return self._manifest.dimension

    @property
    def model_folder(self) -> Path:
        return self._folder

    async def warmup(self, priority: Priority = "query") -> None:
        """Load what that priority needs, so that the first text is as fast as the next.

        Raises:
            EmbeddingError: the model can't be loaded.
        """
        await self.embed([""], priority=priority)

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        """See Embedder.embed. A text's vector does not depend on the others of the call (to 1e-5).

        Raises:
            InvalidInputError: not a list of texts, or an unknown priority.
            InvalidTextError: a text with a lone surrogate; nothing is embedded then.
            EmbeddingError: the model can't be loaded or used, or the embedder is closed.
        """
        if priority not in get_args(Priority):
            raise InvalidInputError(
                f"Unknown priority {priority!r}; use one of {', '.join(get_args(Priority))}."
            )
        return await self._lanes[priority].run(self.steps(copied_texts(texts), priority))

    async def close(self) -> None:
        """Free the model after the batch that runs. Safe to call twice."""
        closings = [lane.close(partial(self._unload, priority)) for priority, lane in self._lanes.items()]
        await asyncio.gather(*closings)
        self._tokens = None

    def steps(self, texts: list[str], priority: Priority) -> Steps[Vectors]:
        """The work of `embed` step by step, for a caller with a thread of its own; errors as there."""
        import numpy as np

        check_texts(texts)
        vectors: Vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        if not texts:
            return vectors
        tokens, session = self._load_tokens(), self._load_session(priority)
        for start in range(0, len(texts), _WINDOW):
            if start:
                yield
            rows = yield from _tokenize(tokens, texts[start : start + _WINDOW])
            lengths = [len(row) for row in rows]
            plan = plan_batches(lengths, max_tokens=_BATCH_TOKENS, max_texts=_BATCH_TEXTS)
            for number, batch in enumerate(plan):
                if number:
                    yield
                places = [start + position for position in batch]
                vectors[places] = _run(session, [rows[position] for position in batch])
        return vectors

    def _load_tokens(self) -> TextTokens:
        with self._tokens_lock:
            if self._tokens is None:
                self._tokens = TextTokens(
                    self._folder / TOKENIZER_FILE, max_length=self._manifest.max_seq_length
                )
            return self._tokens

    def _load_session(self, priority: Priority) -> InferenceSession:
        """The session of that priority; only the thread of its lane calls this."""
        session = self._sessions.get(priority)
        if session is None:
            session = self._sessions[priority] = _open_session(self._folder / GRAPH_FILE, priority)
        return session

    def _unload(self, priority: Priority) -> None:
        self._sessions.pop(priority, None)


def _tokenize(tokens: TextTokens, texts: list[str]) -> Steps[list[list[int]]]:
    rows: list[list[int]] = []
    for text in texts:
        if rows and len(rows) % _TOKENIZE_STEP == 0:
            yield
        rows.append(tokens.ids(text))
    return rows


def _open_session(path: Path, priority: Priority) -> InferenceSession:
    try:
        # Its builds report to their maker. The call alone comes too late: the import itself already makes a
        # device id, keeps it in the user's cache and looks for the server.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = _LOG_ERRORS_ONLY
        # The fused kernels of the higher levels (SkipLayerNormalization, BiasGelu) are slower on a CPU than
        # the plain ones that they replace: 32 texts of 50 tokens took 236 ms instead of 209.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # A memory pattern would be kept for each shape that ever came, and nearly every batch has its own.
        options.enable_mem_pattern = False
        options.inter_op_num_threads = 1
        if priority == "query":
            options.intra_op_num_threads = min(usable_cores(), _MOST_QUERY_THREADS)
            options.add_session_config_entry("session.intra_op.spin_duration_us", _QUERY_SPIN_US)
        else:
            options.intra_op_num_threads = 1
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as exc:  # onnxruntime's errors have no common base below Exception
        raise EmbeddingModelError(
            "The embedding model can't be loaded. Nothing that is stored is lost.",
            hint="Start Keepsake again to prepare the model anew.",
            detail=f"{path}: {type(exc).__name__}: {exc}",
        ) from exc


def _run(session: InferenceSession, rows: list[list[int]]) -> Vectors:
    import numpy as np

    shape = (len(rows), max(map(len, rows)))
    ids, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    try:
        vectors: Vectors = session.run([OUTPUT_NAME], {"input_ids": ids, "attention_mask": mask})[0]
    except Exception as exc:  # onnxruntime's errors have no common base below Exception
        raise EmbeddingError(
            "The embedding model failed on a text. Nothing that is stored is lost.",
            hint="Try again; free some memory if the computer is short of it.",
            detail=f"shape {shape}: {type(exc).__name__}: {exc}",
        ) from exc
    return vectors
