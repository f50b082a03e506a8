"""What one language says with small words, and how it states the facts of a life."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

_GROUP = re.compile(r"\(\?P<(\w+)>")
_ENDING = re.compile(r"__\d+$")


@dataclass(frozen=True, slots=True)
class Language:
    """The grammar of one language, as far as statements need it.

    All words are in lower case; patterns are matched against text in lower case without accents, in which one space
    separates words (see reading).

    Attributes:
        name: its tag.
        evidence: small words that tell it.
        silent: words without which a statement says the same.
        copulas: the present tense of "to be".
        mine: "my", in all forms.
        first: the pronouns of who speaks.
        denials: words that turn a statement round, each to "not", "never" or "without".
        ended: words that say that something is over, as pairs of patterns with up to six words between them ("not",
            "any more"); the second is empty where the first says it alone ("no longer"). They become one denial.
        fillers: pattern of words that say nothing about the matter ("now", "by the way").
        forms: other forms of a word, and words of the same sense, each to one of them.
        opposites: groups of words that exclude each other.
        facts: patterns of whole statements (see frames), compiled when the first text of the language is read.
        nouns: what people have one of, each to the name of the attribute.
        joins: words that go on with another clause; no value holds one.
        dot_groups: whether a dot separates thousands, and a comma decimals.
    """

    name: str
    evidence: frozenset[str]
    silent: frozenset[str]
    copulas: frozenset[str]
    mine: frozenset[str]
    first: frozenset[str]
    denials: Mapping[str, str]
    ended: tuple[re.Pattern[str], ...]
    fillers: re.Pattern[str]
    forms: Mapping[str, str]
    opposites: tuple[frozenset[str], ...]
    facts: tuple[str, ...]
    nouns: Mapping[str, str]
    joins: frozenset[str]
    dot_groups: bool = True


def words(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


def classes(text: str) -> Mapping[str, str]:
    """`a b c | d e` as a mapping of each word to the first of its group."""
    groups = [group.split() for group in text.replace("\n", " ").split("|")]
    return MappingProxyType({word: group[0] for group in groups if group for word in group[1:]})


def marked(**groups: str) -> Mapping[str, str]:
    """Each word to the name of its group."""
    return MappingProxyType(
        {word: name.rstrip("_") for name, text in groups.items() for word in text.split()}
    )


def nouns(**groups: str) -> Mapping[str, str]:
    """Noun phrases, separated by commas, to the attribute they name."""
    return MappingProxyType(
        {
            phrase.strip(): name
            for name, text in groups.items()
            for phrase in text.split(",")
            if phrase.strip()
        }
    )


def exclusive(text: str) -> tuple[frozenset[str], ...]:
    """`a b | c d` as groups."""
    return tuple(words(group) for group in text.replace("\n", " ").split("|"))


def phrases(alternatives: Iterable[str]) -> re.Pattern[str]:
    """A pattern of whole words, the longest alternatives first."""
    ordered = sorted((part.strip() for part in alternatives if part.strip()), key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(ordered)})(?!\S)")


def over(*pairs: tuple[str, str]) -> tuple[re.Pattern[str], ...]:
    """Patterns of what says that something is over; group "between" is what stands between the two parts."""
    return tuple(
        re.compile(
            rf"(?<!\S)(?:{first}) (?P<between>(?:\S+ ){{0,6}}?)(?:{last})(?!\S)"
            if last
            else rf"(?<!\S)(?:{first})(?P<between>)(?!\S)"
        )
        for first, last in pairs
    )


def facts(patterns: Sequence[str], **parts: str) -> tuple[str, ...]:
    """Patterns in which <name> stands for a part; each must match a whole statement.

    A group's name may come again: it gets another ending, which `group_name` takes away.
    """
    found = []
    for pattern in patterns:
        text = pattern
        for _ in range(2):
            for name, part in parts.items():
                text = part.join(re.split(rf"(?<!\?P)<{name}>", text))
        found.append(_numbered(text))
    return tuple(found)


def group_name(name: str) -> str:
    """The name of a group as it stands in the pattern."""
    return _ENDING.sub("", name)


def _numbered(pattern: str) -> str:
    """A pattern in which each group has a name of its own."""
    seen: Counter[str] = Counter()

    def another(found: re.Match[str]) -> str:
        name = group_name(found[1])
        seen[name] += 1
        return f"(?P<{name}__{seen[name]}>"

    return _GROUP.sub(another, pattern)
