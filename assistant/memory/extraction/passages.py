"""Tells a person's own words in a message from what was pasted, quoted or is only there to be worked on."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ANY_TASK = (
    r"translat\w*|rewrit\w*|proofread\w*|correct|summari[sz]\w*|paraphras\w*|rephras\w*|edit|convert"
    r"|analy[sz]e|classify"
    r"|extract|continue|complete|repeat|say|write|draft|explain|check|polish|shorten|improve|reply"
    r"|respond|answer"
    r"|übersetz\w*|korrigier\w*|fass\w*|formulier\w*|schreib\w*|erklär\w*|prüf\w*|verbesser\w*|antworte"
    r"|tradui\w*|corrig\w*|résum\w*|reformul\w*|écri[sv]\w*|expliqu\w*|amélior\w*|répond\w*"
    r"|tradu[cz]\w*|resum\w*|reescrib\w*|escrib\w*|explica\w*|mejora\w*|responde\w*"
    r"|correggi\w*|riassum\w*|riscriv\w*|scriv\w*|spiega\w*|migliora\w*|rispondi\w*|reescrev\w*|escrev\w*"
    r"|翻译|翻譯|改写|总结|润色|翻訳|要約|訳して"
)
_ABOUT_ME = (
    r"about (?:me|myself|us)|facts?|über (?:mich|uns)|(?:à propos de|sur) (?:moi|nous)|sobre m[íi]"
    r"|su di (?:me|noi)"
    r"|sobre mim|関して|关于我"
)
_OWN_START = r"(?:i|i'm|i’m|my|we|ich|mein|wir|je|j['’]|mon|ma|nous|yo|mi|soy|tengo|io|ho|sono|eu)\b"

_TO_THE_END = re.compile(
    r"^[-_= \t]*(?:(?:begin )?(?:original|forwarded) message|ursprüngliche nachricht"
    r"|weitergeleitete nachricht"
    r"|message (?:d'origine|transféré)|mensaje (?:original|reenviado)|messaggio (?:originale|inoltrato))\b"
    r"|^(?:on\b.{4,90}\bwrote|am\b.{4,90}\bschrieb\b.{0,60}|le\b.{4,90}\ba écrit|el\b.{4,90}\bescribió"
    r"|il\b.{4,90}\bha scritto)"
    r"\s*:\s*$"
    r"|^[^\w\n]{0,8}(?:system|user|human|assistant|developer|tool|ai|bot|instructions?)\W{0,3}:"
    r"|<\|",
    re.IGNORECASE | re.MULTILINE,
)
_HEADER = re.compile(
    r"^(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|datum|gesendet|de|à|objet|envoyé|para"
    r"|asunto|enviado"
    r"|fecha|da|a|oggetto|inviato|data)[ \t]*:[ \t]*\S.*$",
    re.IGNORECASE | re.MULTILINE,
)
_TASK_COLON = re.compile(
    rf"\b(?:{_ANY_TASK})\b[^.!?:\n]{{0,120}}[:：]|(?:{_ANY_TASK})[^。！？:：\n]{{0,20}}[:：]", re.IGNORECASE
)
_LINE_COLON = re.compile(r"^[^\n]*[:：][^\S\n]*\n", re.MULTILINE)
_FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_FOREIGN_LINE = re.compile(r"^[ \t]*+(?:[>|{}<\]].*|[\"'][\w -]+[\"']\s*:.*|.*[{};][ \t]*+)$", re.MULTILINE)
_LABELLED = re.compile(r"^[ \t]*[A-ZÀ-Þ][\w.’' -]{0,24}:[ \t]+(?=\S)", re.MULTILINE)
_LABELLED_OWN = re.compile(
    rf"^[ \t]*[A-ZÀ-Þ][\w.’' -]{{0,24}}:[ \t]+{_OWN_START}.*$", re.MULTILINE | re.IGNORECASE
)
_SALUTATION = re.compile(
    r"^[ \t]*(?:dear|sehr geehrte\w*|liebe[rs]?|ch[eè]re?s?|cher|madame|monsieur|estimad[oa]s?"
    r"|querid[oa]s?|gentile|car[oaie]"
    r"|egregi\w+|prezad[oa]s?)\b[^\n]{1,50},?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_SIGN_OFF = re.compile(
    r"^[ \t]*(?:(?:best|kind|warm) (?:regards|wishes)|regards|sincerely|yours\b.*|cheers"
    r"|mit freundlichen grüßen"
    r"|(?:viele|liebe|beste|herzliche) grüße|cordialement|bien à (?:vous|toi)"
    r"|(?:un )?(?:cordial )?saludos?|atentamente"
    r"|cordiali saluti|distinti saluti|atenciosamente),?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTATION = re.compile(
    r"“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|»[^«\n]*«|\"[^\"\n]*\"|「[^」\n]*」|『[^』\n]*』"
    r"|(?<!\w)['‘][^'’\n]{12,}['’](?!\w)"
)

_ENDS = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[”’」』）]*|\n+")
_ABBREVIATED = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|jr|sr|no|nr|vs|etc|approx|ca|bzw|ggf|inkl|str|tel|sra|mme|mlle|sig"
    r"|dott|e\.g|i\.e|z\.b"
    r"|d\.h|u\.a|p\.m|a\.m)|(?<![\w'’])[^\W\d_])\.$",
    re.IGNORECASE,
)
# "am 3. Mai": an ordinal, not the end of a sentence.
_ORDINAL = re.compile(r"\b\d{1,2}\.$")
_BULLET = re.compile(r"(?:[-*•–—·]|\(?\d{1,2}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Passages:
    """A message as its own words.

    Attributes:
        sentences: places of the sentences in it, without the white space and bullets around them.
        foreign: places of what are not the person's own words (code, pasted mail, a text to work on).
        quotations: places of what stands in quotation marks, marks included.
    """

    sentences: tuple[tuple[int, int], ...]
    foreign: tuple[tuple[int, int], ...]
    quotations: tuple[tuple[int, int], ...]

    def is_foreign(self, start: int, end: int) -> bool:
        """Whether a place touches what is not the person's own."""
        return any(begin < end and start < last for begin, last in self.foreign)

    def is_quoted(self, start: int, end: int) -> bool:
        """Whether a place lies within quotation marks."""
        return any(begin <= start and end <= last for begin, last in self.quotations)


def passages_of(text: str) -> Passages:
    """Read a message; time and space grow linearly with it."""
    foreign = _foreign(text)
    quotations = tuple(match.span() for match in _QUOTATION.finditer(text))
    return Passages(tuple(_sentences(text)), tuple(foreign), quotations)


def _foreign(text: str) -> list[tuple[int, int]]:
    found = [match.span() for pattern in (_FENCE, _CODE, _FOREIGN_LINE) for match in pattern.finditer(text)]
    size = len(text)
    for pattern in (_TO_THE_END, _TASK_COLON):
        match = pattern.search(text)
        if match is not None:
            # What is to be worked on begins behind the colon; a quoted mail with its head.
            found.append((match.end() if pattern is _TASK_COLON else match.start(), size))
    headers = list(_HEADER.finditer(text))
    if len(headers) > 1 and text.count("\n", headers[0].end(), headers[1].start()) <= 1:
        found.append((headers[0].start(), size))
    for line in _LINE_COLON.finditer(text):
        if not re.search(_ABOUT_ME, line[0], re.IGNORECASE):
            found.append((line.end(), size))
            break
    if len(_LABELLED.findall(text)) > 1:
        found.extend(match.span() for match in _LABELLED_OWN.finditer(text))
    salutation = _SALUTATION.search(text)
    if salutation is not None:
        sign_off = _SIGN_OFF.search(text, salutation.end())
        if sign_off is not None:
            found.append((salutation.start(), size))
    return found


def _sentences(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    begin = 0
    for mark in _ENDS.finditer(text):
        line_end = text[mark.start()] == "\n"
        if not line_end:
            head = text[max(begin, mark.end() - 12) : mark.end()]
            following = text[mark.end() : mark.end() + 2].lstrip()
            if _ABBREVIATED.search(head) and not text[begin : mark.end()].endswith(" I."):
                continue
            if _ORDINAL.search(head) and following[:1].isalpha():
                continue
        _append(found, text, begin, mark.start() if line_end else mark.end())
        begin = mark.end()
    _append(found, text, begin, len(text))
    return found


def _append(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    end -= len(part) - len(part.rstrip())
    if start >= end:
        return
    bullet = _BULLET.match(text, start, end)
    start = start if bullet is None else bullet.end()
    if start < end:
        found.append((start, end))
