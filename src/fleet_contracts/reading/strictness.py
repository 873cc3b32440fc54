"""What libyaml lets through although YAML 1.2 forbids it and readers disagree on it.

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
_BLOCK_HEADER = re.compile(r"(?:[&!]\S*\s+)*[|>][-+0-9]*")
_TAB_LINE = re.compile(r"^\t[ \t]*(?=[^\s#])", re.MULTILINE)
_BLANKS_THEN_HASH = re.compile(r"\n +\n\s*#")
_LEADING_BLANKS = re.compile(
    r"(?:[&!]\S*\s+)*[|>][-+]?[ \t]*(?:#.*)?\r?\n((?: *\r?\n)+)( *)(?=[^ \r\n])"
)
_NO_COLUMN = 1 << 30


def refuse_laxities(source: Source, bag: Bag) -> None:
    """Add what a parsable YAML text does that YAML 1.2.2 forbids.

    FLT1010 for a comment without white space before it (section 6.6) and for blank
    lines that hide the indentation of a block of text (section 8.1.1.1), FLT1011 for
    tabs that indent the lines of a quoted string or bracket (section 6.1). The text
    must have been parsed without an error.
    """
    text = source.text
    hashes = "#" in text  # a single character is found much faster than a pattern
    glued = hashes and bool(_GLUED.search(text))
    blanks = hashes and " \n" in text and bool(_BLANKS_THEN_HASH.search(text))
    tabs = "\t" in text and bool(_TAB_LINE.search(text))
    if glued or blanks or tabs:
        _Checker(source, bag).run()


class _Checker:
    """One more pass over the events of a suspicious text."""

    def __init__(self, source: Source, bag: Bag) -> None:
        self.source = source
        self.bag = bag
        self.positions = Positions(source.text)
        self.glued = _GLUED.finditer(source.text)
        self.next_glued = next(self.glued, None)
        self.token_end = 0
        self.columns: list[int] = []  # of the open block collections

    def run(self) -> None:
        next_event = open_events(self.source.text)
        first_node = True
        while True:
            event = next_event()
            kind = type(event)
            if self.next_glued is not None:
                self._check_comments(event)
            if kind is MappingEndEvent or kind is SequenceEndEvent:
                self.columns.pop()
            elif kind is StreamEndEvent:
                return
            elif kind is ScalarEvent:
                if event.style and event.style in "|>":
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
        while self.next_glued is not None and self.next_glued.start() < max(start, end):
            index = self.next_glued.start()
            self.next_glued = next(self.glued, None)
            if index >= start:  # inside a scalar, where only a block's first line matters
                header = _BLOCK_HEADER.match(text, start)
                if type(event) is ScalarEvent and event.style and event.style in "|>":
                    if header and header.end() == index:
                        self._refuse_comment(index)
                continue
            line_start = max(self.token_end, text.rfind("\n", 0, index) + 1)
            if "#" not in text[line_start:index]:
                self._refuse_comment(index)
        self.token_end = max(end, self.token_end)

    def _refuse_comment(self, index: int) -> None:
        start = self.positions.at(index)
        self._add(
            "FLT1010",
            "A comment needs white space before its '#'.",
            Span(start, self.positions.moved(start, 1)),
            "Put a space before the '#', or quote the text if it is text.",
        )

    def _refuse_tabs(self) -> None:
        for match in islice(_TAB_LINE.finditer(self.source.text), MOST_REFUSALS):
            start = self.positions.at(match.start())
            self._add(
                "FLT1011",
                "A tab is used as indentation.",
                Span(start, self.positions.moved(start, len(match[0]))),
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
