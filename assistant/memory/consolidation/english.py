"""English."""

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

CONTRACTIONS = {
    "can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "ain't": "is not",
    "i'm": "i am", "let's": "let us", "n't": " not", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would",
    "it's": "it is", "he's": "he is", "she's": "she is", "that's": "that is", "there's": "there is",
    "what's": "what is", "who's": "who is", "where's": "where is", "here's": "here is",
}  # fmt: skip
"""Short forms in full; those that begin with an apostrophe or "n't" are endings."""

_VERBS = """
 live reside work like love enjoy hate dislike prefer play own have drink eat speak need want use drive study teach know
 sleep run swim walk ride cook read write watch listen collect go come take get make give keep wear smoke visit hope
 plan think feel believe suffer train practise sing dance paint climb cycle hike ski sail travel commute volunteer
 belong share rent earn pay owe save spend start finish wake call attend support follow avoid fear admire miss
"""

_FORMS = dict(
    classes(
        """
 child kid | children kids | mother mom mum mommy mummy | father dad daddy | film movie | films movies |
 favourite favorite | colour color | car automobile | flat apartment | holiday vacation | phone telephone |
 bike bicycle bicycles bikes | allergic allergy allergies | need require | like love enjoy adore fond |
 dislike hate detest loathe | begin start | begins starts | buy purchase | bought purchased | doctor physician gp |
 big large | small little | tv television | grandma grandmother granny | grandpa grandfather |
 called named | company firm | picture photo photograph | fridge refrigerator | shop store | sofa couch | reside live |
 centre center | theatre theater | metre meter | metres meters | km kilometre kilometres kilometer kilometers |
 kg kilo kilos kilogram kilograms | percent % | usd dollar dollars $ | eur euro euros € | gbp £ | glasses spectacles |
 own possess | spouse partner | someone somebody | everyone everybody | speak talk | every each |
 quickly fast rapidly | grey gray | mobile cell cellphone | football soccer | autumn fall |
 job occupation profession | boss manager supervisor
"""
    )
)
for _verb in _VERBS.split():
    _base = _FORMS.get(_verb, _verb)
    _ends_e = _verb.endswith("e")
    _third = (
        _verb[:-1] + "ies"
        if _verb.endswith("y") and _verb[-2] not in "aeou"
        else _verb + ("es" if _verb.endswith(("s", "ch", "sh", "x", "o")) else "s")
    )
    _FORMS.setdefault(_third, _base)
_FORMS["has"] = "have"

_WHO = (
    r"(?:(?P<who>(?:(?:my|our|his|her) )?(?!my |our |i |we |he |she |it |they |you |the |a |an |there |who |that )"
    r"[^\d\W]\w*(?: [^\d\W]\w*){0,2}) |(?:the )?user )"
)
_TAIL = (
    r"(?P<tail> (?:since|for|as of|starting|until|in \d{4}|last|this|next|with|because|together|about|"
    r"(?:\S+ ){1,2}(?:days?|weeks?|months?|years?) ago|in (?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december))(?: .*)?)?"
)
_HOME = (
    r"(?:(?:down )?(?:in|to|at|near|outside) (?:(?:an?|the|my|our) (?:\w+ ){1,3}?(?:in|near) )?"
    r"(?P<residence>(?:the (?:uk|us|usa|netherlands|hague|philippines|bronx) ?)|(?!an? |my |our |the )\S.*?))"
)

ENGLISH = Language(
    name="en",
    evidence=words(
        "the is are am was i my of to and with for that it have has do does not at an we our in on no who "
        "from by a he "
        "she his her they be been this lives works likes live work like named called there"
    ),
    silent=words(
        "a an the i user user's am is are be been there my our do does of in at that who which very really "
        "truly quite "
        "absolutely definitely totally any so just also please personally actually"
    ),
    copulas=words("am is are"),
    mine=words("my our mine"),
    first=words("i we me us"),
    denials=marked(
        not_="not no none cannot neither nor nobody nothing nowhere hardly barely non",
        never="never",
        without="without except",
    ),
    ended=over(
        ("no longer", ""), ("not|no", "any ?more|any longer"), ("never", "any ?more"), ("ceased to", "")
    ),
    fillers=phrases(
        [
            "now",
            "currently",
            "at the moment",
            "at present",
            "presently",
            "these days",
            "nowadays",
            "by the way",
            "btw",
            "actually",
            "just",
            "recently",
            "finally",
            "as you know",
            "still",
            "right now",
            "for now",
            "well",
            "yes",
            "ok",
            "okay",
            "so",
            "also",
            "oh",
            "meanwhile",
            "already",
            "as of now",
            "as of today",
            "instead",
            "really",
            "in fact",
            "i think",
            "fyi",
            "lately",
            "today",
            "got to say",
            "to be precise",
        ]
    ),
    forms=_FORMS,
    opposites=exclusive(
        "all some few most many several none both | always sometimes often rarely usually seldom occasionally | "
        "more less fewer | before after | left right | up down | open closed | on off | early late | hot cold warm | "
        "big small | old new young | rich poor | alive dead | married single divorced widowed engaged | in out | "
        "like dislike | over under above below | from to | high low | good bad | first last | inside outside | "
        "full part | day night morning evening afternoon | can must may might should | buy sell | begin "
        "finish stop | "
        "bought sold | older younger | taller shorter | mother father | brother sister | son daughter | wife husband"
    ),
    facts=facts(
        [
            r"(?:i )?(?:am|became|have become|turned|went|have gone|have been|eat|follow) (?:an? )?(?:strict )?"
            r"(?P<diet>vegan|vegetarian|pescatarian|omnivore|flexitarian|meat eater)(?: diet)?<tail>",
            r"i eat (?P<diet>meat)(?: again)?<tail>",
            r"(?:i am|i got|i have got|i became|we are|we got) (?P<relationship>single|married|engaged|"
            r"divorced|widowed|"
            r"separated|in a relationship)(?: again)?<tail>",
            r"(?P<who>my \w+) (?:is|got) (?P<relationship>single|married|engaged|divorced|widowed|separated)"
            r"(?: again)?<tail>",
            r"(?:i|we)? ?(?:live|(?:am|are) living|reside|(?:am|are) (?:based|located|living|settled)|"
            r"have (?:been living|lived)|(?:have |had )?(?:moved|relocated|settled)(?: house| over| back)?)"
            r"(?: from (?P<residence_left>.+?))? <home><tail>",
            r"<who>?(?:lives|is (?:living|based|located)|resides|(?:has )?(?:moved|relocated|settled)(?: over|"
            r" back)?)"
            r"(?: from (?P<residence_left>.+?))? <home><tail>",
            r"my home(?: town| city)? is (?:in )?(?P<residence>(?!an? ).+?)<tail>",
            r"i call (?P<residence>.+?) (?:my )?home<tail>",
            r"(?P<residence>.+?) is (?:where i live|my home(?: town| city)?|where i am (?:based|living))<tail>",
            r"(?:my )?(?:place of residence|city of residence|residence) is (?:in )?(?P<residence>.+?)<tail>",
            r"i (?:left|moved (?:away|out) from|moved out of) (?P<residence_left>(?!the |my |a ).+?)<tail>",
            r"(?:i )?(?:work|am (?:working|employed)|have (?:been working|worked)|have a (?:new )?job|"
            r"(?:have )?(?:started|got a (?:new )?job|took a (?:new )?job)(?: working| work| a new job)?) "
            r"(?:at|for|by|with) (?P<employer>(?!an? |the |my |home|night|m\d).+?)<tail>",
            r"(?:i )?(?:have )?(?:joined|switched jobs to|changed jobs to) (?P<employer>(?!an? |the |my ).+?)<tail>",
            r"<who>?(?:works|is (?:working|employed)|has a (?:new )?job|started(?: working)?) (?:at|for|by) "
            r"(?P<employer>(?!an? |the |home|night|my ).+?)<tail>",
            r"i (?:quit|stopped|gave up|have (?:quit|stopped|given up)) (?P<activity_left>(?!working)\w+ing.*?)",
            r"i (?:left|quit(?: my job)?(?: at)?|resigned from|stopped working (?:at|for)) "
            r"(?P<employer_left>(?!my job\Z|the |my ).+?)<tail>",
            r"(?:i )?(?:work|am (?:working|employed)|have started(?: working)?|started(?: working)?) as an? "
            r"(?P<job>.+?)(?: (?:at|for) (?P<employer>(?!an? |the ).+?))?<tail>",
            r"<who>?works as an? (?P<job>.+?)(?: (?:at|for) (?P<employer>(?!an? |the ).+?))?<tail>",
            r"(?:i )?(?:became|have become) an? (?P<job>.+?)<tail>",
            r"i am an? (?P<maybe_job>.+?)(?: by (?:trade|profession))?<tail>",
            r"<who>is an? (?P<maybe_job>.+?)(?: by (?:trade|profession))?<tail>",
            r"(?:i am|i turned|i have turned|i just turned|am|turned) (?P<age>\d{1,3})(?: years? old| years of age)?",
            r"<who>(?:is|turned|has turned) (?P<age>\d{1,3})(?: years? old| years of age)?",
            r"my age is (?P<age>\d{1,3})(?: years)?",
            r"my name is (?P<name>.+?)|i am called (?P<name>.+?)|(?:people )?call me (?P<name>.+?)",
            r"(?P<who>my .+?) is (?:called|named) (?P<name>.+?)|(?P<who>my .+?)(?:'s)? name is (?P<name>.+?)",
            r"(?:i )?have (?:got )?an? (?P<who>.+?) (?:called|named) (?P<name>.+?)",
            r"(?P<name>.+?) is the name of (?P<who>my .+?)",
            r"(?:i )?(?:am )?allergic to (?P<allergy>.+?)|(?:i )?(?:have|suffer from|got) (?:an )?allergy to "
            r"(?P<allergy>.+?)|(?:i )?(?:have|suffer from) an? (?P<allergy>.+?) allergy",
            r"<who>is allergic to (?P<allergy>.+?)|(?P<who>my \w+) has (?:an? (?P<allergy>.+?) allergy|"
            r"an allergy to (?P<allergy>.+?))",
            r"(?:i )?(?:drive|bought|got|have bought) (?:an?|my)(?: new)? (?P<maybe_car>.+?)<tail>",
            r"(?:i )?(?:speak|am fluent in|know how to speak|can speak) (?P<speaks>.+?)(?: fluently)?",
            r"(?:i )?(?:really |absolutely )?(?:like|love|enjoy|adore|am (?:very )?fond of|am (?:really )?into|"
            r"am a (?:big |huge )?fan of|am keen on) (?P<likes>.+?)",
            r"(?:i )?(?:likes|loves|enjoys) (?P<likes>.+?)",
            r"<who>(?:likes|loves|enjoys|is fond of|is into) (?P<likes>.+?)",
            r"(?:i )?(?:really |absolutely )?(?:dislike|hate|can not stand|detest|loathe|can not bear) "
            r"(?P<dislikes>.+?)",
            r"<who>(?:dislikes|hates|can not stand|detests) (?P<dislikes>.+?)",
            r"(?:i )?(?:was|am) born (?:on|in) (?P<birth>(?:\S+ )*\S*\d\S*(?: \S+)*)",
            r"my (?:birthday|date of birth) is (?:on )?(?:the )?(?P<birth>.+?)",
            r"(?:i )?(?:was born|come from|am originally|am) (?:in |from )(?P<origin>(?!an? |the |my )[^\d]+?)",
            r"i (?:broke up with|separated from|divorced) (?P<partner_left>.+?)<tail>",
            r"my(?: new)? (?:favourite|favorite) (?P<favourite_of>.+?) (?:is|are)(?: the)? (?P<favourite>.+?)",
            r"(?P<favourite>.+?) (?:is|are) my(?: new)? (?:favourite|favorite) (?P<favourite_of>.+?)",
            r"(?:out )?of all (?P<favourite_of>.+?)s i like (?P<favourite>.+?) (?:best|most)",
            r"(?:my|our)(?P<fresh> new)? (?P<mine>.+?) (?:is|are|has changed to|changed to)(?P<fresh> changed to)? "
            r"(?P<mine_value>.+?)",
            r"(?P<who>my \w+)(?:'s)(?P<fresh> new)? (?P<mine>.+?) (?:is|are) (?P<mine_value>.+?)",
            r"(?P<mine_value>.+?) is (?:my|our)(?P<fresh> new)? (?P<mine>.+?)",
            r"i changed my (?P<mine>.+?) to (?P<mine_value>.+?)",
            r"(?:i )?have (?P<count>\d+) (?P<count_of>.+?)",
        ],
        who=_WHO,
        tail=_TAIL,
        home=_HOME,
    ),
    nouns=nouns(
        phone="phone,phone number,telephone number,mobile number,mobile phone number,cell number,mobile,"
        "number,cell phone "
        "number",
        email="email,email address,e mail,e mail address,mail address",
        address="address,home address,postal address",
        employer="employer,company,workplace",
        job="job,profession,occupation,job title",
        car="car",
        age="age",
        diet="diet",
        boss="boss,manager,supervisor",
        doctor="doctor,gp,family doctor,physician",
        dentist="dentist",
        wife="wife",
        husband="husband",
        partner="partner,girlfriend,boyfriend,fiance,fiancee",
        landlord="landlord,landlady",
        rent="rent",
        salary="salary,income,wage",
        weight="weight",
        height="height",
        size="shoe size,clothing size,dress size",
        time_zone="time zone,timezone",
        operating_system="operating system,os",
        deadline="deadline",
        pin="pin,pin code,code",
        school="school,university",
        bank="bank",
        major="major",
    ),
    joins=words("and but because if when while although that who which where or then than as"),
    dot_groups=False,
)

PROFESSIONS = words(
    "nurse teacher doctor lawyer engineer developer programmer designer chef cook baker carpenter plumber "
    "electrician "
    "accountant architect journalist writer author editor photographer musician actor painter dentist pharmacist vet "
    "veterinarian mechanic pilot driver farmer gardener librarian scientist researcher physicist chemist biologist "
    "professor student consultant manager analyst economist translator interpreter psychologist therapist "
    "physiotherapist surgeon paramedic firefighter policeman soldier judge barista waiter waitress bartender "
    "hairdresser tailor salesperson secretary receptionist banker plasterer welder midwife freelancer"
)
