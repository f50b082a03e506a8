"""English words that ask the same, and forms of one word."""

from __future__ import annotations

from assistant.cache.word_lists import word_set

_PEOPLE = ("i", "you", "we", "they")
SHORT_FORMS = {
    "can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us",
    "don't": "do not", "doesn't": "do not", "didn't": "did not", "isn't": "be not", "aren't": "be not",
    "wasn't": "was not", "weren't": "were not", "hasn't": "have not", "haven't": "have not",
    "hadn't": "had not", "couldn't": "could not", "shouldn't": "should not", "wouldn't": "would not",
    "mustn't": "must not", "needn't": "need not", "mightn't": "might not", "ain't": "be not",
    "i'm": "i be", "you're": "you be", "we're": "we be", "they're": "they be",
    **{f"{word}'s": f"{word} be" for word in (
        "what", "who", "where", "when", "why", "how", "it", "that", "there", "here", "he", "she")},
    **{f"{word}'ve": f"{word} have" for word in _PEOPLE},
    **{f"{word}'ll": f"{word} will" for word in (*_PEOPLE, "he", "she", "it")},
    "is": "be", "are": "be", "am": "be", "has": "have", "does": "do",
    "which": "what", "which's": "what be", "whether": "if",
    "cellphone": "mobile phone", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
"""Short forms in full; the present tense of be, have and do as one word each; small numbers in digits."""

_CLASSES = """
 advert ad advertisement | afraid scared | analyse analyze | apartment flat | assist help | attorney lawyer
 automobile car | begin start | behavior behaviour | below under | benefit advantage | big large | buy purchase
 center centre | child children kid kids | choose select | clever intelligent smart | color colour | company firm
 complete finish | costly expensive | dad father | decrease lower reduce | difficult hard
 disadvantage downside drawback | doctor physician | dollar $ | easy simple | enhance improve | enough sufficient
 error mistake | euro € | everybody everyone | exam examination | fast quick quickly rapidly | favorite favourite
 feet foot | film movie | fix repair | flavor flavour | frequently often | fridge refrigerator
 garbage rubbish trash | gray grey | grandma grandmother | grandpa grandfather | happen occur | harbor harbour
 holiday vacation | honor honour | huge enormous | humor humour | ill sick | impact affect | incorrect wrong
 info information | labor labour | learned learnt | licence license | liter litre | location place | man men guy guys
 maths math mathematics | maybe perhaps | meter metre | mom mother mum mommy | need require | neighbor neighbour
 okay ok | organize organise | percent % | permit allow | photo photograph picture pic | program programme
 realise realize | recognise recognize | rich wealthy | salary wage | somebody someone | speak talk | strange weird
 teeth tooth | television tv | terrible awful | theater theatre | till until | tire tyre | toward towards
 traveling travelling | try attempt | unhappy sad | use utilize utilise | versus vs | whole entire | women woman
 anybody anyone | chance odds likelihood | quit stop | prevent avoid | famous well-known | country nation
 stomach belly tummy | pc computer | site website | gift present | gasoline petrol | calculate compute | get obtain
 biggest largest | fastest quickest | easiest simplest | smartest cleverest | weirdest strangest | build create
 speaking talking | starting beginning | buying purchasing | improving enhancing | reducing decreasing lowering
 fixing repairing | using utilizing utilising | helping assisting | choosing selecting
 usually typically generally normally | frightening scary | register enrol enroll | seek search
 throw toss | shout yell | sofa couch
"""
SYNONYMS = {
    word: words[0]
    for line in _CLASSES.replace("\n", "|").split("|")
    if (words := line.split())
    for word in words[1:]
}
"""Each word to the one that stands for its class.

Words are of one class when no sentence holds both with different sense: "pick" (a lock) is not with "choose",
"odd" (numbers) not with "strange", "primary" (key) not with "main".
"""

_PLURALS_OF_THEIR_OWN = word_set(
    "news glasses goods customs arms physics economics politics series species means always clothes "
    "works spirits manners minutes spectacles contents savings shorts pants colours colors games values "
    "letters papers irons woods waters ashes brains damages grounds heads looks pains quarters regards "
    "times troubles windows numbers pages notes stairs thanks its his this yes plus less does was has "
    "lens"
)
"""Words whose -s makes another sense, or is no ending."""

UNIMPORTANT = word_set("really actually please kindly basically exactly very")


def one_form(word: str) -> str:
    """`word` in the singular and by the name of its class; the -s of a verb goes too."""
    if word in SYNONYMS:
        return SYNONYMS[word]
    if word.endswith("ics"):
        return word
    if len(word) < 4 or not word.isalpha() or not word.endswith("s") or word in _PLURALS_OF_THEIR_OWN:
        return word
    if word.endswith(("ss", "us", "is", "as", "os")):
        return word
    if word.endswith("ies") and len(word) > 5:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        word = word[:-2]
    else:
        word = word[:-1]
    return SYNONYMS.get(word, word)
