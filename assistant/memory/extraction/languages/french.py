"""French."""

from __future__ import annotations

from assistant.memory.extraction.languages.rule import Language, compiled, joints, openers, rules, tails

_ADV = (
    r"(?:(?:aussi|actuellement|maintenant|encore|toujours|surtout|vraiment|souvent|jamais|plus|pas"
    r"|récemment|enfin|seulement|absolument|beaucoup|très|bien|déjà|tous les deux|principalement"
    r"|originaire|également|désormais|plutôt|même|"
    r"rarement|parfois|généralement|énormément|guère|point|tout|trop|complètement|strictement|légèrement"
    r"|gravement|à l'origine) )*"
)
_HEAD = (
    r"(?:(?:depuis|en|dans|le|la|l'|au|aux|à|cet|cette|ce|chaque|tous|toutes|pour|avant|après|jusqu'"
    r"|actuellement|aujourd'hui|demain|hier|d'habitude|en général|normalement|le week-end|avec|pendant"
    r"|il y a|ça fait|d'ici|à partir)\b[^,;:.!?]{0,45}?,? )?"
)
_JE = rf"{_HEAD}(?:moi,? )?(?:je (?:ne |n')?|j'|je n'|nous (?:ne |n')?|on (?:ne |n')?)"
_SUIS = rf"{_HEAD}(?:moi,? )?(?:je suis|je ne suis|nous sommes|nous ne sommes|on est)"
_AI = rf"{_HEAD}(?:moi,? )?(?:j'ai|je n'ai|nous avons|nous n'avons|on a)"
_NAME = r"(?-i:[A-ZÀ-Þ][\w'’-]+)"
_SAME_ONE = (
    r"(?:femme|mari|épou(?:x|se)|compagn(?:on|e)|conjointe?|fiancée?|copain|copine|petite? amie?"
    r"|ex(?:-\w+)?|mère|père|maman|papa|parents|beaux?-(?:père|frère|parents|fils)|belles?-(?:mère|sœur"
    r"|soeur|fille|famille)|sœurs?|soeurs?|frères?|jum(?:eau|elle|eaux|elles)|fils|filles?|garçons?"
    r"|enfants?|bébé|grands?-(?:mère|père|parents)|mamie|papi"
    r"|petits?-(?:fils|enfants)|petite-fille|tante|oncle|cousine?s?|nièce|neveu|famille|colocataires?"
    r"|coloc|voisine?s?|patronn?e?|chef(?:fe)?|collègues?|médecin|meilleure? amie?|chiens?|chiennes?"
    r"|chats?|chattes?|chiots?|chatons?|lapins?|hamsters?|perroquet|chev(?:al|aux)|poney|poissons?"
    r"|tortues?|animal|animaux|labrador|caniche)"
)
_KIN = (
    rf"(?:(?:petite?|grande?|vieil(?:le)?|jeune|ancien(?:ne)?|nouve(?:au|lle)|deux|trois|quatre"
    rf"|premi(?:er|ère)|seconde?) )*{_SAME_ONE}(?: (?:aînée?|cadette?|jumelle|jumeau|unique))?"
)
_OURS = r"(?:mon|ma|mes|notre|nos)"
_DOES = (
    r"(?:s'appelle(?:nt)?|fait|font|tient|tiennent|suit|fréquente|dirige(?:nt)?|habite(?:nt)?|vi(?:t"
    r"|vent)|travaille(?:nt)?|étudie(?:nt)?|parle(?:nt)?"
    r"|joue(?:nt)?|aime(?:nt)?|adore(?:nt)?|déteste(?:nt)?|préfère|collectionne|enseigne|mange(?:nt)?"
    r"|boi(?:t|vent)|(?:ne |n')(?:mange|boi|aime|suppor|parl|habit|viv|a|est|travaill)\w* pas|a (?:\d+"
    r"|\w+ ans|une?|deux|trois|quatre|eu|les|des|déménagé|pris|commencé)|ont (?:\d+|\w+ ans|une?|deux"
    r"|trois|eu|des|déménagé)"
    r"|aura|va avoir|fête(?:ra)?|est (?:une?|né|née|allergique|végétarienne?|végane?|mariée?|retraitée?"
    r"|enceinte|sourde?|aveugle|au|en|à|de|d'|originaire|décédée?|mort|morte|diabétique|intolérant\w*|le"
    r"|la|\w+(?:eur|euse|ien|ienne|iste|ier|ière|trice|logue|ante|ant|cin|teur|avocat|avocate|prof))"
    r"|sont (?:nés|nées|allergiques|divorcés|retraités|mariés|de|à|en|au|\w+(?:eurs|iens|istes|iers))"
    r"|était|étaient|vient|viennent|va (?:à|au|en|se)|court|chante|se mari\w+|commence|et moi)"
)
_METIER = (
    r"(?!(?:désolée?|fatiguée?|perdue?|bloquée?|contente?|premi(?:er|ère)|derni(?:er|ère)|fi(?:er|ère)"
    r"|enti(?:er|ère)|curieu(?:x|se)|heureu(?:x|se)|bien|prête?|malade|intéress\w+|inqui\w+|étonn\w+"
    r"|arriv\w+|confiante?|hésitante?|débutante? ici|absente?|présente?|importante?|meilleure?"
    r"|ailleurs)\b)"
    r"(?:[\wéèêëàâîïôûüç-]+(?:eur|eure|euse|ien|ienne|iste|ier|ière|trice|logue|graphe|ante|ant|naire"
    r"|taire|tecte|mane|crate|cienne|nome)|médecin|prof\w*|cadre|avocate?|chef|cheffe|maçon\w*|pilote"
    r"|vétérinaire|notaire|psychologue|juge|maire|artisane?|cuistot|auteure?|écrivaine?|interprète"
    r"|peintre|architecte|libraire|ostéopathe|kiné|sage-femme|agent\w*|employée?|salariée?|fonctionnaire"
    r"|retraitée?|indépendante?|étudiante?|ingénieure?|pompier|militaire|guide|doctorante?|apprentie?"
    r"|stagiaire|bénévole|comptable|secrétaire|chômeu\w+|dentiste)"
)
_POSSEDE = (
    rf"(?:{_KIN}|allergies?|diabète|asthme|tdah|migraines?|épilepsie|maladie (?:cœliaque|coeliaque"
    rf"|de \w+)|intolérance|permis|voiture|vélo|moto|scooter|bateau|camping-car|maison|appartement|jardin"
    rf"|potager|balcon|piano|guitare|violon|batterie|ruches?|poules|doctorat|master|licence|diplôme|bac"
    rf"|entreprise|boutique|restaurant|boulangerie|tatouages?|yeux|cheveux|phobie|vertige|peur d\w*"
    rf"|abonnement|collection|nationalité|passeport|aquarium|lunettes|formation|animaux)"
)
_SOUVENT = (
    r"(?:tous les (?:jours|matins|soirs|week-ends|lundis|mardis|mercredis|jeudis|vendredis|samedis"
    r"|dimanches|mois|ans|étés|hivers|deux jours)|toutes les (?:semaines|nuits)|chaque (?:jour|matin|soir"
    r"|semaine|mois|année|été|hiver|week-end|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
    r"|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|matin|soir|week-end)"
    r"|(?:une|deux|trois|quatre|cinq|\d+) (?:fois|jours|soirs|matins) par (?:jour|semaine|mois|an)"
    r"|quotidiennement|avant le travail|après le travail|au petit-déjeuner)"
)

FRENCH = Language(
    tag="fr",
    rules=(
        *rules(
            "relation",
            rf"{_OURS} {_KIN},? (?P<who>{_NAME}),? {_DOES}",
            rf"{_OURS} {_KIN}(?: et {_OURS} {_KIN})?,? {_DOES}",
            rf"(?P<who>{_NAME}) est {_OURS} {_KIN}\b|le (?:prénom|nom) de {_OURS} {_KIN} est\b"
            rf"|l'anniversaire de {_OURS} {_KIN} est\b",
            rf"{_AI} {_ADV}(?:une?|deux|trois|quatre|cinq|\d+|des|plusieurs|d'|de"
            rf"|aucune?) ?(?:[\w'-]+ ){{0,3}}?{_KIN}\b",
            rf"{_SUIS} {_ADV}(?:mariée?s?|divorcée?s?|fiancée?s?|veu(?:f|ve)|célibataires?|pacsée?s?"
            rf"|fille unique|fils unique|enceinte|en couple|(?:la |le )?(?:mère|père|maman|papa) (?:de"
            rf"|d')|ensemble)",
            rf"{_JE}(?:me suis|nous sommes|s'est) {_ADV}(?:mariée?s?|fiancée?s?|pacsée?s?|séparée?s?)\b"
            rf"|{_JE}vis {_ADV}(?:avec|seule?)\b",
        ),
        *rules(
            "preference",
            rf"{_JE}{_ADV}(?:aime|adore|déteste|préfère|hais|apprécie|aimons|adorons|détestons|préférons"
            rf"|raffole|privilégie) {_ADV}(?!(?:ça|cela|cette idée|l'idée|savoir|comment|ton|ta|votre"
            rf"|ce que|bien que)\b)[\wéèà]",
            rf"{_JE}supporte (?:pas|plus|vraiment pas|absolument pas) (?!(?:ça|cela)\b)|{_JE}(?:ai"
            rf"|ait) (?:très |vraiment )?(?:horreur|peur) (?:de|du|des|d')|{_AI} (?:horreur|peur"
            rf"|le vertige)",
            rf"{_SUIS} {_ADV}(?:une? )?(?:grande? |gros(?:se)? )?(?:fan|passionnée?|accro|amat(?:eur"
            rf"|rice)|folle|fou|amoureu(?:x|se)) (?:de|du|des|d'|à|au)",
            rf"(?:{_OURS}|l'un de mes|l'une de mes) (?:[\wéè'-]+ ){{1,3}}?(?:préférée?s?"
            rf"|favorite?s?)(?: [\w'-]+){{0,3}},? (?:est|sont|c'est|reste)\b|{_OURS} (?:passions?"
            rf"|loisirs?|hobb(?:y|ies)|passe-temps|péché mignon)(?: [\wé]+){{0,2}},? (?:est|sont|c'est)\b",
            r"ce que (?:je préfère|j'aime)(?: [\w'-]+){0,4},? c'est\b|je m'intéresse\b",
        ),
        *rules(
            "fact",
            rf"{_JE}{_ADV}(?:habite|habitons|vis|vivons|vit|réside|loge|viens|venons|vient|habitais"
            rf"|vivais)\b {_ADV}(?:à|au|aux|en|dans|sur|près|chez|seule?|avec|de|du|d'|des|depuis|ici|là"
            rf"|rue|hors|non|pas|plus|entre|juste|\w+ à)",
            rf"{_SUIS} {_ADV}(?:né|née|nés|originaires?|de|d')\b (?!(?:retour|plus|bonne|mauvaise"
            rf"|garde)\b)\w|{_AI} {_ADV}(?:grandi|vécu|habité|passé mon enfance)\b",
            rf"{_JE}m'appelle\b|(?:{_OURS}) (?:pré)?nom (?:complet |de famille |de jeune fille )?est\b"
            rf"|(?:tout le monde|mes amis|on) m'appelle\b|{_OURS} surnom est\b",
            rf"{_AI} {_ADV}(?:\d{{1,3}}|[\w-]+) ans\b|{_JE}(?:vais avoir|viens d'avoir|fête|fêterai"
            rf"|aurai) (?:mes )?(?:\d{{1,3}}|[\w-]+) ans\b|j'approche de la \w+aine\b|j'ai la \w+aine\b",
            rf"{_OURS} (?:anniversaire|langue maternelle|groupe sanguin|signe astro\w*|pointure"
            rf"|nationalité|métier|travail|employeur|entreprise|boulot|adresse|ville natale|code postal"
            rf"|religion|bureau|poste|voiture|vélo|maison|appartement|appart|jardin|ordinateur|ordi"
            rf"|téléphone|portable|école|université|contrat|trajet|salaire|taille|équipe) (?:est|sont"
            rf"|se trouve|s'appelle|dure|tombe|a|mesure)\b(?! (?:en panne|cassée?|lente?|pleine?|pas))",
            rf"{_JE}{_ADV}(?:travaille|travaillons|bosse|enseigne|étudie|étudions|dirige|gère|tiens"
            rf"|tenons|possède|possédons|joue|jouons|parle|parlons|collectionne|chante|cultive|élève"
            rf"|pratique|apprends|apprenons|conduis|roule|danse|peins|tricote|couds|cuisine|nage|cours"
            rf"|jardine|milite|entraîne|encadre)\b {_ADV}(?!(?:sur (?:ce|un|cet|le) (?:problème|bug|code)"
            rf"|à nouveau)\b)[\wéàè]",
            rf"{_JE}prépare {_ADV}(?:une? (?:thèse|doctorat|master|licence|concours|marathon|diplôme)"
            rf"|le concours)\b",
            rf"{_JE}fais {_ADV}(?:du|de la|de l'|des|partie|un doctorat|une thèse|un master|une formation"
            rf"|un apprentissage|mes études|\w+ (?:km|kilomètres|cm)|\d)",
            rf"{_SUIS} {_ADV}(?:une? |le |la )?(?:ancien(?:ne)? |jeune |future? |grande? )?{_METIER}\b",
            rf"{_SUIS} {_ADV}(?:allergique|intolérante?|végétarienne?s?|végane?s?|vegan|végétalienne?"
            rf"|diabétique|daltonienne?|gauch(?:er|ère)|droiti(?:er|ère)|myope|sourde?|aveugle|bilingue"
            rf"|catholique|musulmane?|juive?|protestante?|athée|bouddhiste|homosexuel\w*|gay|lesbienne"
            rf"|trans|dyslexique|asthmatique|cœliaque|coeliaque|non-fumeu\w+|sobre"
            rf"|française?|belge|suisse|canadienne?|québécoise?|italienne?|espagnole?|portugaise?"
            rf"|allemande?|marocaine?|algérienne?|tunisienne?|sénégalaise?|au chômage|à la retraite"
            rf"|en (?:congé|télétravail|master|licence|première|terminale|alternance|doctorat"
            rf"|dernière année)|à mon compte|(?:membre|président\w*|bénévole|responsable|directeur"
            rf"|directrice|chef\w*|propriétaire|gérante?|fondat\w+) (?:de|du|d'|à|dans|au))\b",
            rf"{_JE}{_ADV}(?:mange|mangeons|bois|buvons|fume|fumons|conduis|regarde|porte|prends|digère"
            rf"|tolère|lis|cuisine|consomme|utilise|bosse|nage|danse|vole) {_ADV}(?:pas|plus|jamais|que"
            rf"|rien|de (?:viande|poisson)|mon (?:café|thé)|des lunettes|des lentilles|un appareil"
            rf"|uniquement|exclusivement|(?-i:[A-Z])|du (?:lait|tofu)|\d|ni)\b",
            rf"{_AI} {_ADV}(?:une?|deux|trois|quatre|cinq|\d+|des|le|la|les|mon|ma|plusieurs|d'|de|du"
            rf"|aucune?)? ?(?:[\w'éè-]+ ){{0,4}}?{_POSSEDE}\b",
            rf"{_JE}(?:sais|savons) {_ADV}(?:nager|jouer|parler|coudre|cuisiner|conduire|lire|skier"
            rf"|tricoter|chanter|piloter|faire du)\b|{_JE}me débrouille en\b",
            rf"{_JE}(?:travaillais|habitais|vivais|fumais|jouais|étais|enseignais) (?!(?:en train|fatigu"
            rf"|sûre?|bloqu|perdu)\w*\b)(?:à|au|en|dans|avant|autrefois|comme|pour|chez|du|de|dans|une?"
            rf"|\w+(?:eur|euse|ien|ienne|iste|ier|ière|ante?))\b|(?:ça|cela) fait \w+ (?:ans|mois) que\b"
            rf"|{_JE}mesure \d|{_JE}souffre (?:de|d')",
        ),
        *rules(
            "event",
            rf"{_AI} {_ADV}(?:déménagé|emménagé|acheté|adopté|vendu|hérité|obtenu|réussi|commencé|arrêté"
            rf"|démissionné|quitté|changé de|été promue?|été licenciée?|rejoint|fondé|ouvert|publié|gagné"
            rf"|terminé|fini|perdu (?:mon|ma)|eu (?:un|une|mon|ma|notre) (?:bébé|enfant|fille|fils|garçon"
            rf"|permis|diplôme|bac|master|promotion|accident|opération)|appris (?:à|l[ea]|que je suis)"
            rf"|passé mon|décroché|monté (?:ma|mon|une)|couru)\b(?! (?:un bug|une erreur|à avoir))",
            rf"{_SUIS} {_ADV}(?:devenue?|partie?s? (?:vivre|à la retraite)|installée?s?|diplômée?"
            rf"|passée? à|entrée? (?:à|chez|dans)|arrivée?s? (?:à|en|au))\b",
            rf"{_JE}(?:me suis|nous sommes|s'est|viens de|venons de|vient de) {_ADV}(?:installée?s?"
            rf"|inscrite?s?|mise?s? (?:à|au)|cassée? (?:la|le)|mariés?|emménager|déménager|acheter"
            rf"|adopter|commencer|fêter|changer de|quitter|passer|terminer|obtenir|prendre|avoir (?:un"
            rf"|une|mon))\b",
        ),
        *rules(
            "plan",
            rf"{_AI} {_ADV}(?:décidé|choisi|opté|résolu|convenu|prévu)\b (?:de|d'|que|pour|du|la|le|une?)"
            rf"|{_JE}(?:me suis|nous sommes) (?:décidée?s?|mis d'accord|engagée?s?)\b|c'est décidé\b"
            rf"|{_JE}(?:passons|passe|basculons|migrons) (?:à|de|au|sur|vers)\b",
            rf"{_OURS} (?:projet|objectif|rêve|but|résolution|décision)(?: pour [\w ]{{2,20}})? est\b"
            rf"|{_JE}(?:vais|allons|va) (?:arrêter|devenir|changer|passer|adopter|apprendre|remplacer"
            rf"|quitter|migrer)\b",
        ),
        *rules(
            "plan",
            rf"{_JE}(?:vais|allons|va|pars|partons|part|déménage\w*|me marie|nous marions|se marie"
            rf"|commence\w*|prévois|prévoyons|compte|comptons|passe\w*|prends|prenons|reprends|rentre\w*"
            rf"|cours|fête\w*|visite\w*|reçois|recevons|serai|serons|aurai|aurons|ferai|partirai|irai"
            rf"|irons|enverrai|dois|emménage\w*|accouche|termine\w*|quitte\w*|voyage\w*|m'envole|ai (?:un"
            rf"|une|rendez-vous|mon|ma))\b",
            rf"{_OURS} (?:[\wéè]+ )?(?:mariage|examen|entretien|opération|vol|vacances|anniversaire"
            rf"|marathon|soutenance|voyage|concert|accouchement|déménagement|rendez-vous|bail"
            rf"|premier jour|retraite|concours|départ) (?:est|sont|a lieu|aura lieu|commence\w*"
            rf"|se termine\w*|tombe|finit|expire)\b",
            needs_date=True,
        ),
        *rules(
            "fact",
            rf"{_HEAD}(?:je (?:ne |n')?|j'|nous |on )(?!(?:ai|avais|veux|voudrais|besoin|peux|dois|suis"
            rf"|étais|pense|crois|me demande)\b)[\wéèê']+ (?:[\wéèàêç,'’/-]+ ){{0,12}}?{_SOUVENT}\b",
            r"(?:je (?:ne |n')?|j'|nous |on )(?!(?:ai|avais|veux|voudrais|peux|dois|suis|étais|pense"
            r"|crois|me demande)\b)[\wéèê']+ (?:toujours|souvent|jamais|rarement|généralement"
            r"|habituellement|d'habitude|normalement) (?!(?:le même|la même|une? erreur|pas|compris)\b)\w",
            rf"{_JE}(?:me lève|me couche|me réveille|vais (?:au (?:travail|bureau|lycée)|à (?:la messe"
            rf"|l'église|la piscine|la salle)))\b.*(?:\d|à vélo|en (?:train|bus|voiture|métro)"
            rf"|à [\w-]+ heures|{_SOUVENT}"
            rf"|tôt|tard)",
        ),
    ),
    openers=openers(
        r"au fait|d'ailleurs|à propos|pour info|pour information|sache que|sachez que|au passage|ah|oh"
        r"|alors|bon|ben|eh bien|et|mais|bonjour|salut|coucou|bonsoir|hello|ok|d'accord|oui"
        r"|honnêtement|franchement|pour être honnête|en fait|enfin|bref|contexte|pour le contexte"
        r"|petite précision|précision"
        r"|à mon sujet|un peu de contexte|pour me présenter|je me présente|enchantée?|merci|super"
        r"|bonne nouvelle|grande nouvelle|nouvelle|personnellement|ps|p\.s\.|je précise que"
        r"|il faut savoir que|tu sais|vous savez|du coup|fyi",
        before_comma="non|si",
    ),
    subject=compiled(
        r"(?:je|j'|nous|on|mon|ma|mes|notre|nos|il|elle|ils|elles|tu|vous|peux-tu"
        r"|pouvez-vous|merci|comment|son|sa|ses)(?:\b| |(?<='))"
    ),
    joints=joints(r"et|mais|donc|et aussi|par contre|cependant"),
    tails=tails(
        r"d'ailleurs|au fait|merci|stp|svp|s'il te plaît|s'il vous plaît|si ça peut aider|pour info"
        r"|tu sais|hein|aussi|voilà"
    ),
    passing=compiled(
        r"\b(?:erreur|bug|exception|devoirs?|mon code|ce code|le code|script|capture d'écran)\b|\b(?:je"
        r"|j'|nous|on) ?(?:cherche|cherchons|ai besoin|essaie|essaye|me demande|ne sais pas|ne comprends"
        r"|n'arrive|galère|voudrais|aimerais|pense|crois|hésite|espère)\b"
        r"|\b(?:une question|des questions|un problème|un souci|de l'aide|en train de|perdue?|bloquée?"
        r"|fatiguée?|malade|affamée?|stressée?|énervée?)\b|\bj'aime ça\b|\ben ce moment$"
        r"|\b(?:peut-être|probablement|sans doute|éventuellement|il paraît|paraît-il)\b"
        r"|\bpas le temps\b|\b(?:première?|deuxième|seconde?|dernière?|autre) (?:version|option|réponse"
        r"|proposition|solution|idée)\b"
        r"|\b(?:ça|cela|celui-ci|celle-ci|y)$"
    ),
    moods=compiled(
        r"\b(?:je suis|je me sens|il est|elle est)\b.{0,20}\b(?:fatigué|triste|contente?|énervé|stressé"
        r"|malade|épuisé|désolé|prête?|en retard|inquiète?|heureuse|heureux|déçue?)\w*|\bj'ai (?:faim"
        r"|soif|froid|chaud|sommeil|envie)\b|\b(?:cherche|cherchons)\b|^(?:merci|bonjour)\b"
    ),
)
