"""How credentials and personal data look in a text.

A pattern alone would take an order number for a card; where a kind has check digits they are computed, and
what has none is taken only in its own notation or after a word that announces it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_ALWAYS: Callable[[str], bool] = bool


@dataclass(frozen=True, slots=True)
class PrivateData:
    """One kind of private data.

    Attributes:
        kind: its name, as it stands in the text instead.
        pattern: finds candidates; the group "value", where there is one, is the part to hide.
        holds: whether a candidate is one.
    """

    kind: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] = _ALWAYS

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it stands in `text`."""
        group = "value" if "value" in self.pattern.groupindex else 0
        for match in self.pattern.finditer(text):
            if self.holds(match.group(group)):
                yield match.span(group)


def digits(text: str) -> str:
    """The digits of `text`."""
    return "".join(char for char in text if char.isdigit())


def luhn(text: str) -> bool:
    """Whether the digits end in a Luhn check digit (ISO/IEC 7812-1)."""
    total = 0
    for place, char in enumerate(reversed(digits(text))):
        value = int(char) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def iban(text: str) -> bool:
    """Whether an account number has the right check digits (ISO 13616: modulo 97 is 1)."""
    plain = text.replace(" ", "").upper()
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def dni(text: str) -> bool:
    """Whether a Spanish identity number has its letter."""
    number = int(text[:-1].translate(str.maketrans("XYZ", "012")))
    return text[-1] == "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]


def nir(text: str) -> bool:
    """Whether a French social security number has its key (97 minus the number modulo 97)."""
    plain = text.replace(" ", "")
    return int(plain[-2:]) == 97 - int(plain[:13].replace("2A", "19").replace("2B", "18")) % 97


def codice_fiscale(text: str) -> bool:
    """Whether an Italian tax code has its letter."""
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    values = [int(char) if char.isdigit() else ord(char) - ord("A") for char in text[:15]]
    total = sum(odd[value] if place % 2 == 0 else value for place, value in enumerate(values))
    return text[15] == chr(ord("A") + total % 26)


def german_tax_id(text: str) -> bool:
    """Whether eleven digits end in their check digit (ISO 7064, MOD 11,10)."""
    product = 10
    for char in text[:10]:
        product = ((int(char) + product - 1) % 10 + 1) * 2 % 11
    return int(text[10]) == (11 - product) % 10


def phone(text: str) -> bool:
    """Whether the digits are as many as a telephone number has (ITU-T E.164)."""
    return 7 <= len(digits(text)) <= 15


def looks_chosen(text: str) -> bool:
    """Whether a word reads as a password rather than as prose: it mixes kinds of characters."""
    kinds = (
        any(char.islower() for char in text),
        any(char.isupper() for char in text[1:]),
        any(char.isdigit() for char in text),
        any(not char.isalnum() for char in text.strip("'\".,;:!?()")),
    )
    return len(text) >= 6 and sum(kinds) >= 2


_REMARKS = (
    " required optional unknown none null empty wrong incorrect invalid expired forgotten protected hidden changed "
    "reset correct missing needed weak strong secret here below above falsch richtig abgelaufen leer unbekannt "
    "erforderlich oublié requis expiré faux incorrecta caducada obligatoria errata scaduta richiesta sbagliata "
)


def is_no_remark(text: str) -> bool:
    """Whether a word is not merely said about a password ("required", "wrong")."""
    return f" {text.strip('.,;:!?()').lower()} " not in _REMARKS


def _kind(
    kind: str, pattern: str, holds: Callable[[str], bool] = _ALWAYS, flags: re.RegexFlag = re.NOFLAG
) -> PrivateData:
    return PrivateData(kind, re.compile(pattern, flags), holds)


_PASSWORD = (
    r"(?:password|passwd|passphrase|passcode|pwd|pin code|passwort|kennwort|mot de passe|contraseña|clave de acceso|"
    r"parola d'ordine)"
)
_IS = r"(?:\s?[:=]\s?|\s(?:is|ist|lautet|est|es|è)\s(?::\s)?)"
_OWN = r"(?:my|our|his|her|their|the|mein|unser|das|mon|notre|le|mi|nuestra|la|il|mia|nostra)"
_SECRET_NAME = r"(?:api|access|secret|auth|client|private)[ _-]?(?:key|token|secret)"

CREDENTIALS = (
    _kind(
        "key",
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,16384}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)",
    ),
    _kind("password", rf"\b{_PASSWORD}{_IS}['\"“„«](?P<value>[^'\"”“»\n\[]{{4,128}})['\"”“»]", flags=re.I),
    # At the end of a line or a sentence any word but a remark on passwords is meant as the password itself.
    _kind(
        "password",
        rf"\b{_PASSWORD}\s?[:=]\s?(?P<value>[^\s'\"\[][^\s'\"]{{3,127}}?)[.!]?[ \t]*(?=\n|\Z)",
        is_no_remark,
        re.I,
    ),
    _kind(
        "password",
        rf"\b{_OWN} (?:\w{{1,20}} )?{_PASSWORD} (?:is|ist|lautet|est|es|è) "
        r"(?P<value>[^\s'\"\[][^\s'\"]{3,127}?)[.!,]?[ \t]*(?=\n|\Z|(?<=[.!,]) )",
        is_no_remark,
        re.I,
    ),
    _kind(
        "password",
        rf"\b{_PASSWORD}{_IS}(?P<value>[^\s'\"\[][^\s'\"]{{5,127}}?)(?=[,;.!?]?(?:\s|\Z))",
        looks_chosen,
        re.I,
    ),
    _kind("password", r"\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@\"'<>]{1,128}:(?P<value>[^\s/@\"'<>\[]{1,128})@"),
    _kind("key", r"\bbearer\s(?P<value>[A-Za-z0-9._~+/=-]{20,4096})", looks_chosen, re.I),
    _kind("key", rf"\b{_SECRET_NAME}\s?[:=]\s?['\"]?(?P<value>[^\s'\",;\[]{{8,512}})", looks_chosen, re.I),
    _kind("key", r"(?<![A-Za-z0-9])xox[abprs]-[A-Za-z0-9-]{10,200}"),
)
PERSONAL = (
    _kind(
        "email",
        r"(?<![\w.+/-])[A-Za-z0-9][\w.+%-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}"
        r"[A-Za-z]{2,24}\b(?!:[\w/~])",
    ),
    _kind("account", r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])", iban),
    _kind(
        "card",
        r"(?<![\w.-])(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|5\d\d))([ -]?)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?(?![\w-])",
        luhn,
    ),
    _kind("card", r"(?<![\w.-])3[47]\d\d([ -]?)\d{6}\1\d{5}(?![\w-])", luhn),
    _kind("id number", r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])"),
    _kind("id number", r"(?<![\w-])(?:[XYZ]\d{7}|\d{8})[TRWAGMYFPDXBNJZSQVHLCKE](?![\w-])", dni),
    _kind(
        "id number",
        r"(?<![\w-])[12] ?\d\d ?(?:0[1-9]|1[0-2]) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d(?![\w-])",
        nir,
    ),
    _kind("id number", r"(?<![\w-])[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z](?![\w-])", codice_fiscale),
    _kind(
        "id number",
        r"(?<![A-Z])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D](?![\w-])",
    ),
    _kind(
        "id number",
        r"(?:steuer-?id(?:entifikationsnummer)?|steuerliche identifikationsnummer|idnr\.?|tax id)\W{1,4}"
        r"(?P<value>[1-9]\d{10})(?!\d)",
        german_tax_id,
        re.I,
    ),
    _kind("phone", r"(?<![\w+])\+[1-9]\d{0,2}(?:[ ./-]?(?:\(\d{1,5}\)|\d{1,5})){2,6}(?![\w-])", phone),
    _kind("phone", r"(?<![\w.-])(?:\([2-9]\d\d\) ?|[2-9]\d\d[-.])[2-9]\d\d[-.]\d{4}(?![\w-])"),
    _kind("phone", r"(?<![\w./-])0[1-9](?:[ .]\d\d){4}(?![\w-])"),
    _kind(
        "phone",
        r"(?<![\w./-])(?<!\d )\(?0[1-9]\d{1,4}\)?(?: ?[/-] ?| )\d{3,4}[ -]?\d{2,5}(?:[ -]?\d{2,4})?(?![\w./-])",
        phone,
    ),
    _kind(
        "phone",
        r"\b(?:phone|tel|telephone|telefon|mobile|handy(?:nummer)?|cell|call me (?:at|on)|téléphone|móvil|teléfono|"
        r"cellulare|telefono|whatsapp)(?: number)?(?:\.? ?:| is| ist| est| es| è| at| on)? "
        r"(?P<value>\(?\d(?:[ ()./-]{0,2}\d){6,14})(?![\w-])",
        phone,
        re.I,
    ),
)
