"""The process of an index; see `index_process`."""

from __future__ import annotations

from assistant.memory.chroma_worker import main as serve
from assistant.memory.ledger.chroma_partitions import ChromaPartitions


def main() -> None:
    """Serve the index that the first frame names, until the input closes."""
    serve(ChromaPartitions, locked=True)


if __name__ == "__main__":
    main()
