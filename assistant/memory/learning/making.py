"""A learner of the real parts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from assistant.memory.learning.aside import LONG, aside
from assistant.memory.learning.base import Candidate, Consent, Extraction, Judge, Utterance, Verdict

if TYPE_CHECKING:
    from assistant.core.tasks import Supervisor
    from assistant.memory.base import MemoryProvider
    from assistant.memory.learning.gate import Consolidating
    from assistant.memory.learning.learner import Learner, OnLearned
    from assistant.memory.learning.worker import Pace
    from assistant.models.base import ChatModel

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_SAMPLES = (
    "I live in Rome.",
    "Ich wohne in Rom.",
    "J'habite à Rome.",
    "Vivo en Roma.",
    "Abito a Roma.",
    "我住在罗马。",
    "ローマに住んでいます。",
)


def make_learner(
    memory: MemoryProvider,
    model: ChatModel | None,
    *,
    consent: Callable[[], Consent] | Consent,
    on_learned: OnLearned | None,
    tasks: Supervisor,
    enabled: Callable[[], bool] | bool = True,
    pace: Pace | None = None,
) -> Learner:
    """A learner with the rules, with the model as extractor and as judge, and with the real cautions.

    Args:
        memory: stays the caller's to close; may be a deferred one.
        model: stays the caller's to close; None learns by the rules alone. A model on this computer is interrupted
            when a turn begins.
        consent, on_learned, tasks, enabled, pace: see Learner.
    """
    from assistant.memory.caution import cautions
    from assistant.memory.extraction import ModelExtractor, ModelJudge, TogetherExtractor
    from assistant.memory.learning.learner import Learner
    from assistant.memory.learning.queue import HERE
    from assistant.memory.learning.worker import Pace

    return Learner(
        memory,
        rules=RulesAside(),
        model_extractor=None if model is None else ModelExtractor(model),
        consolidator=LateConsolidator(memory),
        together=None if model is None else TogetherExtractor(model),
        judging=None if model is None else LateConsolidator(memory, judge=ModelJudge(model)),
        cautions=cautions,
        consent=consent,
        enabled=enabled,
        on_learned=on_learned,
        prepare=load_word_lists,
        host=None if model is None else model.host,
        steps_aside=model is not None and model.host == HERE,
        tasks=tasks,
        pace=pace or Pace(),
    )


class RulesAside:
    """The rules, an Extractor; a long message is read in a thread."""

    async def extract(self, utterance: Utterance) -> Extraction:
        """See Extractor.extract."""
        from assistant.memory.extraction.rules import RulesExtractor, statements

        if len(utterance.text) <= LONG:
            return await RulesExtractor().extract(utterance)
        return await aside(lambda: statements(utterance))


def load_word_lists() -> None:
    """Load what rules, cautions and consolidation know of languages. Blocks for about a second, once in a process."""
    from assistant.memory.caution import cautions
    from assistant.memory.consolidation import read
    from assistant.memory.extraction.rules import statements

    for text in _SAMPLES:
        statements(Utterance(text, _LONG_AGO))
        cautions(text)
        read(text)


class LateConsolidator:
    """A Consolidator over a memory that may still be opening.

    Args:
        memory: waited for when the first verdict is asked for.
        judge: decides where rules cannot; None leaves it to a person.
    """

    def __init__(self, memory: MemoryProvider, *, judge: Judge | None = None) -> None:
        self._memory = memory
        self._judge = judge
        self._made: Consolidating | None = None

    async def verdict(self, candidate: Candidate, *, user_id: str | None = None) -> Verdict:
        """See Consolidating.verdict."""
        if self._made is None:
            from assistant.memory.consolidation import Consolidator
            from assistant.memory.deferred import opened

            self._made = Consolidator(await opened(self._memory), judge=self._judge)
        return await self._made.verdict(candidate, user_id=user_id)
