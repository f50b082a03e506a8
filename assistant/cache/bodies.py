"""An answer as bytes, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from assistant.cache.base import AnswerKeys, CachedAnswer, KeptAnswer
from assistant.cache.sealing import Sealing
from assistant.storage.moments import from_micros


def packed(question: str, answer: str, used: Sequence[str], sealing: Sealing) -> bytes:
    """The body of an answer, sealed."""
    fields = {"question": question, "answer": answer, "used": list(used)}
    return sealing.seal(json.dumps(fields, ensure_ascii=False).encode("utf-8"))


def unpacked(kept: Iterable[KeptAnswer], sealing: Sealing) -> Iterable[tuple[AnswerKeys, CachedAnswer]]:
    """The answers that can be read; what was sealed otherwise or changed is left out."""
    for entry in kept:
        body = sealing.unseal(entry.body)
        if body is None:
            continue
        try:
            fields = json.loads(body)
            question, answer, used = fields["question"], fields["answer"], tuple(fields["used"])
        except (ValueError, KeyError, TypeError):
            continue
        yield entry.keys, CachedAnswer(answer, question, "exact", 1.0, from_micros(entry.created), used)
