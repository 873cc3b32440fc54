"""Where a part of a scalar's value stands in the YAML or JSON text.

A parser tells where a scalar starts and ends, and what it means. To find a part of it, its
text is read again by the rules for its style, with the offsets kept. What comes out must be
the value that the parser found: nothing is trusted that the two read differently.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TypeAlias

from fleet_contracts.diagnostics.model import Part

Offsets: TypeAlias = tuple[int, int]
"""A stretch of the text, from the first offset up to and without the second."""

_Piece: TypeAlias = tuple[str, Offsets]
"""Some characters of a value, and the stretch of the text that means them."""

_PROPERTIES = re.compile(r"(?:[&!][^ \t\r\n]*[ \t\r\n]+)*")
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\n|\r|$)")
_BREAK = re.compile(r"\r\n|\n|\r")
_FOLD = r"(?<![ \t])[ \t]*+(?:\r\n|\n|\r)[ \t\r\n]*"
_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = (
    rf"{_PAIR}|\\x[0-9a-fA-F]{{2}}|\\u[0-9a-fA-F]{{4}}|\\U[0-9a-fA-F]{{8}}"
    r"|\\(?:\r\n|\n|\r)[ \t\r\n]*|\\[^\r\n]"
)
_DIGITS = re.compile(r"\\[xuU]([0-9a-fA-F]+)")
_SHORT = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))

# What does not mean itself in a scalar, by its style.
_SPECIAL = {
    "": re.compile(_FOLD),
    "'": re.compile(rf"''|{_FOLD}"),
    '"': re.compile(rf"{_ESCAPE}|{_FOLD}"),
}


class ScalarText:
    """A scalar as a parser found it; its text is read only if a part of it is asked for."""

    __slots__ = ("_pieces", "_span", "_starts", "_style", "_text", "_value")

    def __init__(self, text: str, span: Offsets, style: str | None, value: str) -> None:
        """`span` is the scalar in `text`, with its anchor and tag."""
        self._text = text
        self._span = span
        self._style = style or ""
        self._value = value
        self._pieces: list[_Piece] | None = None
        self._starts: list[int] = []  # of each piece in the value

    def stretch(self, part: Part) -> Offsets | None:
        """Return the stretch of the text that means a part of the value, None if not sure."""
        if self._pieces is None:
            self._pieces = self._read()
            self._starts = _starts(self._pieces)
        if not 0 <= part.start < part.end <= self._starts[-1]:
            return None
        return self._character(part.start)[0], self._character(part.end - 1)[1]

    def _character(self, index: int) -> Offsets:
        """Return the stretch of one character of the value."""
        assert self._pieces is not None
        number = bisect_right(self._starts, index) - 1
        characters, (start, end) = self._pieces[number]
        if len(characters) != end - start:
            return start, end
        offset = start + index - self._starts[number]
        return offset, offset + 1

    def _read(self) -> list[_Piece]:
        """Return the pieces of the value, none if they would mean something else."""
        start, end = self._span
        properties = _PROPERTIES.match(self._text, start, end)
        start = properties.end() if properties else start
        if self._style in ("|", ">"):
            lines = [match.span(1) for match in _LINE.finditer(self._text, start, end)][1:]
            return self._block(lines)
        if self._style:
            if self._text[start : start + 1] != self._style:
                return []
            start, end = start + 1, end - 1
        found = list(_flow(self._text, start, end, _SPECIAL[self._style]))
        return found if _meaning(found) == self._value else []

    def _block(self, lines: list[Offsets]) -> list[_Piece]:
        """Return the pieces of a block, whose indentation may be less than its first line's."""
        value = self._value.rstrip("\n")
        leading = ""
        for start, end in lines:
            leading = self._text[start:end]
            if leading.strip(" "):
                break
        for indent in range(len(leading) - len(leading.lstrip(" ")), -1, -1):
            found = list(_block(self._text, lines, indent, folds=self._style == ">"))
            if _meaning(found) == value:
                return found
        return []


def _starts(pieces: list[_Piece]) -> list[int]:
    """Return where each piece starts in the value, and where the last one ends."""
    found = [0]
    for characters, _ in pieces:
        found.append(found[-1] + len(characters))
    return found


def _meaning(pieces: list[_Piece]) -> str:
    return "".join([characters for characters, _ in pieces])


def _flow(text: str, start: int, end: int, special: re.Pattern[str]) -> Iterator[_Piece]:
    """Yield the pieces of a scalar that is no block."""
    for match in special.finditer(text, start, end):
        yield text[start : match.start()], (start, match.start())
        yield _meant(match[0]), match.span()
        start = match.end()
    yield text[start:end], (start, end)


def _meant(found: str) -> str:
    """Return what an escape or a fold of lines means."""
    breaks = len(_BREAK.findall(found))
    if found == "''":
        return "'"
    if found[0] != "\\":
        return _folded(breaks - 1)
    if breaks:
        return "\n" * (breaks - 1)
    codes = [int(digits, 16) for digits in _DIGITS.findall(found)]
    if not codes:
        return _SHORT.get(found[1], found[1])
    if len(codes) == 2:
        return chr(0x10000 + ((codes[0] & 0x3FF) << 10) + (codes[1] & 0x3FF))
    return chr(codes[0]) if codes[0] <= 0x10FFFF else ""


def _folded(blank: int) -> str:
    """Return what a line break with some blank lines behind it means where lines are folded."""
    return "\n" * blank or " "


def _block(text: str, lines: list[Offsets], indent: int, *, folds: bool) -> Iterator[_Piece]:
    """Yield the pieces of a block's lines, without the line breaks at its end."""
    blank, before, is_first, was_indented = 0, 0, True, False
    for start, end in lines:
        content = start + indent
        if content >= end and not text[start:end].strip(" "):
            blank += 1
            continue
        if text[start:content].strip(" "):
            return  # a comment behind the block
        is_indented = text[content] in " \t"
        if is_first:
            breaks = "\n" * blank
        elif folds and not was_indented and not is_indented:
            breaks = _folded(blank)
        else:
            breaks = "\n" * (blank + 1)
        yield breaks, (before or start, content)
        yield text[content:end], (content, end)
        blank, before, is_first, was_indented = 0, end, False, is_indented
