"""The line of a source that a diagnostic is about, with carets under the span."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from fleet_contracts.source import Lines, Source, Span

TAB_WIDTH = 4
MOST_COLUMNS = 120
CONTEXT = 40
MOST_MARKS = 40
CUT = "…"
HIDDEN = "·"


@dataclass(slots=True)
class Excerpts:
    """Cuts excerpts out of sources."""

    sources: Mapping[str, Source]
    _lines: Lines = field(init=False)

    def __post_init__(self) -> None:
        """Split nothing yet."""
        self._lines = Lines(self.sources)

    def excerpt(self, file: str, span: Span) -> tuple[str, str] | None:
        """Return a source line and the carets that go under it; None for an unknown file.

        Tabs are shown as spaces and characters that a person cannot see as `·`; wide
        characters count as two columns. A span over several lines is marked to the end
        of its first.
        """
        line = self._lines.line(file, span.start.line)
        if line is None:
            return None
        start = min(span.start.column - 1, len(line))
        end = span.end.column - 1 if span.end.line == span.start.line else len(line)
        end = min(max(end, start), len(line))
        line, start, end = _cut(line, start, end)
        before, marked, after = _shown(line[:start]), _shown(line[start:end]), _shown(line[end:])
        carets = " " * _width(before) + "^" * max(1, _width(marked))
        return before + marked + after, carets


def _cut(line: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the part of a long line around a span, and the span in it.

    It is cut by columns; a character is never parted from the marks that stand on it.
    """
    start = _base(line, start)
    if len(line) <= MOST_COLUMNS and _width(line) <= MOST_COLUMNS:
        return line, start, end
    near = line[max(0, start - MOST_COLUMNS) : start]
    first = start - _fitting(near[::-1], CONTEXT)
    first = _base(line, first) if first else 0
    last = first + _fitting(line[first : start + MOST_COLUMNS], MOST_COLUMNS)
    last += _marks(line[last : last + MOST_MARKS])
    head = CUT if first else ""
    tail = CUT if last < len(line) else ""
    shift = len(head) - first
    return head + line[first:last] + tail, start + shift, max(start, min(end, last)) + shift


def _base(line: str, index: int) -> int:
    """Return the index of the character that the marks at an index stand on."""
    if index < len(line) and not _columns(line[index]):
        before = line[max(0, index - MOST_MARKS) : index]
        return max(0, index - _marks(before[::-1]) - 1)
    return index


def _marks(text: str) -> int:
    """Return how many characters at the beginning take no column of their own."""
    return sum(1 for _ in itertools.takewhile(lambda each: not _columns(each), text))


def _fitting(text: str, columns: int) -> int:
    """Return how many of the first characters fit in some columns."""
    widths = itertools.accumulate(map(_columns, text))
    return sum(1 for width in widths if width <= columns)


def _shown(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(_character(each) for each in text)


def _character(character: str) -> str:
    """Return what is shown for one character: the same number of columns on every terminal.

    Terminals disagree about emoji that are joined of several, and about emoji that a variation
    selector makes of signs: joiners and skin tones are shown as `·`, selectors are left out.
    """
    if character == "\t":
        return " " * TAB_WIDTH
    if _selects_variation(character):
        return ""
    return character if character.isprintable() and not _is_skin_tone(character) else HIDDEN


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return sum(_columns(each) for each in text)


def _columns(character: str) -> int:
    if character.isascii():
        return TAB_WIDTH if character == "\t" else 1
    if unicodedata.category(character) in ("Mn", "Me") or _is_inner_jamo(character):
        return 0
    if not character.isprintable() or _is_skin_tone(character):
        return 1
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _selects_variation(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _is_skin_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_inner_jamo(character: str) -> bool:
    """Whether it is a vowel or final of a Hangul syllable, which joins what stands before it."""
    return "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7fb"
