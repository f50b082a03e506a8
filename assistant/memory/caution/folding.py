"""Different spellings of the same letters made one, so that a rule is written once.

`fold` undoes what changes the look of a text but not what it says to a reader: width, case, accents, characters that
show nothing, letters of another alphabet that look Latin (Unicode TR 39 calls them confusable).
"""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile("[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]+")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_PLACES = re.compile("[\t\x0b\x0c\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_LINES = re.compile("\r\n?|[\x1c-\x1e\x85\u2028\u2029]")

_LOOK_ALIKES = str.maketrans(
    # Cyrillic, Greek, Armenian and small capitals, all after case folding.
    "авеіїјкмнорсстухуԁԛѕѡһӏүґєαβγεηικνορτυχωϲϳօսհցոգаɑᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢıłøđħœæð’‘ʼ＇`´",
    "abeiijkmhopcctyxydqswhlyreabyenikvoptuxwcjouhgnqaaabcdefghijklmnopqrstuvwyzilodhoad''''''",
)
_CYRILLIC_TWINS = frozenset("аеіїјорсухѕһԁԛѡӏүАВЕІЇЈКМНОРСТУХЅҺԀԚԜӀҮ")
_GREEK_TWINS = frozenset("αινορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
_HAS_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f]")
_WORD = re.compile(r"[^\W\d_]{3,40}")
# Between Latin or Cyrillic letters nothing needs a joiner; Persian and Indic scripts and emoji do.
_SPLIT_WORD = re.compile(
    "[A-Za-z\u00c0-\u024f\u0400-\u04ff][\u200b-\u200d\u2060-\u2064\ufeff\u180e\u034f\u115f\u1160\u3164\uffa0]+"
    "[A-Za-z\u00c0-\u024f\u0400-\u04ff]"
)
_REORDERED = re.compile("[\u202d\u202e]")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}")
_TAGS = re.compile("(?<!\U0001f3f4)[\U000e0020-\U000e007e]{2,}(?![\U000e0020-\U000e007f])")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007f]{1,8}")


def fold(text: str) -> str:
    """`text` in one spelling: NFKC, no case, no accents, nothing unseen, look-alikes as Latin letters.

    A line stays a line. Folding twice changes nothing more that a rule could see.
    """
    if not text.isascii():
        text = _UNSEEN.sub("", text)
        text = _LINES.sub("\n", text)
        text = unicodedata.normalize("NFKC", text)
        text = _MARKS.sub("", unicodedata.normalize("NFD", text.casefold())).translate(_LOOK_ALIKES)
        text = unicodedata.normalize("NFC", text)
        return _PLACES.sub(" ", text)
    return _PLACES.sub(" ", _LINES.sub("\n", text.casefold()))


def is_disguised(text: str) -> bool:
    """Whether `text` holds what only serves to show a reader something else than it says: words cut by invisible
    characters, reversed order, invisible letters, words that mix alphabets by letters that look alike."""
    if text.isascii():
        return False
    text = _FLAG.sub("", text)
    if _SPLIT_WORD.search(text) or _REORDERED.search(text) or _SELECTORS.search(text) or _TAGS.search(text):
        return True
    return _HAS_FOREIGN.search(text) is not None and any(
        _mixes_alphabets(word.group()) for word in _WORD.finditer(text)
    )


def invisible_text(text: str) -> str:
    """What the invisible tag characters in `text` spell, empty without any."""
    return "".join(
        chr(ord(character) - 0xE0000)
        for run in _TAGS.finditer(_FLAG.sub("", text))
        for character in run.group()
    )


def _mixes_alphabets(word: str) -> bool:
    latin = sum("A" <= character <= "z" for character in word)
    for twins, first, last in (
        (_CYRILLIC_TWINS, "\u0400", "\u052f"),
        (_GREEK_TWINS, "\u0370", "\u03ff"),
    ):
        foreign = [character for character in word if first <= character <= last]
        # One Greek letter makes a symbol ("πr", "ΔT"), not a disguise.
        if latin and foreign and all(character in twins for character in foreign):
            return first == "\u0400" or (latin >= 2 and len(word) >= 5)
    return False
