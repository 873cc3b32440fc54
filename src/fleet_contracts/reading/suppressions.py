"""Comments that suppress warnings: `# fleet: ignore FLT4082 reason`.

Only comments count, so a text with such words in it is read once more to learn which of
them stand inside quotes or blocks of text (YAML 1.2.2 section 6.6).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import ScalarEvent, StreamEndEvent

from fleet_contracts.reading.parsers import way_of
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.strictness import PROPERTIES
from fleet_contracts.source import Source, Span

_MARK = re.compile(r"(?<!\S)#[ \t]*fleet[ \t]*:[ \t]*ignore(?![\w-])")
_HASH = re.compile(r"(?<!\S)#")
_LIST = re.compile(r"[ \t]*+(:[^\s,]*+|[^\s,:]*+(?:[ \t]*+,[ \t]*+[^\s,:]++)*+)")
_CODE = re.compile(r"[^\s,]+")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_NO_CONTENT = re.compile(r"(?:[ \t\r]*+(?:#[^\n]*+)?(?:\n|\Z))*+")
_BLOCK = ("|", ">")


class Stretch(NamedTuple):
    """Some characters, and where they stand."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment, and the line that it covers (1-based; None: there is none).

    `codes` are what stands where codes belong, whether they are any; `listed` is all of them
    with what stands between. `span` is the comment; `removable` goes if the comment goes: the
    blanks before it as well, or the whole of its line.
    """

    codes: tuple[Stretch, ...]
    line: int | None
    reason: str
    span: Span
    listed: Stretch
    removable: Stretch


def find_suppressions(source: Source) -> list[Suppression]:
    """Return the suppressions of a YAML text in the order of their places.

    A comment behind something covers its own line; one that stands alone covers the next
    line that is neither blank nor a comment. Behind a syntax error nothing is found.
    """
    text = source.text
    if "fleet" not in text or "ignore" not in text:
        return []
    marks = {match.start(): match for match in _MARK.finditer(text)}
    if not marks:
        return []
    return list(_Finder(text).run(marks))


class _Finder:
    """Turns marks into suppressions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._positions = Positions(text)
        self._content = -1  # where the lines skipped last came to an end

    def run(self, marks: dict[int, re.Match[str]]) -> Iterator[Suppression]:
        """Yield the suppression of each mark that begins a comment."""
        lines = dict.fromkeys(self._line_start(start) for start in marks)
        hashes = [list(_hashes(self._text, start)) for start in lines]
        inside = _inside_scalars(self._text, [offset for line in hashes for offset in line])
        for line_start, offsets in zip(lines, hashes, strict=True):
            start = next((offset for offset in offsets if offset not in inside), None)
            if start in marks:
                yield self._suppression(marks[start], line_start)

    def _suppression(self, mark: re.Match[str], line_start: int) -> Suppression:
        start, end = mark.start(), _end_of_line(self._text, mark.end())
        listed = _LIST.match(self._text, mark.end(), end)
        assert listed
        before = self._text[line_start:start].rstrip(" \t")
        removed_from, removed_to = line_start + len(before), end
        if not before:
            removed_to = self._text.find("\n", end) + 1 or end
        return Suppression(
            codes=tuple(
                self._stretch(code.start(), code.end())
                for code in _CODE.finditer(self._text, *listed.span(1))
            ),
            line=self._positions.at(start).line if before else self._next_line(end),
            reason=self._text[listed.end() : end].lstrip(" \t,:").rstrip(" \t,"),
            span=self._stretch(start, end).span,
            listed=self._stretch(*listed.span(1)),
            removable=self._stretch(removed_from, removed_to),
        )

    def _next_line(self, end: int) -> int | None:
        """Return the next line with content, behind a comment that ends at an offset.

        Lines of comments are skipped once, however many there are.
        """
        if self._content < end:
            skipped = _NO_CONTENT.match(self._text, end)
            assert skipped
            self._content = skipped.end()
        if self._content == len(self._text):
            return None
        return self._positions.at(self._content).line

    def _line_start(self, offset: int) -> int:
        return self._text.rfind("\n", 0, offset) + 1

    def _stretch(self, start: int, end: int) -> Stretch:
        span = Span(self._positions.at(start), self._positions.at(end))
        return Stretch(self._text[start:end], span)


def _hashes(text: str, line_start: int) -> Iterator[int]:
    """Yield where a line has a '#' that may begin a comment."""
    for match in _HASH.finditer(text, line_start, _end_of_line(text, line_start)):
        yield match.start()


def _end_of_line(text: str, offset: int) -> int:
    end = _REST_OF_LINE.match(text, offset)
    assert end
    return end.end()


def _inside_scalars(text: str, offsets: Sequence[int]) -> set[int]:
    """Return which offsets of a '#', in ascending order, do not belong to a comment."""
    next_event = way_of(text).open(None)
    inside: set[int] = set()
    known = 0
    try:
        event = next_event()
        while type(event) is not StreamEndEvent:
            known = event.end_mark.index
            if type(event) is ScalarEvent and event.style:
                first = bisect_left(offsets, _first_character(text, event))
                inside.update(offsets[first : bisect_left(offsets, known, first)])
            event = next_event()
    except YAMLError:
        inside.update(offset for offset in offsets if offset >= known)
    return inside


def _first_character(text: str, event: Any) -> int:
    """Return where the text of a scalar begins: behind its tag, its anchor, its header."""
    start = int(event.start_mark.index)
    if event.anchor is not None or event.ctag is not None:
        properties = PROPERTIES.match(text, start)
        start = properties.end() if properties else start
    return _end_of_line(text, start) if event.style in _BLOCK else start
