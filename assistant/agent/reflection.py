"""What a conversation established, proposed as facts once it has been left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from assistant.agent.after_hours import AfterHours
from assistant.core.errors import ModelError, NoSuchConversationError

if TYPE_CHECKING:
    from assistant.agent.turn_options import EndedTurn
    from assistant.conversation.base import ConversationStore, StoredMessage
    from assistant.memory.learning.learner import Learner

REFLECTED = "reflected"
"""Metadata of a user's message: what was said up to it has been read together. Stored with it, so that it survives a
restart, holds for each path through it, and goes with its conversation."""

LEFT = 10.0
"""Seconds without a turn after which a conversation that was left is read."""
ALONE = 600.0
"""Seconds without a turn after which a conversation counts as left."""
_RECENT = timedelta(days=7)
_MOST_CONVERSATIONS = 10
_MOST_MESSAGES = 40
_FEWEST_MESSAGES = 2
_PAGE = 100
_MOST_PAGES = 5
_ATTEMPTS = 2


class Reflection:
    """Has the messages of a person in one conversation read together, those that were not read so before.

    Nothing of it is kept silently: what is found is proposed, and waits for the person's word. Temporary conversations
    are left alone.

    Args:
        after_hours: when to read.
        store: where the conversations are.
        owner: whose they are.
        learner: reads them; None for nobody.
        wanted: whether the person wants it.
        steps_aside: whether reading ends when a turn begins (see AfterHours.put).
    """

    def __init__(
        self,
        after_hours: AfterHours,
        *,
        store: Callable[[], ConversationStore],
        owner: Callable[[], str],
        learner: Callable[[], Awaitable[Learner | None]],
        wanted: Callable[[], bool],
        steps_aside: Callable[[], bool],
    ) -> None:
        self._after_hours = after_hours
        self._store = store
        self._owner = owner
        self._learner = learner
        self._wanted = wanted
        self._steps_aside = steps_aside
        self._failures: Counter[str] = Counter()

    def turn_ended(self, turn: EndedTurn) -> None:
        """A conversation in which nothing more is said for ten minutes has been left."""
        if not turn.temporary:
            self._put(turn.session_id, ALONE)

    def left(self, session_id: str) -> None:
        """A conversation has been left for another one."""
        self._put(session_id, LEFT)

    def catch_up(self) -> None:
        """Look for the conversations that were left by the end of an earlier run."""
        if self._wanted():
            self._after_hours.put("look for conversations that were left", self._look, rest=LEFT)

    # ---- inside

    def _put(self, session_id: str, rest: float) -> None:
        if session_id and self._wanted():
            self._after_hours.put(
                f"read {session_id} together",
                partial(self._read, session_id),
                rest=rest,
                steps_aside=self._steps_aside(),
            )

    async def _look(self) -> None:
        since = datetime.now(UTC) - _RECENT
        for conversation in await self._store().list(user_id=self._owner(), limit=_MOST_CONVERSATIONS):
            if conversation.updated_at >= since:
                self._put(conversation.session_id, LEFT)

    async def _read(self, session_id: str) -> None:
        from assistant.memory.learning.base import Utterance

        store, owner = self._store(), self._owner()

        async def still_there() -> bool:
            return await store.get(session_id, user_id=owner) is not None

        known = await store.get(session_id, user_id=owner)
        if known is None or known.temporary or not self._wanted():
            return
        unread = await _unread(store, session_id, owner)
        # A single message has been read by itself, and waits here for others.
        if len(unread) < _FEWEST_MESSAGES:
            return
        learner = await self._learner()
        if learner is None or not learner.reflects:
            return
        # A model elsewhere reads only what was sent there anyway.
        said = [(each, host) for each, host in unread if learner.may_read(host)]
        if len(said) < _FEWEST_MESSAGES:
            return
        utterances = [
            Utterance(each.content, each.created_at, session_id, each.message_id, host) for each, host in said
        ]
        try:
            await learner.reflect(utterances, user_id=owner, still_there=still_there)
        except ModelError as error:
            if not self._gives_up(session_id, error):
                raise
        try:
            await store.annotate(said[-1][0].message_id, {REFLECTED: True}, user_id=owner)
        except NoSuchConversationError:
            return

    def _gives_up(self, session_id: str, error: ModelError) -> bool:
        from assistant.memory.learning.worker import NOT_THERE

        if isinstance(error, NOT_THERE):
            return False
        self._failures[session_id] += 1
        return self._failures[session_id] >= _ATTEMPTS


async def _unread(
    store: ConversationStore, session_id: str, owner: str
) -> list[tuple[StoredMessage, str | None]]:
    """The user's messages on the current path that have not been read together, the newest of them, oldest first, each
    with the host that it was sent to as far as its reply tells."""
    found: list[tuple[StoredMessage, str | None]] = []
    host: str | None = None
    before: int | None = None
    for _ in range(_MOST_PAGES):
        page = await store.messages(session_id, user_id=owner, before=before, limit=_PAGE)
        for stored in reversed(page.items):
            if stored.metadata.get(REFLECTED) is True or len(found) == _MOST_MESSAGES:
                return found[::-1]
            if stored.role == "assistant":
                told = stored.metadata.get("host")
                host = told if isinstance(told, str) else None
            elif stored.role == "user" and stored.content.strip():
                found.append((stored, host))
        if not page.items or page.items[0].position == 0:
            break
        before = page.items[0].position
    return found[::-1]
