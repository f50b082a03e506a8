"""Time expressions: which days a query means, and whether a text tells a time at all.

Whatever is found here only moves memories up; nothing is ever left out because of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from assistant.memory.recall import time_words as known

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HALF_LIFE_DAYS = 7.0
_EARLIEST, _LATEST = 1900, 2199
_LONGEST = 2_000
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """Days that a query means.

    Attributes:
        first: the first of them.
        end: the day after the last.
        phrase: the words that said so.
        yearly: no year was named, so that each year's are meant.
    """

    first: date
    end: date
    phrase: str
    yearly: bool = False

    def in_year(self, year: int) -> Period:
        """The same days of another year."""
        days = self.end - self.first
        first = self.first.replace(year=year, day=min(self.first.day, 28) if days == _DAY else self.first.day)
        return Period(first, first + days, self.phrase)


def periods_in(text: str, today: date) -> tuple[Period, ...]:
    """The periods that `text` names, seen from `today`; relative ones in English, German, French, Spanish, Italian,
    Portuguese, Dutch, Russian, Chinese, Japanese, Korean and Thai."""
    left = _folded(text)
    found: list[Period] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(left):
            found.extend(read(match, today))
        # What was understood is not read a second time: "3 May 2023" holds "May 2023" too.
        left = pattern.sub(lambda match: " " * len(match[0]), left)
    return tuple(found)


def asks_when(text: str) -> bool:
    """Whether a query wants a time as its answer."""
    return _WHEN.search(_folded(text)) is not None


def tells_time(text: str) -> bool:
    """Whether a text mentions a day, a date or a span of time."""
    return _MENTION.search(_folded(text)) is not None


def closeness(
    periods: Sequence[Period], said_days: NDArray[np.float64], zone_days: float
) -> NDArray[np.float32]:
    """How near each moment is to the nearest period: 1 within it, halved with each week outside.

    Args:
        said_days: days since 1970 in UTC.
        zone_days: what local time is ahead of UTC, in days.
    """
    import numpy as np

    gaps = np.full(len(said_days), np.inf)
    if len(said_days):
        local = said_days + zone_days
        span = (_year_of(float(local.min())), _year_of(float(local.max())))
        for period in _spread(periods, *span):
            first, end = _days(period.first), _days(period.end)
            np.minimum(gaps, np.maximum(np.maximum(first - local, local - end), 0.0), out=gaps)
    return np.exp2(-gaps / _HALF_LIFE_DAYS).astype(np.float32)


def zone_days(now: datetime) -> float:
    """What the zone of `now` is ahead of UTC, in days."""
    return (now.utcoffset() or timedelta()) / _DAY


def _spread(periods: Sequence[Period], first_year: int, last_year: int) -> Iterator[Period]:
    for period in periods:
        if period.yearly:
            yield from (period.in_year(year) for year in range(first_year, last_year + 1))
        else:
            yield period


def _days(day: date) -> float:
    return float((day - date(1970, 1, 1)).days)


def _year_of(days: float) -> int:
    first, last = _days(date(_EARLIEST, 1, 1)), _days(date(_LATEST, 1, 1))
    return (date(1970, 1, 1) + timedelta(days=int(min(max(days, first), last)))).year


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()


# ---- reading


def _day(year: int, month: int, day: int, phrase: str, *, yearly: bool = False) -> Iterator[Period]:
    try:
        first = date(year, month, day)
    except ValueError:
        return
    yield Period(first, first + _DAY, phrase, yearly)


def _month(year: int, month: int, phrase: str, *, yearly: bool = False) -> Iterator[Period]:
    if 1 <= month <= 12 and _EARLIEST <= year <= _LATEST:
        following = date(year + month // 12, month % 12 + 1, 1)
        yield Period(date(year, month, 1), following, phrase, yearly)


def _year(year: int, phrase: str) -> Iterator[Period]:
    if _EARLIEST <= year <= _LATEST:
        yield Period(date(year, 1, 1), date(year + 1, 1, 1), phrase)


def _named(match: re.Match[str], today: date) -> Iterator[Period]:
    """A month by name or number, with or without a day and a year around it."""
    groups = match.groupdict()
    word = groups.get("month") or ""
    month = int(word) if word.isdecimal() else _MONTH_NUMBERS.get(word, 0)
    year = int(groups["year"]) if groups.get("year") else None
    day = int(groups["day"]) if groups.get("day") else None
    # A leap year stands for any, so that 29 February is a day.
    stand_in = 2024 if year is None else year
    if day is not None:
        yield from _day(stand_in, month, day, match[0].strip(), yearly=year is None)
    elif year is not None or word not in known.AMBIGUOUS_MONTHS or groups.get("before"):
        yield from _month(stand_in, month, match[0].strip(), yearly=year is None)


def _numeric(match: re.Match[str], today: date) -> Iterator[Period]:
    """12/5/2023: nobody knows which one is the month, so both are meant."""
    a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
    yield from _day(year, b, a, match[0])
    if a != b:
        yield from _day(year, a, b, match[0])


def _bare_year(match: re.Match[str], today: date) -> Iterator[Period]:
    yield from _year(int(match["year"]), match[0].strip())


def _offset(match: re.Match[str], today: date) -> Iterator[Period]:
    if match[0] == "hier" and not _FRENCH.search(match.string):
        return
    shift = next(days for days in known.DAY_OFFSETS if match[f"d{days + 5}"])
    first = today + shift * _DAY
    yield Period(first, first + _DAY, match[0])


def _span(match: re.Match[str], today: date) -> Iterator[Period]:
    place = next(number for number in range(len(_SPAN_KEYS)) if match[f"s{number}"])
    unit, shift = _SPAN_KEYS[place]
    if unit == "year":
        yield from _year(today.year + shift, match[0])
    elif unit == "month":
        index = today.year * 12 + today.month - 1 + shift
        yield from _month(index // 12, index % 12 + 1, match[0])
    else:
        monday = today - today.weekday() * _DAY + 7 * shift * _DAY
        first = monday if unit == "week" else monday + 5 * _DAY
        yield Period(first, monday + 7 * _DAY, match[0])


def _ago(match: re.Match[str], today: date) -> Iterator[Period]:
    word = next(value for key, value in match.groupdict().items() if key.startswith("n") and value)
    number = int(word) if word.isdecimal() else known.NUMBERS[word]
    unit = next(
        key[1:].rstrip("0123456789") for key, value in match.groupdict().items() if key[0] == "u" and value
    )
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit] * number
    slack = {"day": 0, "week": 3, "month": 10, "year": 90}[unit]
    try:
        middle = today - days * _DAY
        yield Period(middle - slack * _DAY, middle + (slack + 1) * _DAY, match[0])
    except OverflowError:
        return


def _weekday(match: re.Match[str], today: date) -> Iterator[Period]:
    number = next(place for place in range(7) if match[f"w{place}"])
    first = today - ((today.weekday() - number - 1) % 7 + 1) * _DAY
    yield Period(first, first + _DAY, match[0])


# ---- patterns


def _bounded(alternatives: str) -> str:
    """`alternatives`, each as a whole word where its script has spaces."""
    parts = alternatives.split("|")
    unspaced = [part for part in parts if ord(part[0]) > 0xE00]
    spaced = [part for part in parts if part not in unspaced]
    return "(?:" + "|".join([rf"\b(?:{'|'.join(spaced)})\b", *unspaced]) + ")"


_MONTH_NUMBERS = {name: number for number, names in enumerate(known.MONTHS, 1) for name in names.split()}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_FULL_YEAR = r"(?P<year>(?:19|20|21)\d\d)"
_OF = r"(?:of|de|del|di|do)"
_DAY_NUMBER = r"(?P<day>[0-3]?\d)"
_SPAN_KEYS = list(known.SPANS)
_BEFORE = rf"(?P<before>\b(?:{known.IN})\s+)"


def _ago_pattern() -> str:
    numbers = r"\d{1,3}|" + "|".join(sorted(known.NUMBERS, key=len, reverse=True))
    forms = (
        r"\b(?P<n{i}>{numbers}) (?:of )?{unit} (?:ago|fa|geleden|назад|atrás|earlier|back)\b",
        r"\b(?:vor|il y a|hace|há) (?P<n{i}>{numbers}) {unit}\b",
        r"(?P<n{i}>\d{{1,3}}|[一二两三四五六七八九十]) ?{unit} ?(?:以前|之前|前|전)",
    )
    patterns = []
    for form_number, form in enumerate(forms):
        units = (f"(?P<u{name}{form_number}>{words})" for name, words in known.UNITS.items())
        unit = "(?:" + "|".join(units) + ")"
        patterns.append(form.format(i=form_number, numbers=numbers, unit=unit))
    return "|".join(patterns)


_WHEN = re.compile(known.WHEN)
# "hier" is "here" in German.
_FRENCH = re.compile(r"\b(?:je|tu|nous|ai|avons|avez|est|était|que|quoi|qui|le|les|la)\b|\b[jlqu]['’]")
_READERS = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (r"(?<!\d)(?P<year>(?:19|20|21)\d\d)[-/.](?P<month>[01]?\d)[-/.](?P<day>[0-3]?\d)(?!\d)", _named),
        (r"(?P<year>\d{4})[年년] ?(?P<month>1?\d)[月월](?: ?(?P<day>[1-3]?\d)[日号일])?", _named),
        (r"(?<!\d)(?P<month>1?\d)[月월] ?(?P<day>[1-3]?\d)[日号일]", _named),
        (r"(?<!\d)(?P<year>\d{4})[年년]", _bare_year),
        (r"(?<![\d個个])(?P<month>1?\d)[月월](?!前|전|間)", _named),
        (r"(?<!\d)(?P<a>[0-3]?\d)[./](?P<b>[0-3]?\d)[./](?P<year>(?:19|20|21)\d\d)(?!\d)", _numeric),
        (
            rf"\b{_DAY_NUMBER}(?:st|nd|rd|th|er|º|\.)? ?(?:{_OF} )?{_MONTH}(?:,? ?(?:{_OF} )?{_FULL_YEAR}\b)?",
            _named,
        ),
        (rf"\b{_MONTH} {_DAY_NUMBER}(?:st|nd|rd|th)?\b(?:,? ?{_FULL_YEAR}\b)?", _named),
        (rf"{_BEFORE}?\b{_MONTH}(?:,? ?(?:{_OF} )?{_FULL_YEAR}\b)?", _named),
        (rf"{_BEFORE}{_FULL_YEAR}\b", _bare_year),
        (_ago_pattern(), _ago),
        ("|".join(f"(?P<s{n}>{_bounded(words)})" for n, words in enumerate(known.SPANS.values())), _span),
        (
            "|".join(f"(?P<d{days + 5}>{_bounded(words)})" for days, words in known.DAY_OFFSETS.items()),
            _offset,
        ),
        (
            "|".join(
                f"(?P<w{n}>{_bounded(words.replace(' ', '|'))})" for n, words in enumerate(known.WEEKDAYS)
            ),
            _weekday,
        ),
    )
)
_CLEAR_MONTHS = "|".join(name for name in _MONTH_NUMBERS if name not in known.AMBIGUOUS_MONTHS)
_ANY_MONTH = "(?:" + "|".join(_MONTH_NUMBERS) + ")"
_MENTION = re.compile(
    "|".join(
        [
            r"\b(?:19|20)\d\d\b",
            r"\d ?[年月日년월天周週]",
            rf"\b[0-3]?\d(?:st|nd|rd|th|\.)? ?(?:{_OF} )?{_ANY_MONTH}\b",
            rf"\b{_ANY_MONTH} [0-3]?\d\b",
            _bounded(
                "|".join(
                    (
                        "ago|last|next|since|recently",
                        *known.DAY_OFFSETS.values(),
                        *known.SPANS.values(),
                        *(names.replace(" ", "|") for names in known.WEEKDAYS),
                        _CLEAR_MONTHS,
                        *(
                            unit
                            for units in known.UNITS.values()
                            for unit in units.split("|")
                            if unit[0] < "\u0e00"
                        ),
                    )
                )
            ),
        ]
    )
)
