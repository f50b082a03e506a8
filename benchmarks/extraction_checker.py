"""Judges whether a stored fact is borne out by the message it came from.

Written apart from the engine and on other means: words, numbers, names and denials are counted, nothing is aligned.
It is meant to be hard to please: what it accepts may still be awkward, what it refuses was not said like that.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter


def _listed(words: str) -> list[str]:
    return words.split()


_SPEAKER = {
    *_listed("the user s is has does his her their he she they them him himself herself"),
    *_listed("der die das nutzer nutzerin hat ist sein seine seinen seinem ihr ihre sich"),
    *_listed("l le la utilisateur utilisatrice a est va fait son sa ses il elle se"),
    *_listed("el usuario usuaria tiene es está va hace su sus se vive"),
    *_listed("il lo utente ha è va fa suo sua suoi sue si dell dall"),
}
_DENIALS = {
    *_listed("not no never none nobody nothing without cannot neither nor hardly"),
    *_listed("nicht kein keine keinen keinem keiner nie niemals nichts ohne weder"),
    *_listed("ne pas jamais rien aucun aucune sans ni"),
    *_listed(
        "nunca jamás nada ningún ninguna sin tampoco non mai niente nessuno nessuna senza né não nem sem"
    ),
}
_BLANKS = re.compile(
    r"\[[A-Z_ ]+\]|<\w+>|\bjohn doe\b|\bn/a\b|\bunknown\b|\bplaceholder\b|lorem ipsum|\.\.\.$", re.I
)
_ORDERS = re.compile(
    r"\b(?:ignore|disregard) (?:all|any|previous)|\bsystem prompt\b|\byou must\b|\balways (?:reply|answer)\b",
    re.I,
)


def complaint(content: str, quote: str, text: str) -> str | None:
    """Why a fact with its quote is not borne out by `text`; None when it is."""
    if not content.strip() or not quote.strip():
        return "empty"
    plain_text, plain_quote = _plain(text), _plain(quote)
    if plain_quote not in plain_text:
        return "the quote is not in the message"
    if _BLANKS.search(content) or _ORDERS.search(content):
        return "a placeholder or an order"
    said, told = _words(quote), _words(content)
    if _denials(said) != _denials(told):
        return "denials differ"
    if Counter(_numbers(content)) != Counter(_numbers(quote)):
        # A statement may be one of several in its quote; then its own numbers must be there.
        if Counter(_numbers(content)) - Counter(_numbers(quote)):
            return "a number was not said"
        if not plain_quote.startswith(_plain(content)[:12].rstrip(".")):
            return "a number is missing"
    names = {word for word in re.findall(r"[^\W\d_]+", text) if word[0].isupper()}
    for word in re.findall(r"[^\W\d_]+", content)[1:]:
        if word[0].isupper() and word not in names and word.lower() not in _SPEAKER:
            return f"a name was not said: {word}"
    for word in told:
        if word not in said and word not in _SPEAKER and not _turned(word, said):
            return f"a word was not said: {word}"
    return _asked(plain_text, plain_quote)


def _asked(text: str, quote: str) -> str | None:
    """Why the sentence of a quote is no statement."""
    at = text.index(quote)
    rest = text[at + len(quote) :]
    end = re.match(r"[^.!?\n]*([.!?]?)", rest)
    if "?" in quote or (end is not None and end[1] == "?" and not quote.rstrip().endswith((".", "!"))):
        return "it was a question"
    begin = max((text.rfind(mark, 0, at) for mark in ".!?\n"), default=-1) + 1
    head = text[begin:at].lower()
    if re.search(
        r"\b(?:if|imagine|pretend|wenn|angenommen|si|imagina|imagine que|se|immagina)\b\W*\w*\W*$", head
    ):
        return "it was only supposed"
    return None


def _turned(word: str, said: list[str]) -> bool:
    """Whether a word is a said one with another ending of at most two letters."""
    word = _bare(word)
    stem = word[: max(3, len(word) - 2)]
    return len(word) > 3 and any(
        _bare(other).startswith(stem) and abs(len(other) - len(word)) <= 2 for other in said
    )


def _bare(word: str) -> str:
    """A word without accents, as some verbs change theirs."""
    return "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    text = re.sub(r"[‘’ʼ]", "'", re.sub(r"[“”„«»]", '"', text))
    return re.sub(r"\s+", " ", text).strip()


def _words(text: str) -> list[str]:
    text = re.sub(r"n't\b", " not", _plain(text).lower().replace("cannot", "can not"))
    return re.findall(r"[^\W\d_]+", text)


def _denials(words: list[str]) -> Counter[str]:
    return Counter(word for word in words if word in _DENIALS)


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:[.,:]\d+)*", text)
