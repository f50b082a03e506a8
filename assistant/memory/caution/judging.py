"""The gate: which statements must not be kept without the person's word, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.memory.caution.base import Caution, Reason
from assistant.memory.caution.concepts import Notion
from assistant.memory.caution.credentials import has_account_number, has_credential, has_paper_number
from assistant.memory.caution.decoding import readings
from assistant.memory.caution.folding import fold, is_disguised
from assistant.memory.caution.instructions import broken_rule
from assistant.memory.caution.markers import has_marks
from assistant.memory.caution.reading import Sentence, sentences

_PHRASES: dict[Reason, str] = {
    "health": "it is about health",
    "money": "it is about money",
    "identity": "it is about identity, beliefs or origin",
    "credentials": "it holds a password, key or code",
    "intimate": "it is intimate",
    "instruction": "it reads as an instruction to the assistant, not as something about you",
}
_MOST_READINGS = 40
_LONGEST_PIECE = 4000
_OVERLAP = 400
_DEEPEST = 2
_NEAR_AMOUNT = 6
# Endings that the names of medicines have (INN stems), in words long enough to be no others.
_MEDICINE = re.compile(
    r"\b\w{3,20}(?:cillin|oxetine|azepam|azolam|sartan|statin|prazole|mycin|cycline|floxacin|metacin|triptan|gliptin|gliflozin"
    r"|lukast|afil|barbital|dronate|tidine|setron|parin|peridol|apine|azine|idone|profen|codone|morphone|pril|olol)e?n?\b"
    r"|\b\d{1,4} ?(?:mg|mcg|µg|iu)\b"
)
_NO_MEDICINE = frozenset(("april", "avril", "magazine", "terrapine", "alpine"))


def cautions(text: str) -> tuple[Caution, ...]:
    """Why `text` must be asked about before it is kept, in the order of Reason; nothing for what may be kept.

    Pure and linear in the length of the text: below a millisecond for a usual statement.

    Args:
        text: a statement as it would be kept, or the words that it was taken from; any language, rules for English,
            German, French, Spanish, Portuguese, Italian, Chinese and Japanese.
    """
    found: dict[Reason, None] = {}
    for piece in _pieces(text):
        folded = fold(piece)
        read = list(sentences(folded))
        found.update(dict.fromkeys(_private(piece, folded, read)))
        if "instruction" not in found and (
            is_disguised(piece) or _orders(piece, folded, read) or _orders_otherwise(piece)
        ):
            found["instruction"] = None
    return tuple(Caution(reason, phrase) for reason, phrase in _PHRASES.items() if reason in found)


def _pieces(text: str) -> Iterator[str]:
    """`text` in pieces that overlap, so that a long one costs no more than its length."""
    if len(text) <= _LONGEST_PIECE:
        yield text
        return
    for start in range(0, len(text) - _OVERLAP, _LONGEST_PIECE - _OVERLAP):
        yield text[start : start + _LONGEST_PIECE]


def _orders_otherwise(text: str) -> bool:
    """Whether another reading of `text` gives an order."""
    left = [_MOST_READINGS]
    return any(_gives_order(reading) for reading in _other_readings(text, 0, left))


def _other_readings(text: str, depth: int, left: list[int]) -> Iterator[str]:
    for reading in readings(text):
        left[0] -= 1
        if left[0] < 0:
            return
        yield reading
        if depth + 1 < _DEEPEST:
            yield from _other_readings(reading, depth + 1, left)


def _gives_order(text: str) -> bool:
    folded = fold(text)
    return _orders(text, folded, list(sentences(folded)))


def _orders(text: str, folded: str, read: list[Sentence]) -> bool:
    return has_marks(text, folded) or broken_rule(read) is not None


def _private(text: str, folded: str, read: list[Sentence]) -> Iterator[Reason]:
    union = 0
    for sentence in read:
        union |= sentence.union
    if union & Notion.HEALTH.value or _names_medicine(folded):
        yield "health"
    if union & Notion.MONEY.value or has_account_number(text) or any(map(_is_own_amount, read)):
        yield "money"
    if union & Notion.IDENTITY.value or has_paper_number(text):
        yield "identity"
    if has_credential(text, folded):
        yield "credentials"
    if union & Notion.INTIMATE.value:
        yield "intimate"


def _names_medicine(folded: str) -> bool:
    return any(match.group() not in _NO_MEDICINE for match in _MEDICINE.finditer(folded))


def _is_own_amount(sentence: Sentence) -> bool:
    return sentence.together((Notion.WORTH.value, Notion.AMOUNT.value), _NEAR_AMOUNT)
