"""The ONNX embedder: equal vectors however texts are grouped, order kept, cancellable, clear errors."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.errors import EmbeddingError, EmbeddingModelError, InvalidInputError, InvalidTextError
from assistant.embedding import onnx_embedder as module
from assistant.embedding.base import Priority
from assistant.embedding.manifest import GRAPH_FILE, TOKENIZER_FILE
from assistant.embedding.onnx_embedder import OnnxEmbedder
from tests.embedding_fixtures import embedder

PRIORITIES: tuple[Priority, Priority] = ("query", "index")
TEXTS = (
    "Allergic to penicillin.",
    "",
    "Project Atlas ships on 2026-09-01; the platform team owns it",
    "她每天早上六点起床去跑步。",
    "😀",
    "The garden needs water twice a week in summer. " * 40,
    "ok",
)


def calls_of_run(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the batches that reach the model, by their number of texts."""
    sizes: list[int] = []
    real = module._run

    def counted(session: Any, rows: list[list[int]]) -> object:
        sizes.append(len(rows))
        return real(session, rows)

    monkeypatch.setattr(module, "_run", counted)
    return sizes


@pytest.mark.parametrize("priority", PRIORITIES)
async def test_a_text_has_the_same_vector_alone_and_in_a_batch(
    exported_model: Path, priority: Priority
) -> None:
    async with embedder(exported_model) as model:
        together = await model.embed(TEXTS, priority=priority)
        alone = [await model.embed([text], priority=priority) for text in TEXTS]
    assert np.abs(together - np.concatenate(alone)).max() < 1e-5


async def test_queries_and_indexing_give_the_same_vectors(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        query, index = await asyncio.gather(
            model.embed(TEXTS, priority="query"), model.embed(TEXTS, priority="index")
        )
    assert np.abs(query - index).max() < 1e-5


async def test_vectors_are_float32_rows_of_unit_length(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        vectors = await model.embed(TEXTS)
        assert vectors.shape == (len(TEXTS), model.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)


async def test_no_texts_give_no_rows(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        assert (await model.embed([])).shape == (0, model.dimension)


def test_results_come_in_the_order_of_the_texts(exported_model: Path) -> None:
    words = st.sampled_from(["cat", "tax return", "sailing to Lisbon in spring with my sister", "π", ""])

    @settings(max_examples=25, deadline=None)
    @given(st.lists(words, min_size=1, max_size=90))
    def check(texts: list[str]) -> None:
        async def scenario() -> None:
            distinct = sorted(set(texts))
            async with embedder(exported_model) as model:
                rows = dict(zip(distinct, await model.embed(distinct), strict=True))
                vectors = await model.embed(texts)
            assert np.abs(vectors - np.stack([rows[text] for text in texts])).max() < 1e-5

        asyncio.run(scenario())

    check()


async def test_more_texts_than_a_window_keep_their_order(exported_model: Path) -> None:
    texts = [f"note {number}" for number in range(module._WINDOW + 3)]
    async with embedder(exported_model) as model:
        vectors = await model.embed(texts, priority="query")
        last = await model.embed([texts[-1]], priority="query")
    assert np.abs(vectors[-1] - last[0]).max() < 1e-5


async def test_alike_texts_are_closer_than_unlike_ones(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        fact, alike, unlike = await model.embed(
            ["I can't take penicillin.", "Allergic to penicillin.", "The ferry leaves at nine."]
        )
    assert float(fact @ alike) > 0.6 > 0.2 > float(fact @ unlike)


@pytest.mark.parametrize(
    "text", ["", "\0", " " * 5000, "x" * 1_000_000, "word " * 200_000, "😀" * 1000, "\u202e\u0301"]
)
async def test_any_valid_text_has_a_vector(exported_model: Path, text: str) -> None:
    async with embedder(exported_model) as model:
        (vector,) = await model.embed([text])
    assert math.isclose(float(np.linalg.norm(vector)), 1.0, abs_tol=1e-5)


async def test_half_of_a_character_is_refused_before_anything_is_embedded(
    exported_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = calls_of_run(monkeypatch)
    async with embedder(exported_model) as model:
        with pytest.raises(InvalidTextError):
            await model.embed(["fine", "half \ud83d"])
    assert batches == []


async def test_an_unknown_priority_is_refused(exported_model: Path) -> None:
    async with embedder(exported_model) as model:
        with pytest.raises(InvalidInputError, match="query, index"):
            await model.embed(["text"], priority="soon")  # type: ignore[arg-type]


async def test_cancelling_stops_after_the_running_batch(
    exported_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = calls_of_run(monkeypatch)
    texts = [f"a note about thing number {number}" for number in range(400)]
    async with embedder(exported_model) as model:
        await model.warmup("index")
        batches.clear()
        loop, started = asyncio.get_running_loop(), asyncio.Event()
        counted = module._run

        def announcing(session: Any, rows: list[list[int]]) -> object:
            loop.call_soon_threadsafe(started.set)
            return counted(session, rows)

        monkeypatch.setattr(module, "_run", announcing)
        work = asyncio.ensure_future(model.embed(texts))
        await started.wait()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        await model.embed(["the lane is free again"])
        assert batches[-1] == 1
        assert sum(batches) < len(texts) / 2


async def test_a_long_job_lets_another_go_first_after_each_batch(
    exported_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = calls_of_run(monkeypatch)
    async with embedder(exported_model) as model:
        texts = [f"a note about thing number {number}" for number in range(400)]
        long, short = asyncio.ensure_future(model.embed(texts)), asyncio.ensure_future(model.embed(["short"]))
        await short
        assert not long.done()
        assert 1 in batches[:3]
        await long


async def test_after_close_the_embedder_refuses(exported_model: Path) -> None:
    model = OnnxEmbedder(exported_model)
    await model.embed(["text"])
    await model.close()
    await model.close()
    with pytest.raises(EmbeddingError, match="closed"):
        await model.embed(["text"])


async def test_closing_in_mid_job_ends_the_job(exported_model: Path) -> None:
    model = OnnxEmbedder(exported_model)
    await model.warmup("index")
    work = asyncio.ensure_future(model.embed(["a note"] * 2000))
    await asyncio.sleep(0)
    await model.close()
    with pytest.raises(EmbeddingError, match="closed"):
        await work


def test_a_folder_without_a_model_is_an_embedding_model_error(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingModelError, match="missing or damaged"):
        OnnxEmbedder(tmp_path)


@pytest.mark.parametrize("name", [GRAPH_FILE, TOKENIZER_FILE])
async def test_a_damaged_file_is_an_embedding_model_error(copied_model: Path, name: str) -> None:
    (copied_model / name).write_bytes(b"not what it was")
    async with embedder(copied_model) as model:
        with pytest.raises(EmbeddingModelError, match="Nothing that is stored is lost"):
            await model.embed(["text"])
