"""Portuguese."""

from __future__ import annotations

from assistant.memory.extraction.languages.rule import Language, compiled, joints, openers, rules, tails

_ADV = (
    r"(?:(?:também|atualmente|agora|ainda|sempre|realmente|nunca|já|recentemente|só|muito|bastante|mais"
    r"|quase|não|principalmente) )*"
)
_HEAD = (
    r"(?:(?:desde|em|no|na|este|esta|neste|nesta|cada|todos|todas|há|hoje|amanhã|ontem|atualmente"
    r"|de manhã|à noite|normalmente|aos)\b[^,;:.!?]{0,45}?,? )?"
)
_EU = rf"{_HEAD}(?:eu |nós |a gente )?(?:não |nunca |já não |também |sempre )*"
_NAME = r"(?-i:[A-ZÁÉÍÓÚÂÊÔÃÕÇ][\wáéíóúâêôãõç'’-]+)"
_KIN = (
    r"(?:(?:dois|duas|três|quatro|único|única|melhor) )*(?:mulher|esposa|esposo|marido|companheir[oa]"
    r"|parceir[oa]|namorad[oa]|noiv[oa]|ex|mãe|pai|pais|sogr[oa]s?|irmã(?:o|s|os)?|cunhad[oa]|gême[oa]s?"
    r"|gémeos|filh[oa]s?|bebê|bebé|av[óô]s?|net[oa]s?|ti[oa]s?|prim[oa]s?|sobrinh[oa]s?|família"
    r"|vizinh[oa]s?|chefe|amig[oa]|colega"
    r"|cachorr[oa]s?|cão|cães|cadela|gat[oa]s?|gatinh[oa]s?|coelhos?|papagaio|cavalos?|peixes?"
    r"|tartarugas?)(?: (?:mais (?:velh[oa]|nov[oa])|gême[oa]))?"
)
_OURS = r"(?:(?:o|a|os|as) )?(?:meus?|minhas?|noss[oa]s?)"
_DOES = (
    r"(?:se chamam?|chama-se|chamam-se|moram?|vivem?|trabalham?|estudam?|falam?|jogam?|toca|amam?|adoram?"
    r"|odeiam?|prefere|coleciona|ensina|comem?|bebem?|não (?:comem?|bebem?|têm|tem|moram?|gostam?)"
    r"|têm? (?!que\b)\w|fazem? \w+ anos|fez|nasceu|é (?!(?:muito|que)\b)\w|são (?!muito\b)\w|era|vem"
    r"|gostam? de|está (?:grávida|aposentad|casad|estudando|aprendendo)\w*|e eu)"
)

PORTUGUESE = Language(
    tag="pt",
    rules=(
        *rules(
            "relation",
            rf"{_OURS} {_KIN},? (?P<who>{_NAME}),? {_DOES}",
            rf"{_OURS} {_KIN},? {_DOES}",
            rf"{_EU}(?:tenho|temos) {_ADV}(?:uma?|dois|duas|três|quatro"
            rf"|\d+)? ?(?:[\wáéíóúâêôãõç-]+ ){{0,2}}?{_KIN}\b",
            rf"{_EU}(?:sou|estou|somos) {_ADV}(?:casad|solteir|divorciad|noiv|viúv|grávida|filh[oa] únic"
            rf"|mãe|pai)\w*\b",
        ),
        *rules(
            "preference",
            rf"{_EU}(?:gosto|gostamos) {_ADV}d|{_EU}(?:adoro|adoramos|amo|odeio|detesto|prefiro"
            rf"|preferimos|suporto) {_ADV}(?!(?:isso|isto|que|quando)\b)\w",
            rf"{_OURS} (?:[\wáéíóúâêôãõç-]+ ){{1,3}}?(?:favorit[oa]s?"
            rf"|preferid[oa]s?)(?: [\wáéíóúâêôãõç-]+){{0,3}} (?:é|são)\b",
        ),
        *rules(
            "fact",
            rf"{_EU}(?:moro|moramos|vivo|vivemos|venho|resido) {_ADV}(?:em|no|na|nos|nas|com|perto|de|do"
            rf"|da|sozinh[oa]|aqui|há|desde)\b|{_EU}(?:sou|somos) d[eoa]s? (?-i:[A-Z])|{_EU}(?:nasci"
            rf"|cresci|fui criad[oa]) (?:em|no|na|perto)\b",
            rf"{_EU}(?:me chamo|chamo-me)\b|{_OURS} (?:nome|sobrenome|apelido) é\b|{_EU}(?:tenho|faço|fiz"
            rf"|vou fazer) (?:\d{{1,3}}|\w+(?: e \w+)?) anos\b",
            rf"{_OURS} (?:aniversário|língua materna|profissão|trabalho|empresa|endereço|cidade natal"
            rf"|carro|casa|apartamento|emprego|telefone|celular) (?:é|fica|são)\b",
            rf"{_EU}(?:trabalho|trabalhamos|estudo|estudamos|ensino|dirijo|gerencio|jogo|toco|falo"
            rf"|falamos|coleciono|canto|cultivo|pratico|aprendo|danço|pinto|cozinho|nado|corro|treino"
            rf"|faço) {_ADV}(?!(?:isso|isto|uma pergunta)\b)\w",
            rf"{_EU}(?:sou|somos) {_ADV}(?!(?:novo aqui|capaz|eu|muito"
            rf"|um pouco)\b)(?:uma? )?[\wáéíóúâêôãõç]+(?:or|ora|ista|eir[oa]|ente|ante|log[oa]|ári[oa]"
            rf"|ic[oa]|ian[oa]|an[oa]|ês|esa|inh[oa]|ad[oa]|vegan[oa])\b|{_EU}sou (?:alérgic|intolerante"
            rf"|vegetarian|vegan|celíac|diabétic|canhot)\w*",
            rf"(?:não|nunca) (?:fumo|bebo|dirijo|conduzo|como|tomo|cozinho|nado|uso)\b|{_EU}(?:como|bebo"
            rf"|uso|tomo) (?:só|sem|apenas) ",
            rf"{_EU}(?:tenho|temos|sofro de) {_ADV}(?:uma?|dois|duas|\d+|o"
            rf"|a)? ?(?:[\wáéíóúâêôãõç-]+ ){{0,3}}?(?:alergia|diabetes|asma|enxaqueca|carteira"
            rf"|carta de condução|carro|bicicleta|moto|casa|apartamento|jardim|piano|violão|empresa|loja"
            rf"|tatuagem|medo de|olhos|cabelo)\b",
        ),
        *rules(
            "event",
            rf"{_EU}(?:me mudei|mudei-me|nos mudamos|mudei|comprei|compramos|adotei|adotamos|comecei"
            rf"|parei de|larguei|me formei|formei-me|me aposentei|fui promovid[oa]|ganhei|abri|fundei"
            rf"|passei n[oa]|me casei|casei-me|quebrei) ",
        ),
        *rules("plan", rf"{_EU}(?:decidi|decidimos|resolvi|resolvemos|optei|escolhi)\b"),
        *rules(
            "plan",
            rf"{_EU}(?:vou|vamos|viajo|viajamos|me mudo|mudo-me|me caso|caso-me|começo|começamos|planejo"
            rf"|pretendo|parto|farei|irei|tenho|temos)\b",
            needs_date=True,
        ),
        *rules(
            "fact",
            rf"{_EU}(?!(?:preciso|quero|queria|devo|posso|tenho|estou|acho"
            rf"|penso)\b)(?:me )?\w+o (?:[\wáéíóúâêôãõç,/-]+ ){{0,10}}?(?:tod[oa]s? (?:os|as|o|a) (?:dias"
            rf"|manhãs|noites|semanas|dia|manhã|noite)|aos? (?:sábados|domingos)|cada (?:dia|semana)"
            rf"|às (?:segundas|terças|quartas|quintas|sextas)|(?:uma vez|duas vezes|três vezes"
            rf"|\d vezes) por)",
            r"(?:eu )?(?:sempre|normalmente|geralmente|costumo|raramente) (?!(?:preciso|quero"
            r"|tenho)\b)\w+",
        ),
    ),
    openers=openers(
        r"aliás|a propósito|por sinal|para sua informação|só para saber|ah|oh|bem|bom|então|e|mas|olá|oi"
        r"|bom dia|boa tarde|ok|sim|sinceramente|na verdade|contexto|sobre mim|obrigad[oa]"
        r"|boas notícias|novidade|pessoalmente|além disso",
        before_comma="não",
    ),
    subject=compiled(
        r"(?:eu|meus?|minhas?|noss[oa]s?|nós|ele|ela|isso|isto|você|pode|como|moro|vivo|trabalho|tenho"
        r"|sou|estou|gosto|prefiro|odeio|falo|preciso|quero|não (?:como|bebo|fumo|tenho|gosto))\b"
    ),
    joints=joints(r"e|mas|porém|então|e também|além disso|por isso"),
    tails=tails(r"aliás|obrigad[oa]|por favor|também|sabe"),
    passing=compiled(
        r"\b(?:erro|erros|bug|exceção|lição de casa|código|script)\b|\b(?:procuro|preciso|precisamos"
        r"|tento|estou tentando|não sei|não entendo|gostaria|queria|acho|espero)\b"
        r"|\b(?:uma pergunta|uma dúvida|um problema|ajuda|perdid[oa]|cansad[oa]|doente|fome|sono|sede"
        r"|pressa)\b|\btenho que\b|\b(?:talvez|provavelmente|possivelmente)\b"
    ),
)
