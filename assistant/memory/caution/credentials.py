"""Secrets that are written out: passwords, keys, codes, numbers of accounts, cards and papers."""

from __future__ import annotations

import re

from assistant.core.redact import has_key_shape
from assistant.memory.caution.folding import fold

_IS = (
    r"\s{0,3}(?:(?:is|was|are|ist|lautet|heisst|est|es|e|sono|son|sind|eh)\b|[:=＝：]|to\b|是|は|为|為|->|→)"
    r"\s{0,3}[:\"'“„«]?\s{0,2}"
)
_NAME = (
    r"(?:pass ?words?|passwd|pass ?phrases?|pass ?codes?|pwd|passwort|passworter|passwoerter|kennwort|losung"
    r"|mots? de passe"
    r"|contrasenas?|palabra clave|clave|parola d'ordine|senhas?|密码|密碼|口令|暗証番号"
    + f"|{fold('パスワード')}|{fold('비밀번호')}"
    r"|(?:api|access|secret|auth|client|private|encryption|license|licence|product|ssh|wifi|wi-fi"
    r"|wlan)[ _-]?(?:key|token|secret|code|schlussel)"
    r"|(?:session|bearer|refresh|auth|security|login|bot) token|token"
    r"|(?:cle|clave|chiave) (?:api|secrete|secreta|segreta|wifi)"
    r"|seed phrase|recovery (?:phrase|key|codes?)|backup codes?|wiederherstellungscode"
    r"|pins?|pin[ -]?(?:code|number|nummer)"
    r"|(?:door|gate|alarm|safe|lock|entry|access|security|verification|unlock|bike lock|garage)"
    r"[ -](?:codes?|combination|pin)|cvv|cvc|tur ?code"
    r"|code (?:pin|de la porte|d'entree|de l'alarme|secret)|codigo (?:de la puerta|de la alarma|secreto|pin)"
    r"|codice (?:pin|della porta|dell'allarme|segreto)|(?:alarm|turoffner|tresor|zugangs)code|passkey|puk|tan)"
)
_BETWEEN = (
    r"(?:\s(?:for|of|to|on|at|fur|vom|von|zu|pour|de|du|para|per|del|della|di)(?:\s[^\s:=]{1,30}){1,4})?"
)
# What is said about a password rather than the password.
_REMARK = (
    r"(?!(?:required|optional|unknown|none|empty|wrong|incorrect|invalid|expired|forgotten|protected|hidden|changed|reset"
    r"|correct|missing|needed|weak|strong|secret|here|below|above|too|not|never|always|very|the|a|an|my|in|on|at|stored|saved"
    r"|written|hard|easy|long|short|same|still|no|being|for|based|due|important|about|something|falsch|richtig|abgelaufen|leer"
    r"|unbekannt|erforderlich|nicht|zu|oublie|requis|expire|faux|caducada|obligatoria|errata|scaduta|sbagliata|muy|trop|molto"
    r"|incorrecta|la|le|el|un|une|una|ein|eine|der|die|das|safe|sicher|gone|lost)\b)"
)
_WRITTEN_OUT = re.compile(rf"(?:(?<![a-z]){_NAME}){_BETWEEN}{_IS}{_REMARK}[^\s\"'”]{{3,200}}")
_PLAIN_CODE = re.compile(
    rf"(?:(?<![a-z]){_NAME})\s{{1,2}}(?=[^\s]{{0,40}}\d)[^\s:,.;()]{{4,60}}(?=[\s.,;!]|$)"
)
_KEY_BLOCK = re.compile(
    r"-----begin [a-z ]{0,30}(?:private key|certificate)-----|(?<![a-z0-9])xox[abprs]-\w{8}|\bakia[0-9a-z]{16}\b"
)
_IN_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@\"'<>]{1,128}:[^\s/@\"'<>]{1,128}@")

_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])"
)
_CARD = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-])")
_PAPERS = re.compile(
    r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])"
    r"|(?<![\w-])(?:[XYZ]\d{7}|\d{8})-?[TRWAGMYFPDXBNJZSQVHLCKE](?![\w-])"
    r"|(?<![\w-])[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z](?![\w-])"
    r"|(?<![\w-])[12] ?\d\d ?(?:0[1-9]|1[0-2]) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d(?![\w-])"
    r"|(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)"
)


def has_credential(text: str, folded: str) -> bool:
    """Whether a text writes out a password, key or code."""
    return (
        has_key_shape(text)
        or _WRITTEN_OUT.search(folded) is not None
        or _PLAIN_CODE.search(folded) is not None
        or _KEY_BLOCK.search(folded) is not None
        or _IN_ADDRESS.search(folded) is not None
    )


def has_account_number(text: str) -> bool:
    """Whether a text holds the number of a bank account (ISO 13616: modulo 97 is 1) or a card (ISO/IEC 7812-1,
    Luhn)."""
    return any(_is_iban(match.group()) for match in _IBAN.finditer(text)) or any(
        _is_card(match.group()) for match in _CARD.finditer(text)
    )


def has_paper_number(text: str) -> bool:
    """Whether a text holds the number of an identity paper in its national notation."""
    return _PAPERS.search(text) is not None


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "").upper()
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(character, 36)) for character in plain[4:] + plain[:4])) % 97 == 1


def _is_card(text: str) -> bool:
    digits = [int(character) for character in text if character.isdecimal()]
    doubled = [
        value if place % 2 == 0 else sum(divmod(2 * value, 10))
        for place, value in enumerate(reversed(digits))
    ]
    return 13 <= len(digits) <= 19 and len(set(digits)) > 1 and sum(doubled) % 10 == 0
