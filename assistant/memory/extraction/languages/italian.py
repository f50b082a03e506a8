"""Italian."""

from __future__ import annotations

from assistant.memory.extraction.languages.rule import Language, compiled, joints, openers, rules, tails

_ADV = (
    r"(?:(?:anche|attualmente|adesso|ora|ancora|sempre|soprattutto|davvero|spesso|mai|già|di recente"
    r"|recentemente|finalmente|solo|soltanto|molto|tanto|principalmente|normalmente|originariamente|più"
    r"|quasi|bene|entrambi|completamente|proprio|gravemente|felicemente|praticamente|inoltre"
    r"|particolarmente|ormai|un po') )*"
)
_HEAD = (
    r"(?:(?:da|dal|dalla|dallo|in|il|la|lo|l'|i|le|nel|nella|al|alla|a|ad|questo|questa|quest'|ogni|tutti"
    r"|tutte|per|prima|dopo|fino|attualmente|oggi|domani|ieri|ora|adesso|di solito|normalmente"
    r"|generalmente|con|durante|di mattina|la sera|dal lunedì|a partire|tra|fra|due|tre"
    r"|un)\b[^,;:.!?]{0,45}?,? )?"
)
_IO = rf"{_HEAD}(?:io |noi |io e mi[ao] \w+ )?(?:non |ormai |anche |ora |adesso |attualmente )*"
_NAME = r"(?-i:[A-ZÀ-Ý][\wàèéìòù'’-]+)"
_SAME_ONE = (
    r"(?:moglie|marito|compagn[oa]|partner|fidanzat[oa]|ragazz[oa]|ex(?:-?\w+)?|madre|padre|mamma|papà"
    r"|genitori|suocer[oaie]|sorell[ae]|sorellina|fratell[oi]|fratellino|cognat[oa]|gemell[oaie]"
    r"|figli[oae]?|bambin[oaie]|bimb[oa]|neonat[oa]|nonn[oaie]|nipot[ei]|zi[oaie]{1,2}|cugin[oaie]"
    r"|famiglia|coinquilin[oaie]|vicin[oaie]|capo|collegh?[aei]|medico|miglior[ei]? amic[oa]|amic[oa]"
    r"|can[ei]|cagnolin[oa]|gatt[oaie]|gattin[oaie]|cucciol[oaie]|conigl[io]{1,2}|criceto|pappagallo"
    r"|cavall[oi]|pony|pesc[ei]|tartarug[ah]e?|animal[ei]|labrador|barboncino)"
)
_KIN = (
    rf"(?:(?:due|tre|quattro|vecchi[oa]|nuov[oa]|car[oa]|unic[oa]"
    rf"|second[oa]) )*{_SAME_ONE}(?: (?:maggiore|minore|piccol[oa]|grande|più (?:piccol[oa]|grande)"
    rf"|gemell[oa]))?"
)
_OURS = r"(?:(?:il|la|i|le|l') ?)?(?:mi[oa]|miei|mie|nostr[oaie])"
_DOES = (
    r"(?:si (?:chiam|spos|è spos|laure|è laure|trasfer|è trasfer|occup)\w*|viv(?:e|ono)|abita(?:no)?"
    r"|lavora(?:no)?|studia(?:no)?|parla(?:no)?|gioca(?:no)?|suona(?:no)?|ama(?:no)?|adora(?:no)?"
    r"|odia(?:no)?|preferisc(?:e|ono)|colleziona|insegna(?:no)?|frequenta(?:no)?|mangia(?:no)?|bev(?:e"
    r"|ono)|non (?:mangia|beve"
    r"|vive|ha|tollera|può mangiare|lavora|parla|sopporta)(?:no)?|ha (?!(?:detto|chiesto|bisogno)\b)\w"
    r"|hanno (?!detto\b)\w|aveva|compi(?:e|rà)|è (?!(?:molto|vero|che|tardi|in ritardo|rott[oa]|malat[oa]"
    r"|stanc[oa])\b)\w|sono (?!(?:molto|malat|stanch)\w*\b)\w|era|erano|fa (?:il|la|l'|\w+ anni)|viene"
    r"|vengono|va (?:a|in|al)|corre|canta|inizia|cucina|guida|e io|sta (?:studiando|imparando|per))"
)
_HO = (
    rf"(?:{_KIN}|allergi[ae]|diabete|asma|adhd|emicrani[ae]|epilessia|celiachia|intolleranz[ae]|patente"
    rf"|macchina|auto|bici(?:cletta)?|moto|scooter|barca|camper|casa|appartamento|giardino|orto|terrazza"
    rf"|terrazzo|balcone|pianoforte|chitarra|violino|batteria|alveari|galline|dottorato|laurea|master"
    rf"|diploma|azienda|negozio|ristorante|panetteria|bar|tatuagg[io]{1, 2}|occhi|capelli|paura (?:di|del"
    rf"|dei|dell)|fobia|vertigini|abbonamento|collezione|cittadinanza|passaporto|acquario|occhiali"
    rf"|pressione alta)"
)
_TRIP = (
    r"(?:matrimonio|esame|colloquio|operazione|intervento|volo|vacanz[ae]|ferie|compleanno|maratona"
    r"|laurea|discussione|viaggio|concerto|parto|trasloco|appuntamento|contratto|primo giorno"
    r"|anniversario|pensione|concorso)"
)
_VOLTE = (
    r"(?:ogni (?:giorno|mattina|sera|notte|settimana|mese|anno|estate|inverno|weekend|fine settimana"
    r"|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)|tutt[ie] (?:i|le|gli) (?:giorni|mattine"
    r"|sere|settimane|weekend|lunedì|martedì|mercoledì|giovedì|venerdì|sabati|domeniche|mesi|anni|estati)"
    r"|(?:il|la) (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)\b"
    r"|(?:una volta|due|tre|quattro|cinque|\d+) ?(?:volte|giorni)? (?:a settimana|alla settimana"
    r"|al giorno|al mese|all'anno)|quotidianamente|prima di (?:lavorare|colazione|andare)|dopo il lavoro"
    r"|nel (?:weekend|fine settimana))"
)

ITALIAN = Language(
    tag="it",
    rules=(
        *rules(
            "relation",
            rf"{_OURS} {_KIN},? (?P<who>{_NAME}),? {_DOES}",
            rf"{_OURS} {_KIN}(?: e {_OURS} {_KIN})?,? {_DOES}",
            rf"(?P<who>{_NAME}) è {_OURS} {_KIN}\b|il (?:nome|compleanno) (?:di|del"
            rf"|della) {_OURS} {_KIN} è\b|a {_OURS} {_KIN} (?:non )?piac(?:e|ciono)\b",
            rf"{_IO}(?:ho|abbiamo) {_ADV}(?:un[oa']?|due|tre|quattro|cinque|\d+|divers[ie]"
            rf"|nessun[oa]?)? ?(?:[\wàèéìòù-]+ ){{0,3}}?{_KIN}\b",
            rf"{_IO}(?:sono|siamo) {_ADV}(?:sposat|divorziat|fidanzat|separat|single|vedov|incint"
            rf"|figli[oa] unic|mamma|papà|madre|padre)\w*\b|{_IO}(?:mi sono|ci siamo) {_ADV}(?:sposat"
            rf"|divorziat|fidanzat|separat)[oaie]\b|{_IO}vivo {_ADV}(?:con|da sol[oa])\b|siamo in (?:due"
            rf"|tre|quattro|cinque|sei)\b",
        ),
        *rules(
            "preference",
            rf"(?:a me |a noi )?(?:non )?(?:mi|ci) (?:piac(?:e|ciono)|appassionan?o?|interessano?"
            rf"|affascinano?|fa(?:nno)? (?:paura|schifo)|spaventano?|infastidi\w+"
            rf"|entusiasmano?) {_ADV}(?!(?:questo|quello|ciò|l'idea|sapere|come|che|il tuo"
            rf"|la tua)\b)[\wàèéìòù]",
            rf"(?:non )?(?:amo|amiamo|adoro|adoriamo|odio|odiamo|detesto|preferisco|preferiamo|sopporto"
            rf"|reggo|apprezzo) {_ADV}(?!(?:questo|quello|ciò|che|quando|il tuo)\b)[\wàèéìòù]",
            rf"{_IO}sono {_ADV}(?:un[oa']? ?)?(?:grande )?(?:fan|appassionat[oa]|tifos[oa]|amante"
            rf"|patit[oa]|golos[oa]|dipendente) (?:di|del|della|dei|delle|degli|dell'|da)",
            rf"(?:{_OURS}|un[oa] dei miei|una delle mie) (?:[\wàèéìòù'-]+ ){{1,3}}?(?:preferit[oaie]"
            rf"|del cuore)(?: [\wàèé-]+){{0,4}} (?:è|sono|resta)\b|{_OURS} (?:passion[ei]|hobby"
            rf"|passatempi?|debolezza)(?: \w+){{0,2}} (?:è|sono)\b|la cosa che (?:preferisco|amo)"
            rf"|{_IO}ho {_ADV}(?:una gran(?:de)? |molta |il )?(?:paura|terrore|fobia) (?:di|del|dei|delle"
            rf"|dell|degli|della)\b",
        ),
        *rules(
            "fact",
            rf"{_IO}(?:vivo|viviamo|abito|abitiamo|risiedo|risiediamo|vengo|veniamo|provengo|abitavo"
            rf"|vivevo) {_ADV}(?:a|ad|in|vicino|con|da|dal|dalla|di|qui|nel|nella|sul|sulla|accanto|fuori"
            rf"|al|alla|tra|fra)\b",
            rf"{_IO}(?:sono|siamo) {_ADV}(?:nat[oaie]|cresciut[oaie]|originari[oa]|di (?-i:[A-Z]))"
            rf"|{_IO}(?:ho|abbiamo) {_ADV}(?:vissuto|abitato|passato l'infanzia)\b",
            rf"{_IO}mi chiamo\b|{_OURS} (?:nome|cognome|soprannome|secondo nome)(?: \w+)? è\b|(?:tutti"
            rf"|gli amici|i miei amici) mi chiamano\b",
            rf"{_IO}(?:ho|abbiamo|compio|compirò|ho (?:appena )?compiuto) {_ADV}(?:\d{{1,3}}"
            rf"|[\wàèé]+) anni\b|{_IO}(?:ho|ho superato) (?:la|i) (?:\w+ina|\w+anta)\b|{_IO}sono (?:sulla"
            rf"|alla) \w+ina\b",
            rf"{_OURS} (?:compleanno|madrelingua|lingua madre|gruppo sanguigno|segno zodiacale"
            rf"|numero di scarpe|nazionalità|professione|lavoro|azienda|ditta|mestiere|indirizzo"
            rf"|città natale|cap|religione|ufficio|ruolo|macchina|auto|bici|moto|casa|appartamento"
            rf"|giardino|computer|telefono|cellulare|portatile|scuola|università|facoltà|contratto"
            rf"|stipendio|altezza|squadra|orario) (?:è|sono|si trova|si chiama|dura|cade|ha"
            rf"|misura)\b(?! (?:rott[oa]|lent[oa]|molto|guast[oa]|pien[oa]|lento))",
            rf"{_IO}(?:lavoro|lavoriamo|lavoravo|studio|studiamo|insegno|dirigo|gestisco|gestiamo|suono"
            rf"|gioco|giochiamo|parlo|parliamo|colleziono|canto|coltivo|allevo|pratico|imparo|guido|ballo"
            rf"|dipingo|cucio|cucino|nuoto|corro|alleno|scrivo|faccio|mi occupo|pedalo|programmo|possiedo"
            rf"|possediamo|frequento|vado in|pesco|disegno)\b {_ADV}(?!(?:questo|quello|una domanda"
            rf"|fatica|domande|lo stesso|finta|così|bene a)\b)[\wàèéìòù\d]",
            rf"{_IO}(?:sto|stiamo) {_ADV}(?:studiando|lavorando (?:come|per|in|da)|imparando"
            rf"|facendo (?:un|il|la|una)|scrivendo (?:un|la|una)|preparando (?:un|la|il|l')"
            rf"|frequentando)\b",
            rf"{_IO}(?:sono|siamo) {_ADV}(?:un[oa']? ?|il |la |l')?(?!(?:stanc|pront|sicur|curios|felic"
            rf"|content|content|conten|pers|bloccat|d'accord|in ritardo|quello|quella"
            rf"|un po)\w*\b)(?:giovane |ex |futur[oa] )?(?:[\wàèéìòù]+(?:ista|tore|trice|iere|iera"
            rf"|olog[oa]|grafo|grafa|aio|aia|ante|ente|essa|aiol[oa]|metra|sofo|nomo|oma)\b|insegnante"
            rf"|student\w+|medico|avvocat[oa]|ingegnere|architett[oa]|infermier[ea]|commess[oa]|cuoc[oa]"
            rf"|opera[io]{{1,2}}a?|impiegat[oa]|pensionat[oa]|maestr[oa]|prof\w*|idraulic[oa]"
            rf"|elettricista|meccanic[oa]|veterinari[oa]|notaio|giudice|sarta|sarto|chef|pilota|guida"
            rf"|libraio|segretari[oa]|dirigente|disoccupat[oa]|casaling[oa]|libero professionista"
            rf"|dottorand[oa]|tirocinante|apprendista|volontari[oa]|membro|president\w+|responsabile"
            rf"|titolare|proprietari[oa]|fondat\w+|socio|socia|donator\w+|mancin[oa])",
            rf"{_IO}(?:sono|siamo) {_ADV}(?:allergic|intollerant|vegetarian|vegan|celiac|diabetic"
            rf"|daltonic|mancin|miop|sord|ciec|bilingu|cattolic|musulman|ebre|protestant|ate[oai]|buddist"
            rf"|gay|lesbic|dislessic|asmatic|astemi|italian|frances|spagnol|tedesc|svizzer|ingles"
            rf"|american|brasilian|argentin|rumen|albanes|marocchin|sicilian|sard|napoletan|milanes"
            rf"|roman[oaie]\b|in pensione|in cassa|in aspettativa|disoccupat|alt[oa] \d)\w*",
            rf"{_IO}(?:mangio|mangiamo|bevo|beviamo|fumo|fumiamo|guido|guardo|uso|prendo|tollero"
            rf"|digerisco|leggo|nuoto|cucino|porto|ballo|volo|posso (?:mangiare|bere)) {_ADV}(?:carne"
            rf"|pesce|glutine|lattosio|alcol|alcolici|caffè|latte|zucchero|maiale|latticini|né|niente"
            rf"|solo|soltanto|senza|gli occhiali|le lenti|insulina|(?-i:[A-Z])|la tv|il caffè|\d|più)\b",
            r"(?:non) (?:fumo|bevo|guido|cucino|nuoto|ballo|volo|mangio|prendo|guardo|lavoro|uso"
            r"|ho (?:la macchina|la patente|figli|fratelli|animali|l'auto))\b",
            rf"{_IO}(?:ho|abbiamo|soffro di|soffro d'|soffro) {_ADV}(?:un[oa']?|due|tre|quattro|\d+|il|la"
            rf"|l'|i|le|gli|qualche|molt[ie])? ?(?:[\wàèéìòù-]+ ){{0,4}}?{_HO}\b",
            rf"{_IO}(?:so|sappiamo) (?:nuotare|suonare|parlare|cucire|cucinare|guidare|leggere|sciare"
            rf"|lavorare a|cantare|ballare|andare a cavallo)\b|{_IO}sono alt[oa]\b|{_IO}peso \d"
            rf"|{_IO}(?:lavoravo|vivevo|abitavo|fumavo|giocavo|suonavo|insegnavo|facevo (?:il|la|l')) ",
        ),
        *rules(
            "event",
            rf"{_IO}(?:mi sono|ci siamo) {_ADV}(?:trasferit|laureat|diplomat|iscritt|licenziat|rott"
            rf"|mess[oaie] (?:a|in)|spostat)\w*\b|{_IO}(?:sono|siamo) {_ADV}(?:andat[oaie] (?:in pensione"
            rf"|a vivere|a convivere)|diventat|stat[oaie] (?:promoss|licenziat|assunt|operat|ammess)"
            rf"|emigrat|entrat[oaie] (?:in|a))\w*\b|{_IO}mi (?:hanno|è stat[oa]) (?:promoss|assunt"
            rf"|licenziat|operat|diagnosticat)\w*\b",
            rf"{_IO}(?:ho|abbiamo) {_ADV}(?:appena )?(?:comprato|adottato|venduto|ereditato|superato"
            rf"|iniziato|cominciato|smesso|lasciato|cambiato (?:lavoro|casa|azienda)|fondato|aperto"
            rf"|pubblicato|vinto|finito (?:l'|il|la|gli)|terminato|perso (?:mio|mia|il lavoro)"
            rf"|preso (?:la|un|una|il)|ottenuto|corso|avuto un[oa']? ?(?:bambin|figli|incidente)\w*"
            rf"|traslocato|rinunciato)\b(?! (?:un errore|ad avere))",
        ),
        *rules(
            "plan",
            rf"{_IO}(?:ho|abbiamo) {_ADV}(?:deciso|scelto|optato|concordato|stabilito)\b|{_IO}(?:passiamo"
            rf"|passeremo|passo|cambiamo|migriamo) (?:a|da|al)\b|{_IO}(?:smetto|smetterò|smetteremo"
            rf"|diventerò|cambierò|imparerò) ",
            rf"{_OURS} (?:piano|obiettivo|sogno|proposito|decisione"
            rf"|scopo)(?: per [\wàèéìòù ]{{2,20}})? è\b",
        ),
        *rules(
            "plan",
            rf"{_IO}(?:vado|andiamo|andrò|andremo|parto|partiamo|partirò|mi trasferisco|ci trasferiamo"
            rf"|mi trasferirò|mi sposo|ci sposiamo|inizio|iniziamo|inizierò|comincio|volo|pianifico"
            rf"|penso di|abbiamo in programma|ho in programma|corro|correrò|festeggio|visito|visiteremo"
            rf"|sarò|saremo|avrò|farò|faremo|manderò|invierò|devo|finisco|mi laureo|mi opero|mi operano"
            rf"|ho|abbiamo|passo|passiamo|passerò|torno|torniamo|compro|prendo|consegno)\b",
            rf"{_OURS} (?:[\wàèé]+ )?{_TRIP} (?:è|sono|sarà|inizia|iniziano|comincia|finisce|cade|scade)\b",
            needs_date=True,
        ),
        *rules(
            "fact",
            rf"{_IO}(?!(?:ho|avevo|voglio|vorrei|devo|posso|sono|sto|credo|penso|spero|ricevo|mi (?:serve"
            rf"|dà|chiedo))\b)(?:mi |ci )?[\wàèéìòù]+(?:o|iamo) (?:[\wàèéìòù,'’/-]+ ){{0,12}}?{_VOLTE}",
            rf"{_VOLTE},? (?:non |mi |ci )*(?!(?:ho|voglio|devo|sono|sto|credo|penso"
            rf"|ricevo)\b)[\wàèéìòù]+(?:o|iamo)\b",
            rf"(?:io )?(?:di solito|normalmente|generalmente|abitualmente|in genere) (?:non |mi "
            rf"|ci )*(?!(?:ho|voglio|devo|sono|ricevo|capisco)\b)[\wàèéìòù]+(?:o|iamo)\b"
            rf"|{_IO}[\wàèéìòù]+o (?:sempre|spesso|raramente|mai) (?!(?:lo stesso|un errore|capito)\b)\w",
            rf"{_IO}mi (?:alzo|sveglio|addormento|faccio la doccia) (?:alle|alla|verso|presto|tardi"
            rf"|sempre|molto|prima)\b|{_IO}vado a (?:letto|dormire|correre|lavorare|messa)\b",
        ),
    ),
    openers=openers(
        r"comunque|a proposito|per la cronaca|per tua informazione|sappi che|tra l'altro|ah|oh|beh|be'"
        r"|bene|e|ma|ciao|salve|buongiorno|buonasera|ok|va bene|sì|onestamente|sinceramente"
        r"|a dire il vero|per essere onest[oa]|in realtà|infatti|contesto|per contesto|per dare contesto"
        r"|un po' di contesto|su di me|due parole su di me"
        r"|mi presento|piacere|grazie|ottimo|buone notizie|buona notizia|grande notizia|novità"
        r"|personalmente|ps|p\.s\.|inoltre|come sai|devo dire che|devi sapere che|dunque|allora|quindi|fyi",
        before_comma="no",
    ),
    subject=compiled(
        r"(?:io|noi|(?:il|la|i|le) (?:mi[oa]|miei|mie|nostr[oaie])|mi[oa] \w+|lui|lei|loro|questo|quello"
        r"|tu|puoi|potresti|cosa|come|mi (?:piac|chiam|trasfer|spos|alz|occup)\w*|ci (?:siamo|spos"
        r"|trasfer)\w*|non (?:mangio|bevo|fumo|ho|posso|sono|mi|sopporto)|vivo|viviamo|abito|abitiamo"
        r"|lavoro|lavoriamo|ho|abbiamo|sono (?!stat)|siamo|sto|parlo|preferisco|odio|adoro|amo|studio"
        r"|gioco|suono|vado|andiamo|cerco|faccio|mangio|bevo|vorrei|insegno|compio)\b"
    ),
    joints=joints(r"e|ed|ma|però|quindi|e anche|inoltre|anche se|perciò"),
    tails=tails(r"comunque|grazie|per favore|anche|sai|se può aiutare|per la cronaca|tra l'altro|eh|ecco"),
    passing=compiled(
        r"\b(?:errore|errori|bug|eccezione|compiti|il mio codice|questo codice|il codice|script"
        r"|schermata)\b|\b(?:cerco|cerchiamo|ho bisogno|abbiamo bisogno|provo a|sto cercando|mi chiedo"
        r"|non so|non capisco|non riesco|vorrei|mi piacerebbe|credo|spero|dubito)\b"
        r"|\b(?:una domanda|domande|un problema|un dubbio|aiuto|pers[oa]|bloccat[oa]|stanc[oa]|malat[oa]"
        r"|fame|sonno|sete|fretta|stressat[oa]|ragione)\b(?! di)|\bmi piace (?:questo|quello)\b"
        r"|\bin questo momento$"
        r"|\b(?:forse|magari|probabilmente|può darsi|presumibilmente|a quanto pare)\b"
        r"|\bnon ho tempo\b|\b(?:prima|seconda|ultima|altra) (?:versione|opzione|risposta|proposta"
        r"|soluzione|idea)\b"
        r"|\b(?:questo|quello|ciò)$"
    ),
    moods=compiled(
        r"\b(?:sono|mi sento|è|si sente)\b.{0,20}\b(?:stanc|trist|content|arrabbiat|stressat|malat|esaust"
        r"|pront|preoccupat|annoiat|felic|nervos|impegnat|giù\b|di (?:buon|cattivo) umore)\w*"
        r"|\bho (?:fame|sete|freddo|caldo|sonno|fretta|voglia)\b|\b(?:cerco|cerchiamo|cerca)\b|^(?:grazie"
        r"|ciao)\b"
    ),
)
