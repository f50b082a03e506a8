"""Cuts a clause into tokens, and gives each its usual form: numbers in digits, short forms in full, times by name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from assistant.memory.consolidation.english import CONTRACTIONS
from assistant.memory.consolidation.language import Language
from assistant.memory.consolidation.numerals import number_at
from assistant.memory.consolidation.times import AMBIGUOUS, BETWEEN, BOUNDS, DAY_OF, MONTH_OF, PARTS

Kind = Literal["word", "number", "time", "not", "over"]

_PART = re.compile(
    r"(?P<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+)"
    r"|(?P<phone>\+?\d[\d()/ -]{5,}\d(?!\w))"
    r"|(?P<number>(?<![\w-])[-−]?\d+(?:[.,:/-]\d+)*(?:(?:st|nd|rd|th|er|ème|º|ª)\b)?)"
    r"|(?P<word>[^\W\d_]+(?:[\u0300-\u036f'][^\W\d_]*)*)"
    r"|(?P<digits>\d+)|(?P<sign>[€$£%#+°])"
)
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_DIGITS = re.compile(r"\d[\d/-]*\d|\d")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|er|ème|º|ª)$")
_ENDINGS = tuple(short for short in CONTRACTIONS if short.startswith(("'", "n't")))
_FUSED: Mapping[str, Mapping[tuple[str, ...], str]] = {
    "en": {("can", "not", "stand"): "hate", ("can", "not", "bear"): "hate"},
    "fr": {("ne", "supporte", "pas"): "déteste"},
    "es": {("no", "soporto"): "odio"},
    "it": {("non", "sopporto"): "odio"},
}
_AFTERNOON = {"pm", "p"}
_FORENOON = {"am", "a"}


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or time of a clause.

    Attributes:
        word: its usual form.
        plain: as written, in lower case; short forms in full.
        kind: see Kind; "not" and "over" turn the clause round.
        named: written with a capital letter that its place does not ask for.
        capital: written with a capital letter.
    """

    word: str
    plain: str
    kind: Kind = "word"
    named: bool = False
    capital: bool = False


def unfolded(text: str) -> str:
    """`text` in one form of Unicode, without invisible characters, with plain apostrophes and spaces."""
    normal = unicodedata.normalize("NFKC", text).translate(
        {0x2019: "'", 0x2018: "'", 0x02BC: "'", 0x0060: "'"}
    )
    shown = "".join(sign for sign in normal if unicodedata.category(sign) != "Cf")
    return " ".join(shown.split())


def unaccented(text: str) -> str:
    """`text` without accents, of the same length."""
    return "".join(unicodedata.normalize("NFD", sign)[0] for sign in text)


def tokens_of(clause: str, language: Language) -> list[Token]:
    """The tokens of a clause that went through `unfolded`."""
    found = _fused(list(_parts(clause, language)), language)
    found = _numbers(found, language)
    found = [_usual(found, place, language) for place in range(len(found))]
    return _over(_clocks(found), language)


def _parts(clause: str, language: Language) -> Iterator[Token]:
    first = True
    for match in _PART.finditer(clause):
        text = match[0]
        if match.lastgroup == "word":
            for word in _split(text, language):
                capital = word[:1].isupper()
                plain = word.lower()
                yield Token(
                    plain, plain, "word", capital and not first and plain not in language.first, capital
                )
                first = False
            continue
        is_short = sum(sign.isdigit() for sign in text) < 7 or _ISO.fullmatch(text)
        if match.lastgroup == "phone" and is_short:
            for part in _DIGITS.findall(text):
                yield from _number(part, language)
        elif match.lastgroup == "phone":
            digits = re.sub(r"\D", "", text)
            yield Token(digits, digits, "number")
        elif match.lastgroup in {"number", "digits"}:
            yield from _number(text, language)
        else:
            yield Token(text.lower(), text.lower(), "word", match.lastgroup == "address")
        first = False


def _split(word: str, language: Language) -> Iterator[str]:
    """A word without its short forms."""
    lower = word.lower()
    if language.name != "en":
        yield from (part for part in word.split("'") if part)
        return
    if lower in CONTRACTIONS:
        full = CONTRACTIONS[lower].split()
        yield word[: len(full[0])] if word[:1].isupper() else full[0]
        yield from full[1:]
        return
    for ending in _ENDINGS:
        if lower.endswith(ending) and len(lower) > len(ending):
            yield word[: -len(ending)]
            yield CONTRACTIONS[ending].strip()
            return
    yield word.rstrip("'") or word


def _number(text: str, language: Language) -> Iterator[Token]:
    bare = _ORDINAL.sub("", text.replace("−", "-"))
    iso = _ISO.fullmatch(bare)
    if iso is not None:
        year, month, day = iso.groups()
        for part in (str(int(day)), f"month-{month}", year):
            yield Token(part, part, "time")
        return
    group, point = (".", ",") if language.dot_groups else (",", ".")
    if re.fullmatch(rf"-?\d{{1,3}}(?:\{group}\d{{3}})+(?:\{point}\d+)?", bare):
        bare = bare.replace(group, "")
    if re.fullmatch(rf"-?\d+\{point}\d+", bare):
        bare = bare.replace(point, ".")
    if bare.isdigit():
        bare = bare.lstrip("0") or "0" if len(bare) < 3 else bare
    kind: Kind = "time" if ":" in bare or bare.count("/") == 2 or bare.count(".") == 2 else "number"
    yield Token(bare, bare, kind)


def _fused(found: list[Token], language: Language) -> list[Token]:
    for words, one in _FUSED.get(language.name, {}).items():
        for place in range(len(found) - len(words) + 1):
            if tuple(token.plain for token in found[place : place + len(words)]) == words:
                found = [*found[:place], Token(one, one), *found[place + len(words) :]]
                break
    return found


def _numbers(found: list[Token], language: Language) -> list[Token]:
    plain = [token.plain for token in found]
    result: list[Token] = []
    place = 0
    while place < len(found):
        number = (
            None
            if found[place].kind != "word" or found[place].named
            else number_at(plain, place, language.name)
        )
        if number is None:
            result.append(found[place])
            place += 1
        else:
            value, length = number
            result.append(Token(str(value), str(value), "number"))
            place += length
    return result


def _usual(found: list[Token], place: int, language: Language) -> Token:
    token = found[place]
    if token.kind != "word":
        return token
    plain = token.plain.removesuffix("'s")
    before = found[place - 1].plain if place else ""
    after = found[place + 1].kind if place + 1 < len(found) else ""
    month = MONTH_OF.get(plain)
    if month is not None and (
        plain not in AMBIGUOUS
        or before in BETWEEN | BOUNDS | {"of"}
        or after == "number"
        or (place > 0 and found[place - 1].kind == "number")
    ):
        return replace(token, word=month, kind="time")
    if plain in DAY_OF:
        return replace(token, word=DAY_OF[plain], kind="time")
    if plain in language.denials and not token.named:
        return replace(token, word=language.denials[plain], kind="not")
    if plain in PARTS:
        return replace(token, word=plain.removesuffix("s") if language.name == "en" else plain, kind="time")
    return replace(token, word=language.forms.get(plain, plain))


def _clocks(found: list[Token]) -> list[Token]:
    """`found` with "8 pm" as one time, and the number of a day or a year beside its month as part of the time."""
    result: list[Token] = []
    for place, token in enumerate(found):
        last = result[-1] if result else None
        if last is not None and token.plain in _AFTERNOON | _FORENOON and _is_hour(last):
            if len(token.plain) == 1 and not (place + 1 < len(found) and found[place + 1].plain == "m"):
                result.append(token)
                continue
            hour, _, minute = last.word.partition(":")
            late = token.plain in _AFTERNOON
            value = int(hour) % 12 + (12 if late else 0)
            result[-1] = Token(f"{value}:{minute or '00'}", f"{value}:{minute or '00'}", "time")
        elif token.plain == "m" and last is not None and last.kind == "time" and ":" in last.word:
            continue
        else:
            result.append(token)
    for place, token in enumerate(result):
        near = result[max(place - 2, 0) : place] + result[place + 1 : place + 3]
        if (
            token.kind == "number"
            and any(other.word.startswith("month-") for other in near)
            and token.word.isdigit()
        ):
            result[place] = replace(token, kind="time")
    return result


def _is_hour(token: Token) -> bool:
    hour, _, minute = token.word.partition(":")
    return hour.isdigit() and 0 < int(hour) <= 12 and (not minute or minute.isdigit())


def _over(found: list[Token], language: Language) -> list[Token]:
    """`found` with the words that say that something is over as one token."""
    text = unaccented(" ".join(token.plain for token in found))
    for pattern in language.ended:
        match = pattern.search(text)
        if match is None:
            continue
        between = len(match["between"].split())
        start = text[: match.start()].count(" ") if match.start() else 0
        length = len(match[0].split())
        inside = text[match.start() : match.start("between")].split()
        head = len(inside)
        kept = found[start + head : start + head + between]
        return [*found[:start], Token("over", "", "over"), *kept, *found[start + length :]]
    return found
