"""What a model's name tells: its window, and the encoding that it counts in."""

from __future__ import annotations

import pytest

from assistant.context.windows import CAUTIOUS_WINDOW, ModelWindow, encoding_of, known_window

GPT_5 = (400_000, 272_000)


@pytest.mark.parametrize(
    ("model", "tokens", "read"),
    [
        ("gpt-5-mini", *GPT_5),
        ("openai:gpt-5-mini", *GPT_5),
        ("OpenAI:GPT-5-mini", *GPT_5),
        ("openai:gpt-5-mini-2025-08-07", *GPT_5),
        ("openrouter:openai/gpt-5-mini", *GPT_5),
        ("openrouter:openai/gpt-5-mini:free", *GPT_5),
        ("openai:gpt-4", 8_192, None),
        ("openai:gpt-4-0613", 8_192, None),
        ("openai:gpt-4-32k", 32_768, None),
        ("openai:gpt-4o-2024-08-06", 128_000, None),
        ("openai:ft:gpt-4o-mini-2024-07-18:someone::abc123", 128_000, None),
        ("custom:gpt-4o", 128_000, None),
    ],
)
def test_the_window_of_an_exact_name_is_known(model: str, tokens: int, read: int | None) -> None:
    assert known_window(model) == ModelWindow(tokens, "name", read)


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("openai:gpt-4.1-somethingnew", 1_047_576),
        ("openai:gpt-4-somethingnew", 8_192),
        ("openrouter:meta-llama/llama-3.1-70b-instruct", 131_072),
        ("openrouter:anthropic/claude-sonnet-9", 100_000),
        ("openrouter:qwen/qwen2.5-72b-instruct", 32_768),
    ],
)
def test_a_new_name_of_a_known_family_gets_the_familys_smallest_window(model: str, tokens: int) -> None:
    assert known_window(model) == ModelWindow(tokens, "family")


@pytest.mark.parametrize(
    "model", ["", ":", "gpt-45", "o17", "custom:my-model", "llamarama", "openai:", "new:model"]
)
def test_a_model_that_nobody_knows_gets_a_cautious_window(model: str) -> None:
    assert known_window(model) == ModelWindow(CAUTIOUS_WINDOW, "assumed")


@pytest.mark.parametrize(
    "model", ["ollama:llama3.1:70b", "ollama:gpt-oss:20b", "lmstudio:llama-3.1-8b", "local:trial"]
)
def test_a_server_with_a_window_of_its_own_is_not_trusted_with_the_models(model: str) -> None:
    assert known_window(model) == ModelWindow(CAUTIOUS_WINDOW, "assumed")


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("openai:gpt-5-mini", "o200k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4.1", "o200k_base"),
        ("o1", "o200k_base"),
        ("o4-mini", "o200k_base"),
        ("chatgpt-4o-latest", "o200k_base"),
        ("ollama:gpt-oss:20b", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("openrouter:openai/gpt-4o", "o200k_base"),
        ("gpt-45", None),
        ("ollama:llama3.2", None),
        ("openrouter:anthropic/claude-3.5-sonnet", None),
        ("", None),
    ],
)
def test_the_encoding_follows_the_name(model: str, encoding: str | None) -> None:
    assert encoding_of(model) == encoding
