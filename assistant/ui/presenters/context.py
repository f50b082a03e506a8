"""How full the model's window is, and what is sent: before, and afterwards."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal

from assistant.agent.turn_options import Prompt
from assistant.core.errors import AssistantError, ContextTooLongError
from assistant.core.types import CallerContext, Message
from assistant.models.request_shape import as_sent
from assistant.ui.models.context import SentView
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.chat import ChatPresenter
from assistant.ui.presenters.context_words import context_view, over_view, sent_messages
from assistant.ui.presenters.running_turn import RunningTurn
from assistant.ui.presenters.sent_prompts import SentPrompt, SentPrompts
from assistant.ui.services import Services
from assistant.ui.theme import Theme
from assistant.ui.windows.breakdown import BreakdownDialog, TooLongDialog
from assistant.ui.windows.main_window import MainWindow
from assistant.ui.windows.sent import SentDialog

if TYPE_CHECKING:
    from assistant.agent.agent import Agent
    from assistant.context.reports import ContextReport

_log = logging.getLogger(__name__)

_PREVIEW = "look what the message costs"
_MOST_REPORTS = 100
_STREAMING_MS = 1000
"""At most one look a second while a reply is being written."""
_PAUSE = 0.2
_DRAFT, _EARLIER, _SENT = (
    "For the message you are writing",
    "For this conversation as it is",
    "For the last reply",
)
_IS_SENT, _WAS_SENT = "What is sent", "What was sent"
_MASKED = "Keys and personal data are masked in it."


class ContextPresenter(Presenter):
    """Between the composer's meter, the dialogs over it, and the agent.

    Signals:
        model_wanted: a larger model is to be chosen.
    """

    model_wanted = Signal()

    def __init__(self, window: MainWindow, theme: Theme, services: Services, chat: ChatPresenter) -> None:
        super().__init__(window, services)
        self._window = window
        self._theme = theme
        self._chat = chat
        self._composer = window.chat.composer
        self._prompts = SentPrompts()
        self._agents: dict[str, Agent] = {}
        self._reports: dict[str, ContextReport] = {}
        self._replies: dict[str, str] = {}
        self._is_ready = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._look)
        self._composer.meter.clicked.connect(self.show_breakdown)
        self._composer.draft_changed.connect(lambda _: self.refresh())
        window.chat.view.sent_requested.connect(self.show_sent)
        chat.opened.connect(lambda _: self.refresh())
        chat.path_changed.connect(self._path_changed)
        self._composer.editing_changed.connect(lambda _: self.refresh())
        chat.prompted.connect(self._prompted)
        chat.turn_ended.connect(self._ended)
        chat.too_long.connect(self._too_long)

    async def start(self) -> None:
        """Begin to look: the window is filled, and what counts may be loaded."""
        self._is_ready = True
        await self._warm_up()

    def model_chosen(self) -> None:
        """Another model, or other settings, are in force."""
        self._reports.clear()
        if self._is_ready:
            self.run(self._warm_up(), "get ready to count", replaces=True)

    def forget(self) -> None:
        """The stores are empty."""
        self._prompts.clear()
        self._reports.clear()
        self._replies.clear()
        self.refresh()

    def refresh(self) -> None:
        """Look again what the next message would cost, soon."""
        if not self._is_ready:
            return
        if not self._chat.is_running:
            self._later.stop()
            self._look()
        elif not self._later.isActive():
            self._later.start(_STREAMING_MS)

    def show_breakdown(self) -> None:
        """What fills the window."""
        view = self._composer.meter.view
        if view is None:
            return
        reply_id = self._replies.get(self._chat.session_id) if view.about == _SENT else None
        if reply_id is not None and self._prompts.get(reply_id) is None:
            # Nothing was sent for an earlier answer.
            reply_id = None
        dialog = BreakdownDialog(self._window, view, _WAS_SENT if reply_id else _IS_SENT)
        dialog.sent_requested.connect(lambda: self.show_sent(reply_id) if reply_id else self.show_next())
        dialog.open()

    def show_next(self) -> None:
        """What is sent when the message in the composer is."""
        self.run(self._show_next(), "show what is sent", replaces=True)

    def show_sent(self, reply_id: str) -> None:
        """What was sent for a reply."""
        self.run(self._show_sent(reply_id), "show what is sent", replaces=True)

    # -- the meter

    async def _warm_up(self) -> None:
        # Loading an encoding stops the window for a moment: not under a typing hand.
        while self._composer.is_being_typed:  # noqa: ASYNC110 - a hand that rests has no event of its own
            await asyncio.sleep(_PAUSE)
        await self._services.desk.warm_up()
        self.refresh()

    def _look(self) -> None:
        self.run(self._look_at_draft(), _PREVIEW, replaces=True)

    async def _look_at_draft(self) -> None:
        session, text = self._chat.session_id, self._composer.text()
        report = self._reports.get(session)
        if not text.strip() and report is not None:
            self._show(report, _SENT)
            return
        try:
            agent = await self._services.agent()
            if agent is None:
                self._show(None, "")
                return
            prompt = await self._preview(agent, text)
        except ContextTooLongError as error:
            if text == self._composer.text():
                self._show_over(error)
            return
        except AssistantError as error:
            # Sending will tell what is wrong.
            _log.info("the meter shows nothing: %s", error.title)
            return
        if (session, text) == (self._chat.session_id, self._composer.text()):
            self._show(prompt.report, _DRAFT if text.strip() else _EARLIER)

    def _show(self, report: ContextReport | None, about: str) -> None:
        view = None if report is None else context_view(report, about)
        self._composer.meter.show_view(view)
        self._composer.set_status("" if view is None else " · ".join(view.trimmed))

    def _show_over(self, error: ContextTooLongError) -> None:
        self._composer.meter.show_view(over_view(error))
        self._composer.set_status("")

    def _path_changed(self, session: str) -> None:
        """What was sent for another version says nothing about this one."""
        self._reports.pop(session, None)
        self._replies.pop(session, None)
        self.refresh()

    def _prompted(self, turn: RunningTurn, agent: Agent, prompt: Prompt) -> None:
        """A prompt goes out: nothing else has to be looked at for a while."""
        self._services.supervisor.cancel(_PREVIEW)
        if turn.item is not None:
            _, host, stays = self._services.switchboard.destination
            sent = SentPrompt(prompt, agent.request_body(prompt.messages), host, stays)
            self._prompts.keep(turn.item.message_id, sent)
            self._agents[turn.session_id] = agent
        self._note(turn)

    def _ended(self, turn: RunningTurn) -> None:
        agent = self._agents.pop(turn.session_id, None)
        sent = None if turn.item is None else self._prompts.get(turn.item.message_id)
        if agent is not None and turn.item is not None and sent is not None:
            # What the server took; after a refusal it was asked again without optional parts.
            body = agent.request_body(sent.prompt.messages)
            self._prompts.keep(turn.item.message_id, replace(sent, body=body))
        self._note(turn)
        self.refresh()

    def _note(self, turn: RunningTurn) -> None:
        if turn.report is None:
            return
        session = turn.session_id
        self._reports.pop(session, None)
        self._reports[session] = turn.report
        if turn.item is not None:
            self._replies[session] = turn.item.message_id
        if len(self._reports) > _MOST_REPORTS:
            oldest = next(iter(self._reports))
            del self._reports[oldest]
            self._replies.pop(oldest, None)
        if session == self._chat.session_id and not self._composer.text().strip():
            self._show(turn.report, _SENT)

    def _too_long(self, error: ContextTooLongError) -> None:
        self._show_over(error)
        dialog = TooLongDialog(self._window, error)
        dialog.shorten_requested.connect(self._composer.focus)
        dialog.model_requested.connect(self.model_wanted)
        dialog.send_requested.connect(lambda: self.run(self._send_anyway(error.tokens or 0), "send anyway"))
        dialog.open()

    async def _send_anyway(self, tokens: int) -> None:
        await self._services.desk.widen(tokens)
        self._chat.send(self._composer.text())

    # -- what is sent

    async def _preview(self, agent: Agent, text: str, answer_to: str | None = None) -> Prompt:
        return await agent.preview(
            [Message("user", text)] if text.strip() and answer_to is None else [],
            caller=CallerContext(user_id=self._services.profile.owner_id),
            session_id=self._chat.session_id or None,
            answer_to=answer_to,
            instead_of=(self._chat.editing.message_id or None)
            if text.strip() and answer_to is None
            else None,
        )

    async def _show_next(self) -> None:
        agent = await self._services.agent()
        if agent is None:
            self._chat.model_wanted.emit()
            return
        text = self._composer.text()
        prompt = await self._preview(agent, text)
        said = "" if text.strip() else "You have not written anything yet: your message comes last."
        self._open(_view(_IS_SENT, self._goes(), said, prompt, agent.request_body(prompt.messages)))

    async def _show_sent(self, reply_id: str) -> None:
        item, kept = self._chat.item(reply_id), self._prompts.get(reply_id)
        if item is None:
            return
        if kept is not None:
            where = "This stayed on this computer." if kept.stayed else f"This went to {kept.host}."
            self._open(_view(_WAS_SENT, where, "", kept.prompt, kept.body))
            return
        agent = await self._services.agent()
        question = self._chat.question_before(reply_id)
        if item.cached:
            note = "Nothing was sent: the reply is an earlier answer. This would be sent to ask again."
        else:
            note = (
                "The exact text is known only until Keepsake is closed. This would be sent for that message now; "
                "the memories that the reply did use are listed under it."
            )
        if agent is None or question is None:
            self._open(SentView(_WAS_SENT, "The exact text is known only until Keepsake is closed."))
            return
        prompt = await self._preview(agent, "", question)
        body = agent.request_body(prompt.messages)
        self._open(_view(_WAS_SENT, self._goes(), note, prompt, body))

    def _goes(self) -> str:
        _, host, stays = self._services.switchboard.destination
        if stays:
            return "This stays on this computer."
        masked = f" {_MASKED}" if self._services.settings.current.guard_private_data else ""
        return f"This goes to {host}.{masked}"

    def _open(self, view: SentView) -> None:
        SentDialog(self._window, self._theme, view).open()


def _view(heading: str, where: str, note: str, prompt: Prompt, body: dict[str, Any]) -> SentView:
    messages = sent_messages(prompt.messages, prompt.report)
    return SentView(heading, where, note, messages, as_sent(body) if body else "")
