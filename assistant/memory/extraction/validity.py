"""Since when, and until when, a statement holds, as far as it says so."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from assistant.memory.learning.base import Candidate, Utterance
from assistant.memory.recall.time_words import WEEKDAYS
from assistant.memory.recall.times import Period, periods_in, tells_time

_LONGEST = 600
_UNTIL = re.compile(
    r"\b(?:until|till|bis|jusqu['’]?(?:à|en|au)?|hasta|fino (?:a|al)|até)\b.{0,12}$", re.IGNORECASE
)
_COMING = re.compile(
    r"\b(?:will|'ll|’ll|going to|gonna|moving|flying|getting|starting|turning|leaving|planning|plan to"
    r"|next|werde\w*"
    r"|ziehe|fliege|fahre|fange|beginne|heirate\w*|nächste\w*|ab|vais|allons|pars|déménage\w*|prochaine?"
    r"|voy a|vamos a"
    r"|viajo|me mudo|próxim[oa]|vado|andr\w+|parto|mi trasferisco|trasferir\w+|prossim[oa]|vou|vamos)\b"
    r"|(?<=\w)erai\b|(?<=\w)ré\b|(?<=\w)erò\b",
    re.IGNORECASE,
)
_NEXT = {
    "week": r"next week|nächste\w* woche|la semaine prochaine|la (?:semana que viene|próxima semana)"
    r"|la (?:settimana prossima|prossima settimana)|(?:na )?(?:próxima semana|semana que vem)|下周|来週",
    "month": r"next month|nächste\w* monat|le mois prochain|el (?:mes que viene|próximo mes)"
    r"|il (?:mese prossimo|prossimo mese)|(?:no )?(?:próximo mês|mês que vem)|下个月|来月",
    "year": r"next year|nächste\w* jahr|l['’]année prochaine|l['’]an prochain|el (?:año que viene|próximo año)"
    r"|l['’]anno prossimo|il prossimo anno|(?:no )?(?:próximo ano|ano que vem)|明年|来年",
}
_NEXT_PATTERNS = {unit: re.compile(words, re.IGNORECASE) for unit, words in _NEXT.items()}
_SOON = re.compile(
    r"\b(?:(?:this|next|in the|in) (?:spring|summer|autumn|fall|winter)|tonight|im (?:frühling|sommer"
    r"|herbst|winter)"
    r"|(?:cet|cette|l['’]) ?(?:été|automne|hiver|printemps)|en (?:verano|otoño|invierno|primavera)"
    r"|(?:in|quest['’]|questo|questa|d['’]) ?(?:estate|autunno|inverno|primavera))\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"\d|\b(?:ago|vor|il y a|hace|fa|há|back|earlier)\b|前", re.IGNORECASE)
_EACH_YEAR = re.compile(
    r"\b(?:birthday|anniversary|every year|geburtstag|jahrestag|jedes jahr|anniversaire|cumpleaños"
    r"|aniversario|cada año"
    r"|compleanno|ogni anno|aniversário|生日|誕生日)\b|生日|誕生日",
    re.IGNORECASE,
)
_WEEKDAY = re.compile("|".join(name for names in WEEKDAYS for name in names.split()), re.IGNORECASE)
_WEEK = timedelta(days=7)


def is_dated(clause: str) -> bool:
    """Whether a clause says when."""
    clause = clause[:_LONGEST]
    return (
        tells_time(clause)
        or any(pattern.search(clause) for pattern in _NEXT_PATTERNS.values())
        or _SOON.search(clause) is not None
        or bool(periods_in(clause, date(2024, 6, 15)))
    )


def dated(candidate: Candidate, utterance: Utterance) -> Candidate:
    """`candidate` with the times that its statement names, seen from the day of the message.

    A month or a day without a year is the last one, or the next one in a plan. A time that begins in the future is
    kept as well: the statement holds from then on.
    """
    start, end = validity(candidate.content, utterance.said_at)
    return replace(candidate, valid_from=start, valid_to=end)


def validity(clause: str, said_at: datetime) -> tuple[datetime | None, datetime | None]:
    """The moments from and until which `clause` holds; None where it does not say.

    Args:
        clause: a statement.
        said_at: when it was said; timezone-aware. Days begin at midnight in its zone.
    """
    if len(clause) > _LONGEST or _EACH_YEAR.search(clause):
        return None, None
    today = said_at.date()
    start: date | None = None
    end: date | None = None
    lower = clause.lower()
    found = periods_in(clause, today)
    for period in found:
        # Two readings of one date (12/5) tell nothing for sure.
        if sum(other.phrase == period.phrase for other in found) > 1:
            continue
        at = lower.find(period.phrase.lower())
        head = lower[:at] if at >= 0 else ""
        coming = _COMING.search(clause) is not None
        if _WEEKDAY.fullmatch(period.phrase.strip()):
            # "On Friday" is the last or the next one, or each.
            if not coming:
                continue
            period = replace(period, first=period.first + _WEEK, end=period.end + _WEEK)
        chosen = _in_some_year(period, today, coming=coming)
        if _UNTIL.search(f"{head} "[:-1]) or _UNTIL.search(period.phrase):
            end = end or _in_some_year(period, today, coming=True).end
        else:
            start = start or _first_day(chosen)
    if start is None:
        start = _next(clause, today)
    return _midnight(start, said_at), _midnight(end, said_at)


def _in_some_year(period: Period, today: date, *, coming: bool) -> Period:
    if not period.yearly:
        return period
    this = period.in_year(today.year)
    if coming:
        return this if this.end > today else period.in_year(today.year + 1)
    return this if this.first <= today else period.in_year(today.year - 1)


def _first_day(period: Period) -> date:
    """The first day, or the middle of a span that is only roughly known ("three years ago")."""
    rough = (period.end - period.first).days
    if rough > 1 and period.first.day != 1 and _VAGUE.search(period.phrase):
        return period.first + timedelta(days=rough // 2)
    return period.first


def _next(clause: str, today: date) -> date | None:
    if _NEXT_PATTERNS["week"].search(clause):
        return today + timedelta(days=7 - today.weekday())
    if _NEXT_PATTERNS["month"].search(clause):
        return date(today.year + today.month // 12, today.month % 12 + 1, 1)
    if _NEXT_PATTERNS["year"].search(clause):
        return date(today.year + 1, 1, 1)
    return None


def _midnight(day: date | None, said_at: datetime) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), said_at.tzinfo)
