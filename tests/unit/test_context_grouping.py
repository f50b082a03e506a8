"""What of a conversation is kept or dropped together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.context.grouping import called, exchanges
from assistant.core.types import Message


def conversation(script: str) -> list[Message]:
    """u, a, s: user, assistant, system; c1: the call number 1, t1: its result, t: a result without an id."""
    messages = []
    for word in script.split():
        match word[0]:
            case "c":
                messages.append(Message("assistant", "", {"tool_calls": [{"id": each} for each in word[1:]]}))
            case "t" if word[1:]:
                messages.append(Message("tool", "result", {"tool_call_id": word[1:]}))
            case "t":
                messages.append(Message("tool", "result"))
            case role:
                messages.append(Message({"u": "user", "a": "assistant", "s": "system"}[role], "text"))  # type: ignore[arg-type]
    return messages


def grouped(script: str) -> str:
    """The same script with a bar between the groups."""
    words = script.split()
    return " | ".join(" ".join(words[i] for i in group) for group in exchanges(conversation(script)))


def test_an_exchange_is_a_users_message_with_its_answer() -> None:
    assert grouped("u a u a u") == "u a | u a | u"


def test_what_comes_before_the_first_users_message_is_a_group() -> None:
    assert grouped("s a u a") == "s a | u a"


def test_nothing_has_no_groups() -> None:
    assert exchanges([]) == []


def test_a_tool_call_and_its_results_are_in_one_group() -> None:
    assert grouped("u a u c12 t1 t2 a u a") == "u a | u c12 t1 t2 a | u a"


def test_a_result_that_comes_after_the_user_spoke_again_ties_the_groups() -> None:
    assert grouped("u a u c1 u t1 a u a") == "u a | u c1 u t1 a | u a"


def test_a_late_result_ties_all_that_lies_between() -> None:
    assert grouped("u c1 u a u a u t1 u a") == "u c1 u a u a u t1 | u a"


def test_a_result_without_an_id_belongs_to_what_came_before_it() -> None:
    assert grouped("u c1 u t a u a") == "u c1 u t a | u a"
    assert grouped("u c1 t a u a") == "u c1 t a | u a"


def test_calls_that_are_none_tie_nothing() -> None:
    for calls in ("c1", None, [1, "x", {"name": "look"}], {"id": "c1"}):
        assert called(Message("assistant", "", {"tool_calls": calls})) == []


WORDS = st.sampled_from(["u", "a", "s", "c1", "c2", "c34", "t1", "t2", "t3", "t4", "t"])


@settings(max_examples=300, deadline=None)
@given(words=st.lists(WORDS, max_size=40))
def test_groups_cover_the_conversation_in_order_and_split_no_call_from_a_later_result(
    words: list[str],
) -> None:
    groups = exchanges(conversation(" ".join(words)))
    assert [position for group in groups for position in group] == list(range(len(words)))
    group_of = {position: number for number, group in enumerate(groups) for position in group}
    last_call: dict[str, int] = {}
    for position, word in enumerate(words):
        if word[0] == "c":
            last_call.update(dict.fromkeys(word[1:], position))
        elif word[0] == "t" and word[1:] in last_call:
            assert group_of[position] == group_of[last_call[word[1:]]]
