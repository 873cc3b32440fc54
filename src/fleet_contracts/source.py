"""Files as they were read, and places in them.

Lines and columns are 1-based and count characters (Unicode code points), not bytes
and not UTF-16 units; an end is exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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


@dataclass(slots=True)
class Lines:
    """Lines of sources by number; each source is split once."""

    sources: Mapping[str, Source]
    _split: dict[str, list[str]] = field(default_factory=dict)

    def line(self, file: str, number: int) -> str | None:
        """Return a line (1-based) of a file without its line break; None where there is none."""
        lines = self._split.get(file)
        if lines is None:
            source = self.sources.get(file)
            lines = self._split[file] = source.text.split("\n") if source else []
        return lines[number - 1].removesuffix("\r") if 0 < number <= len(lines) else None


def utf16_column(line: str, column: int) -> int:
    """Return a column of a line in UTF-16 units, as LSP and SARIF count; both are 1-based.

    Characters beyond U+FFFF take two units. A column past the end stays as far past it.

    >>> utf16_column("😀: x", 4), utf16_column("é: x", 4)
    (5, 4)
    """
    before = line[: column - 1]
    return column if before.isascii() else column + sum(each > "\uffff" for each in before)
