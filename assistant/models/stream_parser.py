"""Reads a chat reply out of the bytes that a server streams, tolerating what real servers send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.core.text import drop_lone_surrogates
from assistant.core.types import Usage
from assistant.models.base import Finished, ModelEvent, ReasoningDelta, TextDelta
from assistant.models.sse import DONE, EventReader, LineSplitter, StreamValue
from assistant.models.think_tags import ThinkTagFilter

_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")


class StreamedError(Exception):
    """The server reported an error inside its answer.

    Attributes:
        payload: the server's error, a dict or a text.
    """

    def __init__(self, payload: Any) -> None:
        super().__init__(str(payload))
        self.payload = payload


class CutStreamError(Exception):
    """The answer ended before the reply did."""


class GarbageStreamError(Exception):
    """The answer is not a chat reply.

    Attributes:
        sample: how it begins.
    """

    def __init__(self, sample: str) -> None:
        super().__init__(sample)
        self.sample = sample


class ReplyParser:
    """Bytes in, events out; how the bytes are cut makes no difference.

    Feed it each chunk, until it is `finished` or the bytes end; then call `end`, which gives the rest and the
    one `Finished`. Reads the first choice only. Tool calls are left out.

    Attributes:
        partial: the text of the reply so far.
        finished: the server said that the reply is complete, and nothing more needs to be read.
    """

    def __init__(self) -> None:
        self._lines = LineSplitter()
        self._reader = EventReader()
        self._tags = ThinkTagFilter()
        self._text: list[str] = []
        self._half = {"text": "", "reasoning": ""}
        self._reason = ""
        self._usage = Usage()
        self._saw_choice = False
        self.finished = False

    @property
    def partial(self) -> str:
        return "".join(self._text)

    def feed(self, chunk: bytes) -> Iterator[ModelEvent]:
        """The events that `chunk` completes.

        Raises:
            StreamedError: the server reports an error.
            OverlongLineError: the bytes have no lines.
        """
        for line in self._lines.feed(chunk):
            yield from self._line(line)

    def end(self, *, framed: bool) -> Iterator[ModelEvent]:
        """The last events, when the bytes have ended or the reply is finished.

        Args:
            framed: the protocol itself said where the answer ends (chunked, or with its length). Without
                that, and without a word of the server that it is done, an end can't be told from a cut.

        Raises:
            CutStreamError: the reply is not complete.
            GarbageStreamError: there was none.
            StreamedError: as in feed.
        """
        if not self.finished:
            for line in self._lines.finish():
                yield from self._line(line)
            for value in self._reader.finish():
                yield from self._value(value)
        yield from self._flush()
        if not self._saw_choice:
            raise GarbageStreamError(self._reader.garbage)
        if not (self.finished or self._reason or framed):
            raise CutStreamError
        yield Finished(self._reason or "stop", self._usage)

    def cut(self) -> Iterator[ModelEvent]:
        """What had been held back, when the connection broke."""
        yield from self._flush()

    def _line(self, line: str) -> Iterator[ModelEvent]:
        if self.finished:
            return
        for value in self._reader.line(line):
            yield from self._value(value)

    def _value(self, item: StreamValue) -> Iterator[ModelEvent]:
        value = item.value
        if value == DONE:
            self.finished = True
            return
        if item.is_error:
            raise StreamedError(value.get("error") or value if isinstance(value, dict) else value)
        if not isinstance(value, dict):
            return
        if value.get("error"):
            raise StreamedError(value["error"])
        self._read_usage(value.get("usage"))
        choices = value.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index") in (0, None):
                yield from self._choice(choice)

    def _choice(self, choice: dict[str, Any]) -> Iterator[ModelEvent]:
        self._saw_choice = True
        self._read_usage(choice.get("usage"))
        if choice.get("error"):
            raise StreamedError(choice["error"])
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            for name in _REASONING_FIELDS:
                if reasoning := self._whole(_text_of(delta.get(name)), "reasoning"):
                    yield ReasoningDelta(reasoning)
                    break
            yield from self._content(_text_of(delta.get("content")) or _text_of(delta.get("refusal")))
        else:
            yield from self._content(_text_of(choice.get("text")))
        if isinstance(choice.get("finish_reason"), str):
            self._reason = choice["finish_reason"] or self._reason

    def _content(self, text: str) -> Iterator[ModelEvent]:
        if text := self._whole(text, "text"):
            yield from self._told_apart(self._tags.feed(text))

    def _flush(self) -> Iterator[ModelEvent]:
        reasoning, text = (drop_lone_surrogates(self._half[kind]) for kind in ("reasoning", "text"))
        self._half = {"text": "", "reasoning": ""}
        if reasoning:
            yield ReasoningDelta(reasoning)
        yield from self._told_apart(self._tags.feed(text))
        yield from self._told_apart(self._tags.finish())

    def _told_apart(self, events: Iterator[TextDelta | ReasoningDelta]) -> Iterator[ModelEvent]:
        for event in events:
            if isinstance(event, TextDelta):
                self._text.append(event.text)
            yield event

    def _whole(self, text: str, kind: str) -> str:
        """`text` without half characters: servers that cut tokens send the halves in two chunks."""
        if not text:
            return ""
        text = self._half[kind] + text
        self._half[kind] = ""
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half[kind] = text[:-1], text[-1]
        return drop_lone_surrogates(text)

    def _read_usage(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
        if prompt is not None or completion is not None:
            self._usage = Usage(prompt, completion)


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
        return None
    return int(value)


def _text_of(content: Any) -> str:
    """The text of a content field: text itself, or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        text = content.get("text")
        return text if isinstance(text, str) else ""
    if isinstance(content, list):
        return "".join(_text_of(part) for part in content if not isinstance(part, list))
    return ""
