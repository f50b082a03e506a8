"""Whether a word of a statement is a word of the message said by somebody else: "I live", "the user lives"."""

from __future__ import annotations

from assistant.memory.extraction import word_lists as words

_IRREGULAR = {
    "am": "is", "have": "has", "do": "does", "are": "is", "were": "was",
    "bin": "ist", "habe": "hat", "werde": "wird", "esse": "isst", "fahre": "fährt", "schlafe": "schläft",
    "spreche": "spricht", "lese": "liest", "kann": "kann", "sind": "ist", "haben": "hat", "trage": "trägt",
    "laufe": "läuft", "sehe": "sieht", "treffe": "trifft", "gebe": "gibt", "nehme": "nimmt", "vergesse": "vergisst",
    "suis": "est", "ai": "a", "vais": "va", "fais": "fait", "sommes": "est", "avons": "a",
    "soy": "es", "estoy": "está", "tengo": "tiene", "voy": "va", "hago": "hace", "prefiero": "prefiere",
    "quiero": "quiere", "juego": "juega", "duermo": "duerme", "vengo": "viene", "he": "ha", "odio": "odia",
    "conduzco": "conduce", "conozco": "conoce", "puedo": "puede", "sé": "sabe", "somos": "es",
    "sono": "è", "ho": "ha", "vado": "va", "faccio": "fa", "sto": "sta", "preferisco": "preferisce", "posso": "può",
    "so": "sa", "bevo": "beve", "esco": "esce", "siamo": "è", "abbiamo": "ha",
    "sou": "é", "estou": "está", "tenho": "tem", "vou": "vai", "faço": "faz", "prefiro": "prefere",
}  # fmt: skip
_BEFORE_VERB = (
    words.FIRST_SUBJECT
    | words.COORDINATORS
    | words.FILLERS
    | words.FIRST_OBJECT
    | words.word_set("ne n no non não always usually often sometimes currently now still only never mostly")
)
_LEFT_OUT_WITH_SUBJECT = words.word_set("am have are bin habe suis ai soy estoy sono ho sou")


def third_person(value: str) -> frozenset[str]:
    """What a verb in the first person, as a token's value, is in the third."""
    forms = {_IRREGULAR[value]} if value in _IRREGULAR else set()
    if len(value) > 1 and value.isalpha():
        forms.add(f"{value}s")
        if value.endswith(("o", "s", "sh", "ch", "x", "z")):
            forms.add(f"{value}es")
        if value.endswith("y"):
            forms.add(f"{value[:-1]}ies")
        if value.endswith("e"):
            forms.update((f"{value[:-1]}t", f"{value}t"))
        if value.endswith("o"):
            forms.update((f"{value[:-1]}a", f"{value[:-1]}e"))
        if value.endswith(("s", "x")):
            forms.add(f"{value[:-1]}t")
        if value.endswith("ds"):
            forms.add(value[:-1])
    return frozenset(forms)


def stands_before_verb(value: str) -> bool:
    """Whether a verb of the speaker may follow a token with this value."""
    return value in _BEFORE_VERB


def goes_with_subject(value: str) -> bool:
    """Whether a verb may be left out with its subject: "I am allergic", "allergic"."""
    return value in _LEFT_OUT_WITH_SUBJECT


def same_person(said: str, told: str) -> bool:
    """Whether `told`, in a statement about the speaker, is the speaker's own `said`."""
    return (
        (said in words.FIRST_SUBJECT and told in words.THIRD_SUBJECT)
        or (said in words.FIRST_POSSESSIVE and told in words.THIRD_POSSESSIVE)
        or (said in words.FIRST_OBJECT and told in words.THIRD_OBJECT)
    )
