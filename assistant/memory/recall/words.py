"""Words of a text, for the full-text index and for queries against it.

SQLite's tokenizer splits at spaces. Chinese, Japanese, Thai, Lao, Khmer and Burmese have none, and Korean words end in
particles, so that runs of their characters are written into the index as overlapping pairs, and as single characters
too: a query of one character then finds something. Everything else is left to the tokenizer, which folds cases and
accents and cuts endings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Marks that belong to the letter before them, which Python does not count as parts of a word.
_MARKS = "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
_WORD = re.compile(rf"[^\W_]+(?:{_MARKS}+[^\W_]*)*")
_UNSPACED = re.compile(
    "(["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\uac00-\ud7af"  # Hangul, whose words carry their particles
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # kana, Han
    "\U00020000-\U0003ffff"
    "]+)"
)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_LONGEST = 64
_QUERY_CHARACTERS = 4_000

# Words that say nothing about the subject. Rare words decide anyway; these lists matter while a memory is small
# and nothing in it is frequent yet.
_SILENT = {
    "en": """
        a about after again all also am an and any are as at be been being but by can could did do does doing done
        don for from get got had has have having he her hers him his how i if in into is it its just ll me more most
        my no not now of off oh ok okay on only or our out over own please really s same she should so some such t
        than thank thanks that the their them then there these they this those to too up us ve very was we were what
        when where which while who whom whose why will with would yeah yes you your yours hello hey hi d m re
        didn doesn isn wasn aren weren won wouldn couldn shouldn hasn haven hadn tell say said know let today
        """,
    "de": """
        aber als am an auch auf aus bei bin bist da das dass dein deine dem den der des die dir du ein eine einem
        einen einer er es für habe haben hat ich ihr ihre im in ist ja kann kein keine man mein meine mich mir mit
        nach nein nicht noch nur oder sein seine sich sie sind so und uns von war was wann wenn wer wie wir wird wo
        zu zum zur
        """,
    "fr": """
        ai as au aux avec ce ces cette dans de des du elle en es est et il ils j je l la le les leur ma mais me mes
        moi mon n ne nous on ou où par pas pour qu quand que quel quelle qui sa se ses son sont sur ta te tes toi ton
        tu un une vous
        """,
    "es": """
        al como con cual cuál cuando cuándo de del donde dónde el ella ellos en era es eres esta está este fue ha hay
        la las le lo los me mi mis muy no nos o para pero por que qué quien quién se ser si sí soy su sus te tu tus
        un una unos y ya yo
        """,
    "it": """
        al alla che chi ci come con cosa da dal dei del della di dove e è gli ha ho i il in io la le lo ma me mi mia
        mio ne nel non o per perché più quale quando se sei si sono su sua suo ti tu tua tuo un una uno
        """,
    "pt": """
        ao aos as com como da das de do dos e é ela ele em esta está eu foi há lhe mas me meu minha na nas no nos não
        o onde os ou para por qual quando que quem se seu sou sua são te teu tua tu um uma você
        """,
    "nl": """
        aan als bij ben bent dat de deze die dit een en er had heb hebben heeft het hij hoe ik in is je jij jouw kan
        maar me met mijn na naar niet nog of om ook op over te tot uit van voor waar wanneer was wat we wie wij zijn
        zo
        """,
}
_SILENT_WORDS = frozenset(word for words in _SILENT.values() for word in words.split())
# Particles and question words of scripts without spaces, as pairs.
_SILENT_PAIRS = frozenset(
    {
        "什么",
        "哪里",
        "怎么",
        "多少",
        "时候",
        "是我",
        "我的",
        "你的",
        "です",
        "ます",
        "した",
        "ので",
        "から",
        "何で",
        "ですか",
    }
)


def indexed_words(content: str, speaker: str = "") -> str:
    """What the full-text index gets for a memory: its words, and who said it, separated by spaces."""
    return " ".join(_words(f"{speaker} {content}" if speaker else content, singles=True))


def word_count(indexed: str) -> int:
    """How long a memory is for the ranking, given its `indexed_words`; at least 1."""
    return max(indexed.count(" ") + 1, 1)


def query_words(text: str) -> list[str]:
    """The distinct words of a query that may tell memories apart, in order.

    Words that are in every text are left out; all are taken when nothing else is left. Of a long text (something
    was pasted) the beginning is read.
    """
    found = list(dict.fromkeys(_words(text[:_QUERY_CHARACTERS], singles=False)))
    return [word for word in found if not is_silent(word)] or found


def has_subject(text: str) -> bool:
    """Whether a query says anything that a memory could be about ("ok, thanks" does not)."""
    return any(not is_silent(word) for word in _words(text[:_QUERY_CHARACTERS], singles=False))


def is_silent(word: str) -> bool:
    """Whether a word of a query says nothing about its subject."""
    return word in _SILENT_WORDS or word in _SILENT_PAIRS


def is_pair(word: str) -> bool:
    """Whether a word is a piece of a run of characters without spaces."""
    return _UNSPACED.fullmatch(word) is not None


def _words(text: str, *, singles: bool) -> Iterator[str]:
    folded = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text).casefold())
    for word in _WORD.findall(folded):
        if not _UNSPACED.search(word):
            yield word[:_LONGEST]
            continue
        # Parts of other scripts, and between them the runs that are cut into pairs.
        for place, part in enumerate(_UNSPACED.split(word)):
            if place % 2 == 0:
                if part:
                    yield part[:_LONGEST]
            elif len(part) == 1:
                yield part
            else:
                yield from (part[at : at + 2] for at in range(len(part) - 1))
                if singles:
                    yield from part
