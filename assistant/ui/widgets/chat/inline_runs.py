"""What is inside of a paragraph: emphasis, code, links, images by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from markdown_it.token import Token

from assistant.ui.widgets.chat.blocks import Run, Runs

_SCHEMES = ("http", "https", "mailto")


def runs_of(tokens: Sequence[Token]) -> Runs:
    """The runs of a paragraph's inline tokens; neighbours in the same look are one run."""
    result: list[Run] = []
    for run in _each(tokens):
        if not run.text:
            continue
        if result and result[-1].looks_like(run):
            result[-1] = run._replace(text=result[-1].text + run.text)
        else:
            result.append(run)
    return tuple(result)


def is_followable(url: str) -> bool:
    """Whether a link to `url` may be offered: http, https or mailto, with something behind it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in _SCHEMES and bool(parts.netloc or parts.path)


def _each(tokens: Sequence[Token]) -> Iterator[Run]:
    bold = italic = strike = 0
    href = refused = label = ""
    for token in tokens:
        if refused:
            label += token.content
        match token.type:
            case "text" | "text_special":
                yield Run(token.content, bold > 0, italic > 0, strike > 0, False, href)
            case "code_inline":
                yield Run(token.content, bold > 0, italic > 0, strike > 0, True, href)
            case "softbreak" | "hardbreak":
                yield Run("\n", bold > 0, italic > 0, strike > 0, False, href)
            case "strong_open" | "strong_close":
                bold += token.nesting
            case "em_open" | "em_close":
                italic += token.nesting
            case "s_open" | "s_close":
                strike += token.nesting
            case "link_open":
                address = str(token.attrGet("href") or "")
                href, refused, label = (address, "", "") if is_followable(address) else ("", address, "")
            case "link_close":
                if refused and refused != label:
                    yield Run(f" ({refused})", bold > 0, italic > 0, strike > 0)
                href = refused = ""
            case "image":
                address = str(token.attrGet("src") or "")
                name = f"Image: {token.content} ({address})" if token.content else f"Image: {address}"
                yield Run(name, bold > 0, italic > 0, strike > 0, False, href)
            case _:
                yield Run(token.content, bold > 0, italic > 0, strike > 0, False, href)
