"""Small words of several languages, by what they do in a sentence.

Each is written as the tokens of `reading` are: lower case, apostrophes cut ("j'ai" is j and ai, "don't" do and not).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7af]")


def word_set(words: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(words.split())


EVIDENCE: Final = {
    "en": word_set(
        "the i my is are am was have has had do not and to of in that it with for you your we our this he "
        "she her his "
        "they at on from but be would will 's user who every been an"
    ),
    "de": word_set(
        "der die das ich mein meine meinen meiner meinem ist sind bin war habe hat haben nicht und zu von "
        "mit für wir "
        "unser unsere ein eine einen einem einer auf dem den im am mich mir kein keine seit bei nach aber "
        "auch wird "
        "nutzer sich es er heißt gern gerne"
    ),
    "fr": word_set(
        "le la les je j mon ma mes est suis sont ai a pas ne n et de du des un une nous notre nos dans "
        "avec pour sur "
        "que qui il elle m c d l au aux en depuis chez mais utilisateur vais très"
    ),
    "es": word_set(
        "el la los las yo mi mis es soy son tengo tiene no y de del un una nosotros nuestro nuestra en "
        "con para por "
        "que me se al desde pero muy usuario estoy está llamo llama vivo vive gusta gustan hace hijo hija"
    ),
    "it": word_set(
        "il lo la i gli le io mio mia miei mie è sono ho ha non e di del della dei un una noi nostro "
        "nostra in con "
        "per che mi si al da dal ma anche utente sto abito vivo lavoro piace chiamo chiama ci nel nella "
        "faccio"
    ),
    "pt": word_set(
        "o a os as eu meu minha meus minhas é sou são tenho tem não e de do da dos um uma nós nosso nossa "
        "em no na "
        "com para por que me se desde mas muito moro gosto chamo trabalho estou fui meu às aos"
    ),
}
"""Words that tell a language, by its tag."""

NEGATIONS: Final = word_set(
    "not no never none nobody nothing nowhere neither nor without cannot hardly barely rarely seldom "
    "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand nirgends ohne weder kaum "
    "ne n pas jamais rien personne aucun aucune sans ni guère plus "
    "nunca jamás nada nadie ningún ninguna ninguno sin tampoco "
    "non mai niente nulla nessuno nessuna nessun senza né neanche nemmeno neppure "
    "não nem nenhum nenhuma ninguém sem "
    "不 没 沒 无 無 未 别 別 非 ない"
)
"""Words that deny. French "plus" and "personne" are among them; they must be kept as well."""

DATE_WORDS: Final = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august "
    "september october november december today tomorrow yesterday tonight weekend "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag januar jänner februar märz mai juni juli "
    "oktober "
    "dezember heute morgen gestern wochenende "
    "lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août "
    "septembre "
    "octobre novembre décembre demain hier "
    "lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio "
    "agosto "
    "septiembre noviembre diciembre hoy mañana ayer "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio aprile maggio giugno "
    "luglio settembre "
    "ottobre dicembre oggi domani ieri "
    "janeiro fevereiro março maio junho julho setembro outubro dezembro hoje amanhã ontem "
    "last next ago since until letzte nächste seit bis dernier dernière prochain prochaine depuis pasado "
    "pasada "
    "próximo próxima desde hasta scorso scorsa prossimo prossima"
)
"""Names of days and months, and words that place something in time."""

FIRST_SUBJECT: Final = word_set("i we ich wir je j nous yo nosotros nosotras io noi eu nós 我 私 僕 俺 咱")
FIRST_POSSESSIVE: Final = word_set(
    "my our mein meine meinen meinem meiner meines unser unsere unseren unserem unserer mon ma mes notre "
    "nos mi mis "
    "nuestro nuestra nuestros nuestras mio mia miei mie nostro nostra nostri nostre meu minha meus minhas "
    "nosso nossa"
)
FIRST_OBJECT: Final = word_set("me us mich mir uns m moi nos mi ci")
"""How people speak of themselves."""

THIRD_SUBJECT: Final = word_set("he she they er il elle él ella lui lei egli ele ela")
THIRD_POSSESSIVE: Final = word_set(
    "his her their sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer son sa ses su sus suo sua "
    "suoi sue seu"
)
THIRD_OBJECT: Final = word_set("him her them s se si sich le les lo la gli ihm ihn")
USER_NOUNS: Final = word_set(
    "user nutzer nutzerin benutzer benutzerin utilisateur utilisatrice usuario usuaria utente"
)
USER_ARTICLES: Final = word_set("the der die l el la lo il o a")
"""How a statement speaks of the one who said it."""

UNRESOLVED: Final = {
    "en": word_set("he she it they this that these those his her its their him them there here"),
    "de": word_set("er sie dies dieser diese dieses sein seine ihr ihre ihm ihn ihnen dort"),
    "fr": word_set("il elle ils elles ce c cela ça ceci son sa ses leur leurs lui"),
    "es": word_set("él ella ello ellos ellas eso esto aquello su sus"),
    "it": word_set("lui lei loro ciò questo quello suo sua suoi sue"),
    "pt": word_set("ele ela eles elas isso isto aquilo seu sua seus suas"),
    "zh": word_set("他 她 它 这 這 那"),
    "ja": word_set("彼 そ こ あ"),
}
"""Beginnings that point at something said elsewhere."""

SECOND_PERSON: Final = {
    "en": word_set("you your yours yourself"),
    "de": word_set("du dir dich dein deine deinen deinem deiner euch euer"),
    "fr": word_set("tu toi ton vous votre vos t te"),
    "es": word_set("tú tu tus ti usted ustedes te"),
    "it": word_set("tu tuo tua tuoi tue ti te voi vostro"),
    "pt": word_set("você vocês tu teu tua ti te"),
    "zh": word_set("你 您"),
    "ja": word_set("あなた"),
}
"""Words that speak to the assistant."""

COORDINATORS: Final = word_set("and but so und aber et mais donc y e pero ma però mas also")
"""Words between two clauses, each of which says something by itself."""

AFTER_CLAUSE: Final = COORDINATORS | word_set(
    "because since weil da denn parce car puisque porque pues ya perché poiché quindi pois although "
    "though obwohl "
    "which who where die der das qui que che"
)
"""Words before which a clause may end, where a comma stands or the word joins clauses."""

JOINS_WITHOUT_COMMA: Final = COORDINATORS - {"so", "also"} | word_set("because weil parce car porque perché")

CONDITIONS: Final = word_set(
    "if unless until till when whenever only except provided wenn falls sofern solange außer bis nur "
    "si sauf tant quand lorsque jusqu seulement cuando salvo excepto hasta solo sólo mientras se quando "
    "tranne "
    "finché fino caso exceto até or oder ou o not nicht non pas no rather instead although"
)
"""Words after a comma that change what was said before it."""

SUBORDINATORS: Final = word_set("that dass daß que qu che ob if wenn falls whether si se als as")
SPEECH: Final = word_set(
    "say says said tell tells told claim claims claimed write writes wrote think thinks thought believe "
    "believes "
    "reads read ask asks asked sagt sagte sagen meint meinte schreibt schrieb behauptet erzählt fragt "
    "fragte dit disait "
    "disent écrit prétend raconte demande dice dijo dicen escribe escribió afirma cree pregunta detto "
    "disse dicono glaube denke vermute hoffe schätze crois pense suppose creo pienso supongo credo penso "
    "suppongo acho guess imagine doubt hope "
    "scrive scritto sostiene chiede diz disseram escreve 说 說 言"
)
"""Words with which somebody else's words are given."""

FILLERS: Final = word_set(
    "also really actually very quite totally absolutely strongly basically honestly truly auch wirklich eigentlich "
    "sehr ja halt aussi vraiment très también realmente muy anche davvero molto também mesmo muito"
)
"""Words that may be left out without changing what is said."""

OPENING_WORDS: Final = word_set(
    "oh ah well hi hello hey btw fyi ok okay yes yeah actually honestly hallo hi übrigens ja nun also "
    "salut bonjour bon "
    "alors oui bref hola bueno pues sí ciao allora beh sì olá oi bom sim"
)
"""Words at the head of a sentence that belong to no statement."""

NUMBER_WORDS: Final = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
    "zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "sieben": "7", "acht": "8", "neun": "9",
    "zehn": "10", "elf": "11", "zwölf": "12", "zwanzig": "20", "dreißig": "30", "vierzig": "40",
    "deux": "2", "trois": "3", "quatre": "4", "cinq": "5", "six": "6", "huit": "8", "neuf": "9", "dix": "10",
    "onze": "11", "douze": "12", "vingt": "20", "trente": "30", "quarante": "40",
    "dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7", "ocho": "8", "nueve": "9",
    "diez": "10", "doce": "12", "veinte": "20", "treinta": "30", "cuarenta": "40",
    "due": "2", "tre": "3", "quattro": "4", "cinque": "5", "sette": "7", "otto": "8", "nove": "9", "dieci": "10",
    "dodici": "12", "venti": "20", "trenta": "30", "quaranta": "40",
    "dois": "2", "duas": "2", "três": "3", "quatro": "4", "sete": "7", "oito": "8", "dez": "10",
}  # fmt: skip
"""Numbers in words as they count in a comparison."""


def languages_of(values: Sequence[str], *, slack: int = 0) -> tuple[str, ...]:
    """The tags of the languages that some tokens may be in, those with the most evidence first.

    Args:
        values: the tokens' values.
        slack: how many words of evidence less than the most are enough.
    """
    joined = "".join(values)
    if _KANA.search(joined):
        return ("ja",)
    if _HANGUL.search(joined):
        return ("ko",)
    counts = {tag: sum(value in words for value in values) for tag, words in EVIDENCE.items()}
    most = max(counts.values())
    if _HAN.search(joined) and len(_HAN.findall(joined)) > most:
        return ("zh",)
    if most <= slack and not slack:
        return ()
    near = (tag for tag, count in counts.items() if count >= most - slack)
    return tuple(sorted(near, key=lambda tag: -counts[tag]))


def language_of(values: Sequence[str]) -> str | None:
    """The tag of the language of some tokens, None when it can't be told."""
    found = languages_of(values)
    return found[0] if len(found) == 1 else None
