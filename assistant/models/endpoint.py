"""Where a chat model answers, checked once and then trusted."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from assistant.core.errors import InvalidInputError
from assistant.core.redact import Redactor
from assistant.core.text import check_text
from assistant.models.addresses import DEFAULT_PORTS, locality_of, normalise_base_url
from assistant.models.base import Locality
from assistant.models.presets import preset

SYSTEM_PROXY = "system"
"""Value of `Endpoint.proxy` that takes the proxy which the system or the environment names."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that speaks the OpenAI chat protocol, and how to reach it.

    Attributes:
        preset_id: which preset it was made from; names the provider in a model's name.
        base_url: its address; as typed by a person when given, normalised when read
            (see `addresses.normalise_base_url`). Empty takes the preset's.
        api_key: sent as a bearer token; empty for a server that needs none. Never shown by repr.
        ca_file: certificates (PEM) to trust besides those of the system.
        proxy: an http or https proxy's URL, "system" for the one that the system names, or None for none.
            Nothing is taken from the environment unless it says "system". Never used for this computer.

    Raises:
        InvalidInputError: an address, key or proxy that can't be used.
        ConfigError: an unknown preset.
    """

    preset_id: str
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    ca_file: Path | None = None
    proxy: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        known = preset(self.preset_id)
        object.__setattr__(self, "base_url", normalise_base_url(self.base_url or known.base_url))
        object.__setattr__(self, "api_key", _check_key(self.api_key))
        object.__setattr__(self, "proxy", _check_proxy(self.proxy))

    @property
    def address(self) -> tuple[str, int]:
        """Host and port that a connection goes to (before any proxy)."""
        parts = urlsplit(self.base_url)
        return parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]

    @property
    def netloc(self) -> str:
        """Host, with the port when it is not the usual one: for errors and details."""
        return urlsplit(self.base_url).netloc

    @property
    def locality(self) -> Locality:
        """Where messages go."""
        return locality_of(self.address[0])

    @property
    def host(self) -> str:
        """Where messages go, for people to read: "this computer", or the host as in `netloc`."""
        return "this computer" if self.locality == "this computer" else self.netloc

    @property
    def is_plain_http_outside(self) -> bool:
        """Whether messages and key leave this computer unencrypted, for others on the way to read."""
        return urlsplit(self.base_url).scheme == "http" and self.locality != "this computer"

    @property
    def server_root(self) -> str:
        """The address without its version path: where Ollama and llama.cpp keep their own interfaces."""
        return self.base_url.removesuffix("/v1")

    def redact(self, text: str) -> str:
        """`text` without this endpoint's key, its proxy's password, or anything that looks like a key."""
        redactor = Redactor()
        redactor.add(self.api_key)
        redactor.add(urlsplit(self.proxy or "").password or "")
        cleaned = redactor.redact(text)
        # Redactor leaves short values alone as placeholders; this one was really given as a key.
        return cleaned.replace(self.api_key, "[redacted]") if self.api_key else cleaned


def _check_key(key: str) -> str:
    key = check_text(key).strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidInputError(
            "The key holds a character that no key has.", hint="Copy it again, without spaces or line breaks."
        )
    return key


def _check_proxy(proxy: str | None) -> str | None:
    text = (proxy or "").strip()
    if not text or text == SYSTEM_PROXY:
        return text or None
    if "://" not in text:
        text = f"http://{text}"
    try:
        parts = urlsplit(text)
        usable = parts.scheme in DEFAULT_PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise InvalidInputError(
            "The proxy's address can't be used.",
            hint="Give one such as http://proxy.example.com:3128; SOCKS proxies are not supported.",
        )
    return text
