"""German."""

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

_WHO = (
    r"(?P<who>(?:meine?|unsere?) \w+(?: \w+)?|(?!ich |wir |er |sie |es |man |die |der |das |ein)[^\d\W]\w*) "
)
_WHEN = r"(?: (?:seit|ab|im|letzte[nrs]?|dieses|vor|mit|zusammen|weil) .+?)?"
_TAIL = r"(?P<tail> (?:seit|ab|bis|fur|vor|letzte[nrs]?|dieses|nachsten|im \w+|mit|weil|zusammen)(?: .*)?)?"
_IN = r"(?:in|nach|bei|auf) (?P<residence>(?!eine[rmn]? |meine[rmn]? |de[rmn] |einer).+?)"
_I = r"(?:ich |wir )?"

GERMAN = Language(
    name="de",
    evidence=words(
        "ich und der die das den dem ein eine einen mein meine meinen meiner nicht kein keine keinen ist bin "
        "habe hat "
        "wohne lebe arbeite zu zum zur im am auf für mit von bei seit nach heiße heißt wir unsere mag gerne "
        "gern jeden "
        "bis ohne nie mich mir sie er lebt wohnt einem einer als sind"
    ),
    silent=words(
        "der die das den dem des ein eine einen einem einer eines ich wir bin ist sind mein meine meinen "
        "meinem meiner "
        "unser unsere in im am sehr wirklich gern gerne ja auch so halt eben mal doch echt ganz total recht "
        "es bereits"
    ),
    copulas=words("bin ist sind"),
    mine=words("mein meine meinen meinem meiner unser unsere"),
    first=words("ich wir mich mir uns"),
    denials=marked(
        not_="nicht kein keine keinen keinem keiner keines nichts niemand weder kaum",
        never="nie niemals",
        without="ohne außer",
    ),
    ended=over(("nicht|nie|kein(?:e[nmrs]?)?", "mehr"), ("nicht", "langer")),
    fillers=phrases(
        [
            "jetzt",
            "nun",
            "inzwischen",
            "mittlerweile",
            "momentan",
            "zurzeit",
            "zur zeit",
            "derzeit",
            "aktuell",
            "gerade",
            "im moment",
            "heute",
            "ubrigens",
            "neuerdings",
            "kurzlich",
            "seit kurzem",
            "endlich",
            "noch",
            "immer noch",
            "eigentlich",
            "ja",
            "also",
            "nebenbei",
            "schon",
            "neulich",
            "vor kurzem",
            "tatsachlich",
            "stattdessen",
            "zurzeit",
            "heutzutage",
            "wirklich",
            "sehr",
            "auch",
        ]
    ),
    forms=classes(
        "auto wagen pkw | wohne lebe | wohnt lebt | arbeit job beruf | arbeitgeber firma | mag liebe mögen | handy "
        "mobiltelefon | telefonnummer handynummer rufnummer mobilnummer | vater papa | mutter mama | oma "
        "großmutter | "
        "opa großvater | arzt hausarzt | heiße heißt | samstag sonnabend | fernseher tv | euro € eur | dollar $ | "
        "allergisch allergie | chef vorgesetzter boss | gehalt lohn | jede jeden jeder jedes | hasse verabscheue | "
        "lieblingsessen lieblingsgericht leibgericht leibspeise | fahrrad rad | km kilometer | kg kilo kilogramm | "
        "prozent %"
    ),
    opposites=exclusive(
        "alle einige wenige viele keine beide | immer manchmal oft selten | mehr weniger | vor nach | links rechts | "
        "früh spät | heiß kalt warm | groß klein | alt neu jung | arm reich | ledig verheiratet geschieden "
        "verlobt | mag "
        "hasse | kaufe verkaufe | gekauft verkauft | gut schlecht | erste letzte | morgens mittags abends nachts | "
        "vater mutter | bruder schwester | sohn tochter | mann frau | kann muss darf soll | von bis nach"
    ),
    facts=facts(
        [
            r"ich (?:bin|wurde|lebe|esse|ernahre mich) (?:eine? )?(?P<diet>vegan|vegetarisch|"
            r"vegetarier(?:in)?|veganer(?:in)?|"
            r"pescetarier(?:in)?)(?: geworden)?<tail>",
            r"ich esse (?:wieder )?(?P<diet>fleisch)<tail>",
            r"(?:ich bin|wir sind) (?P<relationship>ledig|single|verheiratet|verlobt|geschieden|verwitwet|getrennt|"
            r"vergeben)<tail>",
            r"(?:ich habe|wir haben) (?:geheiratet|(?P<relationship>geheiratet))<tail>",
            r"(?:<i>(?:wohne|lebe|wohnen|leben)|(?:wohne|lebe|wohnen|leben) (?:ich|wir)) <home><tail>",
            r"<who>(?:wohnt|lebt) <home><tail>",
            r"<i>(?:bin|sind) (?:ich |wir )?(?:aus (?P<residence_left>.+?) )?(?:<when> )?nach (?P<residence>.+?)"
            r"(?P<tail><when>) (?:gezogen|umgezogen|ubergesiedelt|ubersiedelt)<tail>",
            r"<who>ist (?:<when> )?nach (?P<residence>.+?) (?:gezogen|umgezogen)<tail>",
            r"<i>(?:ziehe|ziehen) nach (?P<residence>.+?) um",
            r"mein (?:wohnort|zuhause|wohnsitz) ist (?:in )?(?P<residence>.+?)<tail>|(?P<residence>.+?) ist mein "
            r"(?:wohnort|zuhause|wohnsitz)|(?:<i>bin in (?P<residence>.+?) (?:zuhause|zu hause|daheim|ansassig))",
            r"<i>bin aus (?P<residence_left>.+?) weggezogen<tail>",
            r"(?:<i>arbeite|arbeite ich) (?:bei|fur) (?:der |dem |die )?(?P<employer>(?!eine[rmn]? |meine).+?)<tail>",
            r"(?:<i>bin|bin ich) (?:bei|fur) (?:der |dem )?(?P<employer>.+?) (?:angestellt|beschaftigt|tatig)<tail>",
            r"<i>habe (?:ich )?(?:<when> )?(?:bei|zu) (?:der |dem )?(?P<employer>.+?) (?:angefangen|"
            r"gewechselt|begonnen)",
            r"<i>bin (?:ich )?zu (?P<employer>.+?) gewechselt<tail>",
            r"<who>arbeitet (?:bei|fur) (?P<employer>(?!eine).+?)<tail>",
            r"<i>habe (?:bei )?(?P<employer_left>.+?) (?:gekundigt|verlassen|aufgehort)<tail>",
            r"(?:<i>arbeite|arbeite ich|<i>bin) als (?P<job>.+?)(?: bei (?P<employer>.+?))?(?: tatig)?<tail>",
            r"<who>arbeitet als (?P<job>.+?)(?: bei (?P<employer>.+?))?<tail>",
            r"ich bin (?:von beruf )?(?:eine? )?(?P<maybe_job>[^\d\W]\w+)(?: von beruf)?",
            r"<who>ist (?:eine? )?(?P<maybe_job>[^\d\W]\w+)(?: von beruf)?",
            r"(?:ich bin|ich wurde|bin) (?P<age>\d{1,3})(?: jahre)?(?: alt)?(?: geworden)?",
            r"<who>(?:ist|wurde) (?P<age>\d{1,3})(?: jahre)?(?: alt)?(?: geworden)?",
            r"mein alter ist (?P<age>\d{1,3})(?: jahre)?",
            r"ich hei(?:ß|ss)e (?P<name>.+?)|mein name ist (?P<name>.+?)|(?:man nennt mich|nenn mich) (?P<name>.+?)",
            r"(?P<who>meine? .+?) hei(?:ß|ss)t (?P<name>.+?)|der name meine[rs] (?P<who>.+?) ist (?P<name>.+?)",
            r"ich habe eine?n? (?P<who>.+?) (?:namens|mit (?:dem )?namen|mit dem namen) (?P<name>.+?)",
            r"ich habe eine?n? (?P<who>.+?) (?:die|der|das) (?P<name>.+?) hei(?:ß|ss)t",
            r"(?:ich )?(?:bin |reagiere )?(?:ich )?allergisch (?:gegen|auf) (?P<allergy>.+?)",
            r"(?:ich )?(?:bin|reagiere) (?:gegen|auf) (?P<allergy>.+?) allergisch",
            r"ich (?:habe|leide an|leide unter) eine[r]? (?:allergie (?:gegen|auf) (?P<allergy>.+?)|"
            r"(?P<allergy>\w+?)n?allergie)",
            r"<who>ist (?:allergisch (?:gegen|auf) (?P<allergy>.+?)|gegen (?P<allergy>.+?) allergisch)",
            r"ich fahre (?:eine?n? |mit meine[mr] )(?:neue?n? )?(?P<maybe_car>.+?)<tail>",
            r"ich (?:spreche|kann) (?P<speaks>.+?)(?: flie(?:ß|ss)end)?(?: sprechen)?",
            r"(?:ich )?(?:mag|liebe) (?P<likes>.+?)|ich (?:esse|trinke|hore|lese) gerne? (?P<likes>.+?)|mir gefallt "
            r"(?P<likes>.+?)",
            r"<who>(?:mag|liebt) (?P<likes>.+?)",
            r"(?:ich )?(?:hasse|verabscheue) (?P<dislikes>.+?)|ich kann (?P<dislikes>.+?) nicht (?:leiden|ausstehen)",
            r"ich (?:bin|wurde) am (?P<birth>.+?) geboren|mein geburtstag ist (?:am |der )?(?P<birth>.+?)|"
            r"ich habe am (?P<birth>.+?) geburtstag",
            r"ich (?:bin|wurde) in (?P<origin>[^\d]+?) geboren|ich (?:komme|stamme|bin) (?:ursprunglich )?aus "
            r"(?P<origin>[^\d]+?)",
            r"ich habe (?:mit dem |das )?(?P<activity_left>\w+) (?:aufgehort|aufgegeben)",
            r"mein(?:e|en)?(?: neuer?s?)? liebling(?:s)?(?P<favourite_of>\w+) (?:ist|sind|heißt) (?P<favourite>.+?)",
            r"(?P<favourite>.+?) (?:ist|sind) meine?(?: neuer?s?)? liebling(?:s)?(?P<favourite_of>\w+)",
            r"(?:meine?|unsere?)(?P<fresh> neue[rs]?)? (?P<mine>.+?) (?:ist|sind|lautet|betragt|hei(?:ß|ss)t) "
            r"(?P<mine_value>.+?)",
            r"(?P<mine_value>.+?) ist (?:meine?|unsere?)(?P<fresh> neue[rs]?)? (?P<mine>.+?)",
            r"(?:ich )?habe (?P<count>\d+) (?P<count_of>.+?)",
        ],
        who=_WHO,
        when=_WHEN,
        tail=_TAIL,
        home=_IN,
        i=_I,
    ),
    nouns=nouns(
        phone="telefonnummer,handynummer,nummer,telefon,handy,rufnummer,mobilnummer",
        email="email,e mail,mail,e mail adresse,email adresse,mailadresse",
        address="adresse,anschrift",
        employer="arbeitgeber,firma",
        job="beruf,job",
        car="auto,wagen,pkw",
        age="alter",
        boss="chef,chefin,vorgesetzter,vorgesetzte",
        doctor="arzt,arztin,hausarzt,hausarztin",
        dentist="zahnarzt,zahnarztin",
        wife="frau,ehefrau",
        husband="mann,ehemann",
        partner="partner,partnerin,freund,freundin,verlobte,verlobter",
        landlord="vermieter,vermieterin",
        rent="miete",
        salary="gehalt,lohn,einkommen",
        weight="gewicht",
        height="große,korpergroße",
        size="schuhgroße,kleidergroße",
        time_zone="zeitzone",
        operating_system="betriebssystem",
        deadline="frist,abgabetermin",
        pin="pin,geheimzahl",
        school="schule,universitat,uni",
        bank="bank",
    ),
    joins=words("und aber weil wenn während obwohl dass wo oder dann denn als"),
)

PROFESSIONS = words(
    "krankenschwester krankenpfleger pfleger pflegerin lehrer lehrerin arzt arztin anwalt anwaltin ingenieur "
    "ingenieurin "
    "entwickler entwicklerin programmierer programmiererin koch kochin backer backerin tischler schreiner elektriker "
    "klempner buchhalter buchhalterin architekt architektin journalist journalistin fotograf fotografin musiker "
    "musikerin maler malerin zahnarzt zahnarztin apotheker apothekerin tierarzt tierarztin mechaniker pilot pilotin "
    "fahrer gartner gartnerin bauer landwirt bibliothekar bibliothekarin physiker physikerin professor professorin "
    "student studentin berater beraterin ubersetzer ubersetzerin psychologe psychologin richter richterin kellner "
    "kellnerin friseur friseurin verkaufer verkauferin sekretar sekretarin hebamme"
)
