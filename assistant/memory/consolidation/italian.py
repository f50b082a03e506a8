"""Italian."""

from __future__ import annotations

from assistant.memory.consolidation.language import (
    Language,
    classes,
    exclusive,
    facts,
    marked,
    nouns,
    over,
    phrases,
    words,
)

_MY = r"(?:(?:il|la|i|le|l) )?(?:mi[oa]|nostr[oa])"
_WHO = (
    r"(?P<who><my> \w+(?: \w+)?|(?!io |tu |lui |lei |noi |il |la |lo |i |gli |le |un |una |mi |ci |l |si |che )"
    r"[^\d\W]\w*) "
)
_TAIL = (
    r"(?P<tail> (?:dal|da quando|da \w+ (?:anni|mesi|settimane)|fino a|nel \d{4}|a (?:gennaio|febbraio|marzo|"
    r"aprile|maggio|"
    r"giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)|lo scorso|la scorsa|il mese scorso|l anno scorso|"
    r"la settimana scorsa|questo|questa|quest|\w+ (?:anni|mesi|settimane) fa|con|perche)(?: .*)?)?"
)
_I = r"(?:io |noi )?"
_PLACE = r"(?P<residence>(?!una? |un |casa\b|mi[oa] |campagna).+?)"

ITALIAN = Language(
    name="it",
    evidence=words(
        "il lo gli di che è sono ho un una mio mia miei mie nel nella al alla per con non mi si da dal vivo "
        "abito lavoro "
        "chiamo chiama anni piace piacciono molto della dei del e ha io adesso faccio sto guido una la "
        "sempre mai senza nostro nostra a e "
        "più ogni l dell"
    ),
    silent=words(
        "il lo la i l un una uno di del della dei delle dell io mio mia miei mie nostro nostra in nel nella davvero "
        "proprio anche"
    ),
    copulas=words("sono è"),
    mine=words("mio mia miei mie nostro nostra"),
    first=words("io noi mi me ci"),
    denials=marked(
        not_="non no nessun nessuno nessuna niente nulla né neanche nemmeno",
        never="mai",
        without="senza tranne",
    ),
    ended=over(("non", "piu")),
    fillers=phrases(
        [
            "ora",
            "adesso",
            "attualmente",
            "al momento",
            "in questo momento",
            "oggi",
            "oggigiorno",
            "comunque",
            "di recente",
            "recentemente",
            "finalmente",
            "ancora",
            "ormai",
            "da poco",
            "appena",
            "per ora",
            "a proposito",
            "gia",
            "davvero",
            "in realta",
            "anche",
            "ultimamente",
            "tra l altro",
            "molto",
        ]
    ),
    forms=classes(
        "auto macchina automobile | vivo abito risiedo | vive abita risiede | lavoro impiego mestiere "
        "professione | azienda "
        "ditta società | piace adoro amo | cellulare telefonino | padre papà babbo | madre mamma | bambini "
        "bimbi | chiamo "
        "nomino | preferito favorito | preferita favorita | medico dottore | allergico allergica allergia | bici "
        "bicicletta | euro € | dollari dollaro $ | odio detesto | ogni tutti tutte | computer pc | capo principale | "
        "affitto pigione | km chilometri chilometro | kg chilo chili chilogrammi"
    ),
    opposites=exclusive(
        "tutti alcuni pochi molti nessuno entrambi | sempre talvolta spesso raramente | più meno | prima "
        "dopo | sinistra "
        "destra | presto tardi | caldo freddo | grande piccolo piccola | vecchio nuovo giovane vecchia nuova | ricco "
        "povero | celibe nubile single sposato sposata divorziato divorziata | piace odio | compro vendo | comprato "
        "venduto | buono cattivo | primo ultimo | mattina pomeriggio sera notte | padre madre | fratello "
        "sorella | figlio "
        "figlia | marito moglie | può deve | da a"
    ),
    facts=facts(
        [
            r"(?:io )?(?:sono|sono diventat[oa]) (?P<diet>vegan[oa]|vegetarian[oa]|pescetarian[oa])<tail>|"
            r"mangio (?:la )?"
            r"(?P<diet>carne)",
            r"(?:io )?(?:sono|mi sono) (?P<relationship>single|celibe|nubile|sposat[oa]|divorziat[oa]|"
            r"fidanzat[oa]|vedov[oa]|"
            r"separat[oa])<tail>",
            r"<i>(?:vivo|abito|risiedo|viviamo|abitiamo|sto vivendo) (?:a|ad|in|nel|nella|negli) <place><tail>",
            r"<who>(?:vive|abita|risiede) (?:a|ad|in|nel|nella|negli) <place><tail>",
            r"<i>(?:mi sono|ci siamo) (?:trasferit[oaie]|spostat[oaie]|stabilit[oaie])(?: da "
            r"(?P<residence_left>.+?))? "
            r"(?:a|ad|in|nel|nella|negli) <place><tail>|<i>sono andat[oa] a vivere (?:a|ad|in) "
            r"(?P<residence>.+?)<tail>",
            r"<who>si e trasferit[oa] (?:a|ad|in|nel) <place><tail>",
            r"<my> (?:casa|citta|residenza|domicilio) e (?:a |in )?(?P<residence>.+?)<tail>|"
            r"(?P<residence>.+?) e (?:dove (?:vivo|abito)|"
            r"<my> citta|casa mia)|e a (?P<residence>.+?) che (?:vivo|abito)",
            r"(?:io )?(?:ho lasciato|sono andat[oa] via da|me ne sono andat[oa] da) (?P<residence_left>(?!il |"
            r"la ).+?)<tail>",
            r"<i>lavoro (?:per|presso|da|alla|in) (?P<employer>(?!una? |un |casa|il |la ).+?)<tail>|<i>sono "
            r"(?:assunt[oa]|impiegat[oa]|"
            r"dipendente) (?:da|in|di|alla|presso) (?P<employer>.+?)<tail>",
            r"<i>ho (?:iniziato|cominciato)(?: a lavorare)? (?:per|presso|da|alla|in) (?P<employer>(?!una? |"
            r"un ).+?)<tail>|"
            r"<i>sono stat[oa] assunt[oa] (?:da|in|alla) (?P<employer>.+?)<tail>|<i>sono passat[oa] (?:a|alla|in) "
            r"(?P<employer>.+?)<tail>",
            r"<who>lavora (?:per|presso|da|alla|in) (?P<employer>(?!una? |un |casa|il |la ).+?)<tail>",
            r"(?:io )?(?:mi sono licenziat[oa] da|mi sono dimess[oa] da) (?P<employer_left>.+?)<tail>",
            r"<i>(?:lavoro come|faccio (?:il|la|lo|l)) (?P<job>.+?)(?: (?:presso|da|alla) (?P<employer>.+?))?<tail>",
            r"<who>(?:lavora come|fa (?:il|la|lo|l)) (?P<job>.+?)(?: (?:presso|da|alla) (?P<employer>.+?))?<tail>",
            r"(?:io )?sono (?:una? |un )?(?P<maybe_job>[^\d\W]\w+)(?: di professione)?",
            r"<who>e (?:una? |un )?(?P<maybe_job>[^\d\W]\w+)(?: di professione)?",
            r"(?:io )?ho (?:compiuto )?(?P<age>\d{1,3}) anni|<my> eta e (?:di )?(?P<age>\d{1,3})(?: anni)?",
            r"<who>ha (?:compiuto )?(?P<age>\d{1,3}) anni",
            r"(?:io )?mi chiamo (?P<name>.+?)|<my> nome e (?P<name>.+?)|mi chiamano (?P<name>.+?)",
            r"(?P<who><my> .+?) si chiama (?P<name>.+?)|il nome (?:di|del|della) (?P<who>(?:mi[oa] )?.+?) e "
            r"(?P<name>.+?)",
            r"(?:io )?ho una? ?n? ?(?P<who>.+?) (?:che si chiama|di nome|chiamat[oa]) (?P<name>.+?)",
            r"(?:io )?ho un (?P<who>.+?) (?:che si chiama|di nome|chiamat[oa]) (?P<name>.+?)",
            r"(?:io )?(?:sono )?allergic[oa] (?:a|al|alla|ai|alle|agli|all) (?P<allergy>.+?)|(?:ho|soffro di) "
            r"(?:una |un )?"
            r"(?:allergia|l allergia) (?:a|al|alla|ai|alle|agli|all) (?P<allergy>.+?)",
            r"<who>e allergic[oa] (?:a|al|alla|ai|alle|agli|all) (?P<allergy>.+?)",
            r"(?:io )?guido (?:una? |un )?(?:nuova )?(?P<maybe_car>.+?)<tail>",
            r"(?:io )?parlo (?:l |il |lo )?(?P<speaks>.+?)(?: fluentemente)?",
            r"(?:a me )?mi (?:piace|piacciono) (?P<likes>.+?)|(?:io )?(?:adoro|amo) (?P<likes>.+?)",
            r"a(?:lla|l)? (?P<who>mi[oa] \w+) (?:piace|piacciono) (?P<likes>.+?)",
            r"(?:io )?(?:odio|detesto|non sopporto) (?P<dislikes>.+?)",
            r"(?:io )?sono nat[oa] (?:il |nel |l )(?P<birth>.*?\d.*?)|<my> compleanno e (?:il "
            r")?(?P<birth>.+?)|(?:io )?(?:sono "
            r"nat[oa] (?:a|ad|in) |vengo da |sono originari[oa] di |sono di )(?P<origin>[^\d]+?)",
            r"(?:io )?ho smesso di (?P<activity_left>.+?)",
            r"<my>(?: nuov[oa])? (?P<favourite_of>\w+) (?:preferit|favorit)[oa] e (?:il |la |l |lo |le |gli "
            r")?(?P<favourite>.+?)",
            r"(?:il |la |l |lo |le |gli )?(?P<favourite>.+?) e <my>(?: nuov[oa])? (?P<favourite_of>\w+) "
            r"(?:preferit|favorit)[oa]",
            r"<my>(?P<fresh> nuov[oa])? (?P<mine>.+?) e (?P<mine_value>.+?)",
            r"(?P<mine_value>.+?) e <my>(?P<fresh> nuov[oa])? (?P<mine>.+?)",
            r"(?:io )?ho (?P<count>\d+) (?P<count_of>.+?)",
        ],
        who=_WHO,
        tail=_TAIL,
        place=_PLACE,
        i=_I,
        my=_MY,
    ),
    nouns=nouns(
        phone="numero,numero di telefono,numero di cellulare,telefono,cellulare",
        email="email,mail,indirizzo email,indirizzo mail,posta elettronica",
        address="indirizzo",
        employer="datore di lavoro,azienda,ditta",
        job="lavoro,professione,mestiere,impiego",
        car="auto,macchina",
        age="eta",
        boss="capo,responsabile",
        doctor="medico,dottore,dottoressa,medico di base",
        dentist="dentista",
        wife="moglie",
        husband="marito",
        partner="ragazzo,ragazza,fidanzato,fidanzata,compagno,compagna",
        landlord="padrone di casa,padrona di casa",
        rent="affitto",
        salary="stipendio",
        weight="peso",
        height="altezza",
        size="numero di scarpe,taglia",
        time_zone="fuso orario",
        operating_system="sistema operativo",
        deadline="scadenza",
        pin="pin,codice,codice pin",
        school="scuola,universita",
        bank="banca",
    ),
    joins=words("e ma perché quando se mentre anche dove o poi allora come"),
)

PROFESSIONS = words(
    "infermiere infermiera insegnante professore professoressa maestro maestra medico avvocato avvocata ingegnere "
    "sviluppatore sviluppatrice programmatore programmatrice cuoco cuoca fornaio panettiere falegname elettricista "
    "idraulico contabile commercialista architetto giornalista scrittore scrittrice fotografo fotografa musicista "
    "attore attrice pittore pittrice dentista farmacista veterinario veterinaria meccanico pilota autista "
    "giardiniere "
    "agricoltore bibliotecario bibliotecaria fisico studente studentessa consulente traduttore traduttrice psicologo "
    "psicologa giudice cameriere cameriera parrucchiere parrucchiera commesso commessa segretario segretaria pompiere"
)
