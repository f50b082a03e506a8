"""The settings: typed, with defaults, descriptions and ranges. Keys are never among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl, urlsplit

from assistant.core.errors import InvalidInputError
from assistant.core.redact import has_key_shape
from assistant.core.text import check_text

Theme = Literal["system", "light", "dark"]
Consent = Literal["ask", "save", "manual"]
CacheMode = Literal["off", "exact", "semantic"]
EndpointId = Literal["", "local", "openai", "ollama", "lmstudio", "llamacpp", "openrouter", "custom"]

_LONGEST_TEXT = 100_000
_KEY_PARAMETERS = {"key", "api_key", "apikey", "api-key", "token", "access_token", "secret", "password"}


def _about(
    description: str, *, low: float | None = None, high: float | None = None, address: bool = False
) -> dict[str, Any]:
    return {"description": description, "low": low, "high": high, "address": address}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user has chosen. A value of this type is always valid.

    Each field carries its description (and its lowest and highest value) in its metadata.

    Raises:
        InvalidInputError: a value of the wrong type, outside its range, or with a key or password in it.
    """

    first_start_done: bool = field(
        default=False, metadata=_about("The first start has been completed or skipped.")
    )
    endpoint: EndpointId = field(
        default="", metadata=_about("Where the chat model is; empty: none chosen yet.")
    )
    model: str = field(default="", metadata=_about("The chat model's name at the endpoint."))
    base_url: str = field(
        default="", metadata=_about("Address of the endpoint where its preset has none.", address=True)
    )
    gguf_path: str = field(
        default="", metadata=_about("A model file of the user's own for the local server.")
    )
    ca_file: str = field(default="", metadata=_about("A file of certificates to trust besides the system's."))
    proxy: str = field(
        default="", metadata=_about("Proxy for the model's connection, without a password.", address=True)
    )
    theme: Theme = field(default="system", metadata=_about("Light, dark, or as the system is."))
    reduced_motion: bool = field(default=False, metadata=_about("No animations."))
    memory_enabled: bool = field(default=True, metadata=_about("Replies may use memories."))
    memory_token_budget: int = field(
        default=800, metadata=_about("How many tokens of a request memories may take.", low=100, high=8000)
    )
    memory_consent: Consent = field(
        default="save",
        metadata=_about("Ask before something is remembered, save it with a way back, or only on request."),
    )
    memory_extraction: bool = field(
        default=True, metadata=_about("The chat model looks for what is worth remembering, after its reply.")
    )
    memory_index_turns: bool = field(
        default=True, metadata=_about("What was said in earlier conversations can be recalled.")
    )
    memory_reflection: bool = field(
        default=True,
        metadata=_about(
            "When a conversation has been left, the chat model looks for facts that several of its messages establish "
            "together; each waits for your word."
        ),
    )
    summaries: bool = field(
        default=True,
        metadata=_about(
            "What no longer fits into a request is summarised by the chat model, when nothing else is running."
        ),
    )
    instructions: str = field(
        default="", metadata=_about("What the assistant should always know about how to answer.")
    )
    cache_mode: CacheMode = field(
        default="exact",
        metadata=_about("Give an answer again when the same is asked: never, word for word, or by meaning."),
    )
    guard_private_data: bool = field(
        default=False,
        metadata=_about("Keys and personal data are masked before a message leaves this computer."),
    )
    sidebar_open: bool = field(default=True, metadata=_about("The list of conversations is shown."))
    memory_open: bool = field(default=True, metadata=_about("The memory panel is shown."))
    window_geometry: str = field(default="", metadata=_about("Place and size of the window, base64."))
    last_session_id: str = field(default="", metadata=_about("The conversation that was open last."))

    def __post_init__(self) -> None:
        for name in setting_names():
            object.__setattr__(self, name, checked(name, getattr(self, name)))


def setting_names() -> tuple[str, ...]:
    """The names of all settings, in order."""
    return tuple(item.name for item in fields(Settings))


def description(name: str) -> str:
    """What the setting `name` is, for people."""
    return str(_metadata(name)["description"])


def value_range(name: str) -> tuple[float, float] | None:
    """Lowest and highest value of a number, None for other settings."""
    meta = _metadata(name)
    return None if meta["low"] is None else (meta["low"], meta["high"])


def choices(name: str) -> tuple[str, ...]:
    """The values that a setting can take, () when it is free."""
    hint = _hints()[name]
    return get_args(hint) if get_origin(hint) is Literal else ()


def checked(name: str, value: object) -> object:
    """`value` itself, when the setting `name` can be that.

    Raises:
        InvalidInputError: it can't be a value of that setting.
    """
    hint, meta = _hints()[name], _metadata(name)
    if get_origin(hint) is Literal:
        if not isinstance(value, str) or value not in get_args(hint):
            raise InvalidInputError(f"{name} must be one of {', '.join(map(repr, get_args(hint)))}.")
        return value
    if type(value) is not hint:
        raise InvalidInputError(f"{name} must be a {hint.__name__}, not {type(value).__name__}.")
    if isinstance(value, str):
        return _checked_text(name, value, address=meta["address"])
    if meta["low"] is not None and isinstance(value, int) and not meta["low"] <= value <= meta["high"]:
        raise InvalidInputError(f"{name} must be between {meta['low']:g} and {meta['high']:g}.")
    return value


def _checked_text(name: str, value: str, *, address: bool) -> str:
    check_text(value)
    if len(value) > _LONGEST_TEXT:
        raise InvalidInputError(f"{name} is too long: at most {_LONGEST_TEXT:,} characters.")
    if has_key_shape(value) or (address and _carries_password(value)):
        raise InvalidInputError(
            f"{name} holds a key or a password, and the settings file must not.",
            hint="Enter the key in its own field: it goes to the computer's key store.",
        )
    return value


def _carries_password(address: str) -> bool:
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        names = {key.lower() for key, _ in parse_qsl(parts.query, keep_blank_values=True)}
    except ValueError:
        # What can't be parsed is refused where it is used; here only "@" could hide a password.
        return "@" in address
    return "@" in parts.netloc or bool(names & _KEY_PARAMETERS)


@cache
def _hints() -> Mapping[str, Any]:
    return get_type_hints(Settings)


def _metadata(name: str) -> Mapping[str, Any]:
    for item in fields(Settings):
        if item.name == name:
            return item.metadata
    raise KeyError(name)
