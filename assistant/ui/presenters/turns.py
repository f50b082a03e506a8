"""Runs turns, each to its end, whichever conversation is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from assistant.agent.events import (
    MemoryProposed,
    MemorySaved,
    Recalled,
    ReplyReasoning,
    ReplyText,
    TurnDone,
    TurnStarted,
)
from assistant.core.errors import AssistantError, ReplyCutError
from assistant.core.types import CallerContext
from assistant.ui.models.messages import MessageItem
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.items import NO_WORDS, done_notes, recalled_facts, shown_error, with_memory
from assistant.ui.presenters.notes import MemoryNotes
from assistant.ui.presenters.running_turn import RunningTurn
from assistant.ui.services import Services
from assistant.ui.widgets.chat.conversation_view import ConversationView

if TYPE_CHECKING:
    from assistant.agent.agent import Agent
    from assistant.agent.turn_options import Prompt

OnStarted = Callable[[RunningTurn, TurnStarted], Awaitable[None]]


class TurnRunner(Presenter):
    """Between the agent and the messages that are shown.

    Args:
        view: shows the messages of one conversation.
        shown: tells which one that is.
        on_started: a turn's message is stored and its reply begun; the turn goes on when this has returned.
        notes: keeps what is said under messages about memories.

    Signals:
        prompted(RunningTurn, Agent, Prompt): this goes to the model now.
        memory_saved(MemorySaved or MemoryProposed): a memory was kept from a turn, or waits.
        ended(RunningTurn): well or not.
    """

    prompted = Signal(object, object, object)
    memory_saved = Signal(object)
    ended = Signal(object)

    def __init__(
        self,
        view: ConversationView,
        services: Services,
        *,
        shown: Callable[[], str],
        on_started: OnStarted,
        notes: MemoryNotes,
    ) -> None:
        super().__init__(view, services)
        self._view = view
        self._shown = shown
        self._on_started = on_started
        self._notes = notes
        self._running: dict[str, RunningTurn] = {}

    @property
    def any_runs(self) -> bool:
        """Whether any turn has not ended."""
        return bool(self._running)

    def of(self, session_id: str) -> RunningTurn | None:
        """The turn that runs in a conversation, None when none does."""
        return self._running.get(session_id)

    def begin(self, turn: RunningTurn) -> None:
        """Run a turn."""
        self._running[turn.session_id] = turn
        self.run(self._run(turn), _name(turn.session_id))

    def stop(self, session_id: str) -> None:
        """End the reply of that conversation; what came stays."""
        self._services.supervisor.cancel(_name(session_id))

    def stop_all(self) -> None:
        """End every reply."""
        for session_id in tuple(self._running):
            self.stop(session_id)

    async def _run(self, turn: RunningTurn) -> None:
        try:
            await self._stream(turn)
        except asyncio.CancelledError:
            self._finish(turn, state="stopped")
            raise
        except ReplyCutError as error:
            self._finish(turn, state="cut", error=error)
        except AssistantError as error:
            self._finish(turn, state="failed", error=error)
        finally:
            self._running.pop(turn.session_id, None)
            self.ended.emit(turn)

    async def _stream(self, turn: RunningTurn) -> None:
        services = self._services
        agent = await services.agent()
        if agent is None:
            return
        events = agent.astream(
            {"messages": [turn.message] if turn.message is not None else []},
            caller=CallerContext(user_id=services.profile.owner_id),
            session_id=turn.session_id,
            answer_to=turn.answer_to,
            instead_of=turn.instead_of,
            on_prompt=lambda prompt: self._prompted(turn, agent, prompt),
        )
        async with aclosing(events):
            async for event in events:
                match event:
                    case TurnStarted():
                        await self._started(turn, event)
                    case Recalled():
                        self._update(turn, recalled=recalled_facts(event.items), memory_note=event.note)
                    case ReplyText(text):
                        turn.parts.append(text)
                        if turn.item is not None and turn.session_id == self._shown():
                            self._view.extend_stream(turn.item.message_id, text)
                    case ReplyReasoning(text):
                        if turn.item is not None:
                            self._update(turn, reasoning=turn.item.reasoning + text)
                    case MemorySaved() | MemoryProposed():
                        turn.item = with_memory(turn.item, event)
                        self.memory_saved.emit(event)
                    case TurnDone(result):
                        if turn.item is not None:
                            turn.item = replace(turn.item, **done_notes(result))
                        turn.report = result["context"]
                        self._finish(turn, state="complete")

    async def _started(self, turn: RunningTurn, event: TurnStarted) -> None:
        host = self._services.switchboard.destination[1]
        turn.item = MessageItem(event.reply_id or "", "assistant", "", state="streaming", host=host)
        await self._on_started(turn, event)

    def _prompted(self, turn: RunningTurn, agent: Agent, prompt: Prompt) -> None:
        turn.report = prompt.report
        self.prompted.emit(turn, agent, prompt)

    def _update(self, turn: RunningTurn, **changes: object) -> None:
        if turn.item is None:
            return
        turn.item = turn.item.with_(**changes)
        if turn.session_id == self._shown():
            self._view.update_item(self._as_shown(turn.item, turn.text))

    def _finish(self, turn: RunningTurn, *, state: str, error: AssistantError | None = None) -> None:
        if turn.item is None:
            # Nothing was stored: the composer still holds the message.
            if error is not None:
                self.failed.emit(error)
            return
        shown = shown_error(error) if error is not None else None
        if state == "complete" and not turn.text.strip():
            shown = NO_WORDS
        turn.item = self._as_shown(turn.item.with_(state=state, error=shown), turn.text)
        turn.is_complete = state == "complete"
        if turn.session_id == self._shown():
            self._view.finish_stream(turn.item)
        if turn.item.remembered or error is not None:
            self.run(self._notes.keep(turn.item), "note what was remembered")

    def _as_shown(self, item: MessageItem, text: str) -> MessageItem:
        """The reply with its text, and as one of as many versions as the view says."""
        known = self._view.item(item.message_id)
        if known is not None:
            item = replace(item, variant=known.variant, variants=known.variants)
        return replace(item, text=text)


def _name(session_id: str) -> str:
    return f"turn: {session_id}"
