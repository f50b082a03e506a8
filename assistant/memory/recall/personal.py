"""Queries about the person who asks: "Where do I live?", "Was ist mein Beruf?" """

from __future__ import annotations

import re
import unicodedata

_ONESELF = re.compile(
    r"\b(?:i|im|i'm|i've|i'd|i'll|me|my|mine|myself|we|us|our|ours"
    r"|ich|mich|mir|mein|meine|meinen|meinem|meiner|meines|wir|uns|unser|unsere|unseren|unserem|unserer"
    r"|je|j|moi|mon|ma|mes|nous|notre|nos"
    r"|yo|mí|mi|mis|mío|mía|nosotros|nosotras|nuestro|nuestra|nuestros|nuestras"
    r"|io|mio|mia|miei|mie|noi|nostro|nostra|nostri|nostre"
    r"|eu|meu|minha|meus|minhas|nós|nosso|nossa"
    r"|ik|mij|mijn|wij|ons|onze"
    r"|я|меня|мне|мой|моя|моё|мои|мы|нас|наш)\b"
    r"|我|咱|私|わたし|僕|ぼく|俺|나는|내가|나의|제가|저는|우리|ฉัน|ผม"
)
_VERBS = re.compile(
    # Spanish, Italian and Portuguese say "I" with the ending of the verb; these are asked about oneself most.
    r"\b(?:vivo|trabajo|tengo|soy|estoy|llamo|nací|prefiero|debo|abito|lavoro|sono|chiamo|preferisco|devo"
    r"|moro|trabalho|tenho|sou|estou|chamo|nasci|prefiro)\b"
)


def asks_about_oneself(query: str) -> bool:
    """Whether a query speaks of the person who asks, in one of the languages that are known here."""
    folded = unicodedata.normalize("NFKC", query).casefold().replace("’", "'")
    return _ONESELF.search(folded) is not None or _VERBS.search(folded) is not None
