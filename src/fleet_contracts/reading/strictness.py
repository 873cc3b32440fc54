"""What libyaml lets through although YAML 1.2 forbids it.

Each check starts with something that almost every file passes: a search of the text,
or what the reader noticed by the way. Only then are the events looked at once more.
One liberty stays allowed, because its meaning is plain and editors format like that: a
closing bracket in the column of what the brackets belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ruamel.yaml.events import (
    CollectionEndEvent,
    CollectionStartEvent,
    NodeEvent,
    ScalarEvent,
    StreamEndEvent,
)

from fleet_contracts.reading.libyaml import NextEvent
from fleet_contracts.reading.yaml12.cursor import (
    NO_COLUMN,
    SyntaxProblem,
    blanks_problem,
    comment_problem,
    shallow_problem,
    tab_problem,
)

# A '#' right behind a character that may end a token; a comment needs white space.
_GLUED = re.compile(r"#(?<=[,:\[\]{}\"'|>0-9+-]#)")
_PROPERTIES = r"(?:[&!]\S*+|\s++|(?<=\s)#[^\r\n]*+)*+"  # of a node, up to its content
PROPERTIES = re.compile(_PROPERTIES)
"""Matches tag and anchor of a node, with all up to its content."""

_BLOCK_HEADER = re.compile(_PROPERTIES + "([|>][-+0-9]*)")
_HEADER_LINE = re.compile(r"\n *+[|>&!]")
_BLANKS_THEN_HASH = re.compile(r"\n +\n\s*#")
_LEADING_BLANKS = re.compile(
    _PROPERTIES + r"[|>][-+]?[ \t]*(?:#.*)?\r?\n((?: *\r?\n)+)( *)(?=[^ \r\n])"
)
_FURTHER_LINE = re.compile(r"[\r\n]( *+)(\t?)[ \t]*+(?=[^ \t\r\n])")


def laxities(text: str, next_event: NextEvent, *, is_folded: bool) -> Iterator[SyntaxProblem]:
    """Yield what a text does that YAML 1.2.2 forbids, although it could be parsed.

    That is a comment without white space before it (section 6.6), a line of a quoted
    string, of brackets or of a block's header that is not indented, or only by a tab
    (section 6.1), and blank lines that hide the indentation of a block of text
    (section 8.1.1.1).
    `is_folded` tells whether any such string or brackets are on several lines;
    `next_event` starts a further pass over the events.
    """
    if is_folded or _is_suspicious(text):
        yield from _Checker(text).run(next_event)


def _is_suspicious(text: str) -> bool:
    """Tell whether a check could find something.

    A single character is found much faster than a pattern, so it is looked for first.
    """
    if _HEADER_LINE.search(text):
        return True
    if "#" not in text:
        return False
    if _GLUED.search(text):
        return True
    return " \n" in text and bool(_BLANKS_THEN_HASH.search(text))


class _Checker:
    """One more pass over the events of a suspicious text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.hashes = _GLUED.finditer(text)
        self.next_hash = next(self.hashes, None)
        self.token_end = 0
        self.columns = [NO_COLUMN]  # of the open block collections
        self.shallow: set[int] = set()  # offsets of lines that have been refused
        self.brackets: list[Any] = []  # the events that opened the open brackets

    def run(self, next_event: NextEvent) -> Iterator[SyntaxProblem]:
        while True:
            event = next_event()
            if self.next_hash is not None:
                yield from self._glued_comments(event)
            if isinstance(event, NodeEvent):
                yield from self._node(event)
            elif isinstance(event, CollectionEndEvent):
                yield from self._collection_end(event)
            elif type(event) is StreamEndEvent:
                return

    def _node(self, event: Any) -> Iterator[SyntaxProblem]:
        if isinstance(event, CollectionStartEvent):
            if event.flow_style:
                self.brackets.append(event)
            else:
                self.columns.append(self._column(event))
        elif type(event) is ScalarEvent:
            if event.style in ("|", ">"):
                yield from self._block_text(event)
            elif event.style in ('"', "'"):
                yield from self._shallow_lines(event, event, "string")

    def _collection_end(self, event: Any) -> Iterator[SyntaxProblem]:
        if not self.brackets:
            self.columns.pop()
            return
        start = self.brackets.pop()
        if not self.brackets:
            kind = "list" if self.text[event.end_mark.index - 1] == "]" else "map"
            yield from self._shallow_lines(start, event, kind)

    def _column(self, event: Any) -> int:
        """Return the column of a block collection, which its content must exceed."""
        if event.anchor is None and event.ctag is None:
            return int(event.start_mark.column)
        entry = PROPERTIES.match(self.text, event.start_mark.index)
        assert entry
        line_start = self.text.rfind("\n", 0, entry.end()) + 1
        line = self.text[line_start : entry.end() + 1]
        return len(line) - len(line.lstrip(" "))

    def _shallow_lines(self, first: Any, last: Any, what: str) -> Iterator[SyntaxProblem]:
        """Look at the indentation of the lines of a string or of brackets."""
        column = self.columns[-1]
        start, end = first.start_mark.index, last.end_mark.index
        if column == NO_COLUMN or first.start_mark.line == last.end_mark.line:
            return
        for line in _FURTHER_LINE.finditer(self.text, start, end):
            character, spaces = self.text[line.end()], len(line[1])
            is_exempt = what != "string" and (
                character == "#" or (character in "]}" and spaces == column)
            )
            if spaces > column or is_exempt or line.end() in self.shallow:
                continue
            self.shallow.add(line.end())
            if line[2]:
                yield tab_problem(line.start(2))
            else:
                yield shallow_problem(line.end(), what, start)

    def _glued_comments(self, event: Any) -> Iterator[SyntaxProblem]:
        """Look at each '#' before the end of this event: is it between two tokens?"""
        text, start, end = self.text, event.start_mark.index, event.end_mark.index
        while self.next_hash is not None and self.next_hash.start() < max(start, end):
            index = self.next_hash.start()
            self.next_hash = next(self.hashes, None)
            if index >= start:  # inside a scalar, where only a block's first line matters
                is_block = type(event) is ScalarEvent and event.style in ("|", ">")
                header = _BLOCK_HEADER.match(text, start) if is_block else None
                if header and header.end() == index:
                    yield comment_problem(index)
                continue
            line_start = max(self.token_end, text.rfind("\n", 0, index) + 1)
            if "#" not in text[line_start:index]:
                yield comment_problem(index)
        self.token_end = max(end, self.token_end)

    def _block_text(self, event: Any) -> Iterator[SyntaxProblem]:
        """Look at the indentation of a header and of the blank lines behind it."""
        start = event.start_mark.index
        header = _BLOCK_HEADER.match(self.text, start)
        assert header
        index = header.start(1)
        if index - self.text.rfind("\n", 0, index) - 1 <= self.columns[-1]:
            yield shallow_problem(index, "value", start)
        blanks = _LEADING_BLANKS.match(self.text, start)
        if blanks:
            widest = max(len(line.rstrip("\r")) for line in blanks[1].split("\n"))
            if widest > len(blanks[2]) > self.columns[-1]:
                yield blanks_problem(start)
