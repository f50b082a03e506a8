"""Keeps what was typed and not sent, for each conversation its own."""

from __future__ import annotations

from collections.abc import Callable

from assistant.core.errors import AssistantError, NoSuchConversationError
from assistant.ui.services import Services
from assistant.ui.widgets.chat.composer import Composer


class DraftKeeper:
    """Between the composer and the kept drafts.

    Args:
        composer: holds the draft of the conversation that is shown.
        services: whose profile keeps the drafts.
        on_failure: is told that a draft could not be kept, None once one could again.
    """

    def __init__(
        self, composer: Composer, services: Services, on_failure: Callable[[AssistantError | None], object]
    ) -> None:
        self._composer = composer
        self._services = services
        self._on_failure = on_failure
        self._session = ""
        self._kept: str | None = None
        self._held: str | None = None
        composer.draft_changed.connect(self._typed_on)

    def typed(self) -> str:
        """The draft of the conversation that is shown, wherever it is just now."""
        return self._composer.text() if self._held is None else self._held

    def hold(self) -> None:
        """What is in the composer from now on is something else; the draft waits."""
        self._held = self._composer.text()
        if self._kept is not None and self._held != self._kept:
            self._start_keeping(self._session, self._held)

    def release(self, more: str = "") -> None:
        """The draft is back in the composer, with `more` that was typed meanwhile."""
        held, self._held = self._held or "", None
        self._composer.set_text(f"{held}\n{more}" if held.strip() and more else held or more)
        if more:
            self._start_keeping(self._session, self._composer.text())

    async def of(self, session_id: str) -> str:
        """The kept draft of a conversation; empty id for the one that does not exist yet."""
        profile = self._services.profile
        return await profile.conversations.draft(session_id, user_id=profile.owner_id)

    def show(self, session_id: str, draft: str) -> None:
        """That conversation is shown from now on. What was typed in the one before is kept there."""
        composer, first = self._composer, self._kept is None
        typed = composer.text()
        if session_id == self._session and not first:
            return
        if first and typed.strip():
            # Typed before the window was complete: nobody loses words for having been quick.
            composer.set_text(f"{draft}\n{typed}" if draft.strip() else typed)
        else:
            if typed != (self._kept or ""):
                self._start_keeping(self._session, typed)
            composer.set_text(draft)
        self._session, self._kept = session_id, draft

    def adopt(self, session_id: str) -> None:
        """The new conversation that is shown has an id now."""
        self._session = session_id

    async def sent(self, text: str, session_id: str, *, was_new: bool) -> None:
        """`text` is a stored message now and no draft any more; what was typed beside it stays.

        Args:
            text: of the message.
            session_id: where it was sent.
            was_new: whether that conversation was made for it.
        """
        if session_id == self._session:
            typed = self.typed()
            if typed.startswith(text):
                self._put(typed[len(text) :].lstrip())
            await self._keep(session_id, self.typed())
            if was_new:
                await self._keep("", "")
            return
        for place in (session_id, "") if was_new else (session_id,):
            if await self.of(place) == text:
                await self._keep(place, "")

    async def flush(self) -> None:
        """Keep what is typed now."""
        typed = self.typed()
        if self._kept is not None and typed != self._kept:
            await self._keep(self._session, typed)

    def forget(self) -> None:
        """Begin anew with an empty composer, after a wipe."""
        self._composer.clear()
        self._held = None
        self._session, self._kept = "", ""

    def _typed_on(self, text: str) -> None:
        if self._held is None:
            self._start_keeping(self._session, text)

    def _put(self, text: str) -> None:
        if self._held is None:
            self._composer.set_text(text)
        else:
            self._held = text

    def _start_keeping(self, session_id: str, text: str) -> None:
        self._services.supervisor.start(self._keep(session_id, text), name="keep draft")

    async def _keep(self, session_id: str, text: str) -> None:
        profile = self._services.profile
        try:
            await profile.conversations.save_draft(session_id, text, user_id=profile.owner_id)
        except NoSuchConversationError:
            return
        except AssistantError as error:
            self._on_failure(error)
            return
        self._on_failure(None)
        if session_id == self._session:
            self._kept = text
