"""Blocks of text: `|` and `>` (YAML 1.2.2 section 8.1)."""

from __future__ import annotations

import re

from fleet_contracts.reading.yaml12.cursor import (
    BREAK,
    MARKER,
    SyntaxProblem,
    blanks_problem,
)
from fleet_contracts.reading.yaml12.scalars import Scalar

_HEADER = re.compile(
    r"[|>](?:(?P<width>[0-9])(?P<chomp>[+-])?|(?P<chomp_first>[+-])(?P<width_last>[0-9])?)?"
)
_REST_OF_HEADER = re.compile(rf"(?:[ \t]++(?:\#[^\r\n]*+)?)?{BREAK}")
_EMPTY_LINES = re.compile(rf"(?: *+{BREAK})*+")
_SPACES = re.compile(r" *+")
_LINE = re.compile(rf"([^\r\n]*+)({BREAK})")


def block_text(text: str, index: int, parent: int) -> Scalar:
    """Return the block of text whose header starts here, inside a node of column `parent`.

    The offset behind it is the start of a line.
    """
    header = _HEADER.match(text, index)
    assert header
    rest = _REST_OF_HEADER.match(text, header.end())
    width = header["width"] or header["width_last"]
    if not rest:
        raise SyntaxProblem(
            header.end(),
            "expected the end of the line behind the header of a block of text",
            "start the text on the next line",
            context=("the block of text starts here", index),
        )
    if width == "0":
        raise SyntaxProblem(
            index + 1, "the indentation of a block of text cannot be 0", "write a digit from 1 to 9"
        )
    start = rest.end()
    indent = max(parent, 0) + int(width) if width else _indent(text, start, parent, index)
    lines, end = _lines(text, start, indent)
    chomp = header["chomp"] or header["chomp_first"] or ""
    return Scalar(_value(lines, chomp, is_folded=text[index] == ">"), end)


def _indent(text: str, start: int, parent: int, index: int) -> int:
    """Return the indentation of the first line that is not empty."""
    empty = _EMPTY_LINES.match(text, start)
    assert empty
    widest = max(len(line.rstrip("\r\n")) for line in [*empty[0].splitlines(), ""])
    first = _SPACES.match(text, empty.end())
    assert first
    indent, is_text = len(first[0]), first.end() < len(text)
    if indent <= parent or not is_text:
        if is_text and text[first.end()] == "\t":
            raise SyntaxProblem(
                first.end(),
                "a tab starts the first line of a block of text",
                "indent with spaces, and let the tab follow if it belongs to the text",
                code="FLT1011",
            )
        return max(parent + 1, widest)
    if widest > indent:
        raise blanks_problem(index)
    return indent


def _lines(text: str, start: int, indent: int) -> tuple[list[str], int]:
    """Return the lines without their indentation, and the start of the first other one."""
    lines = []
    while start < len(text):
        line = _LINE.match(text, start)
        assert line
        spaces = _SPACES.match(line[1])
        assert spaces
        is_empty = spaces.end() == len(line[1])
        if not is_empty and spaces.end() < indent:
            break
        if indent == 0 and MARKER.match(text, start):
            break
        lines.append(line[1][indent:])
        start = line.end()
    return lines, start


def _value(lines: list[str], chomp: str, *, is_folded: bool) -> str:
    count = len(lines)
    while count and not lines[count - 1]:
        count -= 1
    content = lines[:count]
    body = _fold(content) if is_folded else "\n".join(content)
    if chomp == "-":
        return body
    if chomp == "+":
        return body + "\n" * (len(lines) - count + bool(content))
    return body + "\n" if content else ""


def _fold(lines: list[str]) -> str:
    """Join lines by spaces, but keep the breaks around lines that start with a blank."""
    parts: list[str] = []
    empty, last = 0, None
    for line in lines:
        if not line:
            empty += 1
            continue
        if last is None:
            parts.append("\n" * empty)
        elif last[0] in " \t" or line[0] in " \t":
            parts.append("\n" * (empty + 1))
        else:
            parts.append("\n" * empty if empty else " ")
        parts.append(line)
        empty, last = 0, line
    return "".join(parts)
