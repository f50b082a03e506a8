"""Which of the answers that may fit is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from assistant.cache.base import AnswerKeys, CachedAnswer
from assistant.cache.guards import refusal, same_wording
from assistant.cache.reading import Reading, read_question
from assistant.cache.vectors import Similarity


class Chooser:
    """Compares questions: by their normal form, by their words, then by guards and cosine.

    Args:
        similarity: tells the cosine of two questions.
        threshold: the least cosine of two whose difference is more than wording.

    Attributes:
        refused: how often each guard kept two apart.
    """

    def __init__(self, similarity: Similarity, threshold: float) -> None:
        self._similarity = similarity
        self._threshold = threshold
        self.refused: Counter[str] = Counter()

    async def best(
        self,
        question: str,
        reading: Reading,
        exact: str,
        candidates: Iterable[tuple[AnswerKeys, CachedAnswer]],
    ) -> CachedAnswer | None:
        """The answer that fits best, None when none does.

        Args:
            question, reading: what is asked.
            exact: the key of its normal form.
            candidates: exact ones first.

        Raises:
            EmbeddingError: the cosine was needed and can't be had.
        """
        near: list[CachedAnswer] = []
        for keys, answer in candidates:
            if keys.exact == exact:
                return answer
            other = read_question(answer.question)
            if same_wording(other, reading):
                return replace(answer, match="wording")
            slot = refusal(other, reading)
            if slot is None:
                near.append(answer)
            else:
                self.refused[slot] += 1
        return await self._nearest(question, near)

    async def _nearest(self, question: str, near: list[CachedAnswer]) -> CachedAnswer | None:
        best: CachedAnswer | None = None
        for answer in near:
            similarity = min(1.0, await self._similarity.between(answer.question, question))
            if similarity >= self._threshold and (best is None or similarity > best.similarity):
                best = replace(answer, match="semantic", similarity=similarity)
        return best
