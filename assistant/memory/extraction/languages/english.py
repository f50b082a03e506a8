"""English."""

from __future__ import annotations

from assistant.memory.extraction.languages.rule import Language, compiled, joints, openers, rules, tails

_ADV = (
    r"(?:(?:also|just|actually|currently|now|still|mostly|usually|really|always|originally|recently"
    r"|finally|only|never"
    r"|often|absolutely|truly|both|personally|mainly|generally|normally|officially|basically|completely"
    r"|quite|very"
    r"|severely|mildly|happily|already|newly|no longer|rarely|hardly ever|almost never|strictly) )*"
)
_HEAD = (
    r"(?:(?:since|in|on|at|last|next|this|for|from|as of|every|until|by|these days|nowadays|yesterday"
    r"|today|tomorrow|a few"
    r"|two|three|professionally|for work|for lunch|for breakfast)\b[^,;:.!?]{0,40}?,? )?"
)
_I = rf"{_HEAD}(?:I|we)"
_AM = rf"{_HEAD}(?:(?:I am|I'm|we are|we're)(?: not| both)?)"
_HAVE = rf"{_HEAD}(?:I|we)(?: have|'ve| do not have| don't have|'ve got| have got)"
_DONE = rf"{_HEAD}(?:I|we)(?: have|'ve)? {_ADV}"
_NOT = r"(?:do not|don't|did not|didn't|can not|cannot|can't|never|no longer) (?:really |ever |actually )?"
_NAME = r"(?-i:[A-ZÀ-Þ][\w'’-]+)"
_THING = (
    r"(?!(?:it|this|that|these|those|how|what|when|where|the (?:idea|way|fact|sound|look)|you|your"
    r"|to (?:know|ask|see))\b)"
)
_SAME_ONE = (
    r"(?:wife|husband|partner|spouse|fianc[ée]e?|boyfriend|girlfriend|ex(?:-\w+)?|mother|father|mom|mum"
    r"|dad|parents?|mother-in-law"
    r"|father-in-law|in-laws|sister|brother|sister-in-law|brother-in-law|siblings?|twin(?: \w+)?|sons?"
    r"|daughters?|stepson|stepdaughter"
    r"|step(?:mother|father|mum|mom|dad)|kids?|child|children|bab(?:y|ies)|grand(?:mother|father|ma|pa"
    r"|parents|son|daughter|kids|child|children)"
    r"|nan|aunt|uncle|cousins?|niece|nephew|family|roommate|flatmate|housemate|best friend|friend"
    r"|neighbou?rs?|boss|manager"
    r"|colleague|co-?worker|team|therapist|doctor|dentist|landlord|landlady|godson|goddaughter"
    r"|dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrot|horses?|pon(?:y|ies)|fish|turtle"
    r"|tortoise|pets?|guinea pigs?|budgie|bird"
    r"|labrador|poodle|terrier|beagle|dachshund)"
)
_KIN = (
    rf"(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|late|only|twin|middle|other|new|old"
    rf"|two|three|four|first|second|ex|step) )*{_SAME_ONE}"
)
_OURS = r"(?:my|our)"
_DOES = (
    r"(?:is (?:called|named|an?|the|from|in|at|on|\d|\w+ years|allergic|vegan|vegetarian|married|retired"
    r"|pregnant|deaf|blind|based|getting married|turning"
    r"|studying|living|working (?:at|for|in|as)|moving|also|terrified|afraid|lactose|diabetic|both"
    r"|expecting|half|from)"
    r"|are (?:called|named|from|in|at|\d|both|all|twins|vegan|vegetarian|divorced|retired|married"
    r"|allergic|living|moving|\w+ and \w+)"
    r"|(?:was|were) (?:born|raised|called|an?|from|named)"
    r"|lives?|works?|studies|study|teach(?:es)?|speaks?|plays?|loves?|likes?|hates?|adores?|prefers?"
    r"|collects?|runs?|owns?|drives?|sings?"
    r"|has (?!to\b|been (?:trying|asking|acting|sick))|have (?!to\b)|had an?|turns?|turned|moved|died"
    r"|passed|grew|comes? from|goes|go to|eats?|drinks?"
    r"|(?:can't|cannot|doesn't|does not|don't|do not|never) (?:eat|drink|like|have|drive|live|work|speak"
    r"|stand|tolerate)|starts?|started|just (?:started|turned|had|moved|got)"
    r"|used to|got (?:married|a|an)|graduat\w+|retired|will be|cooks?|weighs?|and I (?:are|live|have|got"
    r"|met|moved|own|run|adopted|bought|go|love|speak))\b"
)
_OWNED = (
    r"(?:car|bike|bicycle|motorbike|motorcycle|scooter|van|truck|boat|house|home|flat|apartment|place"
    r"|garden|phone|laptop|computer"
    r"|camera|guitar|piano|violin|office|company|business|shop|bakery|restaurant|farm|studio|employer|job"
    r"|school|university|major|degree)"
)
_HAD = (
    rf"(?:{_KIN}|{_OWNED}|driver'?s? licen[cs]e|driving licen[cs]e|pilot'?s? licen[cs]e|allerg(?:y|ies)"
    rf"|diabetes|asthma|adhd|autism|celiac disease"
    r"|coeliac disease|epilepsy|migraines?|insomnia|hay fever|arthritis|high blood pressure|dyslexia"
    r"|lactose intolerance|phd|master'?s|bachelor'?s"
    r"|tattoos?|season ticket|beehives?|bees|chickens|goats|sheep|plants|passport|citizenship|drum kit"
    r"|record collection|collection|pets?"
    r"|aquarium|pool|sauna|cabin|cottage|allotment|balcony|telescope|subscription|fear of|phobia|(?:green"
    r"|brown|blue|hazel|grey|gray) eyes"
    r"|(?:red|blonde?|brown|black|curly|short|long) hair)"
)
_BIG = (
    r"(?:house|flat|apartment|car|van|bike|motorbike|boat|dog|cat|puppy|kitten|horse|guitar|piano"
    r"|cottage|farm|camper|caravan|land"
    r"|rabbit|e-bike|telescope|shop|restaurant|bakery|company|studio)"
)
_OFTEN = (
    r"(?:every (?:other |single |second )?(?:day|morning|evening|night|week|weekend|month|year|summer"
    r"|winter|spring|autumn|\w+day)|each (?:morning|day|week|year|evening)"
    r"|on (?:\w+day (?:mornings|evenings|nights)|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|on weekends"
    r"|at weekends|(?:once|twice|\w+ times|\w+ days) (?:a|per) (?:day|week|month|year)"
    r"|daily|before breakfast|after work|most (?:days|mornings|evenings))"
)
_TRIP = (
    r"(?:wedding|exam|interview|appointment|surgery|operation|flight|vacation|holiday|birthday|marathon"
    r"|graduation|thesis defen[cs]e|defen[cs]e|trip"
    r"|recital|concert|driving test|due date|anniversary|retirement|first day|deadline|conference|visa"
    r"|lease)"
)

ENGLISH = Language(
    tag="en",
    rules=(
        *rules(
            "relation",
            rf"{_OURS} {_KIN}(?:'s name)?,? (?P<who>{_NAME})(?:,? (?:who )?)(?: ?{_NAME})?,? ?{_DOES}",
            rf"{_OURS} {_KIN}(?:'s (?:name|birthday|favou?rite \w+))? {_DOES}",
            rf"{_OURS} {_KIN}(?:'s (?:name|birthday|favou?rite \w+))? (?:is|are) (?P<who>{_NAME})",
            rf"{_OURS} {_KIN}'s (?:name is|birthday is|called|an?|from|\d+|name's)\b",
            rf"(?P<who>{_NAME}) is (?:my|our) {_KIN}\b",
            rf"{_HAVE}(?: got)? (?:an?|one|two|three|four|five|six|\d+|no|several|many|any"
            rf"|lots of) (?:[\w'-]+ ){{0,4}}?{_KIN}\b",
            r"there are (?:two|three|four|five|six|seven|\d+) of us\b",
            rf"{_AM} {_ADV}(?:married|divorced|engaged|widowed|single|an only child|expecting"
            rf"|a (?:single )?(?:mum|mom|mother|dad|father|parent))\b",
            rf"{_DONE}(?:got married|got engaged|got divorced|been married|been together|adopted)\b",
        ),
        *rules(
            "preference",
            rf"{_I} {_ADV}(?:{_NOT})?(?:love|like|enjoy|adore|hate|dislike|detest|despise|loathe"
            rf"|prefer) {_ADV}{_THING}\w",
            rf"{_I} (?:can't|cannot|can not|couldn't) (?:stand|bear|live without|resist"
            rf"|get enough of) {_THING}\w",
            rf"{_AM} {_ADV}(?:a (?:big|huge|massive|lifelong|die-?hard|keen) )?(?:a )?(?:fans? of|into"
            rf"|fond of|keen on|crazy about|obsessed with|passionate about"
            rf"|afraid of|scared of|terrified of|addicted to) {_THING}\w",
            rf"(?:{_OURS}|one of my) (?:(?:all-time|absolute|least"
            rf"|current) )?favou?rites?(?: [\w'-]+){{0,4}} (?:is|are|was|has to be|will always be)\b|"
            rf"{_OURS} favou?rite(?: \w+){{0,3}}'s\b",
            rf"(?:{_OURS}) (?:preferred|go-to|guilty pleasure|comfort food|hobb(?:y|ies)"
            rf"|passion)(?: \w+){{0,2}} (?:is|are)\b",
            rf"{_I}(?:'d| would) (?:always |much |far )?rather \w+ .*\bthan\b",
        ),
        *rules(
            "fact",
            rf"{_AM} {_ADV}learning (?:to|how|about|the|(?-i:[A-Z]))",
            rf"{_I} {_ADV}share (?:a|an|my|our) (?:flat|house|apartment|room|office|place)\b",
            r"our (?:baby|first child|second child) is due\b",
            rf"{_I} only (?:ever )?(?:eat|drink|use|wear|buy|read|watch|listen to|take|cook) {_THING}\w",
            rf"{_I} {_ADV}use (?:a wheelchair|a walking (?:stick|frame)|crutches|hearing aids?"
            rf"|a screen reader|a cane)\b",
            rf"{_I} {_ADV}never (?:learned|learnt|had|got) (?:to )?\w",
            rf"{_I} {_ADV}(?:live|reside|lived|stay|grew up|come from|came from|hail from)\b(?! (?:for|by"
            rf"|up to)\b)",
            rf"{_I} (?:was|were) {_ADV}(?:born|raised|brought up)\b",
            rf"{_AM} {_ADV}(?:(?:living|based|residing) (?:in|on|at|near|with|between|out)\b"
            rf"|from (?-i:[A-Z]|the (?:north|south|east|west)|a (?:small|tiny|big)))",
            rf"{_DONE}(?:lived|been living|spent (?:most of )?my)\b",
            rf"(?:{_OURS}) (?:home ?town|home|address|house|flat|apartment|place|hometown) is (?:in|on|at"
            rf"|near|outside|[A-Z0-9])",
            rf"(?:{_OURS}) (?:(?:full|first|last|middle|given|real|maiden|family) )?(?:sur)?name(?: is"
            rf"|'s) (?!(?:too|very|so|not (?:showing|working|correct))\b)",
            rf"(?:my friends|people|everyone|everybody|most people|friends) calls? me {_NAME}"
            rf"|I go by {_NAME}|my (?:nickname|pronouns|birthday|initials|blood type|star sign"
            r"|zip code|time ?zone|native language|mother tongue|first language|major|height|shoe size"
            r"|nationality|faith|religion|doctor|car|employer|job|job title"
            r"|day job|profession|occupation|role|salary|commute|working hours|degree|office"
            r"|company) (?:is|are|takes)\b|my birthday's\b",
            r"(?:I am|I'm) (?:called|named) |(?:I am|I'm) (?-i:(?!OK|I\b)[A-Z][a-zà-ÿ]+)(?:,? (?:and|an?"
            r"|from|\d)|,|$)",
            rf"{_AM} {_ADV}\d{{1,3}}(?: years?(?: old)?| yrs?|[.,]|$| and)|{_I} (?:just )?(?:turned"
            rf"|will be|turn) \d{{1,3}}\b|{_AM} in my (?:early |mid |late )?(?:\w+ies|\d\ds)\b",
            rf"{_AM} turning \d{{2,3}}\b",
            rf"{_I} {_ADV}(?:work(?:ed)?) (?:as|at|for|in|with|from|on|full|part|nights?|night|remotely"
            rf"|\w+ (?:days|hours|shifts?))\b",
            rf"{_AM} {_ADV}(?:working|employed|self-employed|freelancing|studying|enrolled|majoring"
            rf"|training|interning|teaching|retired|unemployed|on parental leave"
            r"|on maternity leave)(?: (?:as|at|for|in|with|from|to)\b|[.,]|$| and\b)",
            rf"{_AM} {_ADV}(?:doing|writing|finishing|working on|pursuing) (?:an?|my) (?:phd|master'?s"
            rf"|bachelor'?s|degree|thesis|dissertation|mba|novel|apprenticeship)\b",
            rf"{_AM} {_ADV}an? (?!(?:bit|little|tad|lot|mess|few|moment|idiot|fool|wreck|loss|while"
            rf"|pirate|robot|wizard|king|queen|cat|dog|fan)\b)\w",
            rf"{_AM} (?:the )(?:mother|father|mum|mom|dad|parent|owner|founder|co-?founder|head|director"
            rf"|manager|youngest|oldest|eldest|only child|only \w+ in|middle|lead|ceo|cto"
            r"|author|captain|treasurer|president|chair|first in my)\b",
            rf"{_I} {_ADV}(?:own|run|manage|lead|teach|study|studied|co-?own|freelance|volunteer|coach"
            rf"|majored|train|practi[sc]e|drive|ride|collect|breed|grow|keep|speak|sing"
            rf"|play|dance|paint|knit|sew|brew|bake|fish|swim|cycle|hike|garden|do (?:yoga|judo|karate"
            rf"|pilates|ballet|crossfit)) {_THING}(?!a (?:look|note|game)\b)\w",
            rf"{_HAVE} {_ADV}(?:an? |one |two |three |four |five |\d+ |no |any |my own "
            rf"|a few )?(?:[\w'-]+ ){{0,4}}?{_HAD}\b",
            rf"{_AM} {_ADV}(?:allergic|intolerant|vegan|vegetarian|pescatarian|lactose[- ]intolerant"
            rf"|gluten[- ](?:free|intolerant)|diabetic|coeliac|celiac|pregnant"
            r"|colou?r[- ]?blind|left-handed|right-handed|dyslexic|autistic|deaf|blind|asthmatic"
            r"|epileptic|teetotal|sober|bilingual|trilingual|fluent|jewish|muslim|catholic|christian"
            r"|hindu|buddhist|atheist|gay|lesbian|bisexual|trans|non-?binary|short-?sighted|near-?sighted"
            r"|\d+ ?(?:cm|m|feet|ft|kg)|\d tall)\b",
            rf"{_AM} {_ADV}(?-i:American|British|English|Scottish|Irish|Welsh|Canadian|Australian|German"
            rf"|French|Spanish|Italian|Portuguese|Dutch|Belgian|Swiss|Austrian|Polish"
            r"|Czech|Swedish|Norwegian|Danish|Finnish|Greek|Turkish|Russian|Ukrainian|Indian|Pakistani"
            r"|Chinese|Japanese|Korean|Vietnamese|Thai|Brazilian|Mexican|Argentinian|Nigerian"
            r"|Kenyan|Egyptian|Iranian|Israeli|Lebanese|Moroccan|Romanian|Hungarian|Bulgarian|Serbian"
            r"|Croatian)\b",
            rf"{_I} {_ADV}{_NOT}(?:eat|drink|smoke|own|drive|watch|use|wear|speak|celebrate|work"
            rf"|have (?:any |a )?(?:{_HAD})|swim|tolerate|digest|cook|fly|ski|ride|take sugar)\b",
            rf"{_I} {_ADV}(?:take|use|wear|eat|drink|smoke|weigh|read|write|watch|cook|follow|support"
            rf"|vote) {_ADV}(?!(?:it|this|that|the (?:following|code|below|same)|a look|your)\b)"
            r"(?:\d|my (?:coffee|tea)|(?-i:[A-Z])|hearing aids|contact lenses|glasses|insulin|medication"
            r"|mostly|only|decaf|oat milk|gluten|kosher|halal)",
            rf"{_I} can (?:speak|play|swim|read (?:music|sheet)|juggle|ride|ski|drive|sing|cook|knit|type"
            rf"|sail|fly)\b",
            r"(?:english|german|french|spanish|italian|polish|turkish|arabic|chinese|mandarin|russian"
            r"|portuguese|\w+) is my (?:native|first|second|third|mother)\b",
            rf"{_OURS} (?:{_OWNED}) (?:is|'s) (?:an?|called|named|from|\d|(?-i:[A-Z])|electric|diesel|red"
            rf"|blue|black|white|green|yellow|grey|gray|in|at|on)\b",
            rf"{_I} (?:have |'ve )?(?:been|played|worked|studied|known|owned|driven|taught|run"
            rf"|had) .*\b(?:for|since) (?:\w+ )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|over"
            rf"|about|almost|nearly|my"
            r"|a (?:decade|year)|(?:19|20)\d\d)\b",
            rf"{_I} (?:have |'ve )been (?:an? |\w+ing )?(?:vegan|vegetarian|sober|married|living|working"
            rf"|playing|learning|studying|teaching|training|running|diving|climbing|driving|a \w+"
            rf"|taking)\b",
            rf"{_I} used to (?:live|work|be an?|play|smoke|have|own|teach|study|run|speak)\b",
            rf"{_I} (?:have|'ve) (?:never|been to|visited|lived|already been|run|written|climbed"
            rf"|climbed) (?:been to |eaten |tried |seen |flown |had |(?-i:[A-Z])|\d|(?:two|three|four"
            rf"|five|six))",
        ),
        *rules(
            "event",
            rf"{_DONE}(?:moved|relocated|emigrated|immigrated)(?: back| here| there| out| in"
            rf"| away)?(?: (?:to|from|in|into|with|out|here|together|last|this|two|three|\w+ (?:years"
            rf"|months|weeks))|[.,]|$)\b",
            rf"{_DONE}(?:bought|adopted|sold|inherited|built|got) (?:an?|my|our|the|two|three"
            rf"|some)? ?(?:[\w'-]+ ){{0,3}}?{_BIG}\b",
            rf"{_DONE}(?:graduated|retired|got promoted|been promoted|was promoted|got laid off"
            rf"|was laid off|got hired|started (?:an?|my|working|learning|playing|running|studying|at)"
            r"|quit|resigned|left my|changed jobs|joined|became|passed my|finished my|lost my (?:job"
            r"|father|mother|dad|mum|mom|husband|wife)|broke my|won (?:a|the|my)|ran (?:a|my"
            r"|the) (?:[\w-]+ )?(?:marathon|half|race|10k)"
            r"|got (?:a|my) (?:new )?(?:job|degree|licen[cs]e|diploma|promotion|dog|cat|puppy)|gave birth"
            r"|gave up|stopped (?:smoking|drinking|eating)|took up|founded|opened (?:a|my|our)"
            r"|published|signed up for|had (?:a baby|surgery|an operation)|was diagnosed|were diagnosed"
            r"|been diagnosed)\b",
            rf"{_I} (?:was|were) (?:promoted|laid off|diagnosed|hired|elected|baptised|admitted)\b",
        ),
        *rules(
            "plan",
            rf"{_DONE}(?:decided|agreed|chosen|chose|opted|settled on|committed)(?: (?:to|that|against|on"
            rf"|for|not|we|I|we're|I'm|we'll|I'll|it's|with)|:|,)\b",
            rf"{_I}(?:'m| am|'re| are) (?:going to|gonna) (?:switch|move|adopt|stop|quit|marry|retire"
            rf"|become|migrate|drop|replace|learn|study|keep|buy)\b",
            rf"{_DONE}(?:switched|switching|migrated|moved over) (?:to|from)\b",
            r"(?:my|our) (?:plan|goal|dream|aim|resolution|new year's resolution|decision"
            r"|long-term goal)(?: for [\w ]{2,20})? is (?:to|that)\b",
        ),
        *rules(
            "plan",
            rf"{_I}(?:'m| am|'re| are|'ll| will|'ll be| will be)(?: (?:also|probably|finally"
            rf"|definitely))? (?:going (?:to|on|back|home)|gonna|planning|flying|travell?ing"
            rf"|getting married|starting"
            r"|moving|visiting|running|leaving|taking|having|hosting|spending|driving|heading|attending"
            r"|seeing|meeting|graduating|retiring|be \w+ing|be in|be on|start|move|fly|visit|run|leave"
            r"|take|travel|finish|send|deliver|publish|present|host|marry|retire|submit|turn|become|have"
            r"|go)\b(?! (?:back to you|a look))",
            rf"{_I} (?:plan|intend|hope|have|fly|leave|start|move|travel|graduate|retire|finish"
            rf"|have to) (?:to |for |in |on |back |my |an? |work |school )?\w",
            rf"(?:{_OURS}) (?:[\w'-]+ ){{0,3}}?{_TRIP} (?:is|starts|ends|will be|takes place"
            rf"|has been moved to|expires)\b",
            rf"{_AM} (?:due|off work|on holiday|on vacation|committed to|committing to)\b",
            needs_date=True,
        ),
        *rules(
            "fact",
            rf"{_I} (?:usually|always|never|often|normally|generally|mostly|rarely|typically|sometimes"
            rf"|tend to|mainly|only ever) (?!(?:get (?:an?|the|this|error)|see (?:an?|the|this)|end up"
            rf"|wonder|think|need|have to"
            r"|wanted|want|thought|wondered|said|say|mind|understand|understood)\b)\w",
            rf"{_I} (?!(?:get|got|need|want|think|see|saw|have to|must|should|would|could|can|was|were|am"
            rf"|had|wonder|hope|wish|'|did)\b)\w+ (?:[\w'’,/-]+ ){{0,12}}?{_OFTEN}\b",
            rf"{_I} (?:go|get up|wake up|go to bed|go to sleep|commute|walk|run|cycle|bike|meditate"
            rf"|work out|exercise|swim) .*(?:\d|{_OFTEN}|to work|to school|to church|to the gym"
            rf"|by (?:bike|train|bus|car))",
        ),
    ),
    openers=openers(
        r"by the way|btw|fyi|for your information|just so you know|so you know|oh|ah|well|so|also|and|but"
        r"|hi|hello|hey|hi there|good (?:morning|evening|afternoon)|ok|okay|yes|yeah|yep"
        r"|actually|honestly|frankly|to be honest|tbh|in fact|fun fact|quick (?:fact|note|update|intro)"
        r"|update|about me|a bit about me|a little about me|for context|for the record"
        r"|some context|context|background|i should mention that|i should mention|i should add that"
        r"|i forgot to mention that|did i mention that|you should know that|nice to meet you"
        r"|thanks|thank you|great|cool|good news|big news|news|anyway|personally|as you know|you know"
        r"|the thing is|turns out|speaking of which|ps|p\.s\.|hm+|haha",
        before_comma="no|nope|right",
    ),
    subject=compiled(
        r"(?:I|we|I'm|I've|I'll|I'd|we're|we've|we'll|my|our|he|she|they|he's|she's|they're|it|it's|his"
        r"|her|their|this|that|that's|there|there's|you|your|can you|could you|please|what|how|who|where"
        r"|do you"
        r"|is there|would you|should i)\b(?! and I\b)"
    ),
    joints=joints(r"and|but|so|and so|and also|plus|also|yet|though"),
    tails=tails(
        r"(?:nice|pleased|good|great) to meet you|"
        r"too|by the way|btw|you know|though|as well|actually|lol|thanks|thank you|please|if that helps"
        r"|fyi|just so you know|if that matters|in case that matters"
    ),
    passing=compiled(
        r"\b(?:error|exception|traceback|bug|homework|assignment|stack ?trace|null pointer|compile[rs]?"
        r"|the code|this code|my code|the function|the script|the file|the tests?|the config|the server"
        r"|string|integer|array|as expected|screenshot)\b"
        r"|\b(?:looking for|trying to|struggling|wondering|confused|stuck|not sure|no idea|need help"
        r"|need some|need advice|having (?:trouble|problems|issues|a (?:problem|hard))|curious|a question"
        r"|questions"
        r"|a problem|an issue|running late|on my way|be right back|brb)\b"
        r"|\b(?:I|we) (?:love|like|hate|enjoy) (?:it|this|that)\b|\bworks? (?:fine|for me|now"
        r"|on my machine)\b|\b(?:right now|at the moment)\b(?=.{0,12}$)"
        r"|\b(?:maybe|perhaps|probably|might|could be|not sure|I guess|possibly|supposedly)\b"
        r"|\b(?:first|second|third|last|other|new|old|this|that) (?:option|version|one|approach|draft"
        r"|suggestion|variant|idea|solution|answer|example|sentence|paragraph|title|layout|design)\b"
        r"|\bbe late\b|\b(?:I'll|I will|we'll) \w+ (?:it|this|that|them)\b|\blayout\b"
        r"|\b(?:it|them|this|that|those|these|there|so)(?: too| now| yet)?$|\bthis (?:genre|kind|one"
        r"|stuff|game|book|song|movie|show)\b"
    ),
    moods=compiled(
        r"^(?:so )?(?:I'm|I am|I feel|I'm feeling|the user (?:is|feels)|feeling|feels) (?:\w+ )?(?:tired"
        r"|hungry|thirsty|bored|sad|sick|sleepy|stressed|annoyed|angry|happy|excited|busy|late|here|back"
        r"|fine|ok|okay|good|great|well|sorry|done|ready|glad|cold|hot|exhausted|nervous|worried|upset"
        r"|frustrated|lonely|down)\b|\b(?:searching for|in the mood for)\b|^(?:thanks|thank you|hello"
        r"|hi)\b"
    ),
)
