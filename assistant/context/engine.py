"""The context engine: layers in, a prompt that fits out."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from assistant.context.assembling import assemble
from assistant.context.counting import EncodingCounter
from assistant.context.inquiry import Inquiry
from assistant.context.layers import DEFAULT_LAYERS, Layer, Trim, layer_name, layer_of
from assistant.context.reader import Reader
from assistant.context.reports import Assembly, ContextReport, of_sizes
from assistant.context.windows import ModelWindow, parted
from assistant.core.errors import InvalidInputError, StoreClosedError
from assistant.core.types import Usage
from assistant.models.base import ChatModel

_LARGEST_RESERVE = 4096
_SURE = ("given", "name")


class _Shared:
    """What an engine and its turns have together."""

    def __init__(self) -> None:
        self.readers: dict[str, Reader] = {}
        self.inquiry = Inquiry()
        self.last: ContextReport | None = None
        self.executor: ThreadPoolExecutor | None = None
        self.closed = False


class ContextEngine:
    """Fills a model's window, most important first, and says what did not fit.

        engine = ContextEngine(model="openai:gpt-5-mini")
        engine.add_layer("identity", content="You are brief.")
        engine.add_layer("conversation", content=earlier)
        engine.add_layer("user message", content="And tomorrow?")
        messages = engine.assemble()

    Args:
        model: whose window and tokens count: a name such as "openai:gpt-5-mini", or a model, which is asked
            what it reads. None follows the agent's model.
        response_reserve: tokens kept free for the reply; None for the reply's own limit where there is one, else
            a quarter of the window and at most 4,096.
        window: tokens of prompt and reply together, when the caller knows better than anybody.

    Raises:
        InvalidInputError: an option out of its range.
    """

    def __init__(
        self,
        model: str | ChatModel | None = None,
        *,
        response_reserve: int | None = None,
        window: int | None = None,
    ) -> None:
        if response_reserve is not None:
            _check_number("response_reserve", response_reserve, 0)
        if window is not None:
            _check_number("window", window, 1)
        self._named = model if isinstance(model, str) else ""
        self._model = None if model is None or isinstance(model, str) else model
        self._reserve = response_reserve
        self._given = None if window is None else ModelWindow(window, "given")
        self._reply_limit: int | None = None
        self._layers: dict[str, Layer] = {}
        self._shared = _Shared()
        if response_reserve is not None and self._reader.window.source in _SURE:
            limit = self._reader.window.tokens
            if response_reserve >= limit:
                raise InvalidInputError(
                    f"response_reserve leaves no room for a prompt ({of_sizes(response_reserve, limit)} tokens)."
                )

    @property
    def model(self) -> str:
        """Name of the model whose window and tokens count; empty when it is the agent's."""
        return self._named or (self._model.name if self._model is not None else "")

    @property
    def window(self) -> ModelWindow:
        """How much the model reads, as far as it is known now."""
        return self._reader.window

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What was added, in that order."""
        return tuple(self._layers.values())

    def add_layer(
        self,
        name: str,
        *,
        priority: int | None = None,
        content: Any,
        required: bool | None = None,
        trim: Trim | None = None,
    ) -> None:
        """Add a layer, or put another in the place of the one of that name.

        Args:
            name: one of DEFAULT_LAYERS ("identity", "memory", "conversation", "user message", …), or your own.
            priority: higher is kept longer. May be left out for a default layer.
            content: a text (a system message); a message or mapping with role and content; a list of either;
                LayerItems. The conversation takes messages alone, the user's message only the user's.
            required: sent whole, or `assemble` raises. None for the default layer's own, otherwise False.
            trim: how it gives way, see Trim. None for the default layer's own, otherwise "drop".

        Raises:
            InvalidInputError: content or an option that can't be used.
            InvalidTextError: a lone surrogate.
        """
        layer = layer_of(name, priority=priority, content=content, required=required, trim=trim)
        self._layers[layer.name] = layer

    def remove_layer(self, name: str) -> bool:
        """Take a layer away; False when there is none of that name."""
        return self._layers.pop(layer_name(name), None) is not None

    def assemble(self) -> Assembly:
        """The prompt, as a sequence of messages with its report.

        Asks nobody and blocks for as long as counting takes, the first time also for loading an encoding (a third
        of a second). In a running loop use `aassemble`.

        Raises:
            ContextTooLongError: the required layers alone are too large. Says the sizes.
        """
        reader = self._reader
        reserve, note = self._reserved(reader.window)
        budget = reader.window.tokens - reserve
        if reader.window.input_tokens is not None:
            budget = min(budget, reader.window.input_tokens)
        assembly = assemble(self._in_order(), reader, reserve=reserve, budget=budget)
        if note:
            report = replace(assembly.report, notes=(*assembly.report.notes, note))
            assembly = replace(assembly, report=report)
        self._shared.last = assembly.report
        return assembly

    async def aassemble(self, *, ask: bool = True) -> Assembly:
        """As `assemble`, but off the loop, and the model's server is asked what it reads and how it counts.

        A server that does not answer is no failure: the report says what was assumed.

        Args:
            ask: False asks nobody, for a prompt that is not going to be sent.

        Raises:
            ContextTooLongError: as in `assemble`.
            StoreClosedError: after close.
        """
        self._check_open()
        if ask and self._model is not None:
            await self._shared.inquiry.inform(self._reader, self._model, self.layers)
        return await asyncio.get_running_loop().run_in_executor(self._executor(), self.assemble)

    async def ask_window(self) -> ModelWindow:
        """How much the model reads; its server is asked, with no text of a prompt. Seldom: see `aassemble`.

        Raises:
            StoreClosedError: after close.
        """
        self._check_open()
        if self._model is not None:
            await self._shared.inquiry.inform(self._reader, self._model, ())
        return self.window

    def report(self) -> ContextReport:
        """The report of the last prompt; assembles one when there was none."""
        return self._shared.last or self.assemble().report

    def learn(self, assembly: Assembly, usage: Usage) -> ContextReport:
        """Compare a prompt with what the server says it read; later estimates are better for it.

        Returns:
            The report with the server's number, and with `truncation_suspected` when it read far less.
        """
        report = assembly.report
        if usage.prompt_tokens is None or usage.prompt_tokens <= 0:
            return report
        reader = self._reader_of(report.model)
        suspected = reader.learn(assembly.messages, usage.prompt_tokens)
        notes = report.notes
        if suspected:
            sizes = of_sizes(usage.prompt_tokens, report.tokens)
            notes = (*notes, f"The server seems to have read only a part of what was sent ({sizes} tokens).")
        self._shared.inquiry.answered(report.model, truncated=suspected)
        report = replace(
            report, notes=notes, reported_tokens=usage.prompt_tokens, truncation_suspected=suspected
        )
        self._shared.last = report
        return report

    def for_turn(self, model: ChatModel, *, reply_limit: int | None = None) -> ContextEngine:
        """An engine for one turn: the same layers, to be added to without touching this one; what is learned of
        models is shared.

        Args:
            model: what answers. It is asked when this engine follows the agent's model or was made for it.
            reply_limit: tokens of the reply at most, None when not limited.
        """
        turn = ContextEngine.__new__(ContextEngine)
        turn._named, turn._model = self._named, self._model
        turn._reserve, turn._given = self._reserve, self._given
        turn._reply_limit = reply_limit
        turn._layers = dict(self._layers)
        turn._shared = self._shared
        if self._follows(model):
            turn._named, turn._model = "", model
        return turn

    async def warmup(self) -> None:
        """Load the encoding, if the model has one, before the first prompt waits for it.

        Raises:
            StoreClosedError: after close.
        """
        self._check_open()
        counter = self._reader.counter
        if isinstance(counter, EncodingCounter):
            await asyncio.get_running_loop().run_in_executor(self._executor(), counter.load)

    async def close(self) -> None:
        """End its thread. Safe to call twice."""
        self._shared.closed = True
        executor, self._shared.executor = self._shared.executor, None
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)

    def _check_open(self) -> None:
        if self._shared.closed:
            raise StoreClosedError("The context engine was closed.")

    @property
    def _reader(self) -> Reader:
        return self._reader_of(self.model)

    def _reader_of(self, name: str) -> Reader:
        reader = self._shared.readers.get(name)
        if reader is None:
            reader = self._shared.readers[name] = Reader(name, window=self._given)
        return reader

    def _follows(self, model: ChatModel) -> bool:
        if self._model is not None:
            return self._model is model
        ours, theirs = parted(self._named)[0], parted(model.name)[0]
        # A local model may be named by its file, or as "local:trial".
        return not self._named or self._named == model.name or ours == theirs == "local"

    def _in_order(self) -> list[Layer]:
        """Default layers in their order, then the caller's own in theirs."""
        defaults = [self._layers[name] for name in DEFAULT_LAYERS if name in self._layers]
        return defaults + [layer for name, layer in self._layers.items() if name not in DEFAULT_LAYERS]

    def _reserved(self, window: ModelWindow) -> tuple[int, str]:
        """Tokens for the reply, and a note when they had to be fewer than asked for."""
        wanted = self._reserve if self._reserve is not None else self._reply_limit
        if wanted is None:
            return min(_LARGEST_RESERVE, window.tokens // 4), ""
        most = window.tokens // 2
        # What was checked against this very window is taken at its word.
        if wanted <= most or (self._reserve is not None and window.source in _SURE):
            return wanted, ""
        return most, f"Only {most:,} of {wanted:,} tokens are kept free for the reply: the window is small."

    def _executor(self) -> ThreadPoolExecutor:
        if self._shared.executor is None:
            self._shared.executor = ThreadPoolExecutor(1, thread_name_prefix="keepsake-context")
        return self._shared.executor


def _check_number(name: str, value: int, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidInputError(f"{name} is a whole number of at least {least}; got {value!r}.")
