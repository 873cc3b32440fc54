"""Marks of a parser turned into positions of a text."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from fleet_contracts.source import Position, Span

_LONE_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")


class Positions:
    """Turns marks into positions of one text.

    Parsers count a carriage return without a line feed as a line break; a `Source`
    does not, so in such a text lines are counted again.
    """

    __slots__ = ("_line_starts", "_text", "_trust_marks")

    def __init__(self, text: str) -> None:
        """Lines are counted only when an offset is asked for."""
        self._text = text
        self._line_starts: list[int] | None = None
        self._trust_marks = "\r" not in text or not _LONE_CARRIAGE_RETURN.search(text)

    def of(self, mark: Any) -> Position:
        """Return the position of a mark."""
        if self._trust_marks:
            return Position(mark.line + 1, mark.column + 1)
        return self.at(mark.index)

    def at(self, offset: int) -> Position:
        """Return the position of an offset in the text."""
        if self._line_starts is None:
            self._line_starts = [0, *(match.end() for match in re.finditer("\n", self._text))]
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def span(self, event: Any) -> Span:
        """Return the span of an event, with its anchor and tag."""
        return Span(self.of(event.start_mark), self.of(event.end_mark))

    def first_line(self, event: Any) -> Span:
        """Return the span from the start of an event to the end of that line."""
        start = self.of(event.start_mark)
        offset = event.start_mark.index
        line_end = self._text.find("\n", offset)
        line = self._text[offset : line_end if line_end >= 0 else None].rstrip()
        return Span(start, Position(start.line, start.column + len(line)))

    def stretch(self, offset: int, length: int) -> Span:
        """Return the span of some characters of one line, from an offset on."""
        start = self.at(offset)
        return Span(start, Position(start.line, start.column + length))
