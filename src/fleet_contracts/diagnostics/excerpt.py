"""The line of a source that a diagnostic is about, with carets under the span."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from fleet_contracts.source import Source, Span

TAB_WIDTH = 4
MOST_COLUMNS = 120
CONTEXT = 40
CUT = "…"


@dataclass(slots=True)
class Excerpts:
    """Cuts excerpts out of sources; each source is split into lines once."""

    sources: dict[str, Source]
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def excerpt(self, file: str, span: Span) -> tuple[str, str] | None:
        """Return a source line and the carets that go under it; None for an unknown file.

        Tabs are shown as spaces and characters that a person cannot see as `·`; wide
        characters count as two columns. A span over several lines is marked to the end
        of its first.
        """
        source = self.sources.get(file)
        if source is None:
            return None
        lines = self._lines.get(file)
        if lines is None:
            lines = self._lines[file] = source.text.split("\n")
        if span.start.line > len(lines):
            return None
        line = lines[span.start.line - 1].removesuffix("\r")
        start = min(span.start.column - 1, len(line))
        end = span.end.column - 1 if span.end.line == span.start.line else len(line)
        end = min(max(end, start), len(line))
        line, start, end = _cut(line, start, end)
        before, marked = _shown(line[:start]), _shown(line[start:end])
        carets = " " * _width(before) + "^" * max(1, _width(marked))
        return before + marked + _shown(line[end:]), carets


def _cut(line: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the part of a long line around a span, and the span in it."""
    if len(line) <= MOST_COLUMNS:
        return line, start, end
    first = max(0, start - CONTEXT)
    last = min(len(line), first + MOST_COLUMNS)
    head = CUT if first else ""
    tail = CUT if last < len(line) else ""
    shift = len(head) - first
    return head + line[first:last] + tail, start + shift, min(end, last) + shift


def _shown(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(_character(each) for each in text)


def _character(character: str) -> str:
    if character == "\t":
        return " " * TAB_WIDTH
    return character if character.isprintable() else "·"


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(each) for each in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
