"""Guards keep apart what only looks alike, and let another wording pass."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cache.guards import refusal, same_wording
from assistant.cache.reading import read_question
from tests.cache_fixtures import killers

APART = """
How old is Tom?|How tall is Tom?
What is the Great Wall?|What is the best wall?
What is a good credit score?|What is the best credit score?
Who is Robin Williams?|Who is Robin William?
How do I pick a lock?|How do I choose a lock?
How do I sort a list?|How do I type a list?
What is a primary key?|What is a major key?
Who was the first lady of France?|Who was the first woman of France?
What is blood type B-?|What is blood type B+?
What is blood type B-?|What is blood type B?
What does a mechanic study?|What does mechanics study?
What do dentists do?|What are dentists?
Who does John love?|Who loves John?
What should you tell me?|What should I tell you?
How do you feel about cats?|How do I feel about cats?
How do you store my data?|How do I store your data?
Where do I live?|Where do you live?
What is my best feature?|What is your best feature?
Can you speak French?|Can I speak French?
Few people like it. Why?|A few people like it. Why?
Do not stop. Run|Do not. Stop. Run
Is the glass full?|Are the glasses full?
How do I re-sign a contract?|How do I resign a contract?
What is "a"?|What is "A"?
What did he do?|What does he do?
What was the best film?|What is the best film?
Should he pay rent?|Should she pay rent?
When should I arrive?|When must I arrive?
How much is 5' in metres?|How much is 5" in metres?
What can I do for you?|What can you do for me?
Is 5 > 3?|Is 5 < 3?
What is 2 + 3?|What is 2 - 3?
Is it 3 pm?|Is it 3 am?
How do I fly to Paris?|How do I fly from Paris?
What is in the box?|What is on the box?
What are the cheapest ways to travel?|How do I travel?
What is the worst way to learn French?|What is the best way to learn French?
What makes dogs different from cats?|What makes dogs like cats?
Do all birds fly?|Do birds fly?
A photo of Anna for Ben?|A photo of Ben for Anna?
Is the picture of Anna for Ben?|Is the picture for Anna of Ben?
Explain why|Explain
What happens if I do?|What happens if I don't?
Who taught Plato?|Who did Plato teach?
Who do you think killed Tom?|Who do you think Tom killed?
What is the difference between a and b in c?|What is the difference between a in c and b?
How do people see me?|How do I see people?
What is Kid Rock known for?|What is Child Rock known for?
How much is $5 in yen?|How much is 5 yen in dollars?
Is 1,5 enough?|Is 15 enough?
Do I take 1,000 mg?|Do I take 1.000 mg?
You can fly?|You can fly.
Ligar luz?|Ligar luz.
Du kommst mit?|Du kommst mit.
"""
SAME = """
What is the best way to learn French?|How do I learn French?
How can I learn French?|How do you learn French?
Can you tell me how to learn French?|How to learn French?
What are the advantages of solar power?|What are the benefits of solar power?
Which is the best film of 2016?|What is the best movie in 2016?
What's the difference between a crow and a raven?|How do ravens and crows differ?
How much does a passport cost?|What is the price of a passport?
How long does it take to boil an egg?|How much time does it take to boil an egg?
What would happen if the moon disappeared?|What if the moon disappeared?
Please explain photosynthesis|Could you explain photosynthesis, please?
What do you think about jazz?|What is your opinion on jazz?
Who is the president of the USA?|Who's the president of the United States?
How do I wash my dog?|How do I wash a dog?
Wie weit ist der Mond, bitte?|Wie weit ist der Mond?
¿Dónde está Lima, por favor?|¿Dónde está Lima?
"""


def pairs(text: str) -> list[tuple[str, str]]:
    return [(one, other) for line in text.strip().splitlines() for one, other in [line.split("|")]]


def test_there_are_at_least_300_killers_in_five_languages() -> None:
    assert len(killers()) >= 300
    assert {language for language, _, _, _ in killers()} == {"en", "de", "fr", "es", "it"}


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it"])
def test_no_killer_passes_the_guards(language: str) -> None:
    passed = []
    for found, _, one, other in killers():
        if found == language:
            readings = read_question(one), read_question(other)
            if refusal(*readings) is None or refusal(readings[1], readings[0]) is None:
                passed.append((one, other))
    assert passed == []


@pytest.mark.parametrize(("one", "other"), pairs(APART))
def test_questions_of_another_meaning_are_kept_apart(one: str, other: str) -> None:
    readings = read_question(one), read_question(other)
    assert refusal(*readings) is not None
    assert not same_wording(*readings)


@pytest.mark.parametrize(("one", "other"), pairs(SAME))
def test_another_wording_is_the_same_question(one: str, other: str) -> None:
    assert read_question(one).form == read_question(other).form
    assert same_wording(read_question(one), read_question(other))


@pytest.mark.parametrize(
    ("one", "other", "slot"),
    [
        ("Do I need 2 eggs?", "Do I need 3 eggs?", "number"),
        ("Is Aldi open on Monday?", "Is Aldi open on Sunday?", "date"),
        ("Can I swim?", "Can't I swim?", "denial"),
        ("Does Ann know Tom?", "Does Tom know Ann?", "order"),
        ("Why do leaves fall?", "Do leaves fall?", "kind"),
        ("How do I fix it?", "How can I fix it?", "follow-up"),
        ("What about Rome?", "What of Rome?", "follow-up"),
        ("Who leads France now?", "Who leads France right now?", "time"),
        ("Where is Rome?", "Wo ist Rom?", "language"),
        ("Where is Rome?", "Where is Lima?", "word"),
    ],
)
def test_the_guard_says_in_what_they_differ(one: str, other: str, slot: str) -> None:
    assert refusal(read_question(one), read_question(other)) == slot


@pytest.mark.parametrize(
    "question",
    [
        "What day is it today?",
        "What time is it?",
        "Who is the current chancellor?",
        "What is the latest iPhone?",
        "What happens next week?",
        "Was ist heute los?",
        "Wie spät ist es?",
        "Quelle heure est-il ?",
        "Qu'est-ce qui se passe aujourd'hui ?",
        "¿Qué hora es?",
        "¿Qué pasa hoy?",
        "Che ore sono?",
        "Cosa succede oggi?",
    ],
)
def test_a_question_whose_answer_changes_with_the_hour_is_seen(question: str) -> None:
    assert read_question(question).passing


@pytest.mark.parametrize(
    "question",
    [
        "What is an alternating current transformer?",
        "How do I open a current account?",
        "What is a time zone?",
        "How many days has a week?",
        "When was the last ice age?",
        "Wie lange dauert eine Woche?",
    ],
)
def test_a_lasting_question_is_not_taken_for_one(question: str) -> None:
    assert not read_question(question).passing


@pytest.mark.parametrize(
    "question",
    [
        "And in winter?",
        "What about Rome?",
        "Why?",
        "How do I fix it?",
        "Is this one better?",
        "Who are they?",
        "Und im Winter?",
        "Et en hiver ?",
        "¿Y en invierno?",
        "E in inverno?",
    ],
)
def test_a_follow_up_is_seen(question: str) -> None:
    assert read_question(question).leans


@pytest.mark.parametrize(
    "question",
    [
        "How long does it take to boil an egg?",
        "Why do cats purr?",
        "Who was Plato?",
        "If a car breaks, who tows it?",
    ],
)
def test_a_question_that_stands_alone_is_not_taken_for_a_follow_up(question: str) -> None:
    assert not read_question(question).leans


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80))
def test_any_text_can_be_read_and_is_the_same_as_itself(text: str) -> None:
    reading = read_question(text)
    assert reading == read_question(text)
    assert reading.passing or refusal(reading, reading) is None


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([pair for _, _, *pair in killers()]),
    st.sampled_from(["", "Please ", "Hi, "]),
    st.sampled_from(["", " ", "??", " please"]),
)
def test_courtesy_does_not_carry_a_killer_past_the_guards(pair: list[str], before: str, after: str) -> None:
    one, other = pair
    assert refusal(read_question(before + one + after), read_question(other)) is not None


def test_hostile_text_is_read_in_time() -> None:
    for text in (
        "what is " * 400,
        "(" * 900,
        "a" * 100_000,
        "1," * 450,
        '"' * 900,
        "how do i " * 100,
        "^us" * 300,
    ):
        read_question(text)
