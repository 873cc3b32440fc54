"""Files as they were read, and places in them.

Lines and columns are 1-based and count characters (Unicode code points), not bytes
and not UTF-16 units; an end is exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Position(NamedTuple):
    """A place between two characters of a text."""

    line: int
    column: int


class Span(NamedTuple):
    """A stretch of text, from `start` up to and without `end`."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it was read.

    `name` is how a person knows the file (the path as given, or relative to the
    project root), `text` its decoded content without a byte order mark.
    """

    name: str
    text: str

    def line(self, number: int) -> str:
        """Return one line (1-based) without its line break, empty past the end."""
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""
