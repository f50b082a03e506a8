"""The stream parser takes what real servers send, however the bytes are cut."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.types import Usage
from assistant.models.base import Finished, ModelEvent, ReasoningDelta, TextDelta
from assistant.models.sse import MAX_LINE, LineSplitter, OverlongLineError
from assistant.models.stream_parser import CutStreamError, GarbageStreamError, ReplyParser, StreamedError
from assistant.models.think_tags import ThinkTagFilter
from tests.chat_server import chunk, event

DONE = event("[DONE]")
END = event(chunk(finish="stop")) + DONE


def parse(*chunks: bytes, framed: bool = True) -> list[ModelEvent]:
    parser = ReplyParser()
    events = [each for part in chunks for each in parser.feed(part)]
    return events + list(parser.end(framed=framed))


def text_of(events: Iterable[ModelEvent]) -> str:
    return "".join(each.text for each in events if isinstance(each, TextDelta))


def reasoning_of(events: Iterable[ModelEvent]) -> str:
    return "".join(each.text for each in events if isinstance(each, ReasoningDelta))


def test_a_plain_reply_is_its_deltas_and_one_end() -> None:
    stream = event(chunk(role="assistant", content="")) + event(chunk("Hel")) + event(chunk("lo")) + END
    assert parse(stream) == [TextDelta("Hel"), TextDelta("lo"), Finished("stop")]


def test_usage_comes_in_a_chunk_without_choices() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
    stream = event(chunk("a")) + event(chunk(finish="stop")) + event({"choices": [], "usage": usage}) + DONE
    assert parse(stream)[-1] == Finished("stop", Usage(7, 2))


@pytest.mark.parametrize("usage", [None, [], "many", {"prompt_tokens": "7"}, {"prompt_tokens": -1}, {}])
def test_unusable_usage_is_no_usage(usage: Any) -> None:
    assert parse(event({**chunk("a"), "usage": usage}) + END)[-1] == Finished("stop", Usage())


def test_the_finish_reason_is_the_servers_own_word() -> None:
    assert parse(event(chunk("a", finish="length")) + DONE)[-1] == Finished("length")
    assert parse(event(chunk("a", finish="content_filter")) + DONE)[-1] == Finished("content_filter")


@pytest.mark.parametrize(
    "noise",
    [
        b": keep-alive\n\n", b":\n", b"\n\n\n", b"event: ping\ndata: {}\n\n", b"id: 7\nretry: 100\n\n",
        b"data: not json\n\n", b"data: {\"half\": \n\n", b"data: [1, 2]\n\n", b"data: 5\n\n", b"data: null\n\n",
        b"data:\n\n", b"data\n\n", event({"choices": None}), event({"choices": [None, 3]}), event({"choices": []}),
        event({"object": "something else"}), event(chunk(content=None)), event(chunk(role="assistant")),
        event({"choices": [{"index": 0, "delta": None}]}), event({"choices": [{"index": 0, "delta": "x"}]}),
        event({"choices": [{"index": 1, "delta": {"content": "second choice"}}]}),
        event(chunk(tool_calls=[{"index": 0}])), b"\xff\xfe garbage\n", b"data: \xff\xfe\n\n",
    ],
)  # fmt: skip
def test_noise_between_chunks_changes_nothing(noise: bytes) -> None:
    assert parse(noise + event(chunk("a")) + noise + event(chunk("b")) + noise + END) == [
        TextDelta("a"),
        TextDelta("b"),
        Finished("stop"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_all_line_ends_are_line_ends(end: str) -> None:
    stream = (event(chunk("a")) + END).replace(b"\n", end.encode())
    assert text_of(parse(stream)) == "a"


def test_events_need_no_blank_line_and_no_space() -> None:
    lines = [f"data:{json.dumps(chunk(piece))}\n" for piece in "abc"]
    assert text_of(parse("".join(lines).encode() + END)) == "abc"


def test_each_event_shows_at_once_even_without_its_blank_line() -> None:
    parser = ReplyParser()
    assert list(parser.feed(b"data: " + json.dumps(chunk("now")).encode() + b"\n")) == [TextDelta("now")]


def test_json_over_several_data_lines_is_one_event() -> None:
    pretty = json.dumps(chunk("a"), indent=1)
    stream = "".join(f"data: {line}\n" for line in pretty.splitlines()) + "\n"
    assert text_of(parse(stream.encode() + END)) == "a"


def test_a_byte_order_mark_is_not_part_of_the_first_line() -> None:
    assert text_of(parse(b"\xef\xbb\xbf" + event(chunk("a")) + END)) == "a"


def test_content_may_be_a_list_of_parts() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, "b", {"type": "text", "text": None}]
    assert text_of(parse(event(chunk(parts)) + END)) == "ab"


def test_a_refusal_is_the_text() -> None:
    assert text_of(parse(event(chunk(refusal="I can't.")) + END)) == "I can't."


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_in_its_own_field_is_no_text(field: str) -> None:
    events = parse(event({"choices": [{"delta": {field: "Hm."}}]}) + event(chunk("Yes.")) + END)
    assert events == [ReasoningDelta("Hm."), TextDelta("Yes."), Finished("stop")]


def test_reasoning_that_is_sent_twice_counts_once() -> None:
    assert reasoning_of(parse(event(chunk(reasoning="Hm.", reasoning_content="Hm.")) + END)) == "Hm."


def test_a_whole_json_answer_in_place_of_a_stream_is_read() -> None:
    answer = {
        "choices": [{"index": 0, "message": {"content": "whole"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
    for text in (json.dumps(answer), json.dumps(answer, indent=2)):
        assert parse(text.encode()) == [TextDelta("whole"), Finished("stop", Usage(1, 2))]


def test_json_lines_without_the_word_data_are_read() -> None:
    lines = b"".join(json.dumps(chunk(piece)).encode() + b"\n" for piece in "ab")
    assert text_of(parse(lines + END)) == "ab"


def test_a_legacy_text_completion_is_read() -> None:
    assert text_of(parse(event({"choices": [{"index": 0, "text": "old"}]}) + END)) == "old"


def test_done_ends_the_reply_whatever_follows() -> None:
    assert text_of(parse(event(chunk("a")) + DONE + event(chunk("late")))) == "a"


def test_a_missing_done_is_no_fault_when_the_finish_reason_came() -> None:
    assert parse(event(chunk("a")) + event(chunk(finish="stop")), framed=False)[-1] == Finished("stop")


def test_a_finish_reason_that_never_comes_is_no_fault_when_done_did() -> None:
    assert parse(event(chunk("a")) + DONE, framed=False)[-1] == Finished("stop")


def test_without_either_the_protocols_own_end_decides() -> None:
    assert parse(event(chunk("a")), framed=True)[-1] == Finished("stop")
    with pytest.raises(CutStreamError):
        parse(event(chunk("a")), framed=False)


@pytest.mark.parametrize(
    "error",
    [
        event({"error": {"message": "boom", "code": 500}}), event({"error": "boom"}),
        b"event: error\ndata: {\"message\": \"boom\"}\n\n", b"event: error\ndata: {\"error\": \"boom\"}\n\n",
        b"error: {\"message\": \"boom\"}\n\n", b"error: boom\n\n", b"{\"error\": {\"message\": \"boom\"}}",
        event({"choices": [{"index": 0, "delta": {}, "finish_reason": "error", "error": {"message": "boom"}}]}),
    ],
)  # fmt: skip
def test_an_error_inside_the_stream_is_an_error(error: bytes) -> None:
    events, ended = outcome(event(chunk("so far")) + error)
    assert events == [TextDelta("so far")]
    assert ended.startswith("StreamedError")
    assert "boom" in ended


def test_an_error_that_is_null_is_none() -> None:
    assert text_of(parse(event({**chunk("a"), "error": None}) + END)) == "a"


@pytest.mark.parametrize(
    "answer",
    [b"", b"\n\n", b"<html><body>Sign in</body></html>", b"data: nonsense\n\n", b'{"object": "list"}', DONE,
     b"[" * 100_000, b"data: " + b"[" * 100_000 + b"\n\n"],
)  # fmt: skip
def test_an_answer_that_is_no_reply_is_garbage(answer: bytes) -> None:
    with pytest.raises(GarbageStreamError):
        parse(answer)


def test_garbage_is_quoted_for_the_details() -> None:
    with pytest.raises(GarbageStreamError) as caught:
        parse(b"<html>Sign in</html>")
    assert "Sign in" in caught.value.sample


def test_an_endless_line_is_given_up() -> None:
    splitter = LineSplitter()
    assert list(splitter.feed(b"x" * MAX_LINE)) == []
    with pytest.raises(OverlongLineError):
        list(splitter.feed(b"x"))


def test_an_emoji_whose_halves_come_in_two_chunks_is_whole() -> None:
    first = b'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n'
    second = b'data: {"choices":[{"delta":{"content":"\\ude00b"}}]}\n'
    assert text_of(parse(first, second, END)) == "a😀b"


def test_half_a_character_that_stays_half_is_replaced() -> None:
    lone = b'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n'
    assert text_of(parse(lone, event(chunk("b")), END)) == "a\ufffdb"
    assert text_of(parse(lone, END)) == "a\ufffd"


def test_what_is_held_back_is_not_lost_when_the_connection_breaks() -> None:
    parser = ReplyParser()
    events = list(parser.feed(event(chunk("<thin"))))
    assert events == []
    assert list(parser.cut()) == [TextDelta("<thin")]
    assert parser.partial == "<thin"


# --- think tags -------------------------------------------------------------------------------------------------


def filtered(*pieces: str) -> tuple[str, str]:
    tags = ThinkTagFilter()
    events = [each for piece in pieces for each in tags.feed(piece)] + list(tags.finish())
    return reasoning_of(events), text_of(events)


@pytest.mark.parametrize(
    ("reply", "reasoning", "text"),
    [
        ("<think>Hm.</think>Yes.", "Hm.", "Yes."),
        ("<thinking>Hm.</thinking>Yes.", "Hm.", "Yes."),
        ("\n<think>\nHm.\n</think>\n\nYes.", "\nHm.\n", "Yes."),
        ("<THINK>Hm.</Think>Yes.", "Hm.", "Yes."),
        ("<think></think>Yes.", "", "Yes."),
        ("<think>a</think>\n<think>b</think>Yes.", "ab", "Yes."),
        ("<think>never closed", "never closed", ""),
        ("<think>a < b </thin", "a < b </thin", ""),
        ("<think>a</thinking>b</think>c", "a</thinking>b", "c"),
        ("<think>İ is long when lowered</think>Yes.", "İ is long when lowered", "Yes."),
        ("No tags.", "", "No tags."),
        ("  indented", "", "  indented"),
        ("Use <think>like this</think>.", "", "Use <think>like this</think>."),
        ("`<think>` is a tag", "", "`<think>` is a tag"),
        ("<thin ice>", "", "<thin ice>"),
        ("<", "", "<"),
        ("", "", ""),
        ("<think>a</think>  ", "a", ""),
    ],
)
def test_only_tags_at_the_beginning_hold_reasoning(reply: str, reasoning: str, text: str) -> None:
    assert filtered(reply) == (reasoning, text)
    assert filtered(*reply) == (reasoning, text)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_where_a_tagged_reply_is_cut_makes_no_difference(draw: st.DataObject) -> None:
    alphabet = st.sampled_from(
        ["<think>", "</think>", "<thinking>", "</thinking>", "<", "/", "a", " ", "\n", ">"]
    )
    reply = "".join(draw.draw(st.lists(alphabet, max_size=12)))
    cuts = draw.draw(st.lists(st.integers(0, len(reply)), max_size=6).map(sorted))
    pieces = [reply[start:end] for start, end in zip([0, *cuts], [*cuts, len(reply)], strict=True)]
    assert filtered(*pieces) == filtered(reply)


# --- cutting the bytes ------------------------------------------------------------------------------------------

ITEMS = st.one_of(
    st.text(max_size=8).map(lambda text: event(chunk(text))),
    st.sampled_from(
        [
            event(chunk("<think>")), event(chunk("</think>")), event(chunk(reasoning="Hm é")), b": ping\n\n",
            b"data: garbage\r\n\r\n", b"\r", b"\n", b"{\"choices\": [{\"delta\": {\"content\": \"bare\"}}]}\n",
            event(chunk("é😀")).replace(b"\n", b"\r\n"), b"data: {\ndata: \"choices\": []}\n\n",
            b'data: {"choices":[{"delta":{"content":"\\ud83d"}}]}\n', event(chunk(finish="stop")),
            event({"choices": [], "usage": {"prompt_tokens": 3}}), DONE, b"event: error\n", b"stray\n",
            event({"error": "boom"}), b"\xf0\x9f\x98", b"data:",
        ]
    ),
)  # fmt: skip


def outcome(*chunks: bytes) -> tuple[list[ModelEvent], str]:
    parser = ReplyParser()
    events: list[ModelEvent] = []
    try:
        for part in chunks:
            for each in parser.feed(part):
                events.append(each)
        for each in parser.end(framed=True):
            events.append(each)
    except (StreamedError, GarbageStreamError, CutStreamError) as error:
        return events, f"{type(error).__name__}: {error}"
    return events, "ok"


@given(st.lists(ITEMS, max_size=8).map(b"".join), st.data())
@settings(max_examples=300, deadline=None)
def test_any_cut_of_any_stream_gives_the_same_events(stream: bytes, draw: st.DataObject) -> None:
    cuts = draw.draw(st.lists(st.integers(0, len(stream)), max_size=10).map(sorted))
    pieces = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert outcome(*pieces) == outcome(stream)


@given(st.lists(ITEMS, max_size=5).map(b"".join))
@settings(max_examples=60, deadline=None)
def test_single_bytes_give_the_same_events(stream: bytes) -> None:
    assert outcome(*(bytes([byte]) for byte in stream)) == outcome(stream)


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_no_bytes_make_the_parser_fail_in_another_way(stream: bytes) -> None:
    events, _ = outcome(stream)
    assert sum(isinstance(each, Finished) for each in events) <= 1


@given(st.lists(st.text(max_size=10), max_size=6))
@settings(max_examples=100, deadline=None)
def test_the_text_arrives_exactly(pieces: list[str]) -> None:
    stream = b"".join(event(chunk(piece)) for piece in ["x", *pieces]) + END
    assert text_of(parse(stream)) == "".join(["x", *pieces])
