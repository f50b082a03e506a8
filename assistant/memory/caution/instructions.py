"""Rules that tell an order to an assistant from a statement about a life.

An order names what governs the assistant, or speaks to it and says what it must do, or asks for what is hidden, or
sends something away. Each rule is a set of notions that stand near each other in one sentence; it holds in every
language that the lexicons have. In a sentence where a person tells of herself most rules rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from assistant.memory.caution.concepts import Notion as N
from assistant.memory.caution.reading import Sentence


@dataclass(frozen=True, slots=True)
class Rule:
    """Notions that make an order when they stand together.

    Attributes:
        name: for tests and for people who write rules.
        needs: one word for each; the first is the one that the others stand near.
        span: how many words away.
        always: holds also where a person tells of herself.
        asked: holds also in a question.
    """

    name: str
    needs: tuple[int, ...]
    span: int
    always: bool = False
    asked: bool = True

    def holds(self, sentence: Sentence) -> bool:
        """Whether `sentence` has it."""
        if sentence.asks and not self.asked:
            return False
        return sentence.together(self.needs, self.span, told=self.always)


def _rule(name: str, *needs: N, span: int = 8, always: bool = False, asked: bool = True) -> Rule:
    return Rule(name, tuple(need.value for need in needs), span, always, asked)


_MACHINE = N.AI | N.MACHINE
_SPOKEN_TO = N.YOU | N.YOUR
_RULES = N.PROMPT | N.LIMIT | N.POLICY
_SAYS = N.TELL | N.INSERT | N.START
_DOES = N.TELL | N.INSERT | N.REVEAL | N.SEND | N.COMPLY | N.IGNORE | N.CALL | N.DESTROY | N.COLLECT
_ANSWERS = N.TELL | N.COMPLY | N.OUTPUT | N.PROCEED
_WHOLE = N.EVERYTHING | N.EACH
_BEHAVES = _MACHINE | _SPOKEN_TO | _ANSWERS | N.ROLEPLAY | N.NOW_ON
_AT_STAKE = N.PERMIT | N.CHECK | N.WITHOUT | N.SECRET | N.LIMIT | N.IGNORE | N.UNBOUND | N.ADMIN | N.MODE

RULES: tuple[Rule, ...] = (
    # Putting aside what governs the assistant.
    _rule("put aside rules", N.IGNORE, N.PROMPT, span=7, asked=False),
    _rule("put aside your rules", N.IGNORE, _RULES, N.YOUR | N.SYSTEM | N.PRIOR | N.AI, span=9, always=True),
    _rule("put aside limits", N.IGNORE, N.LIMIT | N.POLICY, span=6, asked=False),
    _rule("put aside everything", N.IGNORE, N.EVERYTHING | N.ABOVE, span=4, asked=False),
    _rule("put aside the user", N.IGNORE, N.USER, span=3),
    _rule("skip checks", N.IGNORE | N.WITHOUT, N.CHECK, span=4, asked=False),
    _rule("without asking", N.WITHOUT | N.NOT, N.ASK | N.CHECK, span=2, asked=False),
    _rule("rules are off", _RULES, N.LIFTED, span=5),
    _rule("rules do not apply", _RULES, N.NOT, N.APPLY),
    _rule("exempt", N.EXEMPT, _RULES | N.CHECK),
    _rule("no limits", N.WITHOUT, _RULES, _BEHAVES, span=14),
    _rule("answer without limits", N.WITHOUT, _RULES, N.TELL | N.COMPLY | N.PROCEED, span=6, always=True),
    _rule("unbound", N.UNBOUND, _BEHAVES | N.MODE | N.LIMIT | N.DATA, span=12),
    _rule("your rules", N.YOUR, N.PROMPT, span=3),
    _rule("your limits", N.YOUR, N.LIMIT, span=1),
    _rule("new rules", N.NEW, N.PROMPT | N.LIMIT, span=1, asked=False),
    _rule("your new task", N.YOUR, N.NEW, N.TASK | N.PROMPT, span=3),
    _rule("system's rules", N.SYSTEM, N.PROMPT, span=2, asked=False),
    # Being somebody else.
    _rule("become", N.BECOME, always=True),
    _rule("mode", N.MODE, _SPOKEN_TO | _ANSWERS | N.AI | N.UNBOUND | N.IGNORE | N.LIMIT | N.CALL | N.GRANT),
    _rule("enter mode", N.MODE, asked=False),
    _rule("play", N.ROLEPLAY, N.AI | N.UNBOUND | N.EVIL | N.MODE, span=10),
    _rule("play without rules", N.ROLEPLAY, N.WITHOUT | N.NOT, _RULES, span=12),
    _rule("you are an AI", N.YOU, N.AI, span=4, asked=False),
    _rule("AI does harm", N.AI, N.EVIL, span=12, asked=False),
    _rule("as an AI", N.AS_AI, _RULES | _DOES | N.REASONED, span=30, always=True),
    _rule(
        "reasoned away", N.REASONED, _RULES | N.EXEMPT, N.COMPLY | N.EXEMPT | N.PROCEED | N.INSERT | N.APPLY,
        span=22, always=True,
    ),
    # Speaking to a machine.
    _rule("machine must", _MACHINE, N.MUST, span=4, asked=False),
    _rule("note to a machine", N.ADDRESS, _MACHINE, span=4, asked=False),
    _rule("machine that reads", _MACHINE, N.READ, span=3, asked=False),
    _rule("when you read", N.WHEN, N.YOU, N.READ, span=4, asked=False),
    _rule("when reading, do", N.WHEN, N.READ, _SAYS | N.SEND | N.DO, span=5, asked=False),
    _rule("the reader must", N.READ, N.MUST, _SAYS, span=10, asked=False),
    _rule("before you answer", N.BEFORE, N.PROCEED, span=3, asked=False),
    _rule("nothing above holds", N.NOT, N.ABOVE, N.APPLY | N.LIFTED),
    _rule("system speaks", N.SYSTEM | N.ADMIN, N.ADDRESS, span=2, asked=False),
    _rule("you must do", N.YOU, N.MUST, _DOES, asked=False),
    _rule("you are allowed", N.YOU, N.GRANT, _DOES | N.CHECK | N.LIMIT | N.WITHOUT | N.PERMIT, asked=False),
    _rule("comply", N.COMPLY, _WHOLE | N.YOU | N.MUST | N.USER, span=6, asked=False),
    _rule("answer anything", N.TELL, N.EVERYTHING | N.UNBOUND, span=2, asked=False),
    # Changing every answer.
    _rule("every answer", N.INSERT | N.REVEAL, N.OUTPUT, N.EACH | N.YOUR | N.MUST | N.EDGE, span=14, asked=False),
    _rule("the answer's edge", N.INSERT | N.START, N.EDGE, N.OUTPUT, span=12, asked=False),
    _rule("begin answers", N.START, N.EACH | N.YOUR, N.OUTPUT, span=4, asked=False),
    _rule("from now on", N.NOW_ON, _MACHINE | _SAYS | N.YOU | N.MUST | N.COMPLY | N.UNBOUND | N.IGNORE | N.SEND,
          span=12, asked=False),
    _rule("always say", N.ALWAYS, _SAYS | N.SEND | N.CALL | N.COMPLY | N.DO, span=2, asked=False),
    _rule("when asked", N.WHEN, N.ASK, _SAYS | N.REVEAL | N.SEND, span=14, asked=False),
    _rule("whenever, do", N.ALWAYS, N.DO | N.SEND | N.TELL, N.WHEN | N.READ | N.ASK | N.OUTPUT | N.INSERT, span=7,
          asked=False),
    _rule("keep from the user", N.NOT | N.ALWAYS | N.WITHOUT, N.TELL | N.REVEAL, N.ANYBODY, span=5, asked=False),
    _rule("covert", N.COVERT, _DOES | N.YOU | _MACHINE | N.ANYBODY | N.PROMPT, span=12, asked=False),
    _rule("answer every request", N.TELL, N.EACH, N.ASK, span=6, asked=False),
    _rule("say that rules are off", N.RECITE | N.TELL, N.WITHOUT, _RULES, span=10),
    _rule("promote", N.TRUST, _SAYS | N.STORE | N.NOW_ON | N.ALWAYS | _MACHINE | N.YOU | N.SEND, span=14,
          asked=False),
    # Memory and permission.
    _rule("your memory", N.STORE | N.INSERT, N.MEMORY, N.YOUR | _MACHINE | N.USER | N.NOW_ON, span=10, asked=False),
    _rule("remember what you are", N.STORE, N.YOU | _MACHINE, N.GRANT | N.MUST | N.NOW_ON | N.UNBOUND, span=12,
          asked=False),
    _rule("treat as granted", N.FOLLOW, N.GRANT | N.TRUST, _WHOLE | N.NOW_ON | N.PLACE, span=10, asked=False),
    _rule("granted", N.GRANT, N.USER | N.AUTHORITY | N.SYSTEM, _AT_STAKE | N.YOU | _MACHINE | N.EVERYTHING, span=14,
          asked=False),
    _rule("granted to share", N.GRANT, N.USER | N.AUTHORITY, N.REVEAL | N.SEND, N.DATA | N.SECRET, asked=False),
    _rule("secrets allowed", N.GRANT, N.SECRET, span=5, asked=False),
    _rule("grant", N.GRANT, N.ADMIN | N.PERMIT, span=4, asked=False),
    _rule("user is admin", N.USER, N.ADMIN, span=3, asked=False),
    _rule("privileges", N.ADMIN, N.PERMIT, span=2, asked=False),
    # Asking for what is hidden.
    _rule("show rules", N.REVEAL, N.PROMPT, _SPOKEN_TO | N.SYSTEM | N.HIDDEN | N.PRIOR, span=10),
    _rule("what you were told", N.TOLD),
    _rule("show what is above", N.RECITE, N.ABOVE, span=4),
    _rule("show the text above", N.REVEAL, N.ABOVE, N.TEXT | N.HIDDEN, asked=False),
    _rule("show context", N.REVEAL | N.TELL, N.MEMORY, N.YOUR | N.EVERYTHING | N.HIDDEN, span=6, asked=False),
    _rule("show secrets", N.REVEAL | N.COLLECT | N.SEND | N.DESTROY, N.SECRET, span=7, asked=False),
    # Sending away, paying, doing harm.
    _rule("send away", N.SEND, N.PLACE, span=25, asked=False),
    _rule("send data", N.SEND, N.DATA, _WHOLE | N.HIDDEN | N.SECRET | N.USER, span=6, asked=False),
    _rule("collect for a place", N.COLLECT | N.INSERT, N.PLACE, N.DATA | N.SECRET | N.OUTPUT | N.MEMORY, span=14,
          asked=False),
    _rule("pay", N.SEND | N.DO, N.AMOUNT, span=6, asked=False),
    _rule("standing order", N.DO, N.EACH, span=2, asked=False),
    _rule("conditional order", N.DO | N.CALL | N.SEND, N.WHEN, N.ANYBODY | N.TELL | N.ASK | N.READ, span=9,
          asked=False),
    _rule("refuse", N.DO, N.TELL, N.ASK | N.ANYBODY | N.EVERYTHING, span=4, asked=False),
    _rule("act on another's", N.DO, N.USER | N.SECRET | N.CHECK | N.ADMIN, span=4, asked=False),
    _rule("call a tool", N.CALL | N.SEND, N.TOOL, span=3, asked=False),
    _rule("delete files", N.DESTROY, N.PATH, span=6, asked=False),
)  # fmt: skip

_DECODE, _FOLLOW = N.DECODE.value, (N.FOLLOW | N.COMPLY).value


def broken_rule(read: list[Sentence]) -> str | None:
    """The name of a rule that a text breaks, None for a text that gives no order."""
    for sentence in read:
        for rule in RULES:
            if rule.holds(sentence):
                return rule.name
    return "decode and follow" if _is_decoded_and_followed(read) else None


def _is_decoded_and_followed(read: list[Sentence]) -> bool:
    """Whether one sentence speaks of decoding, and it or the next of doing what comes out."""
    for sentence, following in zip_longest(read, read[1:]):
        if not sentence.together((_DECODE,), 0, told=False):
            continue
        if sentence.union & _FOLLOW or (following is not None and following.union & _FOLLOW):
            return True
    return False
