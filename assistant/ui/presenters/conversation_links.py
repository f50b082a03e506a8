"""Where the list of conversations and the one that is shown meet."""

from __future__ import annotations

from collections.abc import Callable

from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.chat import ChatPresenter
from assistant.ui.presenters.conversations import ConversationsPresenter
from assistant.ui.presenters.running_turn import RunningTurn
from assistant.ui.presenters.standing import KEPT, REFUSED
from assistant.ui.services import Services
from assistant.ui.windows.main_window import MainWindow

_NOTHING = "There is nothing to archive yet."
_TEMPORARY = "A temporary conversation can't be archived. Keep it first."


class ConversationLinks(Presenter):
    """Between the side bar's presenter and the chat's.

    Args:
        index: has what was said indexed that is not yet.
    """

    def __init__(
        self,
        window: MainWindow,
        services: Services,
        chat: ChatPresenter,
        conversations: ConversationsPresenter,
        *,
        index: Callable[[], object],
    ) -> None:
        super().__init__(window, services)
        self._window = window
        self._chat = chat
        self._conversations = conversations
        self._index = index
        self._unfinished: set[str] = set()
        self._left_by_deleting = ""
        sidebar = window.sidebar
        sidebar.opened.connect(self._open_row)
        sidebar.new_requested.connect(lambda: self.open(""))
        sidebar.temporary_requested.connect(self.open_temporary)
        sidebar.keep_requested.connect(chat.standing.keep)
        chat.conversations_changed.connect(conversations.refresh)
        chat.opened.connect(sidebar.mark)
        chat.turn_ended.connect(self._turn_ended)
        chat.standing.kept.connect(self._kept)
        chat.standing.unarchive_requested.connect(lambda session: conversations.archive(session, False))
        window.chat.view.remember_refused.connect(self._refused)
        conversations.deleted.connect(self._deleted)
        conversations.brought_back.connect(self._brought_back)
        conversations.renamed.connect(self._renamed)
        conversations.archived.connect(self._archived)

    def open(self, session_id: str, message_id: str = "", words: str = "") -> None:
        """Show a conversation (empty: a new one), at a message when one is named. See ChatPresenter.open."""
        self._window.leave()
        self._show(session_id, message_id, words)

    def open_temporary(self) -> None:
        """Show a new temporary conversation."""
        self._window.leave()
        self._chat.open_temporary()

    def archive_shown(self) -> None:
        """Put the conversation that is shown out of the way, or back."""
        session = self._chat.session_id
        if not session:
            self._window.toast.say(_NOTHING)
        elif self._chat.standing.is_temporary:
            self._offer_keeping(_TEMPORARY)
        else:
            self._conversations.archive(session, not self._chat.standing.is_archived)

    def _open_row(self, session_id: str, message_id: str) -> None:
        self.open(session_id, message_id, self._conversations.query if message_id else "")

    def _show(self, session_id: str, message_id: str = "", words: str = "") -> None:
        work = self._chat.open(session_id, message_id=message_id, words=words)
        self.run(work, "open conversation", replaces=True)

    def _deleted(self, session_id: str) -> None:
        self._chat.stop_in(session_id)
        if session_id == self._chat.session_id:
            self._left_by_deleting = session_id
            self._show("")

    def _brought_back(self, session_id: str) -> None:
        """What was shown when it was deleted is shown again, unless something else was begun since."""
        chat = self._chat
        if (
            session_id == self._left_by_deleting
            and not chat.session_id
            and not self._window.chat.composer.text().strip()
        ):
            self._show(session_id)

    def _renamed(self, session_id: str, title: str) -> None:
        if session_id == self._chat.session_id:
            self._window.chat.set_title(title)

    def _archived(self, session_id: str, archived: bool) -> None:
        if session_id == self._chat.session_id:
            self.run(self._chat.standing.look_again(), "look what a conversation is")

    def _kept(self, session_id: str) -> None:
        self._conversations.refresh()
        self._window.toast.say(KEPT)
        if session_id == self._chat.session_id:
            self._chat.lasting_id = session_id
        if self._chat.answers_in(session_id):
            # Its last words are still to come.
            self._unfinished.add(session_id)
        else:
            self._index()

    def _turn_ended(self, turn: RunningTurn) -> None:
        if turn.session_id in self._unfinished:
            self._unfinished.discard(turn.session_id)
            self._index()

    def _refused(self) -> None:
        self._offer_keeping(REFUSED)

    def _offer_keeping(self, text: str) -> None:
        session = self._chat.session_id
        self._window.toast.say(text, action="Keep it", on_action=lambda: self._chat.standing.keep(session))
