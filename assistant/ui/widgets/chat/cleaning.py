"""Text from anywhere, made fit for a text document."""

from __future__ import annotations

from assistant.core.text import drop_lone_surrogates

_REPLACED = str.maketrans(
    {
        "\0": "\ufffd",
        "\ufffc": "\ufffd",
        "\ufdd0": "\ufffd",
        "\ufdd1": "\ufffd",
        "\x0b": " ",
        "\x0c": " ",
        "\u2028": "\n",
        "\u2029": "\n",
    }
)


def clean(text: str) -> str:
    """`text` with valid Unicode, one kind of line end, and without the characters that a text document reserves."""
    if not text.isascii():
        text = drop_lone_surrogates(text)
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_REPLACED)
