"""What looks like a statement and is none: questions, suppositions, fiction, jokes, commands, blanks."""

from __future__ import annotations

import re


def _compiled(*alternatives: str) -> re.Pattern[str]:
    """A pattern in which a space stands for white space and ' for any apostrophe."""
    joined = "|".join(alternatives).replace(" ", r"\s+").replace("'", "['’]")
    return re.compile(joined, re.IGNORECASE)


_QUESTION = re.compile(r"[?？¿]|[吗嗎呢么][。！!.]*$|(?:です|ます|でしょう|ました|ません)か[。！!.]*$")
_ASKING = _compiled(
    r"^\W*(?:what|who|whom|whose|which|where|why|how|is it|is there|are there|do you|does|did you|can you"
    r"|could you"
    r"|will you|would you|should i|can i|may i|shall i)\b",
    r"^\W*(?:wie|warum|wieso|weshalb|welche[rsnm]?|kannst du|könntest du|kann ich|soll ich|gibt es"
    r"|können sie)\b",
    r"^\W*(?:pourquoi|comment|combien|est-ce que|qu'est-ce|peux-tu|pouvez-vous|pourrais-tu|puis-je"
    r"|dois-je)\b",
    r"^\W*(?:qué|cómo|cuándo|dónde|quién|cuál|cuánt[oa]s?|por qué|puedes|podrías|puedo|debo)\b",
    r"^\W*(?:che cosa|cosa|perché non|quale|quanti|quante|puoi|potresti|posso|devo)\b",
    r"^\W*(?:qual|quais|por que|você pode|podes|poderia|posso)\b",
)
_SUPPOSED = _compiled(
    r"^\W*(?:for (?:example|instance)|e\.g\.|zum beispiel|z\. ?b\.|par exemple|por ejemplo|per esempio"
    r"|ad esempio|por exemplo)\b",
    r"\b(?:what if|as if|if only|if (?:i|we|my|you|he|she|they|it|someone|there)\b|imagin(?:e|ing|ary)"
    r"|suppos(?:e|ing)|let's (?:say|pretend"
    r"|assume|imagine)|assum(?:e|ing)|pretend(?:ing)?|hypothetical(?:ly)?|theoretically|wish (?:i|we"
    r"|my)\b|would be|would have been|in a parallel"
    r"|in my dreams?|i dreamt|i dreamed|had i\b|were i\b|say i\b)",
    r"\b(?:wenn (?:ich|wir|mein\w*|man|es)\b|angenommen|stell dir vor|stellen sie sich vor|nehmen wir an"
    r"|falls|wäre|hätte"
    r"|würde|könnte|hypothetisch|träumte|als ob|im traum)\b",
    r"\b(?:si (?:j|je|nous|mon|ma|on|tu|c)\b|imagin(?:e|ons|ez)|suppos(?:e|ons|ez)|admettons|disons que"
    r"|faisons comme si|comme si|serais|aurais"
    r"|en théorie|j'ai rêvé)\b",
    r"\b(?:si (?:yo|tuviera|fuera|viviera|pudiera|mi|no|me|vivo|tengo|soy)\b|imagin(?:a|emos|ate)"
    r"|imagínate|sup[oó]n(?:gamos)?|digamos que"
    r"|ojalá|como si|sería|tendría|hipotéticamente|soñé)\b",
    r"\b(?:se (?:io|fossi|avessi|vivessi|potessi|mio|mia|non|ho|vivo)\b|immagina(?:re|te|mo)?|supponiamo"
    r"|facciamo finta|mettiamo che|poniamo"
    r"|magari (?:fossi|avessi)|come se|sarei|avrei|in teoria|ho sognato)\b",
    r"\b(?:se (?:eu|fosse|tivesse|morasse|meu|minha)\b|imagine|suponha(?:mos)?|digamos que|oxalá|como se"
    r"|seria|teria)\b",
    r"如果|假如|假设|假設|要是|想象|もし|たとえば|仮に",
)
_FICTION = _compiled(
    r"\b(?:role ?-?play\w*|rollenspiel|jeu de rôle|juego de rol|gioco di ruolo)\b",
    r"\b(?:my|our|the|a) (?:\w+ )?(?:novel|short story|story|screenplay|script|character|protagonist"
    r"|persona|d&d campaign|fan ?fic\w*"
    r"|poem|lyrics|song lyrics)\b",
    r"\b(?:act as|acting as|play the (?:role|part)|you are now|you're now|in character"
    r"|from the perspective of|point of view of)\b",
    r"\b(?:mein(?:e[nms]?)? (?:roman|geschichte|figur|charakter|protagonist\w*|drehbuch)|spiel(?:e"
    r"|en)? (?:die|eine) rolle|aus (?:der )?sicht)\b",
    r"\b(?:mon (?:roman|personnage|héros|scénario)|ma nouvelle(?= littéraire)|mon histoire|joue le rôle"
    r"|du point de vue)\b",
    r"\b(?:mi (?:novela|personaje|protagonista|guion|guión|cuento)|haz(?:te)? (?:de|pasar)"
    r"|desde el punto de vista)\b",
    r"\b(?:(?:il mio|la mia) (?:romanzo|personaggio|protagonista|sceneggiatura|racconto)|fai finta"
    r"|interpreta|dal punto di vista)\b",
    r"\b(?:meu (?:romance|personagem|conto)|finja)\b",
    r"我的小说|角色扮演|小説の|主人公",
)
_JOKE = _compiled(
    r"(?<!\w)/s\b|(?<!\w)/jk\b|\b(?:just kidding|only kidding|kidding|jk|lol|lmao|rofl|haha\w*|not really"
    r"|yeah right|as if|sarcas\w*|ironically)\b",
    r"\b(?:scherz|nur spaß|war (?:nur )?(?:ein )?(?:witz|spaß)|hihi|ironie|als ob)\b",
    r"\b(?:je (?:plaisante|rigole|déconne)|je blague|mdr|ptdr|ironie)\b",
    r"\b(?:es broma|era broma|bromeo|jaja\w*|ironía|es coña)\b",
    r"\b(?:scherzo|scherzavo|sto scherzando|ahah\w*|ironia)\b",
    r"\b(?:brincadeira|brincando|kkk+|rsrs)\b",
    r"\bnot!$|[😂🤣🙃😜😉😏🤪]|开玩笑|冗談",
)
_COMMAND = _compiled(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:all|any|every|everything|previous|prior|above|the"
    r"|your|these|my)\b",
    r"\b(?:system prompt|developer message|previous instructions|new instructions|jailbreak|as an ai)\b",
    r"\b(?:assistant|chatbot|ai model|language model) (?:must|should|shall|will|has to|is to|needs to"
    r"|may)\b",
    r"^\W*(?:please |always |never |from now on,? |bitte |immer |toujours |siempre |sempre )*(?:answer"
    r"|reply|respond|remember|remind|tell|give|"
    r"show|send|write|translate|explain|summari[sz]e|list|make|help|find|use|do not|don't|call|speak|talk"
    r"|act|stop|let me|let's|ensure|output|print|"
    r"return|execute|run the|delete|open the|book|order|buy|check|fix|add|create|set|"
    r"antworte|schreib|schreibe|erkläre|erklär|zeig|zeige|hilf|übersetze|gib|sag|sage|merk|erinnere"
    r"|vergiss|nenne|fasse|"
    r"réponds|répondez|écris|écrivez|explique|expliquez|montre|aide|aidez|traduis|traduisez|donne|donnez"
    r"|dis-moi|rappelle|oublie|"
    r"responde|escribe|explica|explícame|muestra|ayuda|ayúdame|traduce|dame|dime|recuerda|olvida|haz|"
    r"rispondi|scrivi|spiega|spiegami|mostra|aiuta|aiutami|traduci|dammi|dimmi|ricorda|dimentica|fai|"
    r"responda|escreva|explique|mostre|ajude|traduza|lembre|esqueça)\b(?! (?:is|are|was|ist|est|es|è|é)\b)",
    r"\b(?:want|need|would like|'d like|expect|ask|asking|asked) you\b|\byou (?:must|should|have to"
    r"|need to|are to|will|can|may)\b",
    r"\bi(?:'d| would) like (?:to|a|an|some|help)\b(?= (?:know|ask|see|understand|have a look|get|create"
    r"|make|build))",
    r"\b(?:möchte|will|brauche|hätte gern)\b.{0,30}\b(?:von dir|dass du)\b|\bdu (?:sollst|musst"
    r"|bist jetzt)\b",
    r"\bje (?:veux|voudrais) que (?:tu|vous)\b|\btu (?:dois|es maintenant)\b|\b(?:quiero"
    r"|necesito) que (?:me )?\w+s\b|\bvoglio che tu\b",
    r"请(?:你|帮|翻译|写|回答)|帮我|教えて|してください|翻訳して",
)
_BLANK_FORM = re.compile(
    r"\[[^\]\n]{0,40}\]|<[^>\n]{1,40}>|\{[^}\n]{0,40}\}|_{2,}|\bx{3,}\b|\blorem ipsum\b|%[sd]\b"
    r"|\b(?:john|jane) (?:doe|smith)\b|\b(?:max|erika|maria) mustermann\w*\b|\bfulano\b|\b(?:foo|foobar"
    r"|asdf|qwerty)\b"
    r"|\b(?:example|test)@|@example\.|\bexample\.(?:com|org|net)\b"
    r"|\b(?:your|insert|placeholder|some) ?(?:name|city|company|job|age|date)\b|\bplaceholder\b"
    r"|\bcompany [xyz]\b|\bcity [xyz]\b",
    re.IGNORECASE,
)
_BLANK_VALUE = re.compile(
    r"(?:^|\b(?:is|are|was|in|at|as|to|called|named|ist|heißt|est|es|en|è|a)(?:\s*:\s*|\s+)|:\s*|[是はが叫]\s*)"
    r"(?:n/?a|none|null|nil|unknown|undefined|unspecified|not (?:specified|mentioned|stated|provided"
    r"|given)|tbd|tba|example|sample"
    r"|something|someone|somewhere|some|various|unbekannt|keine angabe|nicht angegeben|beispiel|inconnue?"
    r"|non précisée?|non spécifiée?|exemple"
    r"|desconocid[oa]|no especificad[oa]|ejemplo|sconosciut[oa]|non specificat[oa]|esempio"
    r"|desconhecid[oa]|不明|未知|不详|なし|例|无)\W*$",
    re.IGNORECASE,
)
_DOTS = re.compile(r"^\W*$|…\s*\w|\.{3,}\s*\w|\w\s*(?:\.{3,}|…)$")


def is_question(sentence: str) -> bool:
    """Whether a sentence asks."""
    return _QUESTION.search(sentence) is not None or _ASKING.search(sentence) is not None


def is_supposed(sentence: str) -> bool:
    """Whether a sentence says what might be rather than what is."""
    return _SUPPOSED.search(sentence) is not None


def is_fiction(text: str) -> bool:
    """Whether a message tells a story or hands out roles."""
    return _FICTION.search(text) is not None


def is_joke(text: str) -> bool:
    """Whether a message says that it is not meant."""
    return _JOKE.search(text) is not None


def is_command(sentence: str) -> bool:
    """Whether a sentence tells the assistant what to do."""
    return _COMMAND.search(sentence) is not None


def is_blank(statement: str) -> bool:
    """Whether a statement holds a placeholder where something should be."""
    return (
        _BLANK_FORM.search(statement) is not None
        or _BLANK_VALUE.search(statement) is not None
        or _DOTS.search(statement) is not None
    )
