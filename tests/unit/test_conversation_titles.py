"""Titles: short, plain, from the first words of the user, in any script."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.conversation.titles import LONGEST, make_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Plan a trip to Rome", "Plan a trip to Rome"),
        ("  Plan a trip.  Then book it.", "Plan a trip"),
        ("What is BM25? I need it for search.", "What is BM25?"),
        ("Version 3.54 is out now", "Version 3.54 is out now"),
        ("First line\nSecond line", "First line"),
        ("# Heading\n\nText", "Heading"),
        ("> quoted\n> more", "quoted"),
        ("- [ ] buy milk\n- [x] rest", "buy milk"),
        ("1. first of all", "first of all"),
        ("**Bold** and *italic* and `code` and ~~gone~~", "Bold and italic and code and gone"),
        ("***All*** of __it__", "All of it"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("What is 2*3*4", "What is 2*3*4"),
        ("请看**重要**事项", "请看重要事项"),
        ("See [the docs](https://example.org/a) please", "See the docs please"),
        ("![a cat](cat.png) what is this", "a cat what is this"),
        ("<b>Hello</b> there", "Hello there"),
        ("```python\nprint('x')\n```\nWhy does this fail?", "Why does this fail?"),
        ("Why does this fail?\n```\ncode", "Why does this fail?"),
        ("---\nAfter a rule", "After a rule"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a b"),
        ("…!? Well then", "Well then"),
        ("我们明天去北京开会。请准备材料。", "我们明天去北京开会"),
        ("プロジェクトの締め切りはいつですか？教えて", "プロジェクトの締め切りはいつですか？"),
        ("ما هي عاصمة فرنسا؟ أخبرني", "ما هي عاصمة فرنسا؟"),
        ("मेरा नाम क्या है। बताओ", "मेरा नाम क्या है"),
        ("tab\tand\0nul", "tab and nul"),
        ("\u202eoverride", "override"),
        ("\ufeffmarked", "marked"),
        ("Ends with a comma,", "Ends with a comma"),
        ("Compare 3.5, 4.0 and 5", "Compare 3.5, 4.0 and 5"),
    ],
)
def test_a_title_is_the_first_sentence_without_marks(text: str, title: str) -> None:
    assert make_title(text) == title


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t",
        "...",
        "?!",
        "---",
        "```\nonly code\n```",
        "🎉🎉",
        "\0\0",
        "\u200b",
        "** **",
        "![](x.png)",
        "\ud800",
    ],
)
def test_where_there_are_no_words_there_is_no_title(text: str) -> None:
    assert make_title(text) == ""


def test_a_long_sentence_is_cut_at_a_word() -> None:
    title = make_title(
        "Please explain the difference between optimistic and pessimistic locking in databases"
    )
    assert title == "Please explain the difference between…"


def test_a_word_that_ends_just_at_the_bound_is_kept() -> None:
    words = "a" * 30 + " " + "b" * 16
    assert len(words) == LONGEST - 1
    assert make_title(f"{words} more") == f"{words}…"


def test_a_sentence_that_just_fits_is_whole() -> None:
    words = "a" * 30 + " " + "b" * 17
    assert make_title(words) == words


def test_a_text_without_spaces_is_cut_between_characters() -> None:
    assert make_title("漢" * 100) == "漢" * (LONGEST - 1) + "…"
    title = make_title("e\u0301" * 100)
    assert title[-2:] == "\u0301…"


def test_joined_emoji_are_not_torn() -> None:
    family = "👩\u200d👩\u200d👧"
    title = make_title("x" + family * 20)
    assert title.endswith("👧…")


def test_a_very_long_text_is_read_only_at_its_beginning() -> None:
    assert make_title("Plan a trip. " + "x" * 5_000_000) == "Plan a trip"


HOSTILE = """
from assistant.conversation.titles import make_title
for mark in ("*", "_", "`", "[", "<a", "# ", "> ", "- ", "| ", "```\\n", "(", "![", "~~", "*a", "_a", "](", "~~~\\n"):
    make_title(mark * 20_000)
print("done")
"""


def test_repeated_marks_take_no_time() -> None:
    # In a process of its own, because nothing else can end a pattern that takes hours.
    repo = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", HOSTILE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=repo, timeout=100)
    assert done.stdout == "done\n"


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_gives_one_short_plain_line(text: str) -> None:
    title = make_title(text)
    assert len(title) <= LONGEST
    assert title == title.strip()
    assert title == " ".join(title.split())
    assert not [char for char in title if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]
    assert title == "" or any(char.isalnum() for char in title)


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Hi! I need a train from Rome to Milan.", "I need a train from Rome to Milan"),
        ("Hello there. Can you help me? My sourdough does not rise.", "My sourdough does not rise"),
        ("Translate this:\nThe dog barks loudly.", "The dog barks loudly"),
        ("Translate this: the dog barks loudly.", "Translate this: the dog barks loudly"),
        ("Can you help me with Rust lifetimes?", "Can you help me with Rust lifetimes?"),
        ("What is 2+2?", "What is 2+2?"),
        ("The war", "The war"),
        ("Hallo! Kannst du mir helfen? Mein Fahrrad quietscht.", "Mein Fahrrad quietscht"),
        ("Bonjour ! Résume ce texte :\nLa Loire est un fleuve.", "La Loire est un fleuve"),
        ("¡Hola! ¿Puedes ayudarme? Busco piso en Sevilla.", "Busco piso en Sevilla"),
        ("Ciao! Puoi aiutarmi? Cerco casa a Torino.", "Cerco casa a Torino"),
        ("Olá! Pode me ajudar? Procuro um hotel em Lisboa.", "Procuro um hotel em Lisboa"),
        ("你好！请帮我翻译一下。北京的天气很好。", "北京的天气很好"),
        ("请帮我写一封辞职信", "请帮我写一封辞职信"),
        ("こんにちは。手伝ってください。京都の旅館を探しています。", "京都の旅館を探しています"),
        ("안녕하세요. 도와주세요. 서울 날씨 어때요?", "서울 날씨 어때요?"),
    ],
)
def test_sentences_that_say_little_are_passed_over(message: str, title: str) -> None:
    assert make_title(message) == title


@pytest.mark.parametrize(
    ("message", "reply", "title"),
    [
        ("hi", "Hello! How can I help you today? I know much about Lisbon.", "I know much about Lisbon"),
        (
            "Can you help me?",
            "Of course! Sourdough needs time and warmth.",
            "Sourdough needs time and warmth",
        ),
        (
            "fix this:\n```\nx = = 1\n```",
            "# Two equals signs\n\nOne is enough.",
            "Two equals signs",
        ),
        ("...", "Tokyo is far.", "Tokyo is far"),
        ("Kannst du mir helfen?", "Natürlich! Dein Fahrrad braucht Öl.", "Dein Fahrrad braucht Öl"),
        ("Bonjour", "Bonjour ! Parlons de la météo à Lyon.", "Parlons de la météo à Lyon"),
        ("Traduce esto:", "¡Claro! El perro ladra fuerte.", "El perro ladra fuerte"),
        ("Ciao", "Ciao! Torino è bella d'inverno.", "Torino è bella d'inverno"),
        ("你好", "你好！今天北京很冷。", "今天北京很冷"),
        ("こんにちは", "こんにちは！京都は雨です。", "京都は雨です"),
        ("안녕하세요", "안녕하세요! 서울은 맑습니다.", "서울은 맑습니다"),
    ],
)
def test_a_message_that_says_little_is_named_after_its_reply(message: str, reply: str, title: str) -> None:
    assert make_title(message, reply) == title


@pytest.mark.parametrize("reply", ["", "Hello! How can I help you today?", "```\ncode\n```", "🎉"])
def test_when_the_reply_says_no_more_the_message_stays_the_title(reply: str) -> None:
    assert make_title("Hi, can you help me?", reply) == "Hi, can you help me?"


def test_the_reply_changes_no_title_of_a_message_that_says_something() -> None:
    assert make_title("Plan a trip to Rome", "Rome in three days") == "Plan a trip to Rome"
