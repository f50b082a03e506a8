"""The endpoints that people usually have, with what each needs."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.core.errors import ConfigError
from assistant.models.base import Locality


@dataclass(frozen=True, slots=True)
class EndpointPreset:
    """A place where models answer.

    Attributes:
        id: its name in settings and in model names ("ollama:llama3.2").
        name: what people call it.
        base_url: where it usually listens, with its version path; empty when only the user can say.
        needs_key: whether nothing works without an API key.
        locality: where messages go.
        hint: one line for the person who chooses.
    """

    id: str
    name: str
    base_url: str
    needs_key: bool
    locality: Locality
    hint: str


LOCAL = EndpointPreset(
    "local", "Built-in trial model", "", False, "this computer",
    "Small and quick to try; nothing leaves this computer.",
)  # fmt: skip
OLLAMA = EndpointPreset(
    "ollama", "Ollama", "http://127.0.0.1:11434/v1", False, "this computer",
    "Models that you have pulled with Ollama.",
)  # fmt: skip
LM_STUDIO = EndpointPreset(
    "lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", False, "this computer",
    "Start the server in LM Studio's developer page first.",
)  # fmt: skip
LLAMA_CPP = EndpointPreset(
    "llamacpp", "llama.cpp server", "http://127.0.0.1:8080/v1", False, "this computer",
    "A llama-server that you have started yourself.",
)  # fmt: skip
OPENAI = EndpointPreset(
    "openai", "OpenAI", "https://api.openai.com/v1", True, "internet",
    "Messages go to OpenAI; you need an API key.",
)  # fmt: skip
OPENROUTER = EndpointPreset(
    "openrouter", "OpenRouter", "https://openrouter.ai/api/v1", True, "internet",
    "Messages go through OpenRouter to the provider of the model; you need an API key.",
)  # fmt: skip
CUSTOM = EndpointPreset(
    "custom", "Other server", "", False, "internet",
    "Any server that speaks the OpenAI chat protocol.",
)  # fmt: skip

PRESETS: tuple[EndpointPreset, ...] = (LOCAL, OLLAMA, LM_STUDIO, LLAMA_CPP, OPENAI, OPENROUTER, CUSTOM)
"""In the order in which a choice lists them."""


def preset(preset_id: str) -> EndpointPreset:
    """The preset of that id.

    Raises:
        ConfigError: there is none.
    """
    for candidate in PRESETS:
        if candidate.id == preset_id:
            return candidate
    raise ConfigError(
        f"There is no model provider called {preset_id!r}.",
        hint=f"Use one of {', '.join(known.id for known in PRESETS)}.",
    )
