"""Time expressions in queries and texts."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.memory.recall.times import Period, asks_when, closeness, periods_in, tells_time

TODAY = date(2026, 3, 18)  # a Wednesday


def days_of(text: str) -> list[tuple[date, date]]:
    return [(period.first, period.end) for period in periods_in(text, TODAY)]


@pytest.mark.parametrize(
    "text",
    [
        "What happened on May 3, 2023?",
        "on the 3rd of May 2023",
        "am 3. Mai 2023",
        "le 3 mai 2023",
        "el 3 de mayo de 2023",
        "il 3 maggio 2023",
        "em 3 de maio de 2023",
        "op 3 mei 2023",
        "3 мая 2023",
        "2023-05-03",
        "2023年5月3日",
        "2023년 5월 3일",
    ],
)
def test_a_date_is_that_day(text: str) -> None:
    assert days_of(text) == [(date(2023, 5, 3), date(2023, 5, 4))]


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "gestern",
        "où étais-je hier ?",
        "ayer",
        "ieri",
        "ontem",
        "gisteren",
        "вчера",
        "昨天",
        "昨日",
        "어제",
        "เมื่อวาน",
    ],
)
def test_yesterday_is_the_day_before(text: str) -> None:
    assert days_of(text) == [(date(2026, 3, 17), date(2026, 3, 18))]


@pytest.mark.parametrize(
    "text",
    ["last week", "letzte Woche", "la semaine dernière", "la semana pasada", "la settimana scorsa", "semana passada",
     "vorige week", "上周", "先週", "지난주"],
)  # fmt: skip
def test_last_week_runs_from_monday_to_sunday(text: str) -> None:
    assert days_of(text) == [(date(2026, 3, 9), date(2026, 3, 16))]


@pytest.mark.parametrize(
    "text", ["last month", "letzten Monat", "le mois dernier", "el mes pasado", "上个月", "先月"]
)
def test_last_month_is_the_calendar_month_before(text: str) -> None:
    assert days_of(text) == [(date(2026, 2, 1), date(2026, 3, 1))]


@pytest.mark.parametrize(
    "text", ["in March 2025", "im März 2025", "en mars 2025", "en marzo de 2025", "2025年3月"]
)
def test_a_month_with_its_year_is_that_month(text: str) -> None:
    assert days_of(text) == [(date(2025, 3, 1), date(2025, 4, 1))]


@pytest.mark.parametrize(
    "text", ["3 days ago", "three days ago", "vor 3 Tagen", "il y a trois jours", "hace tres días", "三天前"]
)
def test_days_ago_are_counted_from_today(text: str) -> None:
    assert days_of(text) == [(date(2026, 3, 15), date(2026, 3, 16))]


def test_a_weekday_is_the_last_one() -> None:
    assert days_of("what did I say on Monday") == [(date(2026, 3, 16), date(2026, 3, 17))]
    assert days_of("on Wednesday") == [(date(2026, 3, 11), date(2026, 3, 12))]


def test_a_month_without_a_year_is_every_years() -> None:
    [period] = periods_in("what did we plan in November?", TODAY)
    assert period.yearly
    assert period.in_year(2024) == Period(date(2024, 11, 1), date(2024, 12, 1), period.phrase)


def test_nobody_knows_which_number_is_the_month() -> None:
    assert set(days_of("5/12/2023")) == {
        (date(2023, 12, 5), date(2023, 12, 6)),
        (date(2023, 5, 12), date(2023, 5, 13)),
    }


@pytest.mark.parametrize(
    "text", ["may I ask", "march on", "Was ist hier?", "the 45th, 9999", "call 555 2023 now", ""]
)
def test_other_words_are_no_times(text: str) -> None:
    assert days_of(text) == []


@pytest.mark.parametrize(
    "text", ["When did I move?", "Wann war das?", "¿Cuándo fue?", "Quand ?", "いつですか", "什么时候", "언제"]
)
def test_asking_when_is_noticed(text: str) -> None:
    assert asks_when(text)


@pytest.mark.parametrize(
    "text",
    ["I went yesterday", "since 2019", "vor zwei Wochen", "on Friday", "昨日行った", "in three months"],
)
def test_a_text_that_tells_a_time_is_noticed(text: str) -> None:
    assert tells_time(text)


@pytest.mark.parametrize("text", ["Great, thanks!", "May I?", "I like tea"])
def test_a_text_without_a_time_is_noticed(text: str) -> None:
    assert not tells_time(text)


def test_closeness_is_whole_within_a_period_and_halves_with_each_week_outside() -> None:
    epoch = date(1970, 1, 1)
    said = np.array([(date(2023, 5, day) - epoch).days + 0.5 for day in (3, 10, 17)])
    near = closeness([Period(date(2023, 5, 3), date(2023, 5, 4), "")], said, 0.0)
    assert near[0] == 1.0
    assert near[1] == pytest.approx(0.5 ** (6.5 / 7))
    assert near[2] == pytest.approx(near[1] / 2)


def test_closeness_to_a_yearly_period_counts_in_each_year() -> None:
    epoch = date(1970, 1, 1)
    said = np.array(
        [(day - epoch).days + 0.5 for day in (date(2019, 11, 5), date(2024, 11, 5), date(2024, 5, 5))]
    )
    near = closeness(periods_in("in November", TODAY), said, 0.0)
    assert list(near[:2]) == [1.0, 1.0]
    assert near[2] < 0.01


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*"年月日/-.50", "31", "29", "february", "may", "2023", "9999", "ago", "in", "last", "hace"]
        )
        | st.text(max_size=5),
        max_size=8,
    ).map(" ".join),
    st.dates(),
)
def test_any_text_on_any_day_is_read(text: str, today: date) -> None:
    for period in periods_in(text, today):
        assert period.first < period.end
    closeness(periods_in(text, today), np.array([0.0, 1e5, -7e5, 1e7]), 0.5)
    asks_when(text)
    tells_time(text)
