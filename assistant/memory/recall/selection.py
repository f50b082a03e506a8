"""Which of the ranked memories are worth a place in a prompt, and how many of them fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.tokens import estimate_tokens
from assistant.memory.recall.ranking import Scores, best
from assistant.memory.recall.shelf import Shelf
from assistant.memory.recall.windows import Slots

_FACT_FLOOR = 0.3
_TURN_FLOOR = 0.42
"""Evidence (see Scores) below which a memory is taken for noise. Turns need more: there are many more of them, so the
nearest of those that do not fit is nearer. Of 40 requests that no dialogue answers (small talk, code, general
knowledge) seven in eight stay below; of the questions that one answers, one in three hundred."""

_PERSONAL_FLOOR = 0.2
"""What a fact needs when the person asks about themselves: their facts are few, and answer in other words than the
question's ("Where do I live?", "Moved to Porto"). Requests that merely say "I" stay below it."""

_TURN_REST = 0.2
"""Once one turn is above its floor, what others need: the conversation was about it, and the ranking knows more than
the evidence."""

_SHARE_OF_BEST = 0.5
_LINE_TOKENS = 16
"""What the frame of one quoted memory costs: date, source, punctuation."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be injected.

    Attributes:
        place: among the candidates' memories, the caller's.
        content: its text.
        is_turn: something that was said.
        session: the conversation that it was said in, or that a fact was learned in; None for none.
        quote: the words that a fact was taken from, None for none.
    """

    place: int
    content: str
    is_turn: bool
    session: str | None
    quote: str | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """What fits.

    Attributes:
        candidates: in the order given.
        tokens: estimated cost of each.
        left_out: how many fit the query but not the budget.
    """

    candidates: tuple[Candidate, ...]
    tokens: tuple[int, ...]
    left_out: int


def worthwhile(
    shelf: Shelf,
    scores: Scores,
    limit: int,
    *,
    running: str | None = None,
    personal: bool = False,
    said: bool = True,
) -> Slots:
    """The slots of the memories that are worth injecting, best first, without pinned ones.

    A turn is also carried by the evidence of its neighbours. Beside a good match, weak ones are left out.

    Args:
        running: the session that is in the prompt already; its turns are left out.
        personal: the query is about the person who asks.
        said: turns may be used.
    """
    columns = shelf.columns
    here = shelf.said_in(running) if running is not None else np.zeros(shelf.count, np.bool_)
    floor = _PERSONAL_FLOOR if personal else _FACT_FLOOR
    nearby = shelf.windows.best(scores.evidence)
    talk = columns.alive & columns.is_turn & ~here & said
    talked = bool(talk.any()) and float(nearby[talk].max()) >= _TURN_FLOOR
    enough = np.where(columns.is_turn, talked & (nearby >= _TURN_REST), scores.evidence >= floor)
    totals = np.where(enough & ~columns.pinned & ~here, scores.total, np.float32(-np.inf))
    found = best(totals, limit)
    if not len(found):
        return found
    good: Slots = found[totals[found] >= _SHARE_OF_BEST * totals[found[0]]]
    return good


def pinned(shelf: Shelf) -> Slots:
    """The slots of the pinned memories, the newest first."""
    columns = shelf.columns
    found: Slots = np.flatnonzero(columns.alive & columns.pinned)[::-1]
    return found


def fitting(
    candidates: Sequence[Candidate], token_budget: int, cost: Callable[[str], int] = estimate_tokens
) -> Chosen:
    """As many whole candidates as the budget allows, in their order; a long one does not keep out the next.

    Of a fact and the turn that it was taken from only the fact is taken; of equal texts only the first.

    Args:
        token_budget: estimated tokens.
        cost: tokens of a text.
    """
    facts = [candidate for candidate in candidates if not candidate.is_turn]
    chosen: list[Candidate] = []
    tokens: list[int] = []
    seen: set[str] = set()
    left, left_out = token_budget, 0
    for candidate in candidates:
        text = _plain(candidate.content)
        if text in seen or (candidate.is_turn and any(_is_source(candidate, text, fact) for fact in facts)):
            continue
        seen.add(text)
        price = cost(candidate.content) + _LINE_TOKENS
        if price > left:
            left_out += 1
            continue
        left -= price
        chosen.append(candidate)
        tokens.append(price)
    return Chosen(tuple(chosen), tuple(tokens), left_out)


def _is_source(turn: Candidate, text: str, fact: Candidate) -> bool:
    if fact.session is not None and turn.session is not None and fact.session != turn.session:
        return False
    # Without a quote a fact may be the user's own wording of what was said.
    words = _plain(fact.quote or fact.content)
    return bool(words) and words in text


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")
