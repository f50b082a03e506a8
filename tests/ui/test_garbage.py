"""Cycles are collected in the window's thread, and nowhere else."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from assistant.ui.garbage import GarbageCollector


class Knot:
    """Holds itself, and says in which thread it was taken apart."""

    def __init__(self, ends: list[str]) -> None:
        self.me = self
        self.ends = ends

    def __del__(self) -> None:
        self.ends.append(threading.current_thread().name)


@pytest.fixture
def collector(qapp: Any) -> Iterator[GarbageCollector]:
    made = GarbageCollector()
    yield made
    made.stop()
    gc.disable()


def litter(ends: list[str]) -> None:
    for _ in range(20_000):
        Knot(ends)


def test_a_worker_thread_that_makes_cycles_takes_none_apart(collector: GarbageCollector) -> None:
    ends: list[str] = []
    worker = threading.Thread(target=litter, args=(ends,), name="worker")
    worker.start()
    worker.join()
    assert ends == []
    assert collector.look() is not None
    assert set(ends) == {threading.current_thread().name}
    assert len(ends) == 20_000


def test_nothing_is_looked_for_while_there_is_little(collector: GarbageCollector) -> None:
    gc.collect()
    assert collector.look() is None


def test_an_old_cycle_is_found_in_time(collector: GarbageCollector) -> None:
    ends: list[str] = []
    knot = Knot(ends)
    gone = weakref.ref(knot)
    # Survives two collections, so that only a full one finds it later.
    gc.collect(0)
    gc.collect(1)
    del knot
    for _ in range(300):
        litter([])
        collector.look()
        if gone() is None:
            break
    assert gone() is None
