"""Looks at endpoints: which models there are, whether a chat would work, what runs on this computer."""

# ruff: noqa: PT028  (test_connection is no test)
from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from assistant.core.errors import AssistantError, ModelError, NoSuchModelError
from assistant.core.types import Message
from assistant.models.base import ChatOptions, ModelInfo
from assistant.models.endpoint import Endpoint
from assistant.models.error_texts import with_no_message
from assistant.models.errors import error_for_garbage
from assistant.models.json_client import JsonClient
from assistant.models.network import NetworkGuard
from assistant.models.openai_chat import OpenAIChatModel
from assistant.models.presets import LLAMA_CPP, LM_STUDIO, OLLAMA, EndpointPreset

SEARCHED: tuple[EndpointPreset, ...] = (OLLAMA, LM_STUDIO, LLAMA_CPP)
"""The servers that `find_local_servers` looks for, at their usual ports."""

_WINDOW_FIELDS = ("context_length", "max_model_len", "context_window", "max_context_length", "n_ctx_train")
_NOT_FOR_CHAT = re.compile(
    r"embed|whisper|(?:^|-)tts|dall-e|moderation|rerank|realtime|transcribe|image|sora|babbage|davinci|audio"
)
_OLLAMA_DEFAULT_WINDOW = 4096
_PARAMETER_WINDOW = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ConnectionReport:
    """What a connection test found.

    Attributes:
        ok: a chat would work.
        error: why not, None when it would.
        latency_ms: milliseconds until the first piece of a reply, or until the model list came when no
            model was given; None when it did not get that far.
        models: what the endpoint lists; empty when it has no list.
    """

    ok: bool
    error: AssistantError | None
    latency_ms: float | None
    models: tuple[ModelInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A model server that runs on this computer.

    Attributes:
        preset_id: which one it is, by its port.
        base_url: its address.
        models: what it lists.
    """

    preset_id: str
    base_url: str
    models: tuple[ModelInfo, ...]


async def list_models(
    endpoint: Endpoint, *, guard: NetworkGuard | None = None, timeout: float = 10.0
) -> list[ModelInfo]:
    """The models of an endpoint that can chat, as far as their names tell.

    Args:
        endpoint: where to ask.
        guard: refuses and records connections; without one only this endpoint may be reached.
        timeout: seconds to connect, and between two pieces of the answer.

    Raises:
        ModelError: one of its subclasses.
        ConfigError: the endpoint's CA file can't be used.
    """
    async with JsonClient(endpoint, guard, why="model list", timeout=timeout) as client:
        return _models_in(await client.ask("GET", f"{endpoint.base_url}/models"), endpoint)


async def test_connection(
    endpoint: Endpoint, model: str = "", *, guard: NetworkGuard | None = None, timeout: float = 60.0
) -> ConnectionReport:
    """Try what a chat would do, and say what is in the way.

    Args:
        endpoint: where to ask.
        model: is asked for a few tokens; empty tests only the address and the key.
        guard: as in list_models.
        timeout: seconds between two pieces of an answer; the first may have to wait for a model to be loaded.
    """
    begun = perf_counter()
    models: list[ModelInfo] = []
    try:
        try:
            models = await list_models(endpoint, guard=guard, timeout=min(timeout, 10.0))
        except NoSuchModelError:
            # The list is optional in the protocol; the chat itself decides.
            if not model:
                raise
        if model:
            begun = perf_counter()
            await _first_piece(endpoint, model, guard, timeout)
    except ModelError as error:
        return ConnectionReport(False, with_no_message(error), None, tuple(models))
    except AssistantError as error:
        return ConnectionReport(False, error, None, tuple(models))
    return ConnectionReport(True, None, (perf_counter() - begun) * 1000, tuple(models))


async def find_local_servers(
    timeout: float = 0.6,
    *,
    presets: Sequence[EndpointPreset] = SEARCHED,
    guard: NetworkGuard | None = None,
) -> list[FoundServer]:
    """The model servers that answer on this computer at their usual ports, in the order of `presets`.

    Args:
        timeout: seconds for all of them together.
        presets: what to look for; their addresses must be on this computer.
        guard: records the connections; the addresses may be reached while this looks.
    """
    endpoints = [
        endpoint
        for each in presets
        if (endpoint := Endpoint(each.id, each.base_url)).locality == "this computer"
    ]
    guard = guard or NetworkGuard()
    opened = {endpoint.address for endpoint in endpoints} - guard.allowed
    for address in opened:
        guard.allow(*address)
    try:
        found = await asyncio.gather(*(_look_at(endpoint, guard, timeout) for endpoint in endpoints))
    finally:
        for address in opened:
            guard.withdraw(*address)
    return [server for server in found if server is not None]


async def context_window(
    endpoint: Endpoint, model: str, *, guard: NetworkGuard | None = None, timeout: float = 5.0
) -> int | None:
    """How many tokens the model reads at this endpoint, None when nobody says.

    Asks llama.cpp's /props, Ollama's own interface (which cuts at a window of its own, below the model's), and
    at last the model list.

    Raises:
        ModelError: the endpoint can't be reached.
    """
    async with JsonClient(endpoint, guard, why="context window", timeout=timeout) as client:
        if endpoint.preset_id == "ollama":
            return await _ollama_window(client, model)
        if endpoint.preset_id in ("llamacpp", "local", "custom"):
            props = await client.ask_if_there("GET", f"{endpoint.server_root}/props")
            settings = _dict(_dict(props).get("default_generation_settings"))
            if (window := _positive(settings.get("n_ctx"))) is not None:
                return window
        listed = await client.ask_if_there("GET", f"{endpoint.base_url}/models")
        for info in _models_in(listed, endpoint) if _is_model_list(listed) else ():
            if info.id == model:
                return info.context_window
    return None


async def _ollama_window(client: JsonClient, model: str) -> int | None:
    root = client.endpoint.server_root
    running = _dict(await client.ask_if_there("GET", f"{root}/api/ps")).get("models")
    for entry in running if isinstance(running, list) else ():
        if _dict(entry).get("name") in (model, f"{model}:latest"):
            return _positive(_dict(entry).get("context_length"))
    shown = _dict(await client.ask_if_there("POST", f"{root}/api/show", {"model": model}))
    if found := _PARAMETER_WINDOW.search(str(shown.get("parameters", ""))):
        return int(found[1])
    for name, value in _dict(shown.get("model_info")).items():
        if name.endswith(".context_length") and (window := _positive(value)) is not None:
            return min(window, _OLLAMA_DEFAULT_WINDOW)
    return None


async def _look_at(endpoint: Endpoint, guard: NetworkGuard, timeout: float) -> FoundServer | None:
    try:
        async with JsonClient(endpoint, guard, why="looking for local servers", timeout=timeout) as client:
            async with asyncio.timeout(timeout):
                listed = await client.ask("GET", f"{endpoint.base_url}/models")
            models = tuple(_models_in(listed, endpoint))
    except (ModelError, TimeoutError):
        return None
    return FoundServer(endpoint.preset_id, endpoint.base_url, models)


async def _first_piece(endpoint: Endpoint, model: str, guard: NetworkGuard | None, timeout: float) -> None:
    chat = OpenAIChatModel(endpoint, model, guard=guard, read_timeout=timeout)
    try:
        # Reasoning models refuse a limit that leaves no room for a thought.
        question, options = Message("user", "Say OK."), ChatOptions(max_tokens=16)
        async with aclosing(chat.stream([question], options=options)) as events:
            async for _ in events:
                return
    finally:
        await chat.close()


def _is_model_list(value: Any) -> bool:
    entries = _dict(value).get("data", _dict(value).get("models", value))
    return isinstance(entries, list)


def _models_in(value: Any, endpoint: Endpoint) -> list[ModelInfo]:
    if not _is_model_list(value):
        raise with_no_message(error_for_garbage(str(value)[:400], endpoint=endpoint))
    entries = value if isinstance(value, list) else value.get("data", value.get("models"))
    found: dict[str, ModelInfo] = {}
    for entry in entries:
        fields = {"id": entry} if isinstance(entry, str) else _dict(entry)
        name = fields.get("id") or fields.get("name") or fields.get("model")
        if not isinstance(name, str) or _NOT_FOR_CHAT.search(name.lower()):
            continue
        sizes = (_positive({**_dict(fields.get("meta")), **fields}.get(each)) for each in _WINDOW_FIELDS)
        found[name] = ModelInfo(name, next((size for size in sizes if size is not None), None))
    models = list(found.values())
    return sorted(models, key=lambda info: info.id) if endpoint.locality == "internet" else models


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _positive(value: Any) -> int | None:
    usable = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return value if usable else None
