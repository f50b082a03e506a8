"""Bringing in mem0, which reports to its maker, writes to the home directory and reads keys unless it is told not to.

mem0 reads its environment once, when it is imported. It is imported here with telemetry off and with a folder for
its files that is removed again; none of the variables is left behind. Its loggers, which write out memories, are
silent. What it could load or fetch besides (spaCy's models) is switched off.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from assistant.core.errors import ConfigError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

_PROVIDER = "keepsake"
_HOOK = "assistant.memory.mem0_hooks.hook_of"
_IMPORTING = threading.Lock()

Mem0 = Any
"""A mem0.Memory."""


def require_mem0() -> None:
    """Find out whether mem0 is there, without importing it.

    Raises:
        ConfigError: it is not installed, or in a version that Keepsake does not know.
    """
    hint = "Install keepsake-assistant[mem0], or choose another memory."
    try:
        version = importlib.metadata.version("mem0ai")
    except importlib.metadata.PackageNotFoundError:
        raise ConfigError(
            "The memory is set to mem0, and the package mem0ai is not installed.", hint=hint
        ) from None
    if version.partition(".")[0] != "2":
        raise ConfigError(
            f"The memory is set to mem0, whose version 2 is needed; {version} is here.", hint=hint
        )


def open_mem0(client: ClientAPI, collection_name: str, embedding: object, model: object) -> Mem0:
    """A mem0 over an open Chroma.

    Args:
        client: stays the caller's to close.
        collection_name: a collection that exists.
        embedding, model: see mem0_hooks.
    """
    main = _imported()
    base = importlib.import_module("mem0.configs.base")
    stores = importlib.import_module("mem0.vector_stores.configs")
    # mem0 checks names against a list of its own; a new one passes without taking a listed one's place.
    config = base.MemoryConfig.model_construct(
        vector_store=stores.VectorStoreConfig(
            provider="chroma",
            config={"client": client, "path": "given", "collection_name": collection_name},
        ),
        llm=base.LlmConfig.model_construct(provider=_PROVIDER, config={"model": model}),
        embedder=base.EmbedderConfig.model_construct(provider=_PROVIDER, config={"model": embedding}),
        # Its history keeps what was deleted: here it lives in memory, and mem0_store empties it.
        history_db_path=":memory:",
        reranker=None,
        version="v1.1",
        custom_instructions=None,
    )
    return main.Memory(config)


def _imported() -> Any:
    """mem0's main module, quiet."""
    with _IMPORTING:
        with (
            tempfile.TemporaryDirectory(prefix="keepsake-mem0-") as folder,
            _environment({"MEM0_DIR": folder, "MEM0_TELEMETRY": "False"}),
        ):
            main: Any = importlib.import_module("mem0.memory.main")
        # Also when the program had imported it before.
        telemetry: Any = importlib.import_module("mem0.memory.telemetry")
        telemetry.MEM0_TELEMETRY = main.MEM0_TELEMETRY = False
        logging.getLogger("mem0").setLevel(logging.CRITICAL + 1)
        # With spaCy installed mem0 would download a language model and keep names in a second collection.
        spacy_models: Any = importlib.import_module("mem0.utils.spacy_models")
        spacy_models._load_failed_full = spacy_models._load_failed_lemma = True
        factory: Any = importlib.import_module("mem0.utils.factory")
        factory.EmbedderFactory.provider_to_class[_PROVIDER] = _HOOK
        factory.LlmFactory.register_provider(_PROVIDER, _HOOK)
        return main


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
