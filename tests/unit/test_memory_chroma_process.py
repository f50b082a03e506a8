"""Chroma in a child process: what it costs when one of the two processes dies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest

from assistant.core.errors import InvalidInputError, MemoryStoreError, StoreInUseError
from assistant.memory import ChromaProvider, MemoryScope
from assistant.memory.chroma_client import ChromaPlace
from assistant.memory.chroma_layout import Partition, collection_name
from assistant.memory.chroma_process import ChromaProcess
from assistant.memory.record import Record
from tests.memory_fixtures import HashEmbedder

PARTITION = Partition(collection_name("agent_memory", "alice"), "alice")


def record(key: str) -> Record:
    return Record(memory_id=key, content=f"Fact {key}.", metadata="{}", created=1, updated=1, label=None)


def one_vector() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.eye(1, 8, dtype=np.float32)


def test_a_killed_process_fails_one_call_and_the_next_one_finds_all_that_was_acknowledged(
    tmp_path: Path,
) -> None:
    chroma = ChromaProcess(ChromaPlace(directory=tmp_path / "memory"))
    try:
        chroma.upsert(PARTITION, [record("a")], one_vector(), "test")
        assert chroma.pid is not None
        psutil.Process(chroma.pid).kill()
        with pytest.raises(MemoryStoreError, match="saved before is still there"):
            chroma.count(PARTITION)
        assert chroma.count(PARTITION) == 1
        assert chroma.fetch(PARTITION, "a") == record("a")
    finally:
        chroma.close()


def test_the_process_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from assistant.memory.chroma_client import ChromaPlace\n"
        "from assistant.memory.chroma_process import ChromaProcess\n"
        "from tests.unit.test_memory_chroma_process import PARTITION\n"
        f"chroma = ChromaProcess(ChromaPlace(directory=Path({str(tmp_path / 'memory')!r})))\n"
        "chroma.count(PARTITION)\n"
        "print(chroma.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    program = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert program.stdout is not None
    child = psutil.Process(int(program.stdout.readline()))
    program.kill()
    program.communicate()
    child.wait(10)
    assert not child.is_running()


def test_a_second_program_is_told_that_the_folder_is_in_use(tmp_path: Path) -> None:
    place = ChromaPlace(directory=tmp_path / "memory")
    first, second = ChromaProcess(place), ChromaProcess(place)
    try:
        first.count(PARTITION)
        with pytest.raises(StoreInUseError):
            second.count(PARTITION)
        first.close()
        assert second.count(PARTITION) == 0
    finally:
        first.close()
        second.close()


def test_only_a_directory_can_have_a_process_of_its_own() -> None:
    with pytest.raises(InvalidInputError):
        ChromaProvider(own_process=True, embedder=HashEmbedder(), scope=MemoryScope.PER_USER)
