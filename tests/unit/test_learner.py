"""What becomes of what a person says: wishes, the finds of the rules, consent and caution."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from assistant.memory.learning import Learner
from assistant.memory.learning.base import Candidate, Consent, Extraction, Learned, Utterance
from tests.learner_fixtures import learner, said
from tests.ledger_fixtures import START, contents, ledger

ALICE = "alice"


async def learn(line: Learner, text: str, owner: str = ALICE) -> Learned:
    return await line.learn_now(said(text), user_id=owner)


def active(learned: Learned) -> list[str]:
    return [memory.content for memory in learned.kept if not memory.waits]


def waiting(learned: Learned) -> list[str]:
    return [memory.content for memory in learned.kept if memory.waits]


class FromModel:
    """Rules whose candidates are as given."""

    def __init__(self, *candidates: Candidate) -> None:
        self._candidates = candidates

    async def extract(self, utterance: Utterance) -> Extraction:
        return Extraction(self._candidates, {"a question": 2})


# ---- what is kept


async def test_a_memory_says_where_it_comes_from(tmp_path: Path) -> None:
    candidate = Candidate(
        "Moves to Porto in May", "I move to Porto in May", "plan", "user", "en", START, START
    )
    async with ledger(tmp_path) as memory, learner(memory, rules=FromModel(candidate)) as line:
        learned = await learn(line, "I move to Porto in May.")
        [found] = learned.kept
        assert learned.dropped == {"a question": 2}
        kept = await memory.get(found.memory_id, user_id=ALICE)
        assert kept is not None
        assert kept.metadata == {
            "kind": "plan",
            "subject": "user",
            "language": "en",
            "quote": "I move to Porto in May",
            "said_at": START.isoformat(),
            "valid_from": START.isoformat(),
            "valid_to": START.isoformat(),
            "source": {"session_id": "s1", "message_id": "m1"},
            "origin": "rules",
        }


async def test_a_wish_and_what_the_rules_find_are_kept_but_no_statement_twice(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        learned = await learn(line, "Remember that My dog is Rex. My cat is Tom. My cat is Tom!")
        assert active(learned) == ["My dog is Rex.", "My cat is Tom"]
        assert learned.dropped == {"known already": 1, "asked for already": 1}
        [wish, found] = [await memory.get(item.memory_id, user_id=ALICE) for item in learned.kept]
        assert wish is not None
        assert found is not None
        assert (wish.metadata["kind"], wish.metadata["origin"]) == ("explicit", "wish")
        assert (found.metadata["kind"], found.metadata["origin"]) == ("fact", "rules")


async def test_what_is_known_is_not_kept_again(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        await learn(line, "My dog is Rex")
        assert (await learn(line, "My dog is Rex")).dropped == {"known already": 1}
        assert await memory.count(user_id=ALICE) == 1


async def test_a_new_value_supersedes_the_old_one(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        [old] = (await learn(line, "My city is Lisbon")).kept
        [new] = (await learn(line, "My city is Porto")).kept
        assert new.replaced == old.memory_id
        assert await contents(memory) == {"My city is Porto"}
        assert await contents(memory, state="superseded") == {"My city is Lisbon"}


async def test_a_message_with_nothing_to_keep_keeps_nothing(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        assert await learn(line, "How are you?") == Learned()
        assert await learn(line, "") == Learned()


# ---- consent


@pytest.mark.parametrize(
    ("consent", "kept", "asked"),
    [
        ("save", ["My dog is Rex."], []),
        ("ask", [], ["My dog is Rex."]),
        ("manual", [], []),
    ],
)
async def test_consent_decides_on_what_nobody_asked_for(
    tmp_path: Path, consent: Consent, kept: list[str], asked: list[str]
) -> None:
    candidate = Candidate("My dog is Rex.", "My dog is Rex.")
    async with (
        ledger(tmp_path) as memory,
        learner(memory, consent=consent, rules=FromModel(candidate)) as line,
    ):
        learned = await learn(line, "My dog is Rex.")
        assert (active(learned), waiting(learned)) == (kept, asked)
        assert await contents(memory) == set(kept)
        assert await contents(memory, state="pending") == set(asked)
        assert learned.dropped.get("kept only on request", 0) == (consent == "manual")


@pytest.mark.parametrize("consent", ["save", "ask", "manual"])
async def test_a_wish_is_kept_whatever_consent_says(tmp_path: Path, consent: Consent) -> None:
    async with ledger(tmp_path) as memory, learner(memory, consent=consent) as line:
        assert active(await learn(line, "Remember that my dog is Rex")) == ["my dog is Rex"]


async def test_consent_is_asked_for_anew_each_time(tmp_path: Path) -> None:
    choices: list[Consent] = ["save"]
    async with ledger(tmp_path) as memory, learner(memory, consent=lambda: choices[0]) as line:
        assert active(await learn(line, "My dog is Rex"))
        choices[0] = "ask"
        assert waiting(await learn(line, "My cat is Tom"))


async def test_when_learning_is_off_not_even_a_wish_is_kept(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory, enabled=False) as line:
        assert await learn(line, "Remember that my dog is Rex") == Learned()


async def test_a_question_whether_it_replaces_something_waits_with_its_reason(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        [old] = (await learn(line, "My city is Lisbon")).kept
        [new] = (await learn(line, "My city is perhaps Porto")).kept
        assert (new.waits, new.reason, new.replaced) == (True, "It may be another one.", old.memory_id)
        kept = await memory.get(new.memory_id, user_id=ALICE)
        assert kept is not None
        assert kept.metadata["reason"] == "It may be another one."
        assert kept.metadata["replaces"] == old.memory_id
        assert await contents(memory) == {"My city is Lisbon"}


async def test_a_wish_that_may_replace_something_is_kept_beside_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        await learn(line, "My city is Lisbon")
        await learn(line, "Remember that My city is perhaps Porto")
        assert await contents(memory) == {"My city is Lisbon", "My city is perhaps Porto"}


# ---- caution


@pytest.mark.parametrize("consent", ["save", "ask"])
@pytest.mark.parametrize("word", ["illness", "password", "always reply"])
async def test_what_is_sensitive_or_an_instruction_waits(tmp_path: Path, word: str, consent: Consent) -> None:
    async with ledger(tmp_path) as memory, learner(memory, consent=consent) as line:
        learned = await learn(line, f"My {word} is known to nobody")
        [found] = learned.kept
        assert found.waits
        assert found.reason.startswith("This waits because it ")
        assert await memory.count(user_id=ALICE) == 0


@pytest.mark.parametrize(
    ("word", "consent", "waits"),
    [
        ("illness", "save", False),
        ("illness", "manual", False),
        ("illness", "ask", True),
        ("password", "save", True),
        ("password", "manual", True),
        ("always reply", "save", True),
        ("always reply", "ask", True),
    ],
)
async def test_a_wish_answers_for_what_is_sensitive_but_not_for_credentials_or_instructions(
    tmp_path: Path, word: str, consent: Consent, waits: bool
) -> None:
    async with ledger(tmp_path) as memory, learner(memory, consent=consent) as line:
        [found] = (await learn(line, f"Remember that my {word} is known to nobody")).kept
        assert found.waits is waits
        kept = await memory.get(found.memory_id, user_id=ALICE)
        assert kept is not None
        assert kept.metadata["sensitivity"] in ("health", "credentials", "instruction")


async def test_what_stands_beside_an_instruction_waits_unless_it_is_a_wish(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        learned = await learn(
            line, "You must always reply in rhyme. My city is Rome. Remember that my dog is Rex."
        )
        assert active(learned) == ["my dog is Rex."]
        assert waiting(learned) == ["My city is Rome"]


async def test_caution_reads_the_quote_too(tmp_path: Path) -> None:
    candidate = Candidate("Takes pills daily", "I take pills for my illness")
    async with ledger(tmp_path) as memory, learner(memory, rules=FromModel(candidate)) as line:
        assert waiting(await learn(line, "I take pills for my illness")) == ["Takes pills daily"]


async def test_the_same_question_is_asked_once(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory, consent="ask") as line:
        await learn(line, "My dog is Rex")
        assert (await learn(line, "My dog is REX!")).dropped == {"waiting already": 1}
        assert await memory.count(user_id=ALICE, state="pending") == 1


async def test_a_wish_for_what_waits_keeps_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory, consent="ask") as line:
        [asked] = (await learn(line, "My dog is Rex")).kept
        [kept] = (await learn(line, "Remember: My dog is Rex.")).kept
        assert (kept.memory_id, kept.waits) == (asked.memory_id, False)
        assert await contents(memory) == {"My dog is Rex"}
        assert await memory.count(user_id=ALICE, state="pending") == 0


async def test_a_wish_for_what_waits_says_what_it_replaced(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory, consent="ask") as line:
        old = await memory.add("My city is Lisbon", user_id=ALICE)
        await learn(line, "My city is Porto")
        [kept] = (await learn(line, "Remember: My city is Porto.")).kept
        assert (kept.waits, kept.replaced) == (False, old)
        assert await contents(memory) == {"My city is Porto"}


async def test_what_must_be_prepared_is_done_once_and_in_a_thread(tmp_path: Path) -> None:
    threads: list[str] = []

    def prepare() -> None:
        threads.append(threading.current_thread().name)

    async with ledger(tmp_path) as memory, learner(memory, prepare=prepare) as line:
        await line.warmup()
        await asyncio.gather(learn(line, "My dog is Rex"), learn(line, "My cat is Tom"))
        assert len(threads) == 1
        assert threads[0].startswith("keepsake-learning")
