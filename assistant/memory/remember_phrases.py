"""The words with which people ask to remember something, by language."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lead:
    """How a wish begins.

    Attributes:
        pattern: matched at the start of a sentence; what it matches is not part of the statement.
        is_list: a colon has come, so that all up to the end of the paragraph belongs to the statement;
            otherwise it is the rest of the sentence.
        fact: what the rest must look like to be a statement.
        may_ask: the wish may have the form of a question ("könntest du dir merken, dass …?").
    """

    pattern: re.Pattern[str]
    is_list: bool = False
    fact: re.Pattern[str] = re.compile("")
    may_ask: bool = False


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern in which a space stands for white space and ' for any apostrophe."""
    return re.compile(pattern.replace(" ", r"\s+").replace("'", "['’]"), re.IGNORECASE)


OPENERS = _compiled(
    r"(?:(?:please|pls|plz|okay|ok|hey|hi|hello|oh|so|also|and|now|by the way|btw|thanks|thank you|great|keepsake"
    r"|bitte|hallo|und|übrigens|danke|s'il (?:te|vous) pla[iî]t|stp|svp|merci|bonjour|et"
    r"|por favor|hola|y|gracias|per favore|ciao|e|grazie|olá|oi|obrigad[oa])(?:\s*[,!.;–—]+\s*| ))*"
)
"""What may stand before a wish."""

COURTESY = _compiled(
    r"[\s,，、]+(?:please|pls|okay|ok|thanks|thank you|will you|bitte|danke|ja|stp|svp|s'il (?:te|vous) pla[iî]t"
    r"|merci|d'accord|por favor|gracias|vale|per favore|grazie|obrigad[oa])\s*[.!?]*$"
)
"""What may stand behind it."""

_COLON = r"\s*[:：]"

_EN_VERB = (
    "(?:remember|memori[sz]e|(?:do not|don'?t) forget|(?:make|take) (?:a )?note"
    "|(?:save|add|commit) (?:this )?to (?:your |my )?memory)"
)
_EN_WISH = "(?:i (?:want|need|would like) you to |i'd like you to |make sure (?:to |you ))?"
_EN_ASK = "(?:(?:could|would) you(?: please| kindly)?|(?:can|will) you (?:please|kindly)) "
_EN_EXTRA = "(?: please)?(?: for (?:me|later|the future|next time))?,?"
_EN_THIS = "(?: (?:the following|this|these|this fact|these facts|these things))?"
_EN_AUXILIARY = (
    r"\b(?:is|are|am|was|were|has|have|had|can|can't|cannot|will|won't|would|does|doesn't|do|don't|did|should|must"
    r"|isn't|aren't|wasn't|hasn't|haven't)\b"
)
_EN_VERBS = (
    rf"(?:{_EN_AUXILIARY}|'(?:m|re|ve|ll)\b|\b(?:needs?|likes?|loves?|hates?|wants?|lives?|works?|makes?|gives?|owns?"
    r"|ships?|costs?|means?|starts?|ends?|opens?|closes?|goes|prefers?|uses?|runs?|takes?|comes?|gets?|speaks?|eats?"
    r"|drinks?|moved|became|turns?|belongs?|stays?)\b)"
)
_EN_SUBJECT = (
    "(?:i|i'm|i've|i'll|i'd|my|mine|we|we're|we've|our|you|your|he|he's|his|she|she's|her|it|it's|its|they|they're"
    "|their|the|a|an|this|these|those|there|there's|all|every|everyone|everybody|everything|nobody|nothing|no|some"
    "|most|many|both|each|if|when|whenever|on|in|at|for|after|before|from|until|since|by|next|today|tomorrow)"
)
# "remember that night": no fact, unless something is said about it.
_EN_SCENE = (
    "(?:one|time|times|day|days|night|morning|evening|summer|winter|year|week|weekend|movie|film|song|book|show|game"
    "|episode|scene|party|trip|place|restaurant|guy|girl|man|woman|person|kid|thing|stuff|moment|story|joke|feeling"
    "|photo|picture|conversation|chat|question|answer|part|way)"
)
_EN_CLAUSE = _compiled(
    rf"(?!{_EN_SCENE}\b(?! {_EN_AUXILIARY}))"
    rf"(?:{_EN_SUBJECT}\b|(?-i:[A-ZÀ-Þ0-9\"“«])|[^\x00-\u024f\u2010-\u203a]|(?:\S+ ){{1,5}}{_EN_VERBS})"
)
_EN_OWN = _compiled(rf"(?:i|we) \S+ \S|(?:i|we)'\w+ \S|(?:my|our) .*(?:{_EN_VERBS}|\d|[:=])")

_DE_VERB = (
    "(?:merke? dir|merken sie sich|erinnere? dich|erinnern sie sich|vergiss|vergessen sie|denke?|denken sie|behalte?"
    "|behalten sie|notiere? dir|notieren sie sich|speichere?)"
)
_DE_EXTRA = (
    "(?: (?:bitte|mal|gut|nicht|daran|dran|ab|im (?:kopf|hinterkopf|gedächtnis)|für später"
    "|folgendes|das|dies))*"
)
_DE_ASK = "(?:kannst|könntest|würdest|können|könnten|würden) (?:du dir|sie sich)(?: bitte)? merken"

_FR_VERB = (
    r"(?:souviens[-\s]toi|souvenez[-\s]vous|rappelle[-\s]toi|rappelez[-\s]vous|retiens|retenez|n'oublie pas"
    r"|n'oubliez pas|mémorisez?|gardez? en (?:mémoire|tête)|notez? bien|merci de (?:retenir|mémoriser|noter))"
)
_FR_EXTRA = "(?: (?:bien|ceci|cela|ça|s'il (?:te|vous) pla[iî]t|stp|svp))*,?"
_FR_ASK = (
    r"(?:peux|pourrais|pouvez|pourriez)[-\s](?:tu|vous)(?: s'il (?:te|vous) pla[iî]t)? "
    "(?:retenir|mémoriser|noter)"
)

_ES_VERB = (
    "(?:recuerd[ae]|acu[eé]rdate(?: de)?|no (?:te )?olvides(?: de)?|no (?:se )?olvide(?: de)?|memoriza|apunta|anota"
    "|toma nota(?: de)?|guarda(?: en (?:tu |la )?memoria)?|ten presente)"
)
_ES_EXTRA = "(?: (?:bien|esto|lo siguiente|por favor))*,?"
_ES_ASK = "(?:podrías|podría|puedes por favor|puede por favor)(?: por favor)? (?:recordar|memorizar|guardar)"

_IT_VERB = (
    "(?:ricorda(?:ti)?|si ricordi|non (?:ti )?(?:dimenticare|dimenticarti|scordare|scordarti)|tieni a mente|memorizza"
    "|annota(?:ti)?|appuntati|prendi nota|salva in memoria)"
)
_IT_EXTRA = "(?: (?:bene|questo|quanto segue|per favore))*,?"
_IT_ASK = "(?:potresti|potrebbe|puoi per favore) (?:ricordare|ricordarti|memorizzare|annotare)"

_PT_VERB = (
    "(?:lembre(?:-se)?|lembra(?:-te)?|n[ãa]o (?:se |te )?esque[çc]as?|n[ãa]o (?:se )?esquece|memoriz[ae]|anot[ae]"
    "|guard[ae](?: na memória)?|tome nota)"
)
_PT_EXTRA = "(?: (?:bem|isto|isso|disto|disso|o seguinte|por favor))*,?"
_PT_ASK = "(?:poderias?|pode por favor|podes por favor) (?:lembrar(?:-se)?|memorizar|guardar|anotar)"

_ZH_VERB = (
    "(?:请|請|麻烦你?|麻煩你?|你要)?(?:帮我|幫我)?"
    "(?:记住|記住|记一下|記一下|记下来|記下來|记下|記下|别忘了|別忘了|不要忘记|不要忘記|不要忘了|请记得|請記得)"
)
# A sentence about something, or about the speaker; not "记住了吗", "记住这首歌" or "别忘了买牛奶".
_ZH_CLAUSE = re.compile(
    "(?![了吗嗎没沒的这這那])(?:(?:我|咱)(?=.{3})|(?=.{4}).*[是有在叫住爱愛喜讨討会會属屬]|(?=.{4}).*(?:不|对|對).*[吃喝用过過能])"
)

LEADS: tuple[Lead, ...] = (
    Lead(_compiled(rf"{_EN_WISH}{_EN_VERB}{_EN_THIS}{_EN_EXTRA}(?:{_COLON}|\s+[–—-] )"), is_list=True),
    Lead(_compiled(f"{_EN_WISH}{_EN_VERB}{_EN_EXTRA} that "), fact=_EN_CLAUSE),
    Lead(_compiled(f"{_EN_ASK}{_EN_VERB}{_EN_EXTRA} that "), fact=_EN_CLAUSE, may_ask=True),
    Lead(
        _compiled(rf"{_EN_WISH}(?:remember|(?:do not|don'?t) forget),? (?=(?:i|we|my|our)\b)"), fact=_EN_OWN
    ),
    Lead(_compiled(r"for (?:future|later) reference\s*[:,] ?(?=(?:i|we|my|our)\b)"), fact=_EN_OWN),
    Lead(_compiled(f"{_DE_VERB}{_DE_EXTRA}{_COLON}"), is_list=True),
    Lead(_compiled(rf"{_DE_VERB}{_DE_EXTRA}\s*,? ?da(?:ss|ß) ")),
    Lead(_compiled(rf"{_DE_ASK}\s*,? ?da(?:ss|ß) "), may_ask=True),
    Lead(_compiled(f"{_FR_VERB}{_FR_EXTRA}{_COLON}"), is_list=True),
    Lead(_compiled(f"{_FR_VERB}{_FR_EXTRA} qu(?:e |')")),
    Lead(_compiled(f"{_FR_ASK}{_FR_EXTRA} qu(?:e |')"), may_ask=True),
    Lead(_compiled(f"{_ES_VERB}{_ES_EXTRA}{_COLON}"), is_list=True),
    Lead(_compiled(f"{_ES_VERB}{_ES_EXTRA} que ")),
    Lead(_compiled(f"¿?{_ES_ASK}{_ES_EXTRA} que "), may_ask=True),
    Lead(_compiled(f"{_IT_VERB}{_IT_EXTRA}{_COLON}"), is_list=True),
    Lead(_compiled(f"{_IT_VERB}{_IT_EXTRA} che ")),
    Lead(_compiled(f"{_IT_ASK}{_IT_EXTRA} che "), may_ask=True),
    Lead(_compiled(f"{_PT_VERB}{_PT_EXTRA}{_COLON}"), is_list=True),
    Lead(_compiled(f"{_PT_VERB}{_PT_EXTRA}(?: de)? que ")),
    Lead(_compiled(f"{_PT_ASK}{_PT_EXTRA}(?: de)? que "), may_ask=True),
    Lead(re.compile(rf"{_ZH_VERB}\s*[:：]"), is_list=True),
    Lead(re.compile(rf"{_ZH_VERB}[，,\s]*"), fact=_ZH_CLAUSE),
    Lead(
        re.compile(
            r"(?:これを?)?(?:覚えておいて|覚えといて|記憶して|メモして)(?:おいて)?(?:ください|下さい|ね)?\s*[:：、，,。]"
        ),
        is_list=True,
    ),
)

_JA_KEEP = (
    "(?:ちゃんと|しっかり|よく|必ず)?(?:覚えておいて|覚えといて|覚えて|記憶しておいて|記憶して|メモしておいて|忘れないで)"
    "(?:ください|下さい|くださいね|ね|ほしい|もらえますか|くれますか|くださいますか)?[。！!？?]*$"
)
JAPANESE = re.compile(
    rf"(?P<fact>.{{3,}}?(?<![のこそあ]))(?:(?:という|っていう|って|との)?(?:こと|事)(?:を|は|も)?|だと|と|って)、?{_JA_KEEP}"
)
"""A Japanese wish: the statement, then that it is to be kept."""

FOLLOW_UP = _compiled(
    r"(?:(?:he|she|it|they|his|her|its|their|er|sie|es|sein|seine|ihr|ihre|il|elle|ils|elles|son|sa|ses|él|ella|ellos"
    r"|ellas|su|sus|lui|lei|suo|sua|ele|ela|eles|elas|seu)(?:'\w+)? |[他她它])"
)
"""How a second sentence begins that says more about the same thing."""
