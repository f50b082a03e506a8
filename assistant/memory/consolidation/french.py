"""French."""

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
    r"(?P<who>(?:mon|ma|notre) \w+(?: \w+)?|(?!je |j |tu |il |elle |on |nous |vous |c |ce |le |la |les |un |une )"
    r"[^\d\W]\w*) "
)
_TAIL = (
    r"(?P<tail> (?:depuis|pour \w+ ans|pendant|jusqu a|en \d{4}|en (?:janvier|fevrier|mars|avril|mai|juin|"
    r"juillet|aout|"
    r"septembre|octobre|novembre|decembre)|l an dernier|le mois dernier|la semaine derniere|l annee derniere|cette|"
    r"ce mois ci|il y a|avec|parce que|cet|ce)(?: .*)?)?"
)
_AT = (
    r"(?:a|au|aux|en|dans le|dans la|pres de) (?P<residence>(?!une? |la (?=maison|campagne)|le |mon |ma ).+?)"
)
_I = r"(?:je |j |nous |on )?"

FRENCH = Language(
    name="fr",
    evidence=words(
        "je j le les du des un une mon ma mes est suis ai au aux avec pour pas ne n dans chez qui que il elle et sur "
        "habite travaille vis depuis chaque notre nous m s appelle ans a aime à ont sont sans jamais l d ce cette"
    ),
    silent=words(
        "le la les l un une des du de d je j suis est sont mon ma mes notre nos en dans très vraiment aussi "
        "c ce qui n ne"
    ),
    copulas=words("suis est sont"),
    mine=words("mon ma mes notre nos"),
    first=words("je j nous me m moi"),
    denials=marked(
        not_="pas aucun aucune rien personne ni non guère point", never="jamais", without="sans sauf"
    ),
    ended=over(("ne|n", "plus")),
    fillers=phrases(
        [
            "maintenant",
            "actuellement",
            "en ce moment",
            "a present",
            "desormais",
            "dorenavant",
            "aujourd hui",
            "recemment",
            "enfin",
            "au fait",
            "d ailleurs",
            "toujours",
            "encore",
            "depuis peu",
            "oui",
            "deja",
            "a l heure actuelle",
            "ces temps ci",
            "vraiment",
            "en fait",
            "aussi",
            "finalement",
            "pour l instant",
            "tres",
        ]
    ),
    forms=classes(
        "voiture auto automobile | habite vis réside | habite vit | travail emploi métier boulot job profession | "
        "employeur entreprise société | aime adore apprécie | aiment adorent | portable mobile | téléphone tél | "
        "père papa | mère maman | enfants gosses | appelle nomme | préféré préférée favori favorite | "
        "préférés préférées | "
        "médecin docteur généraliste | allergique allergie | vélo bicyclette | film movie | euros euro € | "
        "déteste hais | "
        "chaque tous toutes | ciné cinéma | ordinateur pc | chef patron patronne | loyer location | km kilomètres "
        "kilomètre | kg kilo kilos kilogrammes | pourcent %"
    ),
    opposites=exclusive(
        "tous quelques certains plusieurs aucun beaucoup peu | toujours parfois souvent rarement | plus "
        "moins | avant "
        "après | gauche droite | tôt tard | chaud froid | grand petit | vieux nouveau jeune | riche pauvre | "
        "célibataire "
        "marié mariée divorcé divorcée fiancé fiancée | aime déteste | achète vends | acheté vendu | bon mauvais | "
        "premier dernier | matin midi soir nuit | père mère | frère sœur | fils fille | mari femme | peut doit | de à"
    ),
    facts=facts(
        [
            r"je suis (?:devenue? )?(?P<diet>vegane?|vegetarien(?:ne)?|vegetalien(?:ne)?|pescetarien(?:ne)?)<tail>|"
            r"je mange (?:de la )?(?P<diet>viande)",
            r"je (?:suis|me suis) (?P<relationship>celibataire|mariee?|divorcee?|fiancee?|veu(?:f|ve)|"
            r"separee?|en couple)"
            r"<tail>",
            r"<i>(?:habite|habitons|vis|vivons|reside|vit|demeure) <at><tail>",
            r"<who>(?:habite|vit|reside) <at><tail>",
            r"<i>(?:(?:ai|avons|a) demenage|(?:me |m )?(?:suis|sommes) (?:installee?s?|alle vivre|partie? vivre|"
            r"emmenagee?)|viens de demenager|viens de m installer)(?: de (?P<residence_left>.+?))? <at><tail>",
            r"<who>a demenage <at><tail>",
            r"(?P<residence>.+?) est (?:l endroit|la ville|le lieu) ou (?:j habite|je vis)|(?:mon domicile|ma "
            r"residence|ma "
            r"ville) est (?:a )?(?P<residence>.+?)|c est a (?P<residence>.+?) que (?:j habite|je vis)",
            r"(?:j ai quitte|je suis partie? de) (?P<residence_left>(?!mon |la |le ).+?)<tail>",
            r"<i>(?:travaille|suis employee?|suis embauchee?|bosse) (?:chez|pour) (?P<employer>(?!une? |la |le |ma |"
            r"mon ).+?)<tail>",
            r"<i>(?:ai|viens de|ai ete) (?:commencee?|commencer|rejoint|rejoindre|embauchee?|recrutee?)(?: a "
            r"travailler)?"
            r"(?: chez| par| pour)? (?P<employer>(?!une? |a ).+?)<tail>",
            r"<who>(?:travaille|bosse) (?:chez|pour) (?P<employer>(?!une? ).+?)<tail>",
            r"j ai (?:quitte|demissionne de) (?P<employer_left>(?!mon |la |le ).+?)<tail>",
            r"<i>(?:travaille comme|travaille en tant que|exerce comme|suis devenue?) (?:une? )?(?P<job>.+?)"
            r"(?: chez (?P<employer>.+?))?<tail>",
            r"<who>travaille comme (?P<job>.+?)(?: chez (?P<employer>.+?))?<tail>",
            r"je suis (?:une? )?(?P<maybe_job>[^\d\W]\w+)(?: de metier| de profession)?",
            r"<who>est (?:une? )?(?P<maybe_job>[^\d\W]\w+)(?: de metier| de profession)?",
            r"(?:j ai|je viens d avoir|j ai eu|ai) (?P<age>\d{1,3}) ans|mon age est (?P<age>\d{1,3})(?: ans)?|"
            r"je suis agee? "
            r"de (?P<age>\d{1,3}) ans",
            r"<who>a (?:eu )?(?P<age>\d{1,3}) ans",
            r"je m appelle (?P<name>.+?)|(?:mon nom|mon prenom) est (?P<name>.+?)|on m appelle (?P<name>.+?)",
            r"(?P<who>(?:mon|ma) .+?) s appelle (?P<name>.+?)|le (?:nom|prenom) de (?P<who>(?:mon|ma) .+?) "
            r"est (?P<name>.+?)|"
            r"(?P<who>(?:mon|ma) \w+) (?:se nomme|porte le nom de|a pour nom) (?P<name>.+?)",
            r"j ai une? (?P<who>.+?) (?:qui s appelle|nommee?|appelee?|du nom de|prenommee?) (?P<name>.+?)",
            r"(?:je suis )?allergique (?:a|au|aux|a la|a l) (?P<allergy>.+?)|(?:j ai|je souffre d) une allergie "
            r"(?:a|au|aux|a la|a l) (?P<allergy>.+?)|je fais une allergie (?:a|au|aux|a la|a l) (?P<allergy>.+?)",
            r"<who>est allergique (?:a|au|aux|a la|a l) (?P<allergy>.+?)",
            r"je (?:conduis|roule en) (?:une? )?(?:nouvelle )?(?P<maybe_car>.+?)<tail>",
            r"je parle (?:couramment )?(?:le |l )?(?P<speaks>.+?)(?: couramment)?",
            r"(?:j |je )?(?:aime|adore|apprecie)(?: bien| beaucoup)? (?P<likes>.+?)|je suis fan de (?P<likes>.+?)",
            r"<who>(?:aime|adore) (?P<likes>.+?)",
            r"je (?:deteste|hais|ne supporte pas) (?P<dislikes>.+?)",
            r"je suis nee? (?:le |en )(?P<birth>.*?\d.*?)|mon anniversaire est (?:le )?(?P<birth>.+?)|(?:je suis "
            r"nee? (?:a|en|au) |je viens (?:de |du |d )|je suis originaire (?:de |du |d ))(?P<origin>[^\d]+?)",
            r"j ai arrete (?:de |d )(?P<activity_left>.+?)",
            r"(?:mon|ma)(?: nouveau| nouvelle)? (?P<favourite_of>\w+) (?:prefere|favori|preferee|favorite) "
            r"est (?:le |la |l |les "
            r")?(?P<favourite>.+?)",
            r"(?:le |la |l |les )?(?P<favourite>.+?) est (?:mon|ma)(?: nouveau| nouvelle)? (?P<favourite_of>\w+) "
            r"(?:prefere|favori|preferee|favorite)",
            r"(?:mon|ma|notre)(?P<fresh> nouveau| nouvelle| nouvel)? (?P<mine>.+?) est (?P<mine_value>.+?)",
            r"(?P<mine_value>.+?) est (?:mon|ma|notre)(?P<fresh> nouveau| nouvelle| nouvel)? (?P<mine>.+?)",
            r"j ai (?P<count>\d+) (?P<count_of>.+?)",
        ],
        who=_WHO,
        tail=_TAIL,
        at=_AT,
        i=_I,
    ),
    nouns=nouns(
        phone="numero,numero de telephone,numero de portable,portable,telephone",
        email="email,mail,adresse mail,adresse email,adresse e mail,courriel",
        address="adresse",
        employer="employeur,entreprise",
        job="travail,metier,emploi,profession,boulot",
        car="voiture,auto",
        age="age",
        boss="chef,patron,patronne",
        doctor="medecin,docteur,medecin traitant,generaliste",
        dentist="dentiste",
        wife="femme,epouse",
        husband="mari,epoux",
        partner="copain,copine,compagnon,compagne,partenaire,fiance,fiancee",
        landlord="proprietaire",
        rent="loyer",
        salary="salaire",
        weight="poids",
        height="taille",
        size="pointure",
        time_zone="fuseau horaire",
        operating_system="systeme d exploitation",
        deadline="date limite,echeance",
        pin="code,code pin",
        school="ecole,universite,fac",
        bank="banque",
    ),
    joins=words("et mais parce quand si où ou alors puis comme car lorsque"),
)

PROFESSIONS = words(
    "infirmier infirmiere professeur professeure enseignant enseignante medecin avocat avocate ingenieur ingenieure "
    "developpeur developpeuse programmeur cuisinier cuisiniere boulanger boulangere menuisier electricien "
    "electricienne "
    "plombier comptable architecte journaliste ecrivain photographe musicien musicienne acteur actrice "
    "peintre dentiste "
    "pharmacien pharmacienne veterinaire mecanicien pilote chauffeur jardinier agriculteur bibliothecaire physicien "
    "etudiant etudiante consultant consultante traducteur traductrice psychologue juge serveur serveuse coiffeur "
    "coiffeuse vendeur vendeuse secretaire pompier policier"
)
