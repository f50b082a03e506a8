"""A question cut into words, numbers and signs, none of which is lost on the way."""

from __future__ import annotations

import re

from assistant.cache.normal import fold_case

_QUOTE = re.compile(r"(?<!\d)[\"“”„«»]([^\"“”„«»]+)[\"“”«»]")
_TOKEN = re.compile(
    r"(?P<number>(?:(?<![^\s(])[-−])?\d+(?:[.,:/–-]\d+)*(?:[^\W\d_]+\d*)?['\"]?)"
    r"|(?P<word>\^?[^\W_]+(?:['.][^\W_]+)*(?:\+{1,2}(?!\w)|\#|[-−](?![\w-]))?)"
    r"|(?P<sign>\S)"
)
_PAUSES = frozenset(".,;:!?")
_LIGHT = _PAUSES | frozenset("()[]…–—-‐‑'\"“”„«»¿¡")
_AND = "&"


def folded_tokens(text: str, *, pauses: bool = False) -> list[str]:
    """The tokens of `text`: words in the case that matters, numbers as written, each other sign by itself.

    A quotation is one token as typed, with its blanks as U+2423.

    Args:
        pauses: keep the punctuation between words too.
    """
    found: list[str] = []
    end = 0
    for quote in _QUOTE.finditer(text):
        found += _plain(text[end : quote.start()], pauses, starts_sentence=not end)
        found.append(quote.group(1).strip().replace(" ", "\u2423"))
        end = quote.end()
    found += _plain(text[end:], pauses, starts_sentence=not end)
    return [token for token in found if token]


def _plain(text: str, pauses: bool, *, starts_sentence: bool) -> list[str]:
    found: list[str] = []
    for match in _TOKEN.finditer(fold_case(text, starts_sentence=starts_sentence)):
        token = match.group()
        if match.lastgroup != "sign" or token not in _LIGHT or (pauses and token in _PAUSES):
            found.append("and" if token == _AND else token)
    return found


_CAPITAL = re.compile(r"(?<=[\w,] )[A-Z][a-z]+\b")


def names_in(text: str) -> frozenset[str]:
    """The capitalised words inside sentences, in lower case."""
    return frozenset(word.lower() for word in _CAPITAL.findall(text))
