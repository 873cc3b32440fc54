"""Positions of a `Source` and positions of the protocol, each turned into the other.

A `Source` has lines that end in a line feed, and columns that count characters. The protocol
has lines that end in a line feed, a carriage return or both, and counts the code units of
an encoding that client and server agree on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal, NamedTuple, TypeAlias

from fleet_contracts.source import Position

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]

_BREAK = re.compile(r"\r\n?|\n")
_LONE_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")
_SIZES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}


class Spot(NamedTuple):
    """A position of the protocol: 0-based line, 0-based code unit in it."""

    line: int
    character: int


def units(text: str, encoding: Encoding) -> int:
    """Return how many code units a text has."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    codec, size = _SIZES[encoding]
    return len(text.encode(codec, "surrogatepass")) // size


class Lines:
    """The lines of one text, for both ways of counting."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        """Find where lines begin; `text` has no byte order mark."""
        self._text = text
        self._encoding: Encoding = encoding
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._their_starts = self._starts
        if _LONE_CARRIAGE_RETURN.search(text):
            self._their_starts = [0, *(match.end() for match in _BREAK.finditer(text))]

    def offset(self, position: Position) -> int:
        """Return the offset of a position in the text, at most the end of its line."""
        if position.line > len(self._starts):
            return len(self._text)
        start = self._starts[position.line - 1]
        return min(start + position.column - 1, self._end(self._starts, position.line - 1))

    def position(self, offset: int) -> Position:
        """Return the position of an offset in the text."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def spot(self, position: Position) -> Spot:
        """Return what the protocol calls a position."""
        return self.spot_at(self.offset(position))

    def spot_at(self, offset: int) -> Spot:
        """Return the position of the protocol at an offset in the text."""
        line = bisect_right(self._their_starts, offset) - 1
        return Spot(line, units(self._text[self._their_starts[line] : offset], self._encoding))

    def position_of(self, spot: Spot) -> Position:
        """Return what a `Source` calls a position of the protocol.

        One past the end of a line or of the text means that end.
        """
        if spot.line >= len(self._their_starts):
            return self.position(len(self._text))
        start = self._their_starts[spot.line]
        line = self._text[start : self._end(self._their_starts, spot.line)]
        return self.position(start + self._characters(line, spot.character))

    def _end(self, starts: list[int], index: int) -> int:
        """Return where a line ends, without its line break."""
        if index + 1 == len(starts):
            return len(self._text)
        end = starts[index + 1] - 1
        return end - 1 if self._text[end - 1 : end + 1] == "\r\n" else end

    def _characters(self, line: str, count: int) -> int:
        """Return how many characters the first `count` code units of a line are."""
        if self._encoding == "utf-32" or line.isascii():
            return min(count, len(line))
        for index, character in enumerate(line):
            if count <= 0:
                return index
            count -= units(character, self._encoding)
        return len(line)
