"""Which sentences ask to remember something, what exactly they ask to keep, and which only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.memory import remember_wish

WISHES = [
    ("remember that my sister's name is Ana", "my sister's name is Ana"),
    ("Remember that I'm allergic to penicillin.", "I'm allergic to penicillin."),
    ("Please remember: the wifi password is hunter2", "the wifi password is hunter2"),
    (
        "please remember that Project Atlas ships on 2026-09-01; the platform team owns it",
        "Project Atlas ships on 2026-09-01; the platform team owns it",
    ),
    ("remember that project atlas ships on 2026-09-01", "project atlas ships on 2026-09-01"),
    ("Thanks! Please remember that I am vegan. What should I cook tonight?", "I am vegan."),
    ("Don't forget that Dr. Smith moved to Berlin. Also what's the weather?", "Dr. Smith moved to Berlin."),
    ("Don’t forget that I hate coriander", "I hate coriander"),
    ("Remember my birthday is May 3rd", "my birthday is May 3rd"),
    ("Remember I prefer metric units", "I prefer metric units"),
    (
        "Remember that my sister is Ana. She lives in Lisbon. What should I give her?",
        "my sister is Ana. She lives in Lisbon.",
    ),
    ("Remember that I'm vegan, ok?", "I'm vegan"),
    ("Could you please remember that my flight is on Friday?", "my flight is on Friday"),
    ("remember: \n- I like tea\n- I hate coffee\n\nNow write a poem", "- I like tea\n- I hate coffee"),
    ("Hello.\nRemember that I work at Acme.", "I work at Acme."),
    ("remember that coffee makes me anxious", "coffee makes me anxious"),
    ("remember that time is money", "time is money"),
    ("Make a note that the server is called bart.", "the server is called bart."),
    ("Merk dir bitte, dass ich Vegetarier bin.", "ich Vegetarier bin."),
    ("Bitte merk dir: mein Hund heißt Rex", "mein Hund heißt Rex"),
    ("Vergiss nicht, dass ich am Montag frei habe", "ich am Montag frei habe"),
    ("Vergiss bitte nicht, dass ich frei habe", "ich frei habe"),
    ("Denk daran, dass Anna keine Nüsse isst", "Anna keine Nüsse isst"),
    ("Kannst du dir bitte merken, dass ich in Wien wohne?", "ich in Wien wohne"),
    ("Erinnere dich daran, dass ich in Wien wohne", "ich in Wien wohne"),
    ("Souviens-toi que j'habite à Lyon.", "j'habite à Lyon."),
    ("N’oublie pas qu’il déteste le fromage", "il déteste le fromage"),
    ("Retiens bien ceci : mon code est 1234", "mon code est 1234"),
    ("S'il te plaît, rappelle-toi que je suis végétarien", "je suis végétarien"),
    ("Recuerda que soy alérgico a los cacahuetes", "soy alérgico a los cacahuetes"),
    ("Por favor, recuerda: mi hija se llama Lucía", "mi hija se llama Lucía"),
    ("No olvides que mi vuelo sale a las 8", "mi vuelo sale a las 8"),
    ("Acuérdate de que vivo en Sevilla", "vivo en Sevilla"),
    ("Ricorda che sono vegetariano", "sono vegetariano"),
    ("Ricordati che vivo a Roma.", "vivo a Roma."),
    ("Non dimenticare che il gatto si chiama Leo", "il gatto si chiama Leo"),
    ("Lembre-se de que eu moro em Lisboa", "eu moro em Lisboa"),
    ("Lembra-te que sou alérgico", "sou alérgico"),
    ("Não se esqueça de que meu carro é azul", "meu carro é azul"),
    ("请记住我对青霉素过敏", "我对青霉素过敏"),
    ("记住：项目九月一日发布", "项目九月一日发布"),
    ("请记住，我的生日是五月三日。", "我的生日是五月三日。"),
    ("別忘了我住在台北", "我住在台北"),
    ("私はペニシリンアレルギーがあることを覚えておいてください。", "私はペニシリンアレルギーがある"),
    ("私の誕生日は5月3日だと覚えておいて", "私の誕生日は5月3日"),
    ("覚えておいて：猫の名前はタマです", "猫の名前はタマです"),
    ("妹の名前はアナだということを忘れないでください", "妹の名前はアナだ"),
    ("Remember this: the door code is 4711.", "the door code is 4711."),
    ("I want you to remember that I live in Oslo", "I live in Oslo"),
    ("REMEMBER THAT I LIVE IN OSLO", "I LIVE IN OSLO"),
    ("ok, remember that e.g. peanuts are bad for me", "e.g. peanuts are bad for me"),
    ("remember that 42 is my lucky number", "42 is my lucky number"),
    ("  remember that I'm here  ", "I'm here"),
    ("My favourite colour is green. Remember that I told you so yesterday.", "I told you so yesterday."),
    ("For future reference, I prefer short answers.", "I prefer short answers."),
    ("Remember that I am vegan, please!", "I am vegan"),
    ("Remember that 'Atlas' is a code name", "'Atlas' is a code name"),
]

NO_WISHES = [
    "do you remember that I'm vegan?",
    "I can't remember that film",
    "remember that time when we went to Rome?",
    "Remember that time we went to Rome.",
    "remember that movie with the dog",
    "Do you remember my name?",
    "remember me?",
    "Remember?",
    "remember that?",
    "remember that.",
    "Remember when we met?",
    "remember to buy milk",
    "don't forget to call mom",
    "I remember that he was late",
    "She told me to remember that it is late",
    "What does 'remember that' mean?",
    "Can you remember that film we talked about?",
    "can you remember that I told you about Ana?",
    "Remember that I'm vegan?",
    "Remember my birthday?",
    "Remember my name",
    "Translate: please remember that the office is closed",
    "Summarise this email:\n\nHi all,\nPlease remember that the office closes at 5.\n",
    "Write a poem about remembering that I live in Oslo",
    "remember",
    "",
    "   ",
    "remember: ",
    "Remember: what?",
    "Erinnerst du dich, dass ich vegan bin?",
    "Weißt du noch, dass ich vegan bin?",
    "Te souviens-tu que j'habite à Lyon ?",
    "¿Recuerdas que soy alérgico?",
    "Ti ricordi che vivo a Roma?",
    "Você lembra que eu moro em Lisboa?",
    "你记得我住在哪里吗？",
    "记住了吗？",
    "记住这首歌",
    "别忘了买牛奶",
    "私の誕生日を覚えていますか",
    "この曲を覚えてる？",
    "その映画のことを覚えておいて",
    "覚えていますか？",
    "> remember that I'm here\nwhat does this mean?",
    "```\nremember that I'm here\n```",
    "remember that old movie we liked",
    "Remember that scene from Alien",
    "Note that this function is deprecated.",
    "Keep in mind that I'm on a budget",
    "remember the Alamo",
    "You never remember that I'm vegan",
    "I don't remember that I said so",
    "please remember",
    "Remembering that I was late, I ran.",
    "remembered that I am late",
    "Why should I remember that I'm vegan?",
    "'Remember that I am here' is what he said.",
    "He said: remember that I am here",
    "Remember that day?",
    "Don't forget me",
    "Tu te rappelles que j'habite à Lyon ?",
    "Recuerdo que vivo en Sevilla",
    "Ich erinnere mich, dass du das gesagt hast.",
    "我记得他住在北京",
    "覚えています",
]


@pytest.mark.parametrize(("text", "statement"), WISHES, ids=[text[:40] for text, _ in WISHES])
def test_a_wish_gives_its_statement(text: str, statement: str) -> None:
    assert remember_wish(text) == statement


@pytest.mark.parametrize("text", NO_WISHES, ids=[text[:40] for text in NO_WISHES])
def test_what_is_no_clear_wish_gives_nothing(text: str) -> None:
    assert remember_wish(text) is None


PIECES = ["remember that ", "Remember: ", "I", " am", " vegan", ". ", "? ", "\n", "\n\n", "merk dir, dass ",
          "记住：", "猫", "覚えておいて", "please ", ", ok?", "Dr. ", "¿", "'", "  ", "don't forget "]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_a_statement_is_a_part_of_the_text_without_white_space_around_it(text: str) -> None:
    statement = remember_wish(text)
    assert statement is None or (statement in text and statement == statement.strip() and statement)


def test_a_statement_that_is_too_long_to_be_one_is_none() -> None:
    assert remember_wish("Remember that I like " + "tea and " * 240) is not None
    assert remember_wish("Remember that I like " + "tea and " * 260) is None
    assert remember_wish("Remember: " + "x" * 1_000_000) is None
