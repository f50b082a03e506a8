"""English questions: ways of asking that change nothing about what is asked.

Every rule turns one wording into another that any answer fits as well. What is left is compared word by word,
so a rule that is missing costs a hit and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from assistant.cache.english_words import SHORT_FORMS, UNIMPORTANT, one_form
from assistant.cache.word_lists import word_set

_Replacement = str | Callable[[re.Match[str]], str]
_Rules = tuple[tuple[re.Pattern[str], _Replacement], ...]

STATEMENT = "statement"
_ASKS = word_set("what who whose whom where when why how opinion")
_ASKS_YES_NO = word_set("be do did was were have had can could will would should may might must shall")
_QUALITIES = ("good", "best")
_MEASURES = (
    "score|age|rate|number|amount|percentage|gpa|price|size|weight|height|temperature|speed|level|pressure|time|grade|"
    "mark|ratio|length|value"
)
_GOOD = rf"(?:good|best)(?! (?:\S+ )?(?:{_MEASURES})s?\b)"
"""A good movie is as well the best; a good score is another number than the best one."""
_PEOPLES = ("ians", "icans", "mans")
_SOME = r"(?:the|an|a|some of the|some of|some|any)"
_ANYBODY = r"(?:i|you|we|one|someone|somebody|people|anyone|a person)"
_AIDE = r"(?:can|could|will|would) (?:you|someone|somebody|anyone|anybody)"
_WAY = r"(?:way|ways|method|methods)"
_STEPS = r"(?:step|steps|procedure|process|trick|tricks)"


def _rules(*rules: tuple[str, _Replacement]) -> _Rules:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_COURTESY = _rules(
    (r"^(?:hi|hello|hey|ok|okay|well)(?: there)? ", ""),
    (rf"^{_AIDE} (?:tell me|explain to me|show me|explain) (?=(?:what|who|where|when|why|how)\b)", ""),
    (r"^(?:tell me|explain to me|show me|explain) (?=(?:what|who|where|when|why|how)\b)", ""),
    (
        rf"^{_AIDE} (?=(?:explain|describe|define|list|name|suggest|recommend|write|translate|summari[sz]e)\b)",
        "",
    ),
    (r"^do (?:you|anyone|anybody|someone) know (?=(?:what|who|where|when|why|how)\b)", ""),
    (r"^i (?:want|would like|need) to know (?=(?:what|who|where|when|why|how)\b)", ""),
    (r"^in your opinion ", ""),
    (r" (?:thanks|thank you)$", ""),
    (r"^(what|who|where|when) ((?!be\b|do\b)\w+(?: (?!be\b|do\b)\S+)*) be$", r"\1 be \2"),
)
_WORDING = _rules(
    (r"\bunited \^?states(?: of america)?\b|\busa\b|\bu\.s(?:\.a)?\b", "^us"),
    (r"\bunited kingdom\b|\bu\.k\b", "uk"),
    (r"\be mail", "email"),
    (r"\bwi fi\b", "wifi"),
    (r"\bweb site", "website"),
    (r"\bcell phone", "mobile phone"),
    (r"\bin order to ", "to "),
    (r"(?<![\d.,])(\d{1,3}),(\d{3})(?![\d,.])", r"\1\2"),
    (r"\$ (\d\S*)", r"\1 dollar"),
    (r"(?:\brs|\binr|₹) (\d\S*)", r"\1 rupee"),
    (r"\bas well as ", "and "),
    (r"\b(?:a lot|lots) of ", "many "),
    (r"\bso (?!far\b|that\b|long\b|many\b|much\b|called\b|as\b|to\b|be\b|do\b)(?=\w)(?<!^so )", ""),
    (r"\b(?:on|over) the (?:internet|web)\b", "online"),
    (r"\b(?:on (?:the )?earth|of the world|on the planet|in the whole world)$", "in the world"),
    (r" of all times?$", " ever"),
    (r"\blearn how to ", "learn to "),
    (r"\bearn(?= (?:\S+ )?money\b)", "make"),
    (r"\badvantages and disadvantages\b", "pros and cons"),
    (r"\bthink about\b", "think of"),
    (r"\bcope with\b", "deal with"),
    (r"\bcoping with\b", "dealing with"),
    (r"\bget over\b", "overcome"),
    (r"\bgetting over\b", "overcoming"),
    (r"\bfigure out\b", "find out"),
    (r"\bget ready for\b", "prepare for"),
    (r"\bsign up for\b", "register for"),
    (r"\blog ?in to\b|\bsign in to\b|\blog into\b|\bsign into\b", "login to"),
    (r"\bdue to\b", "because of"),
    (r"\bmost difficult\b", "hardest"),
    (r"\bmore difficult\b", "harder"),
    (r"\baside from\b", "besides"),
    (r"(?<=book) on\b|(?<=books) on\b|(?<=story) on\b|(?<=stories) on\b|(?<=essay) on\b", " about"),
    (r"(?<=advantages) (?:in|to) (?=\w+ing\b)|(?<=benefits) (?:in|to) (?=\w+ing\b)", " of "),
    (r"(?<=\w) of (?=(?:19|20)\d\d\b)", " in "),
    (r"\b(?:know|tell) if\b", "know if"),
    (r"\bbe there (?=\w)", "be "),
    (r"\b(?:different |various )(?=(?:kind|type|sort)s? of\b)", ""),
    (r"\bthat (?=(?:i|you|we|they|he|she) )", ""),
    (r"^(what .+?) (?:and )?why$", r"\1"),
    (r"\b(?:kind|type|sort)s? of\b", "kind of"),
    (r"\ba (few|little)\b", r"a\1"),
)
_FORMS = _rules(
    (r"^how come ", "why "),
    (rf"^(?:what be )?(?:{_SOME} )?(?:{_GOOD} )?{_WAY} to ", "how to "),
    (rf"^what be (?:{_SOME} )?{_STEPS} to ", "how to "),
    (rf"^what (?:can|could|should|must) {_ANYBODY} do to ", "how to "),
    (rf"^what do {_ANYBODY} (?:need|have) to do to ", "how to "),
    (rf"^what steps (?:can|could|should|must|do) {_ANYBODY} (?:need to )?take to ", "how to "),
    (rf"^how would (?={_ANYBODY} )(?!you )", "how do "),
    (rf"^be (?:(?:a|any|some) )?{_WAY} to ", "be it possible to "),
    (rf"^be it possible for {_ANYBODY} to ", "be it possible to "),
    (r"^what (?:would|will) happen (?:if|when) ", "what if "),
    (r"^what happens (?:if|when) ", "what if "),
    (rf"^what (?:can|could|should|must|do) {_ANYBODY} do (?:if|when) ", "what should do if "),
    (r"^(why|when) do (?:we|people|humans) ", r"\1 do people "),
    (rf"^how (?:do|can|could|should) {_ANYBODY} (?:get|become|be) better ", "how be better "),
    (r"^how to (?:get|become|be) better ", "how be better "),
    (r"^how much time (?=do it take|will it take|would it take)", "how long "),
    (
        rf"^how long (?:do|will|would|can|should) it take (?:(?:for )?(?:{_ANYBODY}|me|us) )?to ",
        "how long take to ",
    ),
    (r"^what do (\S+(?: \S+){0,3}) mean$", r"what be meaning of \1"),
    (r"^what be (?:the )?(?:meaning|definition) of ", "what be meaning of "),
    (r"^what be meant by ", "what be meaning of "),
    (r"^define ", "what be meaning of "),
    (rf"^how do {_ANYBODY} define ", "what be meaning of "),
    (r"^what be (?:your )?(?:opinions?|views?|thoughts?) (?:on|about|of) ", "opinion "),
    (r"^(?:what|how) do you (?:think|feel) (?:of|about) ", "opinion "),
    (r"^(?:how|what) do it feel (?:like )?to ", "what be it like to "),
    (r"^how be it to ", "what be it like to "),
    (r"^(what|who|where|when|why|how) do you think (?=(?:be|will|would|can)\b)", r"\1 "),
    (r"^what be (?:the )?causes? of ", "what cause "),
    (r"^what causes ", "what cause "),
    (r"^how much do (.+) cost$", r"what be cost of \1"),
    (r"^what be (?:the )?(?:cost|price) of ", "what be cost of "),
    (r"^what do you call (.+)$", r"what be \1 called"),
    (r"^what be (?:the )?(?:name|word|term) for (.+)$", r"what be \1 called"),
    (r"^(?:how|what) (?:be|make) (.+) different from (.+)$", r"what be difference between \1 and \2"),
    (r"^how do (.+) and (.+) differ$", r"what be difference between \1 and \2"),
    (r"^how do (.+) differ from (.+)$", r"what be difference between \1 and \2"),
    (r"^what be (?:the )?(?:main |major |key )?differences? between ", "what be difference between "),
)
_HEADS = _rules(
    (rf"^(what|who) be {_SOME} ", r"\1 be "),
    (r"^what be most (?=\w+ )", "what be "),
    (rf"^what be {_GOOD} ", "what be good "),
    (rf"^what (\S+) be (?:(?:the|some of the|a) )?{_GOOD}(?= |$)", r"what be good \1"),
    (rf"^what {_GOOD} ", "what be good "),
    (r"^what one be ", "what be "),
    (r"^how become ", "how be "),
    (r"^be (?:any|some|a|an) ", "be any "),
    (r"\b(?:a|an|the) ", ""),
    (r"^(what|who|where|when|why|how) do ", r"\1 "),
)

_PERSONS = {
    "i": 1, "me": 1, "my": 1, "mine": 1, "myself": 1, "you": 2, "your": 2, "yours": 2, "yourself": 2,
    "we": 3, "us": 3, "our": 3, "ours": 3, "ourselves": 3,
}  # fmt: skip
_ONESELF = {
    "i": "oneself", "you": "oneself", "we": "oneself", "my": "", "your": "", "our": "", "one's": "",
    "myself": "self", "yourself": "self", "ourselves": "self", "oneself": "self",
}  # fmt: skip
_STATES = (
    r"(?!(?:feel|think|like|look|know (?!if|how)|see|do|be|have|live|work|want|mean|come|go|remember|love|call)"
    r"\b)"
)
"""What somebody in particular does: "How do you feel" asks whom it is said to."""
_GENERIC = re.compile(
    rf"^(?P<asks>how) (?:do (?P<a>{_ANYBODY}) {_STATES}|(?:can|could|should) (?P<b>{_ANYBODY}) |to )"
    rf"|^(?P<modal>(?:where|when|why|what(?: \S+){{0,3}}?|how (?:much|many|often|long)(?: \S+){{0,2}}?) "
    rf"(?:can|could|should)) (?P<c>{_ANYBODY}) "
)
_EITHER_WAY = re.compile(
    r"^(?P<head>what be difference between|compare|what be better|who be better) "
    r"(?P<a>(?:(?! and | or | vs | versus ).)+?) (?:and|or|vs|versus) (?P<b>(?:(?! and | or | vs | versus ).)+)$"
)


def english_form(words: Sequence[str], names: Collection[str] = ()) -> list[str]:
    """The words of an English question without its wording.

    Args:
        words: as `folded_tokens` gives them.
        names: those of them that are names, which no rule may change.

    Returns:
        What kind of sentence it is, then what is left of it, in its order. Questions of one form have one answer.
    """
    kept = " ".join(
        f"^{word}" if word in names and _would_change(word) else SHORT_FORMS.get(word, word)
        for word in words
        if word not in UNIMPORTANT
    )
    text = _applied(_WORDING, _applied(_COURTESY, kept))
    text = _applied(_FORMS, text)
    kind = _kind(text)
    text = _applied(_HEADS, _of_anybody(text))
    either = _EITHER_WAY.match(text)
    if either:
        text = " ".join((either["head"], *_unordered(either["a"], either["b"])))
    return [kind, *(one_form(word) for word in text.split())]


def _would_change(name: str) -> bool:
    """Whether a rule could make another name of it: "Williams", "Best", "Kid". Peoples ("Germans") may change."""
    return name in _QUALITIES or (one_form(name) != name and not name.endswith(_PEOPLES))


def _applied(rules: _Rules, text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


def _kind(text: str) -> str:
    first = text.split(" ", 1)[0]
    if first in _ASKS:
        return "which"
    return "whether" if first in _ASKS_YES_NO else STATEMENT


def _of_anybody(text: str) -> str:
    """Questions on how anybody does something, whoever is named: I, you, one. Where more than one person is in
    it ("How do I call you?"), or what somebody in particular has, everything stays."""
    match = _GENERIC.match(text)
    if match is None:
        return text
    subject = match["a"] or match["b"] or match["c"]
    rest = text[match.end() :].split(" ")
    persons = {_PERSONS[word] for word in (*rest, subject or "") if word in _PERSONS}
    names_object = not {"me", "us", "mine", "yours", "ours"}.isdisjoint(rest)
    if len(persons) > 1 or names_object or (subject is None and not {"i", "you", "we"}.isdisjoint(rest)):
        return text
    head = match["asks"] or match["modal"].replace("could", "can")
    return " ".join((head, *(kept for word in rest if (kept := _ONESELF.get(word, word)))))


def _unordered(one: str, other: str) -> list[str]:
    """Two that are compared, in one order; "green tea and black tea" as "green and black tea"."""
    *most, last = one.split(" ")
    if most and other.split(" ")[-1] == last and " " in other:
        one, other = " ".join(most), other.rsplit(" ", 1)[0]
        return [*sorted((one, other)), last]
    *most, last = other.split(" ")
    if len(most) == 1 and " " not in one:
        return [*sorted((one, most[0])), last]
    return sorted((one, other))
