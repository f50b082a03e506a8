"""Indexing in a process of its own: the same vectors, nothing left behind, and no memory lost when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import psutil
import pytest

from assistant.core.errors import EmbeddingError, EmbeddingModelError, InvalidTextError
from assistant.embedding.embedding_worker import NICENESS
from assistant.embedding.manifest import GRAPH_FILE
from assistant.embedding.onnx_embedder import OnnxEmbedder
from assistant.embedding.process_embedder import MODULE, ProcessEmbedder, indexing_apart
from tests.memory_fixtures import HashEmbedder

TEXTS = [f"Fact {n}: {'the garden needs water, ' * (n % 7)}she said 她每天早上跑步 😀." for n in range(150)]
LONG_WORK = ["The garden needs water twice a week in summer. " * 40] * 2_000
ENDS_AT_ONCE = "assistant.core.version"


@asynccontextmanager
async def embedder(
    folder: Path, *, module: str = MODULE, idle_seconds: float = 60.0
) -> AsyncIterator[ProcessEmbedder]:
    opened = ProcessEmbedder(OnnxEmbedder(folder), module=module, idle_seconds=idle_seconds)
    try:
        yield opened
    finally:
        await opened.close()


def process_of(model: ProcessEmbedder) -> psutil.Process:
    assert model.pid is not None
    return psutil.Process(model.pid)


async def ended(process: psutil.Process) -> None:
    """Wait until a process is gone; one that is only waited for by its parent counts as gone."""

    def wait() -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                with contextlib.suppress(psutil.TimeoutExpired):
                    process.wait(0.05)

    await asyncio.wait_for(asyncio.to_thread(wait), 30)


async def test_it_gives_the_vectors_of_the_embedder_that_it_is_made_of(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        apart = await model.embed(TEXTS)
        here = await model.embed(TEXTS, priority="query")
        assert (model.embedder_id, model.dimension) == (
            OnnxEmbedder(exported_model).embedder_id,
            apart.shape[1],
        )
    assert apart.dtype == np.float32
    assert np.abs(apart - here).max() < 1e-5


async def test_its_process_has_a_low_priority(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        await model.embed(TEXTS[:5])
        assert process_of(model).nice() >= NICENESS


async def test_queries_and_a_few_short_texts_start_no_process(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        assert (await model.embed(TEXTS, priority="query")).shape == (len(TEXTS), model.dimension)
        assert (await model.embed(["My name is Ana."])).shape == (1, model.dimension)
        assert (await model.embed([])).shape == (0, model.dimension)
        assert model.pid is None


async def test_calls_at_the_same_time_get_their_own_vectors(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        expected = await model.embed(TEXTS, priority="query")
        parts = [slice(start, start + 50) for start in range(0, 150, 50)]
        found = await asyncio.gather(*(model.embed(TEXTS[part]) for part in parts))
    assert np.abs(np.concatenate(found) - expected).max() < 1e-5


async def test_a_killed_process_is_started_again(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        expected = await model.embed(TEXTS)
        first = process_of(model)
        first.kill()
        assert np.abs(await model.embed(TEXTS) - expected).max() < 1e-6
        assert process_of(model).pid != first.pid


async def test_when_processes_only_die_it_indexes_by_itself_and_says_so(
    exported_model: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with embedder(exported_model, module=ENDS_AT_ONCE) as model:
        with caplog.at_level(logging.WARNING):
            found = await model.embed(TEXTS)
        expected = await model.embed(TEXTS, priority="query")
        assert model.pid is None
    assert np.abs(found - expected).max() < 1e-5
    assert "embedded in this process from now on" in caplog.text


async def test_a_process_without_work_ends_and_the_next_work_starts_another(exported_model: Path) -> None:
    async with embedder(exported_model, idle_seconds=0.05) as model:
        expected = await model.embed(TEXTS[:5])
        await ended(process_of(model))
        assert np.abs(await model.embed(TEXTS[:5]) - expected).max() < 1e-6


async def test_a_cancelled_call_ends_and_the_next_one_is_answered_right(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        expected = await model.embed(TEXTS[:5])
        call = asyncio.ensure_future(model.embed(LONG_WORK))
        await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
        assert call.cancelled()
        assert np.abs(await model.embed(TEXTS[:5]) - expected).max() < 1e-6


async def test_closing_ends_the_process_in_the_middle_of_its_work(exported_model: Path) -> None:
    model = ProcessEmbedder(OnnxEmbedder(exported_model))
    await model.warmup("index")
    process = process_of(model)
    call = asyncio.ensure_future(model.embed(LONG_WORK))
    await asyncio.sleep(0)
    await model.close()
    assert not process.is_running()
    with pytest.raises(EmbeddingError, match="closed"):
        await call
    with pytest.raises(EmbeddingError, match="closed"):
        await model.embed(TEXTS)
    await model.close()


async def test_a_model_that_cannot_be_loaded_is_the_callers_error(copied_model: Path) -> None:
    (copied_model / GRAPH_FILE).write_bytes(b"no model")
    async with embedder(copied_model) as model:
        with pytest.raises(EmbeddingModelError, match="can't be loaded"):
            await model.embed(TEXTS)


async def test_a_lone_surrogate_is_refused_before_anything_is_embedded(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        with pytest.raises(InvalidTextError):
            await model.embed([*TEXTS, "\ud800"])
        assert model.pid is None


def test_the_process_ends_with_the_program_that_started_it(exported_model: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from assistant.embedding.onnx_embedder import OnnxEmbedder\n"
        "from assistant.embedding.process_embedder import ProcessEmbedder\n"
        "async def main():\n"
        f"    model = ProcessEmbedder(OnnxEmbedder(Path({str(exported_model)!r})))\n"
        "    await model.warmup('index')\n"
        "    print(model.pid, flush=True)\n"
        f"    await model.embed({LONG_WORK[0]!r} for _ in range(2000))\n"
        "asyncio.run(main())\n"
    )
    program = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert program.stdout is not None
    process = psutil.Process(int(program.stdout.readline()))
    program.kill()
    program.communicate()
    process.wait(10)
    assert not process.is_running()


async def test_only_the_embedder_that_can_run_apart_is_moved(exported_model: Path) -> None:
    other = HashEmbedder()
    assert indexing_apart(other) is other
    moved = indexing_apart(OnnxEmbedder(exported_model))
    assert isinstance(moved, ProcessEmbedder)
    await moved.close()
