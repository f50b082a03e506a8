"""Names of models for the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.core.errors import ConfigError, InvalidInputError
from assistant.models import open_model
from assistant.models.local_model import LocalChatModel
from assistant.models.openai_chat import OpenAIChatModel


def remote(name: str, *, api_key: str | None = None, base_url: str | None = None) -> OpenAIChatModel:
    model = open_model(name, api_key=api_key, base_url=base_url)
    assert isinstance(model, OpenAIChatModel)
    return model


def test_a_provider_and_a_model_are_enough_for_a_local_server() -> None:
    model = remote("ollama:llama3.2:1b")
    assert (model.name, model.host) == ("ollama:llama3.2:1b", "this computer")
    assert model.endpoint.base_url == "http://127.0.0.1:11434/v1"


def test_a_key_is_taken_from_the_variable_of_its_own_provider_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-openai")
    monkeypatch.setenv("OPENROUTER_API_KEY", "from-openrouter")
    assert remote("openai:gpt-5-mini").endpoint.api_key == "from-openai"
    assert remote("openrouter:a/b").endpoint.api_key == "from-openrouter"
    assert remote("ollama:a").endpoint.api_key == ""
    assert remote("custom:a", base_url="https://else.example").endpoint.api_key == ""


def test_a_key_of_the_environment_never_goes_to_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-openai")
    with pytest.raises(ConfigError):
        remote("openai:gpt-5-mini", base_url="https://else.example")
    assert remote("openai:a", api_key="given", base_url="https://e.example").endpoint.api_key == "given"


def test_a_given_key_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-openai")
    assert remote("openai:gpt-5-mini", api_key="given").endpoint.api_key == "given"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gpt-5-mini", "names no provider"),
        ("", "names no provider"),
        ("openai:", "names no model"),
        ("opeani:gpt-5-mini", "opeani"),
        ("openai:gpt-5-mini", "OPENAI_API_KEY"),
        ("openrouter:a/b", "OPENROUTER_API_KEY"),
        ("custom:a", "base_url"),
    ],
)
def test_what_is_missing_is_said(name: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_model(name)
    assert words in str(caught.value)


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        open_model("custom:a", base_url="ftp://a.example")


def test_local_names_the_trial_model_or_a_file(tmp_path: Path) -> None:
    trial, mine = open_model("local:trial"), open_model(f"local:{tmp_path / 'mine-Q8_0.gguf'}")
    assert isinstance(trial, LocalChatModel)
    assert isinstance(mine, LocalChatModel)
    assert (trial.name, trial.host) == ("local:SmolLM2-135M-Instruct", "this computer")
    assert mine.name == "local:mine"
    assert mine.server.state == "stopped"
