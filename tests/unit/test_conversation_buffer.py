"""The buffer bounds a run without tearing question and answer apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.conversation.buffer import ConversationBuffer
from assistant.core.errors import InvalidInputError
from assistant.core.types import Message, Role

ROLES: dict[str, Role] = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}


def buffer_of(script: str, most: int) -> ConversationBuffer:
    """A buffer that got one message for each letter; its content is letter and place."""
    buffer = ConversationBuffer(most)
    buffer.extend(Message(ROLES[letter], f"{letter}{place}") for place, letter in enumerate(script))
    return buffer


def kept(script: str, most: int) -> str:
    return " ".join(message.content for message in buffer_of(script, most).messages)


def test_below_the_bound_everything_is_kept_in_order() -> None:
    assert kept("suauata", 100) == "s0 u1 a2 u3 a4 t5 a6"


def test_the_bound_is_a_hundred_unless_given() -> None:
    buffer = ConversationBuffer()
    buffer.extend(Message("user", str(n)) for n in range(250))
    assert [message.content for message in buffer.messages] == [str(n) for n in range(150, 250)]


def test_the_oldest_go_first_and_an_answer_goes_with_its_question() -> None:
    assert kept("uauaua", 4) == "u2 a3 u4 a5"
    assert kept("uauaua", 3) == "u4 a5"


def test_system_messages_stay_in_front() -> None:
    assert kept("sususu", 4) == "s2 s4 u3 u5"
    assert kept("uasua", 10) == "s2 u0 a1 u3 a4"


def test_system_messages_take_half_of_the_room_at_most() -> None:
    assert kept("ssssssuau", 4) == "s4 s5 u8"


def test_an_answer_without_a_question_is_left_out() -> None:
    assert kept("at", 10) == ""
    assert kept("atua", 10) == "u2 a3"


def test_the_last_question_outlives_a_long_chain_of_tool_calls() -> None:
    assert kept("u" + "at" * 10, 5) == "u0 a17 t18 a19 t20"
    assert kept("u" + "at" * 10, 4) == "u0 a19 t20"


def test_the_smallest_buffer_keeps_the_last_question() -> None:
    assert kept("suaua", 1) == "u3"


def test_a_buffer_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        ConversationBuffer(0)


def test_clearing_drops_everything() -> None:
    buffer = buffer_of("suua", 10)
    buffer.clear()
    assert (len(buffer), buffer.messages) == (0, ())


@settings(max_examples=300, deadline=None)
@given(script=st.text(alphabet="suat", max_size=60), most=st.integers(1, 12))
def test_the_bound_the_order_and_the_first_message_hold_for_any_run(script: str, most: int) -> None:
    buffer = buffer_of(script, most)
    messages = buffer.messages
    assert len(messages) == len(buffer) <= most
    others = [message for message in messages if message.role != "system"]
    assert messages[: len(messages) - len(others)] == tuple(m for m in messages if m.role == "system")
    places = [int(message.content[1:]) for message in others]
    assert places == sorted(set(places))
    if others:
        assert others[0].role == "user"
    if "u" in script:
        assert f"u{script.rindex('u')}" in [message.content for message in others]
