"""Which statements say the same, which take another's place, and which only look alike."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assistant.memory.consolidation import read, related
from assistant.memory.consolidation.numerals import number_at

SAME = [
    ("I live in Lisbon", "i live in LISBON!"),
    ("I live in Lisbon.", "My home is in Lisbon."),
    ("I moved to Lisbon in 2020", "I live in Lisbon"),
    ("I don't eat meat", "I do not eat any meat."),
    ("My daughter's name is Ines", "My daughter is called Ines"),
    ("I have a cat named Miso", "My cat is called Miso"),
    ("I take two tablets a day", "I take 2 tablets a day"),
    ("I play badminton on Sundays", "On Sundays, I play badminton."),
    ("I like tea and coffee", "I like coffee and tea"),
    ("Rex is my dog's name", "My dog's name is Rex"),
    ("The user is allergic to peanuts", "Allergic to peanuts"),
    ("Choir practice starts at 8 pm", "Choir practice starts at 20:00."),
    ("Ich trinke meinen Kaffee schwarz", "Meinen Kaffee trinke ich schwarz"),
    ("Ich bin gegen Nüsse allergisch", "Ich bin allergisch gegen Nüsse"),
    ("J'habite à Nantes", "En ce moment, j'habite à Nantes"),
    ("Tengo treinta y cuatro años", "Tengo 34 años"),
    ("Il mio colore preferito è il verde", "Il verde è il mio colore preferito"),
    ("我住在北京", "我现在住在北京。"),
    ("我有三个孩子", "我有3个孩子"),
    ("京都に住んでいます", "私は京都に住んでいる"),
    ("저는 서울에 살아요", "서울에 삽니다"),
]
UPDATES = [
    ("I live in Lisbon", "I moved from Lisbon to Porto"),
    ("I live in Lisbon", "I no longer live in Lisbon"),
    ("I live in Lisbon", "I don't live in Lisbon any more"),
    ("I live in Lisbon", "I moved to Lisbon in 2020"),
    ("I work at Siemens", "I left Siemens"),
    ("I smoke", "I quit smoking"),
    ("I smoke", "I no longer smoke"),
    ("I like coffee", "I don't like coffee anymore"),
    ("My wife is called Anna", "I divorced Anna"),
    ("I have two dogs", "I have three dogs"),
    ("My locker code is 1234", "My locker code is 4321"),
    ("Our anniversary is on June 12", "Our anniversary is on July 12"),
    ("My sister lives in Lyon", "My sister moved to Lille"),
    ("Ich wohne in Dresden", "Ich wohne nicht mehr in Dresden"),
    ("Je travaille chez Renault", "Je ne travaille plus chez Renault"),
    ("Vivo en Sevilla", "Ya no vivo en Sevilla"),
    ("Abito a Bologna", "Non abito più a Bologna"),
    ("Ich wohne in Lissabon", "I moved to Porto"),
    ("我住在北京", "我搬到了上海"),
    ("京都に住んでいます", "大阪に引っ越しました"),
]
CONFLICTS = [
    ("I'm allergic to peanuts", "I'm not allergic to peanuts"),
    ("I like olives", "I hate olives"),
    ("I was born on 3 May 1990", "I was born on 4 May 1990"),
    ("I run 5 km before breakfast", "I run 10 km before breakfast"),
    ("The plumber comes on Tuesday", "The plumber comes on Thursday"),
    ("I live in Lisbon and I have a cat", "I moved to Porto"),
    ("Mein Bruder raucht", "Mein Bruder raucht nicht"),
]
APART = [
    ("I live in Lisbon", "My sister lives in Lisbon"),
    ("I live in Lisbon", "My sister moved to Porto"),
    ("I live in Lisbon", "I lived in Porto as a child"),
    ("I live in Lisbon", "I want to move to Porto"),
    ("I live in Lisbon", "I live in Portugal"),
    ("I live in Lisbon", "I live in a small flat"),
    ("I like tea", "I like coffee"),
    ("I speak French", "I speak German"),
    ("I'm allergic to peanuts", "I'm allergic to walnuts"),
    ("I have a dog called Rex", "I like dogs"),
    ("My brother Tom lives in Oslo", "My brother Jan lives in Bergen"),
    ("I work as a nurse", "I work at Siemens"),
]
TWISTED = [
    ("I moved from Lisbon to Porto", "I moved from Porto to Lisbon"),
    ("Anna loves Tom", "Tom loves Anna"),
    ("I like tea but not coffee", "I like coffee but not tea"),
    ("I work from Monday to Friday", "I work from Friday to Monday"),
    ("On Monday I see Anna and on Tuesday Tom", "On Tuesday I see Anna and on Monday Tom"),
    ("I eat before training", "I eat after training"),
    ("All my friends smoke", "Some of my friends smoke"),
    ("The shop is open on Sundays", "The shop is closed on Sundays"),
    ("Vivo en Lyon", "Vive en Lyon"),
    ("Mi piace il caffè", "Gli piace il caffè"),
    ("Me gusta el café", "Le gusta el café"),
    ("Mir schmeckt Fisch", "Ihm schmeckt Fisch"),
    ("Ich fahre von Bonn nach Köln", "Ich fahre von Köln nach Bonn"),
    ("I played the cello", "I play the cello"),
    ("I drink tea with sugar", "I drink tea without sugar"),
    ("The outside is at -5 degrees", "The outside is at 5 degrees"),
    ("我不喜欢咖啡", "我喜欢咖啡"),
    ("コーヒーが好きです", "コーヒーが好きではありません"),
]


def kind(known: str, new: str) -> str:
    return related(read(known), read(new)).kind


@pytest.mark.parametrize(("known", "new"), SAME)
def test_other_words_for_the_same_are_the_same(known: str, new: str) -> None:
    assert kind(known, new) == "same"


@pytest.mark.parametrize(("known", "new"), UPDATES)
def test_a_new_value_is_an_update(known: str, new: str) -> None:
    relation = related(read(known), read(new))
    assert relation.kind == "update"
    assert relation.reason


@pytest.mark.parametrize(("known", "new"), CONFLICTS)
def test_what_may_contradict_is_a_conflict(known: str, new: str) -> None:
    relation = related(read(known), read(new))
    assert relation.kind == "conflict"
    assert relation.reason


@pytest.mark.parametrize(("known", "new"), APART)
def test_what_holds_beside_what_is_known_is_neither(known: str, new: str) -> None:
    assert kind(known, new) in {"different", "near"}


@pytest.mark.parametrize(("known", "new"), [*TWISTED, *UPDATES, *CONFLICTS, *APART])
def test_what_is_not_the_same_is_not_the_same_the_other_way_round(known: str, new: str) -> None:
    if new != "I moved to Lisbon in 2020":
        assert kind(new, known) != "same"
    assert kind(known, new) != "same"


@pytest.mark.parametrize(("known", "new"), UPDATES)
def test_what_does_not_hold_now_takes_nobodys_place(known: str, new: str) -> None:
    assert related(read(known), read(new), current=False).kind != "update"


# ---- what changes in a statement

TEMPLATES = {
    "en": ("I bought {} chairs from {}", "{} years ago {} stayed with us", "My cousin {1} owns {0} boats"),
    "de": (
        "Ich habe {} Stühle von {} gekauft",
        "Vor {} Jahren war {} bei uns",
        "Mein Cousin {1} hat {0} Boote",
    ),
    "fr": (
        "J'ai acheté {} chaises chez {}",
        "Il y a {} ans, {} était chez nous",
        "Mon cousin {1} a {0} bateaux",
    ),
    "es": ("Compré {} sillas en {}", "Hace {} años {} estuvo en casa", "Mi primo {1} tiene {0} barcos"),
    "it": ("Ho comprato {} sedie da {}", "{} anni fa {} stava da noi", "Mio cugino {1} ha {0} barche"),
}
WORDS_FOR = {
    "en": {2: "two", 7: "seven", 21: "twenty-one", 95: "ninety-five", 120: "one hundred and twenty"},
    "de": {2: "zwei", 7: "sieben", 21: "einundzwanzig", 95: "fünfundneunzig", 300: "dreihundert"},
    "fr": {2: "deux", 7: "sept", 21: "vingt et un", 95: "quatre-vingt-quinze", 71: "soixante et onze"},
    "es": {2: "dos", 7: "siete", 21: "veintiuno", 95: "noventa y cinco", 500: "quinientos"},
    "it": {2: "due", 7: "sette", 21: "ventuno", 95: "novantacinque", 300: "trecento"},
}
DENY = {
    "en": ("I {}eat fish on Sundays", "do not "),
    "de": ("Ich esse {}Fisch am Sonntag", "keinen "),
    "fr": ("Je {} de poisson le dimanche", "mange"),
    "es": ("{}como pescado los domingos", "No "),
    "it": ("{}mangio pesce la domenica", "Non "),
}
languages = st.sampled_from(sorted(TEMPLATES))
numbers = st.one_of(
    st.integers(2, 2_000).map(str),
    st.tuples(st.integers(1, 99), st.integers(1, 9)).map(lambda parts: f"{parts[0]}.{parts[1]}"),
)
names = st.from_regex(r"[A-Z][a-zà-ö]{1,8}", fullmatch=True)


@settings(max_examples=150, deadline=None)
@given(languages, st.integers(0, 2), numbers, numbers, names)
def test_another_number_is_never_the_same(
    language: str, place: int, number: str, other: str, name: str
) -> None:
    assume(number != other)
    template = TEMPLATES[language][place]
    assert kind(template.format(number, name), template.format(other, name)) != "same"


@settings(max_examples=150, deadline=None)
@given(languages, st.integers(0, 2), numbers, names, names)
def test_another_name_is_never_the_same(
    language: str, place: int, number: str, name: str, other: str
) -> None:
    assume(name.casefold() != other.casefold())
    template = TEMPLATES[language][place]
    assert kind(template.format(number, name), template.format(number, other)) != "same"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_two_texts_have_a_relation_and_each_is_the_same_as_itself(one: str, other: str) -> None:
    assert kind(one, one) == "same"
    assert kind(one, other) in {"same", "update", "conflict", "near", "different"}


@pytest.mark.parametrize("language", sorted(DENY))
def test_a_denial_is_never_the_same(language: str) -> None:
    template, denial = DENY[language]
    plain, denied = template.format(""), template.format(denial)
    if language == "fr":
        plain, denied = "Je mange du poisson le dimanche", "Je ne mange pas de poisson le dimanche"
    assert kind(plain, denied) == kind(denied, plain) == "conflict"


@pytest.mark.parametrize(
    ("language", "value", "words"),
    [(language, value, words) for language, table in WORDS_FOR.items() for value, words in table.items()],
)
def test_a_number_in_words_is_the_number(language: str, value: int, words: str) -> None:
    found = words.replace("-", " ").split()
    assert number_at(found, 0, language) == (value, len(found))


def test_two_numbers_in_a_row_stay_two() -> None:
    assert number_at(["two", "three"], 0, "en") == (2, 1)
    assert number_at(["two", "and", "three"], 0, "en") == (2, 1)
    assert number_at(["dos", "y", "tres"], 0, "es") == (2, 1)


def test_a_very_long_text_is_read_without_harm() -> None:
    text = "I live in Lisbon and I like tea. " * 6_000
    assert kind(text, text) == "same"
    assert kind("I live in Lisbon", text) != "update"


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("My car is a Golf", "My car is red"),
        ("My boss is Karl", "My boss is on holiday"),
        ("My bank is ING", "My bank is closed on Sundays"),
        ("My rent is 900 euros", "My rent is due on Monday"),
        ("I work at Siemens", "I work for 8 hours a day"),
        ("I live in Lisbon", "I live in fear"),
        ("Mein Auto ist ein Golf", "Mein Auto ist kaputt"),
    ],
)
def test_what_is_said_of_a_thing_is_no_other_value_of_it(known: str, new: str) -> None:
    assert kind(known, new) in {"different", "near"}
