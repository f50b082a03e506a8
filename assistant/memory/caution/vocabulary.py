"""All words that the gate knows, ready for look-up."""

from __future__ import annotations

from functools import cache

from assistant.memory.caution import (
    lexicon_cjk,
    lexicon_de,
    lexicon_en,
    lexicon_es,
    lexicon_fr,
    lexicon_it,
    lexicon_more,
    sensitive_words,
)
from assistant.memory.caution.concepts import Vocabulary, compile_vocabulary


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary, made once; nothing changes it afterwards."""
    return compile_vocabulary(
        (
            lexicon_en.ORDERS,
            lexicon_de.ORDERS,
            lexicon_fr.ORDERS,
            lexicon_es.ORDERS,
            lexicon_it.ORDERS,
            lexicon_cjk.ORDERS,
            lexicon_more.ORDERS,
            *sensitive_words.LEXICONS,
        ),
        {**lexicon_de.COMPOUNDS, **sensitive_words.COMPOUNDS},
        lexicon_en.MISTYPED.split(),
    )
