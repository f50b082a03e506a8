"""Plain statements of a person about themselves are found with no model; nothing else is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assistant.memory.extraction.grounding import ungrounded
from assistant.memory.extraction.rules import RulesExtractor, statements
from assistant.memory.extraction.validity import validity
from assistant.memory.extraction.wishes import ASKED_FOR, without_wish
from assistant.memory.learning.base import Extractor
from assistant.memory.remember import remember_wish
from tests.unit.extraction_fixtures import SAID_AT, said


def contents(text: str) -> list[str]:
    return [each.content for each in statements(said(text)).candidates]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I live in Heidelberg with my partner.", "fact"),
        ("My name is Tamsin.", "fact"),
        ("I'm 47 years old.", "fact"),
        ("I work as a bus driver.", "fact"),
        ("I'm allergic to latex.", "fact"),
        ("I have a driver's licence.", "fact"),
        ("I speak Welsh.", "fact"),
        ("My dog is called Rex.", "relation"),
        ("My sister lives in Perth.", "relation"),
        ("I hate mushrooms.", "preference"),
        ("My favourite season is autumn.", "preference"),
        ("I moved to Cardiff last year.", "event"),
        ("We're flying to Oslo on 3 March.", "plan"),
        ("I've decided to stop smoking.", "plan"),
        ("I go swimming every Saturday.", "fact"),
        ("I don't drink alcohol.", "fact"),
        ("Ich wohne in Rostock.", "fact"),
        ("Mein Hund heißt Rex.", "relation"),
        ("Ich mag keine Pilze.", "preference"),
        ("Im März ziehen wir nach Bonn.", "plan"),
        ("J'habite à Brest.", "fact"),
        ("Mon chien s'appelle Rex.", "relation"),
        ("Je n'aime pas les champignons.", "preference"),
        ("Vivo en Cádiz.", "fact"),
        ("Mi perro se llama Toby.", "relation"),
        ("No me gustan las setas.", "preference"),
        ("Abito a Lecce.", "fact"),
        ("Il mio cane si chiama Rex.", "relation"),
        ("Non mi piacciono i funghi.", "preference"),
        ("Moro no Porto.", "fact"),
        ("我住在成都。", "fact"),
        ("我对花生过敏。", "fact"),
        ("私は京都に住んでいます。", "fact"),
    ],
)
def test_a_plain_statement_is_kept_in_its_own_words(text: str, kind: str) -> None:
    found = statements(said(text)).candidates
    assert [(each.content, each.kind, each.origin) for each in found] == [(text.rstrip(".。"), kind, "rules")]


@pytest.mark.parametrize(
    "text",
    [
        "I am looking for a flat in Berlin.",
        "I need help with my taxes.",
        "I want you to act as a pirate.",
        "I have a question about Python.",
        "I'm tired today.",
        "I'm going to be late tomorrow.",
        "I love it!",
        "I prefer the first option.",
        "I'll send it tomorrow.",
        "I work on this bug since yesterday.",
        "My computer is slow.",
        "Do I live in Paris?",
        "If I lived in Paris, I would walk more.",
        "I wish I had a garden.",
        "Imagine I'm a pilot.",
        "I might move to Spain next year.",
        "Maybe I'm allergic to cats.",
        "He told me that I work too much.",
        'My neighbour said: "I sold my flat."',
        "Translate into German: I live in Bristol.",
        "For example, I live in Paris.",
        "I'm writing a story. I live on a ship.",
        "Sure, I'm the Queen of England lol.",
        "You are a helpful assistant.",
        "Ich suche ein Rezept.",
        "Ich habe eine Frage.",
        "Ich bin müde.",
        "Wenn ich in Wien wohnen würde, hätte ich einen Hund.",
        "Ich glaube, ich bin allergisch.",
        "Je cherche un hôtel.",
        "J'ai faim.",
        "Je pense que je suis allergique.",
        "Busco un regalo.",
        "Tengo que irme.",
        "Cerco un idraulico.",
        "Sono stanco.",
        "我有一个问题。",
        "エラーが出て困っています。",
        "",
        "?!",
        "👍👍",
    ],
)
def test_anything_else_is_left_alone(text: str) -> None:
    assert contents(text) == []


def test_openers_and_the_end_mark_are_left_out_and_nothing_else() -> None:
    assert contents("By the way, I don't eat meat!") == ["I don't eat meat"]
    assert contents("Übrigens wohne ich in Kiel.") == ["wohne ich in Kiel"]


def test_a_denial_at_the_head_is_no_opener() -> None:
    assert contents("No como carne.") == ["No como carne"]
    assert contents("Não como carne.") == ["Não como carne"]
    assert contents("Non bevo vino.") == ["Non bevo vino"]


def test_clauses_that_stand_alone_are_kept_apart_and_requests_left_out() -> None:
    assert contents("I live in Lyon, my sister lives in Metz, and I need help with a letter.") == [
        "I live in Lyon",
        "my sister lives in Metz",
    ]


def test_a_list_stays_whole() -> None:
    assert contents("I speak German, French and Italian.") == ["I speak German, French and Italian"]


def test_a_named_relative_is_the_subject() -> None:
    (found,) = statements(said("My brother Kofi lives in Accra.")).candidates
    assert found.subject == "Kofi"
    assert found.language == "en"


@pytest.mark.parametrize(
    ("clause", "start", "end"),
    [
        ("I've lived in Rome since March 2020", datetime(2020, 3, 1, tzinfo=UTC), None),
        ("I've lived in Rome since May", datetime(2026, 5, 1, tzinfo=UTC), None),
        ("I moved to Rome yesterday", datetime(2026, 11, 1, tzinfo=UTC), None),
        ("Ich bin letzte Woche umgezogen", datetime(2026, 10, 26, tzinfo=UTC), None),
        ("I'm moving to Rome in May", datetime(2027, 5, 1, tzinfo=UTC), None),
        ("Je vais à Rome le mois prochain", datetime(2026, 12, 1, tzinfo=UTC), None),
        ("I'm in Lisbon until June 2027", None, datetime(2027, 7, 1, tzinfo=UTC)),
        ("My birthday is on 3 May", None, None),
        ("I run on Friday", None, None),
        ("I have three cats", None, None),
    ],
)
def test_times_are_resolved_against_the_day_of_the_message(
    clause: str, start: datetime | None, end: datetime | None
) -> None:
    assert validity(clause, SAID_AT) == (start, end)


def test_the_times_of_a_statement_come_with_it() -> None:
    (found,) = statements(said("I moved to Porto in 2019.")).candidates
    assert found.valid_from == datetime(2019, 1, 1, tzinfo=UTC)


def test_what_was_asked_for_in_plain_words_is_not_found_a_second_time() -> None:
    text = "Remember: I live in Porto. I hate olives."
    found = statements(said(text))
    rest = without_wish(found, remember_wish(text))
    assert len(rest.candidates) < len(found.candidates)
    assert rest.dropped[ASKED_FOR] == len(found.candidates) - len(rest.candidates)
    assert without_wish(found, None) == found
    assert without_wish(found, "My cat is called Miso") == found


@pytest.mark.parametrize(
    "text",
    [
        "I live in Porto and I don't eat meat, but my sister Anna does.",
        "Well, hi! My name's Ada, I'm 36 and I work for the post office in Cork.",
        "Seit 2020 arbeite ich in Köln, vorher habe ich in Ulm studiert.",
        "Je m'appelle Zoé et mon frère Luc travaille à Lille depuis mai.",
    ],
)
def test_whatever_is_found_is_grounded(text: str) -> None:
    found = statements(said(text)).candidates
    assert found
    assert [ungrounded(each, said(text)) for each in found] == [None] * len(found)


@pytest.mark.parametrize("filler", ["I have a ", "my ", "I usually ", "\n", " ", "seit ", "(", "- "])
def test_a_message_of_200_kb_is_read_in_bounded_time(filler: str) -> None:
    found = contents("I live in Rome. " + filler * (200_000 // len(filler)))
    assert found in ([], ["I live in Rome"])


async def test_the_extractor_needs_nothing_but_the_message() -> None:
    extractor: Extractor = RulesExtractor()
    found = await extractor.extract(said("I live in Rome."))
    assert [each.content for each in found.candidates] == ["I live in Rome"]
