"""How much a model reads: what its name tells, for when no server says it.

Sources: the model pages of their makers. A family stands for models of a known line whose exact name is new;
the smallest window of the line is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeVar

WindowSource = Literal["given", "server", "name", "family", "assumed"]
"""Set by the caller, told by the server, known for this very name, for its family, or not known at all."""

CAUTIOUS_WINDOW = 4096
"""Tokens assumed for a model that nobody knows: what small servers start with."""


@dataclass(frozen=True, slots=True)
class ModelWindow:
    """How much fits into one call.

    Attributes:
        tokens: prompt and reply together.
        source: who says so.
        input_tokens: the prompt alone, where the maker limits it below `tokens`; None elsewhere.
    """

    tokens: int
    source: WindowSource
    input_tokens: int | None = None


T = TypeVar("T")

Encoding = Literal["o200k_base", "cl100k_base"]

_GPT_5 = (400_000, 272_000)
_EXACT: dict[str, int | tuple[int, int]] = {
    "gpt-5": _GPT_5,
    "gpt-5-mini": _GPT_5,
    "gpt-5-nano": _GPT_5,
    "gpt-5-pro": _GPT_5,
    "gpt-5-codex": _GPT_5,
    "gpt-5.1": _GPT_5,
    "gpt-5-chat-latest": 128_000,
    "gpt-4.1": 1_047_576,
    "gpt-4.1-mini": 1_047_576,
    "gpt-4.1-nano": 1_047_576,
    "gpt-4o": 128_000,
    "gpt-4o-mini": 128_000,
    "chatgpt-4o-latest": 128_000,
    "gpt-4.5-preview": 128_000,
    "gpt-4-turbo": 128_000,
    "gpt-4-turbo-preview": 128_000,
    "gpt-4-1106-preview": 128_000,
    "gpt-4-0125-preview": 128_000,
    "gpt-4": 8_192,
    "gpt-4-32k": 32_768,
    "gpt-3.5-turbo": 16_385,
    "gpt-3.5-turbo-16k": 16_385,
    "gpt-3.5-turbo-instruct": 4_096,
    "o1": 200_000,
    "o1-pro": 200_000,
    "o1-mini": 128_000,
    "o1-preview": 128_000,
    "o3": 200_000,
    "o3-pro": 200_000,
    "o3-mini": 200_000,
    "o4-mini": 200_000,
    "gpt-oss-20b": 131_072,
    "gpt-oss-120b": 131_072,
    "claude-3-haiku": 200_000,
    "claude-3.5-sonnet": 200_000,
    "gemini-2.5-flash": 1_048_576,
    "gemini-2.5-pro": 1_048_576,
}
_FAMILIES: dict[str, int | tuple[int, int]] = {
    "gpt-5": _GPT_5,
    "gpt-4.1": 1_047_576,
    "gpt-4o": 128_000,
    "gpt-4-turbo": 128_000,
    "gpt-4": 8_192,
    "gpt-3.5": 4_096,
    "gpt-oss": 131_072,
    "o1": 128_000,
    "o3": 200_000,
    "o4": 200_000,
    "claude": 100_000,
    "gemini": 32_768,
    "llama-3.1": 131_072,
    "llama-3.2": 131_072,
    "llama-3.3": 131_072,
    "llama-3": 8_192,
    "mistral": 32_768,
    "mixtral": 32_768,
    "qwen": 32_768,
    "qwen2": 32_768,
    "qwen2.5": 32_768,
    "qwen3": 32_768,
    "deepseek": 64_000,
    "gemma-2": 8_192,
    "gemma-3": 32_768,
    "phi-4": 16_384,
    "command-r": 128_000,
}
_ENCODINGS: dict[str, Encoding] = {
    "gpt-5": "o200k_base",
    "gpt-4.1": "o200k_base",
    "gpt-4.5": "o200k_base",
    "gpt-4o": "o200k_base",
    "chatgpt-4o": "o200k_base",
    "gpt-oss": "o200k_base",
    "o1": "o200k_base",
    "o3": "o200k_base",
    "o4": "o200k_base",
    "gpt-4": "cl100k_base",
    "gpt-3.5": "cl100k_base",
    "gpt-35": "cl100k_base",
}
_PROVIDERS = ("openai", "openrouter", "ollama", "lmstudio", "llamacpp", "custom", "local")
_OWN_WINDOW = ("ollama", "lmstudio", "llamacpp", "custom", "local")
"""Providers whose server cuts where its owner set it to, whatever the model could read."""

_NEVER_LOCAL = ("gpt-3", "gpt-4", "gpt-5", "chatgpt", "o1", "o3", "o4", "claude", "gemini")
"""Models that only their makers run: a server that names one passes it on."""

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$|-\d{8}$|-\d{4}$|-latest$")


def known_window(model: str) -> ModelWindow:
    """The window of a model as far as its name tells.

    Args:
        model: "gpt-5-mini", "openai:gpt-5-mini", "openrouter:openai/gpt-5-mini", "ollama:llama3.2"; a date at
            its end does not matter.

    Returns:
        Its source is "name", "family" or "assumed". For a server that has a window of its own (Ollama and the
        like) never more than CAUTIOUS_WINDOW.
    """
    provider, name = parted(model)
    found = _EXACT.get(name) or _EXACT.get(_DATED.sub("", name))
    source: WindowSource = "name"
    if found is None:
        found, source = _of_family(name, _FAMILIES), "family"
    if found is None:
        return ModelWindow(CAUTIOUS_WINDOW, "assumed")
    total, read = found if isinstance(found, tuple) else (found, None)
    if provider in _OWN_WINDOW and not name.startswith(_NEVER_LOCAL):
        return ModelWindow(min(total, CAUTIOUS_WINDOW), "assumed")
    return ModelWindow(total, source, read)


def encoding_of(model: str) -> Encoding | None:
    """The encoding that OpenAI's model of that name counts in, None for other models."""
    return _of_family(parted(model)[1], _ENCODINGS)


def parted(model: str) -> tuple[str, str]:
    """Provider (empty when none is named) and the bare name in small letters, without its maker's."""
    text = model.strip().lower()
    provider, colon, rest = text.partition(":")
    if not colon or provider not in _PROVIDERS:
        provider, rest = "", text
    # A fine-tuned model reads as its base does: "ft:gpt-4o-mini-2024-07-18:someone::id".
    rest = rest.removeprefix("ft:")
    return provider, rest.rpartition("/")[2].partition(":")[0]


def _of_family(name: str, table: dict[str, T]) -> T | None:
    for family in sorted(table, key=len, reverse=True):
        rest = name[len(family) :]
        if name.startswith(family) and not rest[:1].isalnum():
            return table[family]
    return None
