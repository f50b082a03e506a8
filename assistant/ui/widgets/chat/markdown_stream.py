"""Markdown that arrives piece by piece: finished blocks are kept, only the end is parsed again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from assistant.ui.widgets.chat.blocks import Block, Code
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.markdown import BlockParser, Group, InlineCache, parse

_UNDECIDED_LINE = re.compile(r"[ \t>]*(?:[-=*_+#`~|: \t]+|\d{1,9}[.)]?)")


@dataclass(slots=True)
class _OpenFence:
    """A code block that is being written: complete lines go to `text`, nothing of it is parsed again."""

    language: str
    closing: re.Pattern[str]
    text: str = ""

    def block(self, unfinished_line: str) -> Code:
        return Code(self.language, (self.text + unfinished_line).removesuffix("\n"))


class MarkdownStream:
    """Blocks of a text that grows.

    At every moment `blocks` equals `parse(shown)`, where `shown` is the text so far without a last, unfinished line
    that may yet become markup (a lone "-" would turn the paragraph above into a heading for a moment). The one
    exception are link definitions, which reach back: for earlier blocks they count after `finish`.

    Why that holds: a top-level construct means the same whatever stands before it, and CommonMark (with tables)
    decides where one starts from that line and the next. So once both lines are complete, everything before them
    is settled. The same goes for items of a list and rows of a table, as long as the parser is told that it
    is inside of one.

    Attributes:
        blocks: what the text means so far.
        settled: how many of `blocks`, from the first, will not change before `finish`.
    """

    def __init__(self, parser: BlockParser | None = None) -> None:
        self.blocks: list[Block] = []
        self.settled = 0
        self._parser = parser or BlockParser()
        self._cache: InlineCache = {}
        self._source: list[str] = []
        self._half = ""
        self._rest = ""
        self._lead = ""
        self._lead_blocks = 0
        self._fence: _OpenFence | None = None
        self._references: dict[str, Any] = {}
        self._defines = False

    @property
    def shown(self) -> str:
        """The text that `blocks` stands for."""
        source = "".join(self._source)
        return source[: len(source) - _held(self._rest)]

    def feed(self, text: str) -> None:
        """More text, cut anywhere: half a character or half a line end waits for its other half."""
        text, self._half = self._half + text, ""
        if text and (text[-1] == "\r" or "\ud800" <= text[-1] <= "\udbff"):
            text, self._half = text[:-1], text[-1]
        self._take(clean(text), final=False)

    def finish(self) -> None:
        """The text is complete: nothing is held back any more, and link definitions count everywhere."""
        text, self._half = clean(self._half), ""
        self._take(text, final=True)
        if self._defines:
            self.blocks = parse("".join(self._source))
        self.settled = len(self.blocks)

    def _take(self, text: str, *, final: bool) -> None:
        self._source.append(text)
        self._rest += text
        if text or final:
            while self._step(final):
                pass

    def _step(self, final: bool) -> bool:
        """One step through the rest; true when another one may get further."""
        if self._fence is not None and not self._leave(self._fence, final):
            return False
        return self._parse_rest(final)

    def _leave(self, fence: _OpenFence, final: bool) -> bool:
        """Take the code lines that are complete; true when the closing line was among them."""
        end = len(self._rest) if final else self._rest.rfind("\n") + 1
        found = fence.closing.search(self._rest, 0, end)
        if found is None:
            fence.text += self._rest[:end]
            self._rest = self._rest[end:]
            self.blocks[self.settled :] = [fence.block(self._rest[: len(self._rest) - _held(self._rest)])]
            return False
        fence.text += self._rest[: found.start()]
        self._rest = self._rest[found.end() :].removeprefix("\n")
        self.blocks[self.settled :] = [fence.block("")]
        self.settled += 1
        self._fence = None
        return True

    def _parse_rest(self, final: bool) -> bool:
        visible = self._rest if final else self._rest[: len(self._rest) - _held(self._rest)]
        references = dict(self._references)
        groups = self._parser.groups(self._lead + visible, references, self._cache)
        if self._lead_blocks:
            groups[0] = _without(groups[0], self._lead_blocks)
        self.blocks[self.settled :] = [block for group in groups for block in group.blocks]
        complete = (self._lead + visible).count("\n")
        decided = [index for index, group in enumerate(groups) if group.start + 2 <= complete]
        if references.keys() != self._references.keys():
            self._defines = True
        if decided:
            self._settle(groups, decided[-1], references)
            gone = groups[decided[-1]].start if decided[-1] else 0
            self._settle_inside(groups[decided[-1]], gone, complete)
        return self._fence is not None

    def _settle(self, groups: list[Group], count: int, references: dict[str, Any]) -> None:
        """The first `count` groups are final; what follows them is the new rest."""
        start = groups[count].start
        for label, reference in references.items():
            if label not in self._references and reference["map"][1] <= start:
                self._references[label] = reference
        self.settled += sum(len(group.blocks) for group in groups[:count])
        if count:
            self._cut(start)
        marker = groups[count].fence
        if marker and count == len(groups) - 1 and self._rest.startswith(marker):
            self._rest = self._rest.partition("\n")[2]
            language = groups[count].blocks[0]
            assert isinstance(language, Code)
            closing = rf"(?m)^ {{0,3}}{re.escape(marker[0])}{{{len(marker)},}}[ \t]*$"
            self._fence = _OpenFence(language.language, re.compile(closing))

    def _settle_inside(self, group: Group, gone: int, complete: int) -> None:
        """The beginning of a list or table that goes on is final too; `gone` lines were cut off already."""
        decided = [cut for cut in group.cuts if cut.line + 2 <= complete]
        if decided:
            last = decided[-1]
            self.settled += last.first
            self._cut(last.line - gone)
            self._lead, self._lead_blocks = last.lead, last.extra

    def _cut(self, line: int) -> None:
        """The rest starts at this line of what was parsed."""
        parsed = self._lead + self._rest
        self._rest = parsed[_offset_of_line(parsed, line) :]
        self._lead, self._lead_blocks = "", 0


def _without(group: Group, count: int) -> Group:
    """The group without its first `count` blocks, which are none of the text's."""
    cuts = tuple(replace(cut, first=cut.first - count) for cut in group.cuts if cut.first > count)
    return replace(group, blocks=group.blocks[count:], cuts=cuts)


def _held(rest: str) -> int:
    """How many characters at the end of `rest` are an unfinished line that may yet become markup."""
    line = rest[rest.rfind("\n") + 1 :]
    return len(line) if _UNDECIDED_LINE.fullmatch(line) else 0


def _offset_of_line(text: str, line: int) -> int:
    offset = 0
    for _ in range(line):
        offset = text.index("\n", offset) + 1
    return offset
