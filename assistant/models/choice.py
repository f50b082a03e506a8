"""What a person chose to talk to."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """An endpoint and a model, as chosen in a form or kept in the settings.

    Attributes:
        preset_id: id of an EndpointPreset; "local" is the model on this computer, "" nothing yet.
        base_url, model: empty for the preset's own.
        api_key: a key typed now; empty for the one that is stored.
        gguf_path: the model file for "local", empty for the trial model.
        ca_file, proxy: empty for none.
    """

    preset_id: str = ""
    base_url: str = ""
    model: str = ""
    api_key: str = field(default="", repr=False)
    gguf_path: str = ""
    ca_file: str = ""
    proxy: str = ""
