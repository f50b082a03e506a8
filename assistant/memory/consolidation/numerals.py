"""Numbers in words, in five languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

_UNITS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen "
    "eighteen nineteen",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn "
    "achtzehn neunzehn",
    "fr": "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "es": "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve",
    "it": "zero - due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
    "diciassette diciotto diciannove",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante septante huitante nonante",
    "es": "- treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
}
_HUNDREDS = {"en": "hundred", "de": "hundert", "fr": "cent cents", "es": "cien ciento cientos", "it": "cento"}
_THOUSANDS = {"en": "thousand", "de": "tausend", "fr": "mille", "es": "mil", "it": "mille mila"}
_JOINS = {"en": "and", "es": "y", "fr": "et"}
_ONES = {"en": "one", "fr": "un", "es": "uno un", "it": "uno", "de": "ein"}


@cache
def _small(language: str) -> Mapping[str, int]:
    """Words of one number below a hundred."""
    found = {word: value for value, word in enumerate(_UNITS[language].split()) if word != "-"}
    tens = {word: 10 * (place + 2) for place, word in enumerate(_TENS[language].split()) if word != "-"}
    found |= tens
    units = [(word, value) for word, value in found.items() if 1 <= value <= 9]
    if language == "de":
        units = [("ein", 1), *((word, value) for word, value in units if value > 1)]
        found |= {f"{unit}und{ten}": more + value for ten, more in tens.items() for unit, value in units}
    if language == "it":
        units = [("uno", 1), *units, ("tré", 3)]
        for ten, more in tens.items():
            for unit, value in units:
                found[(ten[:-1] if unit[0] in "uo" else ten) + unit] = more + value
    return MappingProxyType(found)


@cache
def _compounds(language: str) -> Mapping[str, int]:
    """Words of hundreds that are written as one."""
    if language not in {"de", "it", "es"}:
        return MappingProxyType({})
    hundred = {"de": "hundert", "it": "cento", "es": "cientos"}[language]
    found = {f"{word}{hundred}": 100 * value for word, value in _small(language).items() if 2 <= value <= 9}
    if language == "es":
        found |= {"quinientos": 500, "setecientos": 700, "novecientos": 900}
    if language == "de":
        found["einhundert"] = 100
        found |= {f"{word}tausend": 1000 * value for word, value in _small("de").items() if 2 <= value <= 99}
        found["eintausend"] = 1000
    return MappingProxyType(found)


def number_at(words: list[str], at: int, language: str) -> tuple[int, int] | None:
    """The number that is written in words from place `at` on, and how many words it takes; None for none."""
    if language not in _UNITS:
        return None
    small, compounds = _small(language), _compounds(language)
    hundreds, thousands = _HUNDREDS[language].split(), _THOUSANDS[language].split()
    total, part, place, last = 0, None, at, ""
    while place < len(words):
        word = words[place]
        value = small.get(word, compounds.get(word))
        if value is not None:
            if part is None:
                part = value
            elif language == "fr" and part == 4 and word in {"vingt", "vingts"}:
                part = 80
            elif _fits(part, value, last, language):
                part += value
            else:
                break
            last = "number"
        elif language == "fr" and word == "vingts" and part == 4:
            part = 80
        elif word in hundreds and (part is None or part < 10):
            part = 100 * (1 if part is None else part)
        elif word in thousands and total == 0:
            total, part = 1000 * (1 if part is None else part), 0
        elif (
            word == _JOINS.get(language)
            and part is not None
            and place + 1 < len(words)
            and _joins(part, total, words[place + 1], language)
        ):
            if words[place + 1] in _ONES[language].split():
                part, place = part + 1, place + 2
                continue
            last = "join"
        elif language == "en" and word == "one" and part is not None and part % 100 >= 20 and part % 10 == 0:
            part += 1
        else:
            break
        place += 1
    if part is None:
        return None
    if last == "join" and words[place - 1] == _JOINS.get(language):
        place -= 1
    return total + part, place - at


def _fits(part: int, value: int, last: str, language: str) -> bool:
    """Whether a number goes on with `value` after `part`."""
    if part >= 100 or part == 0:
        return value < 100 and part % 100 == 0
    if language == "es" and last != "join":
        return False
    if language == "fr" and part % 20 == 0 and part >= 60:
        return value < 20
    return part % 10 == 0 and part >= 20 and 0 < value < 10


def _joins(part: int, total: int, following: str, language: str) -> bool:
    if language == "en":
        return (part >= 100 or (total > 0 and part == 0)) and following in _small("en")
    if not (part % 100 >= 20 and part % 10 == 0):
        return False
    value = 1 if following in _ONES[language].split() else _small(language).get(following, 0)
    return 0 < value < 10 or (language == "fr" and value == 11)
