"""Keeps a reader informed of what its model's server says."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence

from assistant.context.asking import ask_counts, ask_window, can_count
from assistant.context.counting import texts_of
from assistant.context.layers import CONVERSATION, Layer
from assistant.context.reader import Reader
from assistant.core.errors import AssistantError
from assistant.core.types import Message
from assistant.models.base import ChatModel

_log = logging.getLogger(__name__)

_TIMEOUT = 2.0
_WINDOW_HOLDS = 60.0
_MOST_TEXTS = 200


class Inquiry:
    """Asks servers, seldom enough that a turn does not notice."""

    def __init__(self) -> None:
        self._asked_at: dict[str, float] = {}
        self._answered: set[str] = set()
        self._without_tokenizer: set[str] = set()

    async def inform(self, reader: Reader, model: ChatModel, layers: Sequence[Layer]) -> None:
        """Ask for the window, unless that was asked in the last minute, and for the counts of the texts that
        are new and may be sent. A server that does not answer leaves the reader as it is."""
        now = asyncio.get_running_loop().time()
        try:
            if now - self._asked_at.get(reader.name, now - _WINDOW_HOLDS) >= _WINDOW_HOLDS:
                window = await ask_window(model, timeout=_TIMEOUT)
                self._asked_at[reader.name] = now
                if window is not None:
                    reader.take_window(window)
            if can_count(model) and reader.name not in self._without_tokenizer:
                await self._ask_counts(reader, model, layers)
        except AssistantError as error:
            # The chat itself will tell what is wrong with the server.
            _log.info("the model's server was not asked: %s", error.title)

    def answered(self, name: str, *, truncated: bool) -> None:
        """The model has replied. Its server may tell another window from now on: it has loaded the model, or it
        was wrong about it."""
        if truncated or name not in self._answered:
            self._asked_at.pop(name, None)
            self._answered.add(name)

    async def _ask_counts(self, reader: Reader, model: ChatModel, layers: Sequence[Layer]) -> None:
        counter = reader.use_server_counts()
        if counter is None:
            return
        wanted = counter.unknown(_worth_counting(layers, reader))[:_MOST_TEXTS]
        if not wanted:
            return
        counts = await ask_counts(model, wanted, timeout=_TIMEOUT)
        if counts is None:
            self._without_tokenizer.add(reader.name)
        else:
            counter.learn(wanted, counts)


def _worth_counting(layers: Sequence[Layer], reader: Reader) -> Iterable[str]:
    """Texts of the layers, and of the conversation's newest messages as far as they can fit."""
    conversation: tuple[Message, ...] = ()
    for layer in layers:
        if layer.name == CONVERSATION:
            conversation = layer.messages
            continue
        total = len(layer.messages) if layer.items is None else len(layer.items.items)
        for message in layer.rendered(total):
            yield from texts_of(message)
    left = reader.window.tokens
    for message in reversed(conversation):
        left -= reader.costs([message])[0]
        if left < 0:
            return
        yield from texts_of(message)
