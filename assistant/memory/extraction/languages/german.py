"""German."""

from __future__ import annotations

from assistant.memory.extraction.languages.rule import Language, compiled, joints, openers, rules, tails

_ADV = (
    r"(?:(?:auch|gerade|aktuell|derzeit|momentan|jetzt|inzwischen|mittlerweile|noch|immer noch|meistens"
    r"|meist|eigentlich|wirklich|immer|ursprünglich|kürzlich|neulich|endlich|nur|nie|niemals"
    r"|oft|absolut|beide|persönlich|hauptsächlich|grundsätzlich|normalerweise|schon|bereits"
    r"|seit [\w ]{2,25}?|total|sehr|nicht|nicht mehr|kein|übrigens|selber|selbst|ja|halt|leider|zum glück"
    r"|überhaupt|gar|am liebsten|besonders|lieber|eher|leidenschaftlich|ausschließlich|so) )*"
)
_ICH = r"(?:ich|wir)"
_HEAD = (
    r"(?:(?:seit|gegen|im|in|am|an|ab|vor|bis|nächste\w*|letzte\w*|diese\w*|jede\w*|zu|zum|nach|für|um"
    r"|von|aus"
    r"|bei|beruflich|privat|momentan|derzeit|zurzeit|aktuell|früher|heute|morgen|gestern|meistens"
    r"|normalerweise"
    r"|manchmal|abends|morgens|mittags|nachmittags|wochentags|montags|dienstags|mittwochs|donnerstags"
    r"|freitags|samstags|sonntags|mit|auf|übernächste\w*|inzwischen|mittlerweile|ursprünglich|eigentlich"
    r"|leider|endlich|neben(?:bei|her)?"
    r"|am liebsten|gerade|kommende\w*|fleisch|alkohol|kaffee|milch|fisch)\b[^,;:.!?]{0,45}?)"
)
_NAME = r"(?-i:[A-ZÄÖÜ][\wäöüß'’-]+)"
_SAME_ONE = (
    r"(?:frau|mann|ehefrau|ehemann|partner(?:in)?|freund(?:in)?|verlobte[rn]?|ex(?:-?\w+)?|mutter|vater"
    r"|mama|papa|eltern|schwiegermutter|schwiegervater|schwiegereltern|schwestern?|bruder|brüder"
    r"|geschwister"
    r"|schwägerin|schwager"
    r"|zwillings\w+|sohn|söhne|tochter|töchter|kind(?:er)?|baby|oma|opa|großmutter|großvater|großeltern"
    r"|enkel(?:in|kinder)?|tanten?|onkel|cousins?|cousinen?|nichte|neffe|familie|mitbewohner(?:in)?"
    r"|nachbar(?:in"
    r"|n)?"
    r"|chef(?:in)?|kolleg(?:e|in)|hausarzt|hausärztin|vermieter(?:in)?|hund|hündin|hunde|kater|katzen?"
    r"|kaninchen|hamster|papagei|pferde?|pony|fische?|schildkröten?|haustiere?|meerschweinchen"
    r"|wellensittich|welpe|dackel|labrador|pudel)"
)
_KIN = (
    rf"(?:(?:ältere\w*|jüngere\w*|älteste\w*|jüngste\w*|kleine\w*|große\w*|beste\w*|erste\w*|zweite\w*"
    rf"|neue\w*|alte\w*|beide\w*|zwei|drei|verstorbene\w*|einzige\w*) )*{_SAME_ONE}"
)
_OURS = r"(?:mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?)"
_DOES = (
    r"(?:heißt|heißen|hieß|wohnt|wohnen|lebt|leben|arbeitet|arbeiten|studiert|studieren|kommt|kommen"
    r"|spielt|spielen|spricht|sprechen|mag|mögen|liebt|lieben|hasst|isst|essen|trinkt|hat (?!gesagt"
    r"|gefragt|gemeint)|haben (?!gesagt)|hatte|wird \w+ (?:jahre|\w+)"
    r"|wird (?:\d+|im|am|nächste\w*|bald)|ist (?:\d+|ein(?:e)?|allergisch|aus|in|von|am|im|vor|seit"
    r"|verheiratet|vegan\w*|vegetarier\w*|(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
    r"|\w+zehn|\w+zig|halb)\b|schwanger|taub|blind|rentner\w*|gestorben|verstorben|"
    r"(?-i:[A-ZÄÖÜ]\w+)|nach|gerade|mit)|sind (?:\d+|beide|aus|in|seit|vor|nach|allergisch|(?:zwei|drei"
    r"|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w+zehn|\w+zig)\b|geschieden|verheiratet"
    r"|(?-i:[A-ZÄÖÜ]\w+))|war|geht|gehen|fährt|zieht|heiratet|sammelt|unterrichtet|kocht|wurde|starb"
    r"|macht|lernt|und ich)"
)
_HABE = (
    rf"(?:{_KIN}|\w*allergien?|diabetes|asthma|adhs|autismus|zöliakie|epilepsie|migräne|heuschnupfen"
    rf"|arthrose|rheuma|bluthochdruck|legasthenie|laktoseintoleranz|\w*intoleranz|führerschein|\w*schein"
    rf"|auto|wagen|motorrad|fahrrad|e-bike|boot|haus|wohnung|garten"
    r"|schrebergarten|kleingarten|balkon|klavier|gitarre|geige|schlagzeug|wohnmobil|bienen(?:völker)?"
    r"|hühner|doktortitel|abschluss|master|bachelor|ausbildung|firma|laden|café|restaurant|bäckerei"
    r"|tattoos?|augen|haare?|geburtstag|dauerkarte|höhenangst|flugangst|angst vor|phobie|\w*sammlung|abo"
    r"|platten|aquarium|sauna|staatsbürgerschaft|pass|katzenhaar\w*|studium|lehre)"
)
_OFT = (
    r"(?:jede[nsrm]? (?:zweite[nsr]? )?(?:tag|morgen|abend|nacht|woche|wochenende|monat|jahr|sommer"
    r"|winter|\w+tag|mittwoch)|täglich|wöchentlich|montags|dienstags|mittwochs|donnerstags|freitags"
    r"|samstags|sonntags|morgens|abends|am wochenende|wochentags"
    r"|(?:ein|zwei|drei|vier|fünf|\d)-?mal (?:pro|die|in der|im|am) (?:woche|tag|monat|jahr)"
    r"|vor der arbeit|nach der arbeit|vor dem frühstück)"
)
_BIN = rf"(?:ich bin|wir sind|(?:{_HEAD} )?(?:bin ich|sind wir))"
_JOB = (
    r"(?-i:[A-ZÄÖÜ][\wäöüß-]+(?:er|erin|in|ist|istin|eur|eurin|ant|antin|ent|entin|or|orin|loge|login"
    r"|mann|frau|kraft|arzt|ärztin|wirt|wirtin|koch|köchin|anwalt|anwältin|Azubi|Beamter|Beamtin"
    r"|Angestellter?|Rentner|Doktorand|Doktorandin|Pilot|Pilotin"
    r"|Student|Studentin|Informatikerin?|Veganerin?|Vegetarierin?|Linkshänderin?|Brillenträgerin?"
    r"|Nichtraucherin?|Diabetikerin?|Einzelkind|Zwilling|Papa|Mama|Vater|Mutter|Single|Waise|Christ"
    r"|Muslim|Muslima|Jude|Jüdin|Atheist|Fan)\b)"
)

GERMAN = Language(
    tag="de",
    rules=(
        *rules(
            "relation",
            rf"{_OURS} {_KIN},? (?P<who>{_NAME}),? {_DOES}\b",
            rf"{_OURS} {_KIN}(?: und {_OURS} {_KIN})? {_DOES}",
            rf"(?P<who>{_NAME}) ist {_OURS} {_KIN}\b",
            rf"{_ICH} {_ADV}(?:habe|haben|hab) {_ADV}(?:ein(?:e[nm]?)?|zwei|drei|vier|fünf|\d+"
            rf"|kein(?:e[n]?)?|mehrere|viele) (?:[\wäöüß-]+ ){{0,4}}?{_KIN}\b",
            rf"{_HEAD} (?:habe|haben) {_ICH} (?:ein(?:e[nm]?)?|zwei|drei|vier|\d+"
            rf"|kein(?:e[n]?)?) (?:[\wäöüß-]+ ){{0,4}}?{_KIN}\b",
            rf"{_BIN} {_ADV}(?:verheiratet|geschieden|verlobt|verwitwet|ledig|single|einzelkind|schwanger"
            rf"|zusammen|alleinerziehend\w*|in einer beziehung|mutter|vater|mama|papa|zu \w+t)\b",
            rf"{_ICH} haben? .*\b(?:geheiratet|adoptiert|verlobt)\b",
        ),
        *rules(
            "preference",
            rf"{_ICH} (?:mag|mögen|liebe|lieben|hasse|hassen|bevorzuge|bevorzugen|verabscheue|genieße"
            rf"|vergöttere) {_ADV}(?!(?:es|das|dich|deine?|dies|die idee|wie|dass|was)\b)[\wäöü]",
            rf"{_ICH} (?:esse|trinke|höre|lese|koche|spiele|reise|schwimme|wandere|tanze|singe|backe|male"
            rf"|gehe|fahre|schaue|gucke|sehe|arbeite|schlafe|laufe|stricke|essen|trinken|wandern|reisen"
            rf"|spielen) {_ADV}(?:[\wäöüß]+ ){{0,3}}?(?:sehr |total |besonders |am )?(?:gerne?|ungern"
            rf"|liebsten|lieber)\b",
            r"am (?:aller)?liebsten (?:mag|esse|trinke|höre|lese|koche|spiele|sehe|schaue|gucke|bin|gehe"
            r"|reise|fahre|trage|arbeite) ich\b",
            rf"{_ICH} (?:kann|können) .*\b(?:nicht (?:leiden|ausstehen|ab|riechen|sehen|hören)"
            rf"|nichts anfangen)\b",
            rf"{_OURS} (?:absolute[rs]? |aller)?(?:liebling\w*|lieblings\w+|liebste[rsnm]?|hobb(?:y|ys"
            rf"|ies)|größte leidenschaft|leidenschaft)(?: [\wäöüß-]+){{0,4}} (?:ist|sind|war|waren|heißt"
            rf"|bleibt)\b",
            rf"{_BIN} {_ADV}(?:ein |eine )?(?:große[rn]? |riesige[rn]? )?(?:fan|fans|liebhaber\w*) (?:von"
            rf"|der|des)\b",
            rf"{_ICH} (?:habe|hab) (?:große |panische |total |echt )*(?:angst vor|höhenangst|flugangst)",
            rf"{_ICH} (?:interessiere|begeistere) mich .*für\b|{_ICH} stehe (?:total |sehr )?auf\b",
            r"mir (?:schmeckt|schmecken|gefällt|gefallen) (?!(?:es|das|dein\w*)\b)",
        ),
        *rules(
            "fact",
            rf"{_ICH} {_ADV}(?:wohne|wohnen|lebe|leben|komme|kommen|stamme|stammen) {_ADV}(?:in|im|auf|an"
            rf"|am|bei|nahe|aus|mit|allein|alleine|zusammen|zur|seit|direkt|hier|mitten|außerhalb|etwas"
            rf"|noch|zwischen|neben|über|unter|nicht|von|seit)\b",
            rf"(?:{_HEAD} )?(?:heiße|wohne|wohnen|lebe|leben|komme|stamme|arbeite|arbeiten|studiere|lerne"
            rf"|spiele"
            rf"|jobbe|unterrichte|leite|pendle|fahre|lernen|betreibe|trainiere|singe|gehe) {_ICH}\b",
            r"(?:geboren|aufgewachsen|groß geworden) (?:bin|wurde) ich (?:in|im|auf|am)\b",
            rf"{_ICH} (?:bin|wurde|wurden|sind) .*\b(?:geboren|aufgewachsen|groß geworden)\b",
            rf"{_ICH} (?:heiße|heißen)\b|{_OURS} (?:vor|nach|spitz|mädchen|geburts"
            rf"|zweiter )?name(?:n)? ist\b|(?:meine freunde|alle|freunde|die meisten|alle) nennen mich\b",
            rf"{_BIN} {_ADV}(?:\d{{1,3}}|\w+(?:zig|zehn|undzwanzig)) (?:jahre alt|jahre|lenze)\b"
            rf"|{_BIN} {_ADV}\d{{2}}(?:$|[,.]| und)|{_BIN} (?:anfang|mitte|ende) (?:\d\d|\w+zig)\b"
            rf"|ich (?:werde|wurde) (?:\w+ ){{0,4}}\d{{1,3}}\b",
            rf"{_OURS} (?:geburtstag|namenstag|muttersprache|blutgruppe|sternzeichen|schuhgröße"
            rf"|körpergröße|staatsangehörigkeit|beruf|job|arbeitgeber|arbeitsweg|adresse|heimatstadt"
            rf"|heimat|studienfach|firma|chef|büro|abteilung|religion|geburtsort|wohnort|postleitzahl"
            rf"|handy|auto|wagen|fahrrad|haus|wohnung"
            rf"|garten|laptop|rechner|computer|stelle|gehalt|schule|uni|vertrag) (?:ist|sind|liegt|heißt"
            rf"|dauert|läuft|hat|steht|befindet|kommt)\b(?! (?:kaputt|weg|leer|langsam|defekt|abgestürzt"
            rf"|voll))",
            rf"{_ICH} {_ADV}(?:arbeite|arbeiten|jobbe|studiere|studieren|unterrichte|leite|leiten|führe"
            rf"|betreibe|betreiben|promoviere|lehre|lerne|lernen|trainiere|spreche|sprechen|spiele"
            rf"|spielen|singe|besitze|besitzen|sammle|sammeln|züchte|fahre|fahren|reite|tanze"
            rf"|engagiere mich|programmiere|stricke|nähe|male|imkere|pendle|mache (?:eine|meine"
            rf"|ein) (?:ausbildung|lehre|praktikum|studium|umschulung)|mache (?:yoga|judo|karate|pilates"
            rf"|kraftsport|musik))"
            rf" {_ADV}(?!(?:an (?:einem|dem|diesem) (?:problem|projekt)|es|das|dies|zu dir"
            rf"|gleich)\b)[\wäöü\d]",
            rf"{_BIN} {_ADV}(?:von beruf |gelernte[rn]? |gebürtige[rn]? |studierte[rn]? |angehende[rn]? "
            rf"|selbstständige[rn]? |freiberufliche[rn]? |begeisterte[rn]? |leidenschaftliche[rn]? "
            rf"|überzeugte[rn]? )*(?:(?:eine?|der|die) (?!bisschen|wenig)(?:[\wäöüß-]+ )?)?{_JOB}",
            rf"{_BIN} {_ADV}(?:von beruf|als [\wäöüß]+ (?:tätig|angestellt|bei)|bei [^,]+ (?:angestellt"
            rf"|beschäftigt|tätig)|selbstständig|freiberuflich|arbeitslos|in (?:rente|elternzeit|pension"
            rf"|ausbildung|teilzeit)|im ruhestand|pensioniert|verbeamtet|in der [\wäöüß]+ (?:tätig"
            rf"|beschäftigt)|im \w+ semester)\b",
            rf"{_BIN} {_ADV}(?:(?:gegen|auf) .* allergisch|allergisch|vegan|vegetarisch|laktoseintolerant"
            rf"|glutenintolerant|diabetikerin?|farbenblind|linkshänder\w*|rechtshänder\w*|kurzsichtig"
            rf"|weitsichtig|schwerhörig|gehörlos|blind|taub|trocken|nichtraucher\w*|zweisprachig"
            rf"|evangelisch|katholisch|jüdisch|muslimisch|atheist\w*"
            rf"|schwul|lesbisch|trans|\d[,.]?\d* ?(?:m|cm|meter)|(?:halb ?)?(?:deutsch|österreichisch"
            rf"|schweizerisch|italienisch|französisch|türkisch|polnisch|spanisch)e?r?)\b",
            rf"{_ICH} {_ADV}(?:ernähre|ernähren) (?:mich|uns)\b|{_ICH} vertrage {_ADV}\w|{_ICH} (?:leide"
            rf"|leiden) (?:an|unter)\b",
            rf"{_ICH} {_ADV}(?:esse|essen|trinke|trinken|rauche|rauchen|besitze|nehme|benutze|nutze"
            rf"|nutzen|trage|schaue|sehe|lese|vertrage|mag) {_ADV}(?:kein|keine|keinen|nie|nichts|nur"
            rf"|weder|seit|meinen (?:kaffee|tee)|(?-i:[A-ZÄÖÜ])|\w+ (?:mehr|nicht)|eine? brille|hörgeräte"
            rf"|kontaktlinsen|insulin|täglich|\d)",
            rf"{_ICH} (?:rauche|trinke|esse|koche|fliege|fahre|tanze|schwimme|sehe fern) (?:nicht|nie"
            rf"|niemals|überhaupt nicht)\b",
            rf"{_ICH} {_ADV}(?:habe|haben|hab|hatte|besitze|besitzen) {_ADV}(?:ein(?:e[nms]?)?|zwei|drei"
            rf"|vier|fünf|\d+|kein(?:e[n]?)?|mehrere|eigene[ns]?|einige|viele"
            rf"|keinen)? ?(?:[\wäöüß-]+ ){{0,4}}?{_HABE}\b",
            rf"{_ICH} kann .*\b(?:sprechen|spielen|schwimmen|kochen|reiten|segeln|jonglieren|stricken"
            rf"|lesen|fahren|tauchen|singen)$|{_ICH} kann (?:fließend |gut |etwas |ein bisschen "
            rf"|kein )*(?-i:[A-ZÄÖÜ]\w+sch)\b",
            rf"{_ICH} (?:habe|bin|war|haben|sind) (?:früher|jahrelang|lange|\d+ jahre"
            rf"|\w+ jahre)\b.*\b(?:gelebt|gewohnt|gearbeitet|gespielt|geraucht|studiert|verbracht|gewesen"
            rf"|gelernt|gefahren|unterrichtet)",
            rf"{_ICH} habe .*\b(?:studiert|gelernt|promoviert|unterrichtet)$|{_ICH} war (?:früher|bis|vor"
            rf"|von|jahrelang|\w+ jahre)\b",
        ),
        *rules(
            "event",
            rf"{_ICH} (?:bin|sind) .*\b(?:umgezogen|gezogen|ausgewandert|eingezogen|ausgezogen"
            rf"|zurückgezogen|hergezogen|pensioniert worden|befördert worden|geworden|in rente gegangen"
            rf"|eingetreten|beigetreten)$",
            rf"{_ICH} (?:habe|haben|hab) .*\b(?:gekauft|adoptiert|geheiratet|verkauft|geerbt|gekündigt"
            rf"|abgeschlossen|bestanden|begonnen|angefangen|aufgehört|gewonnen|gegründet|bekommen"
            rf"|gebrochen|promoviert|eröffnet|gewechselt|gebaut|angemeldet|verloren|geschafft|absolviert"
            rf"|aufgegeben)$",
            rf"{_HEAD} (?:bin|sind|habe|haben|wurde) {_ICH} .*\b(?:umgezogen|gezogen|geheiratet|gekauft"
            rf"|bekommen|geworden|begonnen|angefangen|aufgehört|abgeschlossen|bestanden|adoptiert"
            rf"|befördert|gegründet|gekündigt|gewechselt|geboren)$",
            rf"{_ICH} (?:wurde|wurden) .*\b(?:befördert|entlassen|diagnostiziert|operiert|eingestellt"
            rf"|getauft|gewählt)$",
        ),
        *rules(
            "plan",
            rf"{_ICH} (?:habe|haben|hab) (?:mich|uns) .*\b(?:entschieden|entschlossen|geeinigt"
            rf"|festgelegt)\b|{_ICH} (?:habe|haben|hab) .*beschlossen\b",
            rf"{_ICH} (?:wechseln|wechsle|wechsele|steigen|steige) .*\b(?:auf|zu|um|von|nach)\b",
            rf"{_OURS} (?:plan|ziel|traum|vorsatz|entscheidung)(?: für [\w ]{{2,20}})? ist\b",
        ),
        *rules(
            "plan",
            rf"{_ICH} (?:ziehe|ziehen|fliege|fliegen|fahre|fahren|reise|reisen|heirate|heiraten|beginne"
            rf"|beginnen|fange|fangen|starte|gehe|gehen|besuche|besuchen|mache|machen|werde|werden|plane"
            rf"|planen|laufe|habe vor|haben vor|will|möchte|treffe|bekomme|bekommen|kriegen|schließe"
            rf"|kündige|trete|feiere|feiern|bin|sind|schicke|habe|haben|muss) (?!gerade\b)\w",
            rf"{_HEAD} (?:ziehe|ziehen|fliege|fliegen|fahre|fahren|reise|reisen|heirate|heiraten|beginne"
            rf"|beginnen|fange|fangen|starte|gehe|gehen|besuche|besuchen|mache|machen|werde|werden|laufe"
            rf"|bekomme|bekommen|trete|feiere|feiern|bin|sind|habe|haben|schreibe) {_ICH}\b",
            rf"{_OURS} (?:[\wäöüß]+ )?(?:hochzeit|prüfung|vorstellungsgespräch|bewerbungsgespräch"
            rf"|operation|op|flug|urlaub|geburtstag|marathon|abschlussprüfung|verteidigung|reise|konzert"
            rf"|führerscheinprüfung|fahrprüfung|entbindungstermin|geburtstermin|hochzeitstag"
            rf"|erster arbeitstag|termin\w*|umzug|mietvertrag) (?:ist|beginnt|endet|findet|startet|steht"
            rf"|geht|läuft)\b",
            needs_date=True,
        ),
        *rules(
            "fact",
            rf"{_ICH} \w+ {_ADV}(?:meistens|immer|nie|normalerweise|gewöhnlich|grundsätzlich|selten|oft"
            rf"|regelmäßig|meist|häufig) (?!(?:noch|wieder|dieselbe|denselben|eine? fehler)\b)\w",
            rf"{_ICH} (?!(?:brauche|bekomme|kriege|will|muss|sollte|würde|könnte|hätte|frage|denke|glaube"
            rf"|bin|war|habe|hatte)\b)\w+ (?:[\wäöüß,/-]+ ){{0,12}}?{_OFT}\b",
            rf"{_OFT} (?!(?:brauche|bekomme|kriege|will|muss|sollte|würde|könnte|hätte|bin"
            rf"|habe)\b)\w+ {_ICH}\b",
            rf"(?:normalerweise|meistens|morgens|abends|gewöhnlich|sonntags|samstags) \w+ {_ICH}\b",
            rf"{_ICH} (?:stehe|stehen) .*\bauf$|{_ICH} (?:gehe|gehen) .*\b(?:ins bett|ins fitnessstudio"
            rf"|joggen|schwimmen|schlafen|laufen|klettern|zur kirche|zum training)\b",
        ),
    ),
    openers=openers(
        r"übrigens|ach(?: ja)?|oh|also|und|aber|na ja|naja|hallo|hi|hey|servus|moin|guten (?:morgen|tag"
        r"|abend)|ok|okay|ja|nun|tja|ehrlich gesagt|um ehrlich zu sein|zur info|nur (?:so )?zur info"
        r"|kurz zu mir|zu mir|über mich|fyi|btw|nebenbei(?: bemerkt)?"
        r"|zum kontext|kontext|info|gut zu wissen|kleine info|update|freut mich|danke|super"
        r"|gute nachrichten|gute neuigkeiten|neuigkeiten|jedenfalls|persönlich|ps|p\.s\.|vorab"
        r"|kurz zum hintergrund|hintergrund|fun fact|kleiner fun fact|ich bin ehrlich",
        before_comma="nein|nee|doch",
    ),
    subject=compiled(
        r"(?:ich|wir|mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|er|sie|es|man|du|bitte|kannst|was|wie"
        r"|wo|wer|sein(?:e[nmrs]?)?|ihr(?:e[nmrs]?)?)\b|(?:bin|habe|wohne|arbeite|seit \w+ \w+ (?:bin"
        r"|wohne|lebe)) ich\b"
    ),
    joints=joints(r"und|aber|doch|sondern|und auch|außerdem|deshalb|daher"),
    tails=tails(
        r"übrigens|danke|bitte|btw|falls das hilft|zur info|nur zur info|oder so|lg|haha|gell|weißt du"
    ),
    passing=compiled(
        r"\b(?:fehler|fehlermeldung|exception|bug|hausaufgabe\w*|absturz|code|skript|screenshot)\b"
        r"|\b(?:ich|wir) (?:suche|brauche|benötige|versuche|frage mich|weiß nicht|verstehe|glaube|denke"
        r"|vermute|hoffe|überlege)\b"
        r"|\b(?:eine frage|fragen|ein problem|hilfe|gleich wieder|unsicher|verwirrt|nicht sicher"
        r"|keine ahnung|komme nicht weiter|müde|hungrig|gestresst|genervt|krank)\b|\b(?:ich|wir) (?:liebe"
        r"|mag|hasse) (?:es|das)\b|\bim moment$"
        r"|\b(?:vielleicht|eventuell|möglicherweise|wahrscheinlich|vermutlich|angeblich|wohl)\b"
        r"|\bkeine zeit\b|\b(?:erste|zweite|dritte|letzte|andere)[nrs]? (?:version|variante|vorschlag"
        r"|lösung|option|antwort|entwurf)\b"
        r"|\b(?:es|das|dies|damit|davon|dazu|darin|ihn|ihnen)$"
    ),
    moods=compiled(
        r"\b(?:mir ist|ich bin|ich fühle mich)\b.{0,30}\b(?:langweilig|kalt|warm|schlecht|müde|hungrig"
        r"|durstig|traurig|wütend|gestresst|krank|gelangweilt|aufgeregt|erschöpft|nervös|glücklich|froh"
        r"|fertig|bereit|spät dran|da|zurück)\b|^(?:danke|hallo)\b|\b(?:suche|sucht)\b"
    ),
)
