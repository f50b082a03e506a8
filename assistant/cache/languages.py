"""What five languages say with small words: denial, times, what a question leans on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.cache.word_lists import word_set


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language that the guards know.

    Attributes:
        name: two letters.
        evidence: small words that tell the language.
        denials: words that turn a statement round.
        dates: names of days and months.
        opens_follow_up: pattern of a beginning that goes on from what was said before.
        points: words that stand for something outside the question.
        moment: pattern of what changes its answer as time goes by.
        courtesy: pattern of words that only ask politely.
    """

    name: str
    evidence: frozenset[str]
    denials: frozenset[str]
    dates: frozenset[str]
    opens_follow_up: re.Pattern[str]
    points: frozenset[str]
    moment: re.Pattern[str]
    courtesy: re.Pattern[str]


ENGLISH = Language(
    "en",
    word_set(
        "the what what's how is are do does did i you my your of to and can which why who when where will would "
        "should with for this that it have has there be not was were an at by from about if or as they best please "
        "explain describe tell give write make"
    ),
    word_set(
        "not no never none nobody nothing nowhere neither nor without cannot can't don't doesn't didn't isn't "
        "aren't wasn't weren't won't wouldn't shouldn't couldn't haven't hasn't hadn't ain't mustn't needn't "
        "unless except hardly barely rarely seldom non"
    ),
    word_set(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
        "august september october november december"
    ),
    re.compile(
        r"^(?:and|but|so|also|then|because|what about|how about|what else|who else|why not|again|another|more|"
        r"continue|go on|elaborate|the (?:first|second|third|last|other|next|former|latter)|same)\b"
        r"|^(?:why|how|when|where|who|how so|which one|how many|how much|since when)\W*$"
    ),
    word_set("this these those it he she they him her them former latter above below"),
    re.compile(
        r"\b(?:today|tonight|tomorrow|yesterday|nowadays|now(?! that)|currently|latest|newest|recent|recently|upcoming|"
        r"at the moment|so far|ago|these days|the other day|"
        r"(?:this|next|last|past|coming) (?:second|minute|hour|day|week|weekend|month|year|decade|quarter|season|"
        r"morning|afternoon|evening|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|"
        r"autumn|fall|winter|christmas|easter)|"
        r"current (?!account|density|flow|source|divider|transformer|mirror|limit|asset|liabilit)|"
        r"what time is it|what (?:day|date|year|month) is it|"
        r"what(?: is|'s) the (?:time|date|day))\b"
    ),
    re.compile(r"^(?:please|kindly) | (?:please|thanks|thank you)$"),
)
GERMAN = Language(
    "de",
    word_set(
        "der das ist wie was ich und ein eine einen einem nicht mein meine meinen für mit wo wann warum wer den dem "
        "im zu auf kann sind wird werden von bei man mir mich wir sie es zum zur welche welcher welches kein keine "
        "bitte"
    ),
    word_set(
        "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand nirgends nirgendwo ohne weder noch "
        "außer kaum selten nein"
    ),
    word_set(
        "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar jänner februar märz april mai "
        "juni juli august september oktober november dezember"
    ),
    re.compile(
        r"^(?:und|aber|also|oder|dann|weil|was ist mit|wie wäre es mit|warum nicht|nochmal|weiter|mehr)\b"
        r"|^(?:warum|wieso|wie|wann|wo|wer|welche[rs]?|wie viele?)\W*$"
    ),
    word_set("dies dieses diese ihn ihm ihnen davon damit darüber dazu"),
    re.compile(
        r"\b(?:heute|morgen|gestern|übermorgen|vorgestern|jetzt|gerade|aktuell\w*|derzeit\w*|momentan\w*|neueste\w*|"
        r"kürzlich|neulich|zurzeit|vor kurzem|"
        r"(?:diese|nächste|letzte|kommende|vorige|vergangene)[nrms]? (?:woche|monat|jahr|tag|wochenende|quartal|stunde|"
        r"montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|sommer|winter|frühling|herbst)\w*|"
        r"wie spät|wie viel uhr|wieviel uhr|welcher tag ist|welches datum)\b"
    ),
    re.compile(r"\bbitte\b ?|(?: danke)$"),
)
FRENCH = Language(
    "fr",
    word_set(
        "le les est comment que qui je un une des mon ma mes pour pas quel quelle quels quelles dans du au aux sur où "
        "quand pourquoi combien faire puis-je peut-on et avec ce cette sont il elle vous tu qu'est-ce est-ce plaît"
    ),
    word_set("ne pas jamais rien personne aucun aucune sans ni non guère nulle sauf plus point"),
    word_set(
        "lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août "
        "septembre octobre novembre décembre"
    ),
    re.compile(
        r"^(?:et|mais|donc|alors|ou|puis|parce que|pourquoi pas|encore|continue|plus)\b"
        r"|^(?:pourquoi|comment|quand|où|qui|lequel|laquelle|combien)\W*$"
    ),
    word_set("ceci cela ça celui celle ceux celles lui"),
    re.compile(
        r"\b(?:aujourd'hui|demain|hier|maintenant|actuel\w*|récent\w*|en ce moment|ce (?:soir|matin|mois|week-end)|"
        r"cette (?:semaine|année|nuit)|cet (?:après-midi|été|hiver)|"
        r"(?:semaine|mois|année|an|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) (?:dernier|dernière|prochain|"
        r"prochaine|passé|passée)|"
        r"(?:dernier|dernière|prochain|prochaine)s? \w+|quelle heure|quel jour)\b"
    ),
    re.compile(r"\bs'il (?:te|vous) plaît\b ?|(?: merci)$"),
)
SPANISH = Language(
    "es",
    word_set(
        "el los las es cómo qué una mi mis para cuál cuáles por del puedo y con dónde cuándo quién hay está son se lo "
        "tengo puede hacer al sin más su favor"
    ),
    word_set("no nunca jamás nada nadie ningún ninguna ninguno sin ni tampoco salvo excepto apenas"),
    word_set(
        "lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto "
        "septiembre setiembre octubre noviembre diciembre"
    ),
    re.compile(
        r"^(?:y|pero|entonces|o|porque|qué tal|también|por qué no|otra|otro|sigue|continúa|más)\b"
        r"|^(?:por qué|cómo|cuándo|dónde|quién|cuál|cuánto)\W*$"
    ),
    word_set("eso esto aquello esos esas ese esa él ella"),
    re.compile(
        r"\b(?:hoy|mañana|ayer|anoche|ahora|actualmente|reciente\w*|últim[oa]s?|próxim[oa]s?|en este momento|"
        r"est[ae] (?:semana|mes|año|noche|tarde|fin de semana)|(?:semana|mes|año|lunes|martes|miércoles|jueves|viernes|"
        r"sábado|domingo) (?:pasad[oa]|que viene)|qué hora|qué día)\b"
    ),
    re.compile(r"\bpor favor\b ?|(?: gracias)$"),
)
ITALIAN = Language(
    "it",
    word_set(
        "il lo gli è come che di mio mia per cosa quale quali del della dei dove quando perché chi posso e con sono "
        "una si ho fare al nel nella più ci cos'è dov'è qual favore"
    ),
    word_set("non no mai niente nulla nessuno nessuna nessun senza né neanche nemmeno neppure tranne appena"),
    word_set(
        "lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile maggio giugno luglio "
        "agosto settembre ottobre novembre dicembre"
    ),
    re.compile(
        r"^(?:e|ma|allora|o|quindi|poi|anche|perché no|ancora|continua|altro|di più)\b"
        r"|^(?:perché|come|quando|dove|chi|quale|quanto)\W*$"
    ),
    word_set("ciò questo quello questi quelli lui"),
    re.compile(
        r"\b(?:oggi|domani|ieri|stasera|stanotte|adesso|ora|attual\w*|recent\w*|ultim[oaie]|prossim[oaie]|"
        r"in questo momento|"
        r"quest[oa] (?:settimana|mese|anno|sera|mattina|weekend)|quest'anno|(?:settimana|mese|anno|lunedì|martedì|"
        r"mercoledì|giovedì|venerdì|sabato|domenica) scors[oa]|che or[ae]|che giorno)\b"
    ),
    re.compile(r"\bper (?:favore|piacere)\b ?|(?: grazie)$"),
)
LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN)


def language_of(words: Sequence[str]) -> Language | None:
    """The language whose small words are the most among `words`; None when two are even, or there are none."""
    known = Counter(
        {language.name: sum(word in language.evidence for word in words) for language in LANGUAGES}
    )
    (first, most), (_, second) = known.most_common(2)
    if not most or most == second:
        return None
    return next(language for language in LANGUAGES if language.name == first)


def denials(words: Iterable[str]) -> list[str]:
    """The words that deny, in any of the languages, in their order; "don't" and "cannot" as "not"."""
    found = [word for word in words if any(word in language.denials for language in LANGUAGES)]
    return ["not" if word.endswith("n't") or word == "cannot" else word for word in found]


def depends_on_the_moment(text: str) -> bool:
    """Whether the answer to `text` (in lower case) changes as time goes by, as far as its words tell."""
    return any(language.moment.search(text) for language in LANGUAGES)
