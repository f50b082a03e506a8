"""Queries that need what was said before them: "And where does she live?" """

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.types import Message
from assistant.memory.recall.words import has_subject, query_words

_TURNS = 2
_FROM_USER = 400
_FROM_REPLY = 200
_ALONE = 2
_FEW_WORDS = 4
_SHORT = 120

# Words that point back. Spelled as whole words of folded text.
_POINTING = re.compile(
    r"\b(?:it|its|that|those|these|this|they|them|their|he|him|his|she|her|hers|there|one|ones|same|former|latter"
    r"|er|sie|es|ihn|ihm|ihr|ihre|sein|seine|dort|das|dessen|denen|davon|dabei"
    r"|il|elle|ils|elles|lui|leur|ça|cela|celui|celle|ceux|son|sa|ses|là|y"
    r"|él|ella|ellos|ellas|su|sus|eso|esa|ese|allí|ahí|lo"
    r"|lui|lei|loro|suo|sua|quello|quella|lì"
    r"|ele|ela|eles|elas|dele|dela|isso|isto|lá"
    r"|hij|zij|hem|haar|dat|daar|die"
    r"|он|она|они|его|её|ее|их|это|там)\b"
    r"|他|她|它|那个|那里|这个|这里|彼|彼女|それ|そこ|あれ|그는|그녀|그것|거기|เขา|มัน|ที่นั่น"
)
_OPENING = re.compile(
    r"^\W*(?:and|but|so|or|also|what about|how about|why|und|aber|et|mais|y|e|pero|en|и|а|那|还有|じゃあ|그럼|แล้ว)\b"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A query as recall uses it.

    Attributes:
        text: as asked.
        completed: with what it refers to; the text itself when it stands alone.
    """

    text: str
    completed: str

    @property
    def is_follow_up(self) -> bool:
        return self.completed != self.text


def completed(query: str, history: Sequence[Message]) -> Question:
    """Complete `query` from the last turns of `history` (oldest first) when it does not stand alone.

    A query that names its subject stays as it is: what was said before would only pull it elsewhere.
    """
    before = _before(query, history) if _needs_subject(query) else ""
    return Question(query, f"{before} {query}" if before else query)


def _needs_subject(query: str) -> bool:
    folded = unicodedata.normalize("NFKC", query).casefold()
    if len(folded) > _SHORT:
        return False
    if not has_subject(folded):
        # "ok, thanks" asks for nothing; "and why?" does.
        return "?" in folded or _POINTING.search(folded) is not None or _OPENING.match(folded) is not None
    words = len(query_words(folded))
    if words < _ALONE and "?" in folded:
        return True
    points = _POINTING.search(folded) is not None or _OPENING.match(folded) is not None
    return points and words <= _FEW_WORDS


def _before(query: str, history: Sequence[Message]) -> str:
    turns = [
        message for message in history if message.role in ("user", "assistant") and message.content.strip()
    ]
    while turns and turns[-1].role == "user" and turns[-1].content.strip() == query.strip():
        turns.pop()
    said = [message.content[:_FROM_USER] for message in turns if message.role == "user"][-_TURNS:]
    replies = [message.content[:_FROM_REPLY] for message in turns if message.role == "assistant"][-1:]
    return " ".join((*said, *replies)).strip()
