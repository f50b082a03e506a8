"""From a name such as "openai:gpt-5-mini" to a chat model, for the library."""

from __future__ import annotations

import os
from pathlib import Path

from assistant.core.errors import ConfigError
from assistant.models.base import ChatModel
from assistant.models.endpoint import Endpoint
from assistant.models.presets import CUSTOM, LOCAL, OPENAI, OPENROUTER, EndpointPreset, preset

_KEY_VARIABLES = {OPENAI.id: "OPENAI_API_KEY", OPENROUTER.id: "OPENROUTER_API_KEY"}
_TRIAL = "trial"


def open_model(
    name: str,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    ca_file: str | os.PathLike[str] | None = None,
    proxy: str | None = None,
) -> ChatModel:
    """The model of that name. Connects to nothing and starts nothing before it is used.

    Args:
        name: "provider:model": "openai:gpt-5-mini", "openrouter:…", "ollama:llama3.2", "lmstudio:…",
            "llamacpp:…", "custom:…" with a base_url, "local:trial", or "local:" and the path of a GGUF file.
        api_key: the key. Without one OPENAI_API_KEY is taken for openai and OPENROUTER_API_KEY for openrouter;
            no other provider ever gets a key from the environment, nor does another server under their names.
        base_url: the server's address, when it is not the provider's usual one.
        ca_file, proxy: see Endpoint.

    Raises:
        ConfigError: no such provider, no model named, an address or key is missing.
        InvalidInputError: an address, key or proxy that can't be used.
        LocalModelError: the trial model is asked for and not installed.
    """
    provider, colon, model = name.strip().partition(":")
    if not colon:
        raise ConfigError(
            f"{name!r} names no provider.", hint='Put the provider first, as in "openai:gpt-5-mini".'
        )
    known = preset(provider)
    if not model:
        raise ConfigError(f"{name!r} names no model.", hint=f'Put one behind it, as in "{provider}:…".')
    if known == LOCAL:
        return _local(model)
    return _remote(known, model, api_key, base_url, None if ca_file is None else Path(ca_file), proxy)


def _local(model: str) -> ChatModel:
    from assistant.models.local_model import LocalChatModel, LocalModelServer

    return LocalChatModel(LocalModelServer(None if model == _TRIAL else Path(model)))


def _remote(
    known: EndpointPreset,
    model: str,
    api_key: str | None,
    base_url: str | None,
    ca_file: Path | None,
    proxy: str | None,
) -> ChatModel:
    from assistant.models.openai_chat import OpenAIChatModel

    if known == CUSTOM and not base_url:
        raise ConfigError(
            "The provider custom needs the address of its server.",
            hint='Give it as base_url="http://127.0.0.1:8000/v1".',
        )
    variable = _KEY_VARIABLES.get(known.id, "")
    if api_key is None and base_url is None and variable:
        api_key = os.environ.get(variable)
    if known.needs_key and not api_key:
        raise ConfigError(
            f"{known.name} needs an API key.",
            hint=f"Give it as api_key=…, or set {variable}." if base_url is None else "Give it as api_key=….",
        )
    endpoint = Endpoint(known.id, base_url or "", api_key=api_key or "", ca_file=ca_file, proxy=proxy)
    return OpenAIChatModel(endpoint, model)
