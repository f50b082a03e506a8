"""The normal form of a question: what may differ between two askings of the very same question.

Blanks, the case of ordinary words, typographic apostrophes and the full stop or question mark at the end.
Nothing else: "C" is not "C++", "US" is not "us", and quoted text or code stays as it was typed.
"""

from __future__ import annotations

import re
import unicodedata

from assistant.cache.word_lists import word_set

_VERBATIM = re.compile(r"[\n\r\t`\"“”„«»{}<>=\\|~^_]|\w\(|(?<!\w)'")
"""Where one of these is, blanks and case may carry meaning: code, quotations, formulas."""

_WORD = re.compile(r"[^\W\d_]+")
_BLANKS = re.compile(r"\s+")
_END = re.compile(r"[\s?!.…。\uff1f\uff01]+$")
_START = re.compile(r"^[\s¿¡]+")
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "‘": "'"})

CASE_MATTERS = word_set(
    # Pronouns and other small words against names, acronyms and polite forms.
    "us it who will may can must am an as at do go he in is me no on or so to we "
    "sie ihr ihre ihrem ihren ihrer ihres ihnen "
    # English words that are also names of something else.
    "aids march august polish turkey china chile mark bill rose rob grant frank jack reading nice mobile job "
    "cat sat act ram mat gate lean sap apple windows word excel teams outlook amazon swift rust shell target "
    "orange visa meta oracle edge safari chrome numbers pages notes "
    # German nouns against verbs and adverbs.
    "essen weg morgen recht laut leben reisen arm band bank fest gut rot rote kosten wagen fliegen "
    "kriechen wissen lesen spinnen würde ehe dank trotz kraft"
)
"""Words that mean something else with a capital letter inside a sentence."""

_QUESTION_WORDS = word_set(
    # English auxiliaries that no statement or order begins with are among them.
    "what what's which who who's whom whose where where's when why how how's "
    "is are was were does did can could should would "
    "wer wen wem wessen wie wo wohin woher wann warum wieso weshalb wozu womit "
    "welche welcher welches welchen welchem "
    "qui quoi quel quelle quels quelles où quand pourquoi comment combien "
    "qué quién quiénes cuál cuáles dónde cuándo cómo cuánto cuánta cuántos cuántas "
    "chi quale quali dove perché quanto quanta quanti quante"
)


def normal_form(question: str) -> str:
    """`question` in the form that exact matching compares."""
    text = unicodedata.normalize("NFC", question).strip()
    if _VERBATIM.search(text):
        return text
    text = _BLANKS.sub(" ", text.translate(_APOSTROPHES))
    body = _END.sub("", _START.sub("", text)) or text
    asks = text.startswith("¿") or any(mark in text[len(body) :] for mark in "?\uff1f")
    folded = fold_case(body)
    first = folded.split(" ", 1)[0].rstrip(",")
    return f"{folded}?" if asks or first in _QUESTION_WORDS else folded


def fold_case(text: str, *, starts_sentence: bool = True) -> str:
    """`text` in lower case, with ^ before each word whose capital makes it another one.

    lower() and not casefold(), which makes one word of "Maße" and "Masse".
    """
    shouts = text.isupper() and " " in text
    parts: list[str] = []
    end = 0
    for match in _WORD.finditer(text):
        between = text[end : match.start()]
        starts_sentence = starts_sentence or any(mark in between for mark in ".!?:¿¡")
        parts.append(between)
        parts.append(_folded(match.group(), shouts=shouts, starts_sentence=starts_sentence))
        starts_sentence, end = False, match.end()
    parts.append(text[end:])
    return "".join(parts)


def _folded(word: str, *, shouts: bool, starts_sentence: bool) -> str:
    lower = word.lower()
    if shouts or lower not in CASE_MATTERS or not word[0].isupper():
        return lower
    is_name = (len(word) > 1 and word.isupper()) or not starts_sentence
    return f"^{lower}" if is_name else lower
