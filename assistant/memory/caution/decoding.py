"""What a text says once its encodings are undone: the other readings of it that an assistant could follow.

Only what can be told from prose is tried, each with a bound: a long text has no more than so many readings.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from assistant.memory.caution.folding import fold, invisible_text

_MOST_RUNS = 24
_LONGEST_RUN = 20_000
_SHORTEST_HIDDEN = 6

_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{12,}={0,2}(?![\w+/-])")
_WRAPPED = re.compile(r"(?:[A-Za-z0-9+/]{40,}\n){1,200}[A-Za-z0-9+/]+={0,2}")
_BASE32 = re.compile(r"(?<![\w=])[A-Z2-7]{16,}={0,6}(?![\w=])")
_HEX = re.compile(r"(?<![\w#])(?:0x)?(?:[0-9a-fA-F]{2}){8,}(?!\w)")
_HEX_GROUPS = re.compile(r"(?<!\w)(?:(?:0x|\\x|%)?[0-9a-fA-F]{2}[ ,:]{1,2}){7,}(?:0x)?[0-9a-fA-F]{2}(?!\w)")
_BITS = re.compile(r"(?<!\w)[01]{7,8}(?:[ ,]?[01]{7,8}){5,}(?!\w)")
_NUMBERS = re.compile(r"(?<!\w)(?:\d{2,3}[ ,]{1,2}){7,}\d{2,3}(?!\w)")
_MORSE = re.compile(r"(?:[.·•_−–-]{1,6}[ /|]{1,3}){6,}[.·•_−–-]{1,6}")
_ASCII85 = re.compile(r"<~([!-uz\s]{10,20000})~>")
_BASE85 = re.compile(r"(?<!\S)[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{20,}(?!\S)")
_ESCAPES = re.compile(r"\\u\{?([0-9a-fA-F]{4,6})\}?|\\x([0-9a-fA-F]{2})|\\U([0-9a-fA-F]{8})|\\([0-7]{3})")
_SPACED = re.compile(r"(?<!\w)\w(?:[ .,*·•|/~+'\"_-]{1,2}\w(?!\w)){3,}")
_LONG_RUN = 20
# What letters that were all written apart are split at.
_INNER_WORDS = re.compile(
    "ignore|disregard|forget|override|bypass|previous|above|instructions?|rules?|prompt|system|reveal|repeat|send|show|tell"
    "|passwords?|obey|follow|restrictions?|filters?|guidelines?|assistant|secrets?|always|never|all|your|you|are|now|and|the"
    "|user|me|no|my|email|delete|answer|with|every"
)
_LEET_WORD = re.compile(r"(?<!\w)(?=\S{0,40}[a-z])(?=\S{0,40}[0-9@$!|+])[a-z0-9@$!|+'-]{3,40}")
_LEET = (
    str.maketrans("0134578@$!|+69", "oieastbasiitgg"),
    str.maketrans("0134578@$!|+69", "oleastbasiltgg"),
)
_CUT = re.compile(r"(?<=[a-z])[-_.*~|\"+·•/\\](?=[a-z])")
_CUT_WORD = re.compile(r"[a-z]{1,8}(?:[-.*~|\"+·•/\\][a-z]{1,8})+")
_CUT_WORDS = 3


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MORSE_CODES = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .-.-.- --..-- ..--.. -..-. .--.-. -....- .----."
)
_MORSE_LETTERS = dict(zip(_MORSE_CODES.split(), "abcdefghijklmnopqrstuvwxyz0123456789.,?/@-'", strict=True))
_COMMON = _words(
    "the and of to a in is you your all for with that this on from now not it are be as or any der die das und ist du "
    "alle ein nicht le la les de et vous tu est toutes el los y las que tu todas il di e che tutte instructions"
)


def readings(text: str) -> Iterator[str]:
    """The other readings of `text`, not folded, without `text` itself."""
    tagged = invisible_text(text)
    if tagged:
        yield tagged
    unescaped = _unescaped(text)
    if unescaped != text:
        yield unescaped
    yield from _decoded_runs(text)
    folded = fold(text)
    joined = _joined(folded)
    if joined != folded:
        yield joined
    yield from _leet(folded)
    words = set(re.findall(r"[a-z]+", folded[:_LONGEST_RUN]))
    for turned in (folded[::-1], codecs.encode(folded, "rot13")) if len(folded) <= _LONGEST_RUN else ():
        # Prose has small words; a text that gains some by being turned was turned before.
        if _small_words(turned) > max(1, len(words & _COMMON)):
            yield turned
    if len(folded) <= 2000:
        yield from _shifted(folded, len(words & _COMMON))


def _small_words(text: str) -> int:
    return len(_COMMON & set(re.findall(r"[a-z]+", text)))


def _shifted(folded: str, known: int) -> Iterator[str]:
    """Caesar's other shifts and Atbash, where they make prose of what is none."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    if known > 2 or len(re.findall(r"[a-z]{3,}", folded)) < 4:
        return
    for shift in (*range(1, 13), *range(14, 26)):
        turned = folded.translate(str.maketrans(letters, letters[shift:] + letters[:shift]))
        if _small_words(turned) > known + 2:
            yield turned
    turned = folded.translate(str.maketrans(letters, letters[::-1]))
    if _small_words(turned) > known + 1:
        yield turned


def _unescaped(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if "%" in text:
        text = unquote(text, errors="replace")
    if "\\" in text:
        text = _ESCAPES.sub(_escaped, text)
    if "=20" in text or "=\n" in text:
        text = re.sub(r"=([0-9A-F]{2})", lambda match: chr(int(match[1], 16)), text.replace("=\n", ""))
    return text


def _escaped(match: re.Match[str]) -> str:
    code = int(match[1] or match[2] or match[3] or "0", 16) if not match[4] else int(match[4], 8)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]


def _decoded_runs(text: str) -> Iterator[str]:
    decoders: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
        (_WRAPPED, lambda run: _base64(run.replace("\n", ""))),
        (_HEX, lambda run: bytes.fromhex(run.removeprefix("0x"))),
        (_HEX_GROUPS, lambda run: bytes.fromhex("".join(re.findall(r"(?:0x|\\x|%)?([0-9a-fA-F]{2})", run)))),
        (_BITS, _bits),
        (_NUMBERS, lambda run: bytes(int(number) for number in re.findall(r"\d+", run))),
        (_BASE32, lambda run: base64.b32decode(run.rstrip("=") + "=" * (-len(run.rstrip("=")) % 8))),
        (_BASE64, _base64),
        (_ASCII85, lambda run: base64.a85decode(run.strip(), adobe=True)),
        (_BASE85, base64.b85decode),
    )
    for pattern, decode in decoders:
        for number, match in enumerate(pattern.finditer(text)):
            if number == _MOST_RUNS:
                break
            try:
                plain = decode(match.group()[:_LONGEST_RUN]).decode("utf-8")
            except (ValueError, binascii.Error):
                continue
            if is_prose(plain):
                yield plain
    for number, match in enumerate(_MORSE.finditer(text)):
        if number == _MOST_RUNS:
            break
        yield _from_morse(match.group())


def _base64(run: str) -> bytes:
    run = run.rstrip("=").translate(str.maketrans("-_", "+/"))
    return base64.b64decode(run + "=" * (-len(run) % 4), validate=True)


def _bits(run: str) -> bytes:
    groups = re.findall(r"[01]{7,8}(?![01])", run) if re.search("[ ,]", run) else re.findall("[01]{8}", run)
    return bytes(int(group, 2) for group in groups)


def is_prose(text: str) -> bool:
    """Whether decoded characters look written by somebody: long enough, printable, mostly letters and spaces."""
    return (
        len(text) >= _SHORTEST_HIDDEN
        and all(character.isprintable() or character in "\n\r\t" for character in text)
        and sum(character.isalpha() or character == " " for character in text) >= 0.7 * len(text)
    )


def _from_morse(run: str) -> str:
    run = run.translate(str.maketrans("·•_−–", "..---"))
    words = re.split(r"\s*[/|]\s*|\s{3,}", run)
    return " ".join("".join(_MORSE_LETTERS.get(code, "") for code in word.split()) for word in words)


def _joined(folded: str) -> str:
    """Letters that stand apart put together, and cuts within words taken out."""

    def together(match: re.Match[str]) -> str:
        run = match.group()
        signs = re.search(r"[^\w\s]", run) is not None and " " in run
        words = [re.sub(r"[\W_]", "", part) for part in re.split(" +" if signs else " {2,}|[/|]", run)]
        if len(words) > 1 or len(run) < _LONG_RUN:
            return " ".join(words)
        return " ".join(_INNER_WORDS.findall(words[0])) or words[0]

    joined = _SPACED.sub(together, folded)
    if sum(1 for _ in zip(_CUT_WORD.finditer(joined), range(_CUT_WORDS), strict=False)) == _CUT_WORDS:
        return _CUT.sub("", joined)
    return joined


def _leet(folded: str) -> Iterator[str]:
    """Digits and signs that stand for letters, read as those."""
    if sum(1 for _ in zip(_LEET_WORD.finditer(folded), range(2), strict=False)) < 2:
        return
    for table in _LEET:
        yield re.sub(r"\S*[0-9@$!|+]\S*", lambda match: match.group().translate(table), folded)  # noqa: B023
