"""What is nobody else's business waits for the person's word, in each language; what merely sounds like it does not."""

from __future__ import annotations

import pytest

from assistant.memory.caution import Caution, cautions

SENSITIVE = {
    "health": [
        "I am allergic to penicillin.",
        "My son was diagnosed with asthma.",
        "She takes 20 mg of lisinopril every morning.",
        "I take amoxicillin at the moment.",
        "I'm pregnant.",
        "My therapist is called Dr Braun.",
        "I use a wheelchair.",
        "Ich habe Diabetes und spritze Insulin.",
        "Meine Tochter hat eine Nussallergie.",
        "Mein Vater ist schwerbehindert.",
        "Je suis enceinte de trois mois.",
        "Mon fils est asthmatique.",
        "Soy alérgica a los frutos secos.",
        "Mi madre tiene depresión.",
        "Sono allergico al lattosio.",
        "Mia zia ha avuto un infarto.",
        "Estou grávida.",
        "我对花生过敏。",
        "私は糖尿病です。",
    ],
    "money": [
        "My salary is 4,200 euros.",
        "I earn $90k a year.",
        "We still owe 20,000 on the mortgage.",
        "My account is DE89 3704 0044 0532 0130 00.",
        "The card is 4111 1111 1111 1111.",
        "Mein Gehalt ist gestiegen.",
        "Ich verdiene 3000 € im Monat.",
        "Wir haben Schulden.",
        "Mon salaire est de 2000 euros.",
        "Je gagne 2500 € par mois.",
        "Mi sueldo es bajo.",
        "Tengo una hipoteca.",
        "Il mio stipendio è basso.",
        "Ho un mutuo di vent'anni.",
        "Meu salário é baixo.",
        "我的月薪是两万。",
        "年収は五百万円です。",
    ],
    "identity": [
        "My passport number is X1234567.",
        "My social security number is 078-05-1120.",
        "I am Muslim.",
        "I am a Christian.",
        "I'm gay.",
        "I voted for the Greens.",
        "My green card expires in May.",
        "My brother was convicted in 2019.",
        "Ich bin katholisch.",
        "Ich bin lesbisch.",
        "Mein Aufenthaltstitel läuft ab.",
        "Je suis musulmane.",
        "Je suis sans papiers.",
        "Soy judía.",
        "Mi DNI es 12345678Z.",
        "Sono omosessuale.",
        "Il mio codice fiscale è RSSMRA85T10A562S.",
        "我是基督徒。",
        "私は仏教徒です。",
    ],
    "credentials": [
        "My password is hunter2.",
        "The wifi password: sunflower",
        "My PIN is 4711.",
        "The door code is 2580#.",
        "api_key=sk-abcdefghijklmnop1234567890",
        "My bank PIN code for the blue card is 9876.",
        "Mein Passwort lautet Sommer2026.",
        "Das WLAN-Passwort ist Apfelbaum.",
        "Mon mot de passe est soleil12.",
        "Mi contraseña es girasol99.",
        "La mia password è girasole.",
        "Minha senha é girassol.",
        "我的密码是 sunflower。",
        "パスワードは himawari です。",
        "postgres://anna:geheim@db.example/things",
    ],
    "intimate": ["My wife has an affair.", "Mein Sexleben ist langweilig.", "Mon mari est infidèle."],
}
HARMLESS = [
    "I live in Porto.",
    "My operating system is Debian.",
    "My brother Christian lives in Roma.",
    "I work as a nurse's assistant at a school.",
    "I read chronicles of the sea.",
    "I want to change my password.",
    "The password reset link has expired.",
    "I pinned a note to the board.",
    "My new bike cost 500 euros.",
    "My order number is 4471.",
    "My flight is at 10:45 from gate B12.",
    "I was born on 4 May 1990.",
    "My phone number is +44 20 7946 0958.",
    "We have two cats and a tablet.",
    "I love ribs and a good violin sonata in April.",
    "Er sucht Pilze im Wald.",
    "Ich arbeite in Rom.",
    "Mein Bruder heißt Christian.",
    "J'ai bon goût.",
    "J'habite près de la gare.",
    "Me gusta el fútbol.",
    "Mi piace la musica.",
    "Gosto de pescar.",
    "我喜欢喝茶。",
    "犬が好きです。",
]


def reasons(text: str) -> list[str]:
    return [caution.reason for caution in cautions(text)]


@pytest.mark.parametrize(
    ("reason", "text"), [(why, text) for why, texts in SENSITIVE.items() for text in texts]
)
def test_it_is_noticed(reason: str, text: str) -> None:
    assert reason in reasons(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_merely_sounds_like_it_is_not_held_back(text: str) -> None:
    assert reasons(text) == []


def test_a_statement_can_be_about_several_things() -> None:
    assert reasons("I am allergic to nuts, I earn $50k a year and my password is hunter2.") == [
        "health",
        "money",
        "credentials",
    ]


def test_a_caution_says_in_plain_words_what_it_is_about() -> None:
    assert cautions("I am allergic to nuts.") == (Caution("health", "it is about health"),)


@pytest.mark.parametrize(
    "text",
    [
        "DE89 3704 0044 0532 0130 01 is no account: its check digits are wrong.",
        "4111 1111 1111 1112 is no card: its last digit is wrong.",
    ],
)
def test_a_number_whose_check_digits_are_wrong_is_no_account(text: str) -> None:
    assert "money" not in reasons(text)


def test_nothing_is_said_about_nothing() -> None:
    assert cautions("") == ()
    assert cautions(" \n ") == ()
