"""Whatever is done in whatever order, both stores show the same."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.conversation.base import ConversationStore, StoredMessage
from assistant.core.errors import AssistantError
from assistant.core.types import Message
from tests.unit.conversation_stores import opened

OWNERS = ("alice", "alice\0", "bob")
WORDS = st.sampled_from(["atlas", "Zürich", "日本", "nul\0", "🎉", "", "atlas venus"])
OWNER = st.sampled_from(OWNERS)
PICK = st.integers(0, 30)
STEP = st.one_of(
    st.tuples(st.sampled_from(["create", "create temporary", "keep"]), OWNER, PICK, WORDS),
    st.tuples(
        st.sampled_from(["append", "append after", "branch", "choose", "begin", "begin after"]),
        OWNER,
        PICK,
        WORDS,
    ),
    st.tuples(
        st.sampled_from(
            ["extend", "finish", "annotate", "variants", "rename", "pin", "archive", "delete", "draft"]
        ),
        OWNER,
        PICK,
        WORDS,
    ),
)


@dataclass
class Run:
    """One store and the ids of the messages in it, in the order in which they were made."""

    store: ConversationStore
    messages: list[str] = field(default_factory=list)

    def pick(self, number: int) -> str:
        return self.messages[number % len(self.messages)] if self.messages else "none"

    def named(self, message_id: str | None) -> int:
        return self.messages.index(message_id) if message_id in self.messages else -1

    def seen(self, message: StoredMessage) -> Any:
        """A message with the order of its making in the place of its random id."""
        return (
            self.named(message.message_id),
            self.named(message.parent_id),
            replace(message, message_id="", parent_id=None),
        )

    async def do(self, step: tuple[str, str, int, str]) -> Any:
        kind, owner, number, text = step
        session, store = f"s{number % 3}", self.store
        calls: dict[str, Callable[[], Awaitable[Any]]] = {
            "create": lambda: store.create(user_id=owner, title=text, session_id=session),
            "create temporary": lambda: store.create(
                user_id=owner, title=text, session_id=session, temporary=True
            ),
            "keep": lambda: store.keep(session, user_id=owner),
            "append": lambda: store.append(session, Message("user", text), user_id=owner),
            "append after": lambda: store.append(
                session, Message("user", text), user_id=owner, after=self.pick(number)
            ),
            "branch": lambda: store.branch(session, self.pick(number), Message("user", text), user_id=owner),
            "choose": lambda: store.choose(session, self.pick(number), user_id=owner),
            "variants": lambda: store.variants(session, self.pick(number), user_id=owner),
            "begin": lambda: store.begin_reply(session, user_id=owner),
            "begin after": lambda: store.begin_reply(session, user_id=owner, after=self.pick(number)),
            "extend": lambda: store.extend_reply(self.pick(number), text, user_id=owner),
            "finish": lambda: store.finish_reply(self.pick(number), user_id=owner),
            "annotate": lambda: store.annotate(self.pick(number), {text: number}, user_id=owner),
            "rename": lambda: store.rename(session, text, user_id=owner),
            "pin": lambda: store.pin(session, number % 2 == 0, user_id=owner),
            "archive": lambda: store.archive(session, number % 2 == 0, user_id=owner),
            "delete": lambda: store.delete(session, user_id=owner),
            "draft": lambda: store.save_draft(session if number % 4 else "", text, user_id=owner),
        }
        try:
            result = await calls[kind]()
        except AssistantError as error:
            return type(error), str(error)
        if isinstance(result, StoredMessage):
            if result.message_id not in self.messages:
                self.messages.append(result.message_id)
            return self.seen(result)
        if isinstance(result, list):
            return [self.seen(message) for message in result]
        return result

    async def view(self) -> Any:
        """All that can be seen."""
        shown: list[Any] = []
        for owner in OWNERS:
            listed = [
                *await self.store.list(user_id=owner),
                *await self.store.list(user_id=owner, archived=True),
                *await self.store.list(user_id=owner, archived=None, temporary=True),
            ]
            lasting = await self.store.list(user_id=owner, archived=None)
            assert {c.session_id for c in listed if not c.temporary} == {c.session_id for c in lasting}
            shown += [owner, listed, await self.store.draft("", user_id=owner)]
            for conversation in listed:
                page = await self.store.messages(conversation.session_id, user_id=owner)
                assert [m.position for m in page.items] == list(range(page.total))
                assert conversation.message_count == page.total
                assert await self.store.get(conversation.session_id, user_id=owner) == conversation
                shown += [self.seen(message) for message in page.items]
                shown.append(await self.store.draft(conversation.session_id, user_id=owner))
            for query in ("atlas", "zurich", "本", "🎉"):
                hits = await self.store.search(query, user_id=owner)
                shown.append(
                    sorted(
                        (
                            h.session_id,
                            self.named(h.message_id),
                            h.snippet,
                            h.position,
                            h.created_at,
                            h.on_path,
                        )
                        for h in hits
                    )
                )
        return shown


class SteppedClock:
    """Stands still during a step."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(STEP, min_size=5, max_size=40))
def test_both_stores_answer_and_show_the_same(steps: list[tuple[str, str, int, str]]) -> None:
    async def compare(folder: Path) -> None:
        clock = SteppedClock()
        async with opened("memory", folder, clock) as first, opened("temporary", folder, clock) as second:
            memory, sqlite = Run(first), Run(second)
            begun = [
                (kind, owner, number, "atlas")
                for owner in OWNERS[:2]
                for number, kind in enumerate(("create", "create", "create temporary"))
            ]
            for step in [*begun, *steps]:
                clock.time += timedelta(seconds=1)
                assert await memory.do(step) == await sqlite.do(step)
            assert await memory.view() == await sqlite.view()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(compare(Path(folder)))
