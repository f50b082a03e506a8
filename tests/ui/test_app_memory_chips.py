"""What is said under messages about the memories that came from them, in the running window."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.memory.learning.base import Learned, LearnedMemory, Utterance
from assistant.ui.models.messages import MessageItem, RememberedFact
from assistant.ui.windows.dialogs import MemoryDialog
from tests.chat_server import ChatServer
from tests.ui.app_fixtures import Running, click, open_app, until
from tests.ui.memory_steps import chips, entry, noted, press_button, propose, said_in, say_turn


async def tell(running: Running, owner: str, utterance: Utterance, learned: Learned) -> None:
    """Tell the window, and wait for what comes of it."""
    for listener in running.told:
        listener(owner, utterance, learned)
    await running.settled()


async def learn(running: Running, session: str, message: str, *memories: LearnedMemory) -> None:
    """What the background learner tells once it has read a message."""
    utterance = Utterance("what was said", datetime.now(UTC), session, message)
    await tell(running, running.owner, utterance, Learned(memories))


async def test_a_rule_keeps_a_fact_from_a_turn_and_its_pill_can_edit_and_undo_it(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("My sister lives in Lund.")
        (chip,) = chips(running)
        assert said_in(chip).startswith("Remembered: My sister lives in Lund")
        assert list(chip.buttons) == ["undo", "edit"]
        chip.buttons["edit"].click()
        dialog = await running.dialog(MemoryDialog)
        dialog.set_text("My sister lives in Malmö")
        click(dialog, "Save")
        await running.settled()
        (chip,) = chips(running)
        assert said_in(chip) == "Remembered: My sister lives in Malmö"
        await press_button(running, chip.undo_button)
        assert await running.kept() == []
        assert said_in(chips(running)[0]) == "Not kept: My sister lives in Malmö"


async def test_what_must_be_asked_is_asked_under_the_reply_and_yes_keeps_it(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, memory_consent="ask") as running:
            await running.say("My sister lives in Lund.")
            (chip,) = chips(running)
            assert said_in(chip).startswith("Remember this? My sister lives in Lund")
            assert await running.kept() == []
        async with open_app(tmp_path, server=server) as running:
            (chip,) = chips(running)
            await press_button(running, chip.buttons["accept"])
            assert len(await running.kept()) == 1
            assert said_in(chips(running)[0]).startswith("Remembered: My sister")


async def test_no_under_the_reply_drops_it_and_stays_said_after_a_restart(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, memory_consent="ask") as running:
            await running.say("My sister lives in Lund.")
            await press_button(running, chips(running)[0].buttons["dismiss"])
            assert said_in(chips(running)[0]).startswith("Not kept: My sister")
        async with open_app(tmp_path, server=server) as running:
            assert said_in(chips(running)[0]).startswith("Not kept: My sister")
            assert await running.kept() == []


async def test_what_was_learned_later_is_noted_under_the_users_message_without_a_note_that_pops_up(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "We have moved")
        await running.open(session)
        (kept,) = await running.remember("Moved to Porto.")
        (waiting,) = await propose(running, "Has asthma.")
        await learn(
            running, session, message,
            LearnedMemory(kept, "Moved to Porto."),
            LearnedMemory(waiting, "Has asthma.", waits=True, reason="This waits because it is about health."),
        )  # fmt: skip
        assert [said_in(chip) for chip in chips(running)] == [
            "Remembered: Moved to Porto.",
            "Remember this? Has asthma.",
        ]
        assert running.window.toast.text() == ""
        assert len(await noted(running, message)) == 2


async def test_what_was_learned_from_a_conversation_that_is_not_open_is_noted_there(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "We have moved")
        (kept,) = await running.remember("Moved to Porto.")
        await learn(running, session, message, LearnedMemory(kept, "Moved to Porto."))
        assert chips(running) == []
        await running.open(session)
        assert [said_in(chip) for chip in chips(running)] == ["Remembered: Moved to Porto."]


async def test_what_was_learned_for_somebody_else_or_from_a_deleted_message_is_noted_nowhere(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "We have moved")
        utterance = Utterance("We have moved", datetime.now(UTC), session, message)
        await tell(running, "somebody else", utterance, Learned((LearnedMemory("x", "Moved."),)))
        assert await noted(running, message) == []
        await learn(running, session, "no such message", LearnedMemory("x", "Moved."))


async def test_more_than_two_share_a_pill_that_opens_and_undoes_all(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "A lot of news")
        await running.open(session)
        texts = ("Moved to Porto.", "Prefers trains.", "Wears size 43.")
        ids = await running.remember(*texts)
        await learn(
            running, session, message,
            *(LearnedMemory(key, text) for key, text in zip(ids, texts, strict=True)),
        )  # fmt: skip
        (shared,) = chips(running)
        assert said_in(shared) == "Remembered 3"
        await press_button(running, shared.buttons["fold"])
        await until(lambda: len(chips(running)) == 4, "each of them")
        await press_button(running, chips(running)[0].buttons["undo"])
        assert await running.kept() == []
        await until(lambda: [said_in(chip) for chip in chips(running)] == ["Not kept 3"], "said so")


async def test_a_memory_that_was_decided_on_in_the_panel_is_said_so_in_the_chat(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "We have moved")
        await running.open(session)
        yes, no = await propose(running, "Moved to Porto.", "Has asthma.")
        await learn(
            running, session, message,
            LearnedMemory(yes, "Moved to Porto.", waits=True),
            LearnedMemory(no, "Has asthma.", waits=True),
        )  # fmt: skip
        running.window.memory.accept_requested.emit(yes)
        await running.settled()
        running.window.memory.dismiss_requested.emit(no)
        await running.settled()
        assert [said_in(chip) for chip in chips(running)] == [
            "Remembered: Moved to Porto.",
            "Not kept: Has asthma.",
        ]
        running.window.toast.trigger()
        await running.settled()
        assert said_in(chips(running)[-1]) == "Remember this? Has asthma."
        stored = {note["memory_id"]: note for note in await noted(running, message)}
        assert (stored[yes]["waits"], stored[no]["waits"], stored[no]["undone"]) == (False, True, False)


async def test_what_was_replaced_since_is_said_to_be(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "We have moved")
        (old,) = await running.remember("Lives in Porto.")
        await learn(running, session, message, LearnedMemory(old, "Lives in Porto."))
        await running.profile.memory.supersede(old, "Lives in Braga.", user_id=running.owner)
        await running.open(session)
        await running.settled()
        (chip,) = chips(running)
        assert said_in(chip) == "Replaced since: Lives in Porto."
        assert chip.buttons == {}


async def test_undo_gives_back_what_a_memory_took_the_place_of(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "We have moved")
        await running.open(session)
        (old,) = await running.remember("Lives in Porto.")
        new = await running.profile.memory.supersede(old, "Lives in Braga.", user_id=running.owner)
        assert new is not None
        await learn(running, session, message, LearnedMemory(new, "Lives in Braga.", replaced=old))
        await press_button(running, chips(running)[0].undo_button)
        assert running.memories() == ["Lives in Porto."]
        assert await entry(running, new) is None


async def test_an_undo_can_be_undone_and_both_are_as_before(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "We have moved")
        await running.open(session)
        (old,) = await running.remember("Lives in Porto.")
        told = {"kind": "fact", "replaces": old}
        new = await running.profile.memory.supersede(
            old, "Lives in Braga.", metadata=told, user_id=running.owner
        )
        assert new is not None
        await learn(running, session, message, LearnedMemory(new, "Lives in Braga.", replaced=old))
        await press_button(running, chips(running)[0].undo_button)
        assert running.window.toast.text() == "Not kept: Lives in Braga."
        running.window.toast.trigger()
        await running.settled()
        assert running.memories() == ["Lives in Braga."]
        past = await entry(running, old)
        assert past is not None
        assert past.state == "superseded"


async def test_undo_while_the_reply_is_still_written_is_not_forgotten_at_its_end(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        reply = await running.say("Remember that the boat is called Möwe.")
        (fact,) = reply.remembered
        running.app.memories.changes.take_back(fact.memory_id)
        await running.settled()
        await running.app.chat.notes.keep(
            MessageItem(
                reply.message_id,
                "assistant",
                reply.text,
                remembered=(RememberedFact(fact.memory_id, fact.text),),
            )
        )
        await running.settled()
        assert running.items()[-1].remembered[0].undone


async def test_the_keyboard_stays_at_a_message_whose_memory_was_decided_on(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "We have moved")
        await running.open(session)
        (waiting,) = await propose(running, "Moved to Porto.")
        await learn(running, session, message, LearnedMemory(waiting, "Moved to Porto.", waits=True))
        yes = chips(running)[0].buttons["accept"]
        yes.setFocus()
        yes.click()
        await running.settled()
        focus = running.window.focusWidget()
        assert focus is chips(running)[0].buttons["undo"]
