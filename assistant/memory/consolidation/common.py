"""The languages that statements are read in."""

from __future__ import annotations

import re

from assistant.memory.consolidation.asian import script_language
from assistant.memory.consolidation.english import ENGLISH, PROFESSIONS
from assistant.memory.consolidation.french import FRENCH
from assistant.memory.consolidation.french import PROFESSIONS as FRENCH_PROFESSIONS
from assistant.memory.consolidation.german import GERMAN
from assistant.memory.consolidation.german import PROFESSIONS as GERMAN_PROFESSIONS
from assistant.memory.consolidation.italian import ITALIAN
from assistant.memory.consolidation.italian import PROFESSIONS as ITALIAN_PROFESSIONS
from assistant.memory.consolidation.language import nouns
from assistant.memory.consolidation.spanish import PROFESSIONS as SPANISH_PROFESSIONS
from assistant.memory.consolidation.spanish import SPANISH

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN)
BY_NAME = {language.name: language for language in LANGUAGES}

JOBS = {
    "en": PROFESSIONS,
    "de": GERMAN_PROFESSIONS,
    "fr": FRENCH_PROFESSIONS,
    "es": SPANISH_PROFESSIONS,
    "it": ITALIAN_PROFESSIONS,
}

COUNTRIES = frozenset(
    nouns(
        land="portugal,spain,spanien,espagne,españa,spagna,france,frankreich,francia,italy,italien,italie,italia,"
        "germany,deutschland,"
        "allemagne,alemania,germania,austria,österreich,autriche,switzerland,schweiz,suisse,suiza,svizzera,"
        "england,united "
        "kingdom,uk,the uk,scotland,ireland,irland,irlande,irlanda,netherlands,the netherlands,niederlande,"
        "pays-bas,belgium,"
        "belgien,belgique,bélgica,belgio,usa,the usa,us,the us,canada,kanada,mexico,méxico,mexiko,brazil,"
        "brasilien,brésil,"
        "brasil,brasile,argentina,argentinien,chile,japan,japon,japón,giappone,china,chine,cina,india,indien,"
        "inde,australia,"
        "australien,new zealand,sweden,schweden,suède,suecia,svezia,norway,norwegen,norvège,denmark,dänemark,"
        "danemark,finland,"
        "finnland,poland,polen,pologne,polonia,greece,griechenland,grèce,grecia,turkey,türkei,turquie,turquía,"
        "turchia,egypt,"
        "morocco,maroc,marruecos,marocco,europe,europa,日本,中国,美国,韓国,한국,英国,法国,德国"
    )
)
"""Names of lands: who lives in one lives in a town of it too."""

_ENDINGS = {
    "de": re.compile(r"(?:ung|lich|keit|isch)$|[äöüß]"),
    "fr": re.compile(r"(?:euse|eux|ette|ment)$|[èêçœ]"),
    "es": re.compile(r"(?:ado|ido|ción|ciones)$|[ñáíóú]"),
    "it": re.compile(r"(?:zione|zioni|ato|ata|etto)$|[ìò]"),
}
_WORDS = re.compile(r"[^\W\d_]+")


def language_of(folded: str, tag: str | None = None) -> str:
    """The language of a text in lower case: a tag of LANGUAGES, "zh", "ja" or "ko".

    Args:
        tag: what is known of it; decides where the words do not.
    """
    asian = script_language(folded)
    if asian is not None:
        return asian
    found = _WORDS.findall(folded)
    counts = {language.name: sum(word in language.evidence for word in found) for language in LANGUAGES}
    for name, ending in _ENDINGS.items():
        counts[name] += sum(ending.search(word) is not None for word in found)
    if not folded.isascii():
        counts["en"] -= 1
    best = max(counts.values())
    leading = [name for name, count in counts.items() if count == best]
    told = (tag or "").split("-")[0].lower()
    return told if told in leading else leading[0]
