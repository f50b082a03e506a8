"""A conversation's title, made on this computer from its first exchange."""

from __future__ import annotations

import itertools
import re
import unicodedata

LONGEST = 48
_LEAST_AT_BORDER = LONGEST // 2
_READ = 20_000
_MOST_SENTENCES = 20

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)
_RULE = re.compile(r"^[ \t]*([-*_=|:+]|\|)(?:[ \t]*[-*_=|:+])*[ \t]*$", re.MULTILINE)
_LINE_MARK = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+)+", re.MULTILINE
)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
# A single star or an underscore inside a word ("2*3*4", "snake_case_name") is no emphasis.
_EMPHASIS = re.compile(
    r"(\*{2,3}|~~|`{1,3})(?=\S)([^\n]*?\S)\1|(?<![\w*_])(\*|_{1,3})(?=[^\s*_])([^\n]*?[^\s*_])\3(?![\w*_])"
)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？।؟۔])\s*|\n+")
_CLOSERS = " \t,;:-–—·.、，。；：।۔"


def make_title(first_message: str, reply: str = "") -> str:
    """A title of at most 48 characters from the user's first message, "" when nothing has words.

    Markdown marks and code blocks are left out; the first sentence that says something is taken and cut at the
    border of a word with "…". When no sentence of the message does ("Hi, can you help me?"), the first that does of
    the reply is taken, and without one the first sentence of the message. Works on any script; what says
    little is known in English, German, French, Spanish, Italian, Portuguese, Chinese, Japanese and Korean.

    Args:
        reply: what was answered, empty when that is not known yet.
    """
    # Its word tables are large, and only a new conversation needs them.
    from assistant.conversation.small_talk import says_little

    asked = _sentences(first_message)
    said = itertools.chain(asked, _sentences(reply))
    return _shortened(next((part for part in said if not says_little(part)), asked[0] if asked else ""))


def _sentences(text: str) -> list[str]:
    """The first sentences that have words."""
    parts = map(_tidy, _SENTENCE.split(_plain(text[:_READ])))
    return list(itertools.islice(filter(_has_words, parts), _MOST_SENTENCES))


def _plain(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _FENCE.sub("\n", text)
    text = _RULE.sub("", text)
    text = _LINE_MARK.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _TAG.sub(" ", text)
    for _ in range(3):
        text = _EMPHASIS.sub(lambda match: match.group(2) or match.group(4), text)
    return text.replace("|", " ").replace("`", "")


def _tidy(sentence: str) -> str:
    kept = (char if _is_shown(char) else " " for char in sentence)
    return " ".join("".join(kept).split())


def _is_shown(char: str) -> bool:
    # Joiners (Cf) hold emoji and some scripts together; direction overrides would turn the list around.
    if char in "\u200c\u200d":
        return True
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _shortened(sentence: str) -> str:
    if len(sentence) <= LONGEST:
        return sentence.rstrip(_CLOSERS) if not sentence.endswith("...") else sentence
    room = sentence[: LONGEST - 1]
    border = room.rfind(" ") if sentence[LONGEST - 1] != " " else len(room)
    cut = room[:border] if border >= _LEAST_AT_BORDER else _whole_characters(room, sentence)
    return f"{cut.rstrip(_CLOSERS)}…"


def _whole_characters(room: str, sentence: str) -> str:
    """`room` without a last character whose accents or joined parts were cut off."""
    end = len(room)
    while end > 1 and (
        unicodedata.combining(sentence[end])
        or sentence[end] in "\u200d\ufe0f"
        or sentence[end - 1] == "\u200d"
    ):
        end -= 1
    return room[:end]
