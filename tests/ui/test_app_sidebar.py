"""The list of conversations in the running window."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QListView

from assistant.core.types import Message
from assistant.memory.learning.base import Utterance
from assistant.ui.models.conversations import ConversationRole, ConversationRow, local_now, with_headings
from tests.chat_server import HANG, ChatServer, Gate, chunk, event, says, streams
from tests.ui.app_fixtures import Running, open_app, until


async def conversation(running: Running, title: str, *messages: str) -> str:
    """A stored conversation; its id."""
    store, owner = running.profile.conversations, running.owner
    session_id = (await store.create(user_id=owner, title=title)).session_id
    for message in messages:
        await store.append(session_id, Message("user", message), user_id=owner)
    await running.app.conversations.load()
    return session_id


def sidebar_list(running: Running) -> QListView:
    found = running.window.sidebar.findChild(QListView)
    assert found is not None
    return found


def titles(running: Running) -> list[str]:
    return [title for _, title in running.window.sidebar.listed()]


def test_conversations_stand_under_the_day_of_their_last_change() -> None:
    now = local_now().replace(year=2026, month=6, day=30, hour=12)
    ages = {"a": 0, "b": 0, "c": 1, "d": 3, "e": 20, "f": 60}
    rows = [ConversationRow(name, name, now - timedelta(days=age)) for name, age in ages.items()]
    pinned = ConversationRow("p", "p", now - timedelta(days=400), pinned=True)
    assert [row.title for row in with_headings([pinned, *rows], now)] == [
        "Pinned", "p", "Today", "a", "b", "Yesterday", "c", "This week", "d", "This month", "e", "May 2026", "f",
    ]  # fmt: skip


async def test_an_empty_list_says_what_will_be_there(qapp: Any, tmp_path: Path) -> None:
    from tests.ui.app_fixtures import text_of

    async with open_app(tmp_path) as running:
        assert "Your conversations will be listed here." in text_of(running.window.sidebar)


async def test_search_finds_words_said_and_opens_at_the_message(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await conversation(running, "Weather", "Rain again")
        lines = (f"Line {n}" for n in range(90))
        boats = await conversation(running, "Boats", "A dinghy is small", *lines)
        running.window.sidebar.searched.emit("dinghy")
        await running.settled()
        assert running.window.sidebar.rows()[0] == "Found"
        hits = sidebar_list(running)
        rect = hits.visualRect(hits.model().index(1, 0))
        QTest.mouseClick(hits.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
        await until(lambda: running.app.chat.session_id == boats, "the conversation is open")
        await running.settled()
        assert running.texts()[0] == "A dinghy is small"
        view = running.window.chat.view
        assert view.in_sight[0] == 0


async def test_search_as_it_is_typed_and_escape_brings_the_list_back(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await conversation(running, "Weather", "Rain again")
        await conversation(running, "Boats", "A dinghy is small")
        running.window.sidebar.focus_search()
        field = running.window.sidebar.focusWidget()
        assert field is not None
        QTest.keyClicks(field, "dinghy")
        await until(lambda: running.window.sidebar.rows() == ["Found", "Boats"], "what was found")
        QTest.keyClick(field, Qt.Key.Key_Escape)
        await until(lambda: running.window.sidebar.rows()[0] == "Today", "the list is back")


async def test_search_for_what_is_nowhere_says_so(qapp: Any, tmp_path: Path) -> None:
    from tests.ui.app_fixtures import text_of

    async with open_app(tmp_path) as running:
        await conversation(running, "Weather", "Rain again")
        running.window.sidebar.searched.emit("zeppelin")
        await running.settled()
        assert "No conversation holds these words." in text_of(running.window.sidebar)


async def test_f2_asks_for_a_new_title(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        QTest.keyClick(running.window, Qt.Key.Key_F2)
        dialog = await running.dialog(QInputDialog)
        assert dialog.textValue() == "Boats"
        dialog.setTextValue("Ships & more")
        dialog.accept()
        await running.settled()
        assert titles(running) == ["Ships & more"]
        assert running.window.chat.title() == "Ships & more"


async def test_a_blank_title_changes_nothing(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        QTest.keyClick(running.window, Qt.Key.Key_F2)
        dialog = await running.dialog(QInputDialog)
        dialog.setTextValue("   ")
        dialog.accept()
        await running.settled()
        assert titles(running) == ["Boats"]


async def test_a_pinned_conversation_stands_on_top(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        old = await conversation(running, "Old")
        await conversation(running, "New")
        running.window.sidebar.pin_requested.emit(old, True)
        await running.settled()
        assert running.window.sidebar.rows() == ["Pinned", "Old", "Today", "New"]
        running.window.sidebar.pin_requested.emit(old, False)
        await running.settled()
        assert running.window.sidebar.rows() == ["Today", "New", "Old"]


async def test_delete_hides_at_once_and_undo_brings_it_back_whole(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        session = running.app.chat.session_id
        QTest.keyClick(sidebar_list(running), Qt.Key.Key_Delete)
        await running.settled()
        assert titles(running) == []
        assert running.items() == []
        assert running.window.toast.text().startswith("Deleted: Boats")
        running.window.toast.trigger()
        await running.settled()
        assert titles(running) == ["Boats"]
        await running.open(session)
        assert running.texts() == ["Boats", "Hello there."]


async def test_delete_is_final_when_its_note_has_gone(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        session = running.app.chat.session_id
        running.window.sidebar.delete_requested.emit(session)
        await running.settled()
        assert await running.profile.conversations.get(session, user_id=running.owner) is not None
        running.window.toast.expire()
        await running.settled()
        assert await running.profile.conversations.get(session, user_id=running.owner) is None


async def test_undoing_the_delete_of_what_is_shown_shows_it_again(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        session, shown = running.app.chat.session_id, running.texts()
        running.window.sidebar.delete_requested.emit(session)
        await running.settled()
        assert running.texts() == []
        running.window.toast.trigger()
        await running.settled()
        assert (running.app.chat.session_id, running.texts()) == (session, shown)


async def test_a_second_delete_leaves_the_first_one_its_time(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        first, second = await conversation(running, "First"), await conversation(running, "Second")
        running.window.sidebar.delete_requested.emit(first)
        await running.settled()
        running.window.sidebar.delete_requested.emit(second)
        await running.settled()
        running.window.toast.trigger()
        await running.settled()
        assert titles(running) == ["Second"]
        running.window.toast.trigger()
        await running.settled()
        assert sorted(titles(running)) == ["First", "Second"]


async def test_after_a_crash_a_deleted_conversation_is_gone_for_good_and_not_opened(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.say("Boats")
            session = running.app.chat.session_id
        async with open_app(tmp_path, server=server, crash=True) as running:
            assert running.app.chat.session_id == session
            running.window.sidebar.delete_requested.emit(session)
            await running.settled()
        async with open_app(tmp_path, server=server) as running:
            assert (titles(running), running.items(), running.app.chat.session_id) == ([], [], "")
            assert await running.profile.conversations.get(session, user_id=running.owner) is None


async def test_deleting_a_conversation_ends_its_reply(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = streams(event(chunk("Once upon")), HANG)
        await running.begin("A story", "Once upon")
        session = running.app.chat.session_id
        await running.open("")
        running.window.sidebar.delete_requested.emit(session)
        await running.quiet()
        await server.chats[0].left.wait()
        running.window.toast.expire()
        await running.settled()
        assert titles(running) == []


async def test_the_conversation_that_was_open_is_open_at_the_next_start(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.say("One")
            one = running.app.chat.session_id
            await running.open("")
            await running.say("Two")
            await running.open(one)
        async with open_app(tmp_path, server=server) as running:
            assert running.texts() == ["One", "Hello there."]
            assert running.window.chat.title() == "One"


# Titles


async def test_a_first_message_that_says_little_is_named_after_its_reply(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("Sourdough needs a warm place. Give it time."))
        await running.say("Hi, can you help me?")
        assert titles(running) == ["Sourdough needs a warm place"]
        assert running.window.chat.title() == "Sourdough needs a warm place"


async def test_a_first_message_that_says_something_keeps_its_title(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("Sourdough needs a warm place."))
        await running.say("Why does my bread not rise?")
        assert titles(running) == ["Why does my bread not rise?"]


async def test_a_title_that_somebody_gave_stays(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        gate = Gate()
        server.answer(says("Sourdough ", "needs a warm place.", gate=gate))
        await running.begin("Hi, can you help me?", "Sourdough")
        running.window.sidebar.rename_requested.emit(running.app.chat.session_id, "Bread")
        await until(lambda: titles(running) == ["Bread"], "the title is given")
        gate.open()
        await running.quiet()
        assert titles(running) == ["Bread"]


async def test_a_reply_that_was_stopped_names_nothing(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = streams(event(chunk("Sourdough needs a warm place.")), HANG)
        await running.begin("Hi, can you help me?", "place.")
        running.app.chat.stop()
        await running.quiet()
        assert titles(running) == ["Hi, can you help me?"]


# Search


async def hits(running: Running, words: str) -> QListView:
    running.window.sidebar.searched.emit(words)
    await running.settled()
    return sidebar_list(running)


async def open_hit(running: Running, place: int) -> str:
    """Click a hit; the id of the message that it names."""
    view = sidebar_list(running)
    index = view.model().index(place, 0)
    message_id = str(index.data(ConversationRole.MESSAGE_ID))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    await until(lambda: running.window.chat.view.pointing.message_id == message_id, "the hit is shown")
    await running.settled()
    return message_id


async def test_a_hit_on_another_branch_shows_that_branch(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("The wallaby hops."), says("The numbat runs."))
        first = await running.say("Animals")
        running.window.chat.view.retry_requested.emit(first.message_id)
        await until(lambda: running.texts()[-1] == "The numbat runs.", "the second reply")
        await running.quiet()
        await running.open("")
        await hits(running, "wallaby")
        found = await open_hit(running, 1)
        assert found == first.message_id
        assert running.texts() == ["Animals", "The wallaby hops."]
        assert (running.items()[1].variant, running.items()[1].variants) == (1, 2)


async def test_the_words_of_a_hit_are_selected_and_in_sight(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        store, owner = running.profile.conversations, running.owner
        session = await conversation(running, "Long", *(f"Line {n}" for n in range(40)))
        long = "A paragraph of a long reply.\n\n" * 80 + "Here is the wallaby.\n\n" + "The end.\n\n" * 40
        await store.append(session, Message("assistant", long), user_id=owner)
        await hits(running, "wallaby")
        message_id = await open_hit(running, 1)
        view = running.window.chat.view
        assert view.selected_text().lower() == "wallaby"
        widget = view.widget(message_id)
        assert widget is not None
        place = widget.find_words("wallaby")
        assert place is not None
        assert 0 < widget.y() + place.top() < view.viewport().height()


async def test_a_hit_in_what_is_folded_away_is_unfolded(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await conversation(running, "Pasted", "\n".join(f"Line {n}" for n in range(200)) + "\nThe wallaby")
        await hits(running, "wallaby")
        await open_hit(running, 1)
        assert running.window.chat.view.selected_text().lower() == "wallaby"


async def test_a_hit_is_pointed_out_until_one_goes_on(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("The wallaby")
        await hits(running, "wallaby")
        # The first row is the title.
        await open_hit(running, len(running.window.sidebar.rows()) - 1)
        await running.say("Go on")
        assert running.window.chat.view.pointing.message_id == ""


async def test_a_snippet_is_shown_as_it_is(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await conversation(running, "Markup", "See <b>wallaby</b> & co")
        view = await hits(running, "wallaby")
        assert view.model().index(1, 0).data(ConversationRole.SNIPPET) == "See <b>wallaby</b> & co"


async def test_a_refresh_does_not_take_the_keyboard_from_its_row(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        for title in ("C", "B", "A"):
            await conversation(running, title, title)
        view = sidebar_list(running)
        view.setFocus()
        view.setCurrentIndex(view.model().index(3, 0))
        await conversation(running, "D", "D")
        assert view.currentIndex().data() == "C"


async def test_what_waits_to_be_read_of_a_deleted_conversation_is_not_read(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("I live in Porto")
        session = running.app.chat.session_id
        running.services.settings.change(memory_extraction=True)
        server.default = streams(HANG)
        learner = await running.services.learner()
        said = Utterance("I live in Porto", datetime.now(UTC), session, running.items()[0].message_id)
        await learner.enqueue(said, user_id=running.owner)
        assert await learner.waiting(user_id=running.owner) == 1
        running.window.sidebar.delete_requested.emit(session)
        await running.settled()
        running.window.toast.expire()
        await running.settled()
        assert await learner.waiting(user_id=running.owner) == 0
