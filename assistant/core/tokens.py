"""How many tokens a text will cost, without a tokenizer."""

from __future__ import annotations

import math
import re

CHARS_PER_TOKEN = 3.5
"""Characters of an alphabetic script to one token: on the low side of what usual vocabularies reach."""

MESSAGE_OVERHEAD = 4
"""Tokens that a chat format spends around one message."""

_ONE_EACH = re.compile(
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Burmese
    "\u1100-\u11ff\uac00-\ud7af"  # Hangul
    "\u1780-\u17ff"  # Khmer
    "\u2e80-\u312f\u3130-\u9fff\uf900-\ufaff\uff00-\uffef"  # Han, kana, full-width forms
    "\U00010000-\U0010ffff"  # emoji, rare Han, historic scripts
    "]"
)


def estimate_tokens(text: str) -> int:
    """An estimate of the tokens in `text`: one for each character of a script without spaces (and for each
    emoji), one for each 3.5 characters otherwise, rounded up; 0 for the empty text."""
    dense = len(_ONE_EACH.findall(text))
    return dense + math.ceil((len(text) - dense) / CHARS_PER_TOKEN)
