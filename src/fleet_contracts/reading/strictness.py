"""What libyaml lets through although YAML 1.2 forbids it, or reads differently.

Each check starts with a search of the text that almost every file passes; only then
are the events looked at once more. Two liberties stay allowed, because their meaning
is plain: a closing bracket, and the further lines of a quoted string, that are not
indented deeper than their key.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from ruamel.yaml.events import (
    CollectionStartEvent,
    MappingEndEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.reading.decode import MOST_REFUSALS
from fleet_contracts.reading.libyaml import Positions, open_events
from fleet_contracts.source import Source, Span

# A '#' right behind a character that may end a token; a comment needs white space.
_GLUED = re.compile(r"#(?<=[,:\[\]{}\"'|>0-9+-]#)")
# Names that go on to YAML 1.2, but end before this character to libyaml.
_LONG_ANCHOR = re.compile(r"&[0-9A-Za-z_-]+[?:%@`]")
_LONG_ALIAS = re.compile(r"\*[0-9A-Za-z_-]+[?:%@`]")
_NAME_END = re.compile(r"(?:!\S*\s+)?[&*][0-9A-Za-z_-]+(?=[?:%@`])")
_BLOCK_HEADER = re.compile(r"(?:[&!]\S*\s+)*[|>][-+0-9]*")
_TAB_LINE = re.compile(r"^\t[ \t]*(?=[^\s#])", re.MULTILINE)
_BLANKS_THEN_HASH = re.compile(r"\n +\n\s*#")
_LEADING_BLANKS = re.compile(
    r"(?:[&!]\S*\s+)*[|>][-+]?[ \t]*(?:#.*)?\r?\n((?: *\r?\n)+)( *)(?=[^ \r\n])"
)
_NO_COLUMN = 1 << 30


def refuse_laxities(source: Source, bag: Bag) -> None:
    """Add what a parsable YAML text does that YAML 1.2.2 forbids.

    FLT1010 for a comment without white space before it (section 6.6), a long anchor
    name (section 6.9.2) and blank lines that hide the indentation of a block of text
    (section 8.1.1.1), FLT1011 for tabs that indent the lines of a quoted string or
    bracket (section 6.1). The text must have been parsed without an error.
    """
    if _is_suspicious(source.text):
        _Checker(source, bag).run()


def _is_suspicious(text: str) -> bool:
    """Tell whether a check could find something.

    A single character is found much faster than a pattern, so it is looked for first.
    """
    if "#" in text and _GLUED.search(text):
        return True
    if "#" in text and " \n" in text and _BLANKS_THEN_HASH.search(text):
        return True
    if "&" in text and (_LONG_ANCHOR.search(text) or _LONG_ALIAS.search(text)):
        return True
    return "\t" in text and "\n\t" in text and bool(_TAB_LINE.search(text))


class _Checker:
    """One more pass over the events of a suspicious text."""

    def __init__(self, source: Source, bag: Bag) -> None:
        self.source = source
        self.bag = bag
        self.positions = Positions(source.text)
        self.hashes = _GLUED.finditer(source.text)
        self.next_hash = next(self.hashes, None)
        self.token_end = 0
        self.columns: list[int] = []  # of the open block collections

    def run(self) -> None:
        next_event = open_events(self.source.text)
        first_node = True
        while True:
            event = next_event()
            kind = type(event)
            if self.next_hash is not None:
                self._check_comments(event)
            if isinstance(event, NodeEvent) and event.anchor is not None:
                self._check_name(event)
            if kind is MappingEndEvent or kind is SequenceEndEvent:
                self.columns.pop()
            elif kind is StreamEndEvent:
                return
            elif kind is ScalarEvent:
                if _is_block_text(event):
                    self._check_blanks(event)
                first_node = False
            elif isinstance(event, CollectionStartEvent):
                if first_node and not event.flow_style:
                    self._refuse_tabs()
                self.columns.append(self._column(event))
                first_node = False

    def _column(self, event: Any) -> int:
        """Return the column that the content of a block collection must exceed."""
        if event.flow_style or event.anchor is not None or event.ctag is not None:
            return _NO_COLUMN  # no block of text inside, or a column that is not known
        return int(event.start_mark.column)

    def _check_comments(self, event: Any) -> None:
        """Look at each '#' before the end of this event: is it between two tokens?"""
        text, start, end = self.source.text, event.start_mark.index, event.end_mark.index
        while self.next_hash is not None and self.next_hash.start() < max(start, end):
            index = self.next_hash.start()
            self.next_hash = next(self.hashes, None)
            if index >= start:  # inside a scalar, where only a block's first line matters
                header = _BLOCK_HEADER.match(text, start) if _is_block_text(event) else None
                if header and header.end() == index:
                    self._refuse_comment(index)
                continue
            line_start = max(self.token_end, text.rfind("\n", 0, index) + 1)
            if "#" not in text[line_start:index]:
                self._refuse_comment(index)
        self.token_end = max(end, self.token_end)

    def _refuse_comment(self, index: int) -> None:
        self._add(
            "FLT1010",
            "A comment needs white space before its '#'.",
            self.positions.stretch(index, 1),
            "Put a space before the '#', or quote the text if it is text.",
        )

    def _check_name(self, event: Any) -> None:
        """Look at the character behind the name of an anchor or alias."""
        name = _NAME_END.match(self.source.text, event.start_mark.index)
        if name:
            self._add(
                "FLT1010",
                f"Readers of YAML disagree on where the name in {name[0]} ends.",
                self.positions.stretch(name.end(), 1),
                "Use letters, digits, '_' and '-' only, and white space behind the name.",
            )

    def _refuse_tabs(self) -> None:
        for match in islice(_TAB_LINE.finditer(self.source.text), MOST_REFUSALS):
            self._add(
                "FLT1011",
                "A tab is used as indentation.",
                self.positions.stretch(match.start(), len(match[0])),
                "Indent with spaces.",
            )

    def _check_blanks(self, event: Any) -> None:
        match = _LEADING_BLANKS.match(self.source.text, event.start_mark.index)
        if not match or not self.columns:
            return
        widest = max(len(line.rstrip("\r")) for line in match[1].split("\n"))
        if widest > len(match[2]) > self.columns[-1]:
            self._add(
                "FLT1010",
                "The first lines of this block of text are blank and indented deeper than its"
                " first line of text, so that the text would be lost.",
                self.positions.first_line(event),
                "Remove the spaces from the blank lines.",
            )

    def _add(self, code: str, message: str, span: Span, help: str) -> None:
        self.bag.add(code, message, Place(self.source.name, span=span), help=help)


def _is_block_text(event: Any) -> bool:
    return type(event) is ScalarEvent and event.style in ("|", ">")
