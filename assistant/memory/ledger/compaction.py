"""Makes an index anew from its living rows, so that nothing of what was removed is left on the disk.

Chroma writes parts of its index files from memory that it has not cleared: a process that ever held a removed text can
write it into a new file. So the new files are written by a process of their own, which is given the living rows only.
"""

from __future__ import annotations

from pathlib import Path

from assistant.memory.chroma_client import ChromaPlace
from assistant.memory.ledger import index_files
from assistant.memory.ledger.chroma_partitions import ChromaPartitions
from assistant.memory.ledger.index_process import IndexProcess

_CHUNK = 500


def compact(directory: Path, partitions: ChromaPartitions | IndexProcess, worker: str) -> None:
    """Replace the index in `directory`; vectors are copied. Blocks: about a second per 1,000 memories.

    Args:
        partitions: the index in use; it is closed, and opens again at its next call.
        worker: module that serves an index from a process.

    Raises:
        MemoryStoreError, StorageError: nothing was changed, or (when files could not be moved) the next start goes on.
    """
    copy = IndexProcess(ChromaPlace(index_files.new_folder(directory), locked=True), worker)
    try:
        # An empty index takes the old one's place too.
        copy.collections()
        for name, marks in partitions.collections():
            ids = partitions.all_ids(name)
            copy.take_rows(name, marks, None)
            for start in range(0, len(ids), _CHUNK):
                copy.take_rows(name, marks, partitions.copied_rows(name, ids[start : start + _CHUNK]))
    finally:
        copy.close()
    partitions.close()
    index_files.put_in_place(directory)
    index_files.remove_damaged(directory)
