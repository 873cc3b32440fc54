"""Scalars of YAML 1.2.2: plain (section 7.3.3), quoted (7.3.1, 7.3.2), blocks (8.1)."""

from __future__ import annotations

import re
from typing import NamedTuple

from fleet_contracts.reading.yaml12.cursor import (
    BREAK,
    MARKER,
    SyntaxProblem,
    shallow_problem,
    tab_problem,
)

ESCAPE_HELP = 'write "\\\\" for a backslash, or use single quotes, where nothing is escaped'

_START = r"[^ \t\r\n,\[\]{}\#&*!|>'\"%@`?:-]|[?:-](?=[^ \t\r\n])"
_START_IN_FLOW = r"[^ \t\r\n,\[\]{}\#&*!|>'\"%@`?:-]|[?:-](?=[^ \t\r\n,\[\]{}])"
_MORE = r"(?:[^ \t\r\n:\#]|:(?=[^ \t\r\n])|(?<=[^ \t\r\n])\#)"
_MORE_IN_FLOW = r"(?:[^ \t\r\n:\#,\[\]{}]|:(?=[^ \t\r\n,\[\]{}])|(?<=[^ \t\r\n])\#)"
_LINE = rf"{_MORE}*+(?:[ \t]++{_MORE}++)*+"
_LINE_IN_FLOW = rf"{_MORE_IN_FLOW}*+(?:[ \t]++{_MORE_IN_FLOW}++)*+"

PLAIN = re.compile(rf"(?:{_START}){_LINE}")
PLAIN_IN_FLOW = re.compile(rf"(?:{_START_IN_FLOW}){_LINE_IN_FLOW}")
QUOTED_LINE = re.compile(r"\"(?:[^\"\\\r\n]++|\\[^\r\n])*+\"|'(?:[^'\r\n]++|'')*+'")

_NEXT_LINE = re.compile(rf"(?={_MORE}){_LINE}")
_NEXT_LINE_IN_FLOW = re.compile(rf"(?={_MORE_IN_FLOW}){_LINE_IN_FLOW}")
_FOLD = re.compile(rf"[ \t]*+{BREAK}((?:[ \t]*+{BREAK})*+)( *+)([ \t]*+)")
_BREAK = re.compile(BREAK)
_AFTER_QUOTED = re.compile(r"[ \t]*+(?:[\r\n,\]}:]|(?<=[ \t])\#)")

_DOUBLE = re.compile(r'"(?:[^"\\]++|\\[\s\S])*+"')
_SINGLE = re.compile(r"'(?:[^']++|'')*+'")
_LINE_START = re.compile(rf"{BREAK}( *+)(\t?)[ \t]*+(?=[^ \t\r\n])")

# What is not taken over as it is, in the order in which it is tried: an escaped line
# break, an escape, a line break with the blanks around it, other blanks.
_DOUBLE_PART = re.compile(
    rf"\\{BREAK}(?P<joined>(?:[ \t]*+{BREAK})*+)[ \t]*+"
    r"|\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|(?P<c>[\s\S]))"
    rf"|[ \t]*+{BREAK}(?P<empty>(?:[ \t]*+{BREAK})*+)[ \t]*+"
    r"|[ \t]++"
)
_SINGLE_PART = re.compile(rf"''|[ \t]*+{BREAK}(?P<empty>(?:[ \t]*+{BREAK})*+)[ \t]*+|[ \t]++")
_ESCAPES = {
    **{"0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v"},
    **{"f": "\f", "r": "\r", "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\"},
    **{"N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"},
}


class Scalar(NamedTuple):
    """The value of a scalar, and the offset behind it."""

    value: str
    end: int


def plain(text: str, index: int, indent: int, *, in_flow: bool) -> Scalar | None:
    """Return the plain scalar that starts here, None if none can.

    Further lines are indented by at least `indent` spaces.
    """
    first = (PLAIN_IN_FLOW if in_flow else PLAIN).match(text, index)
    if not first:
        return None
    lines, end = [first[0]], first.end()
    next_line = _NEXT_LINE_IN_FLOW if in_flow else _NEXT_LINE
    while True:
        fold = _FOLD.match(text, end)
        if not fold or len(fold[2]) < indent:
            break
        line = next_line.match(text, fold.end())
        if not line or (not fold[2] + fold[3] and MARKER.match(text, fold.end())):
            break
        lines += (_folded(fold[1]), line[0])
        end = line.end()
    return Scalar("".join(lines), end)


def quoted(text: str, index: int, indent: int) -> Scalar:
    """Return the quoted scalar that starts here.

    Further lines are indented by at least `indent` spaces. The escape of a surrogate
    becomes a surrogate code point.
    """
    is_double = text[index] == '"'
    match = (_DOUBLE if is_double else _SINGLE).match(text, index)
    end = match.end() if match else len(text)
    if not match:
        raise never_closed(text, index)
    _check_lines(text, index, end, indent)
    inside = match[0][1:-1]
    if not is_double:
        return Scalar(_SINGLE_PART.sub(_single_part, inside), end)

    def part(found: re.Match[str]) -> str:
        return _double_part(found, index + 1)

    return Scalar(_DOUBLE_PART.sub(part, inside), end)


def _check_lines(text: str, index: int, end: int, indent: int) -> None:
    for line in _LINE_START.finditer(text, index, end):
        if not line[1] and not line[2] and MARKER.match(text, line.end()):
            raise never_closed(text, index)
        if len(line[1]) < indent:
            if line[2]:
                raise tab_problem(line.start(2))
            if not _AFTER_QUOTED.match(text, end):
                raise never_closed(text, index)  # another string starts at the quote that was found
            raise shallow_problem(line.end(), "string", index)


def never_closed(text: str, index: int) -> SyntaxProblem:
    """Return what is wrong with a quote that opens a string here."""
    message = "the string that starts here is never closed"
    return SyntaxProblem(index, message, f"close it with {text[index]}")


def inner_quote(text: str, start: int, end: int) -> SyntaxProblem | None:
    """Return what is wrong with a quoted string that more follows, None for any other value.

    Either another string's quote has closed it, or a quote that belongs to its text.
    """
    quote = text[start]
    if quote not in "\"'":
        return None
    if "\n" in text[start:end]:
        return never_closed(text, start)
    if text[end] in " \t":
        return None
    help = f"write {quote * 2}" if quote == "'" else 'write \\"'
    message = f"the string ends at this {quote}, but more follows"
    return SyntaxProblem(end - 1, message, f"{help} if the quote belongs to the text")


def _folded(empty_lines: str) -> str:
    """Return what a line break followed by empty lines means."""
    return "\n" * len(_BREAK.findall(empty_lines)) if empty_lines else " "


def _single_part(found: re.Match[str]) -> str:
    if found["empty"] is not None:
        return _folded(found["empty"])
    return "'" if found[0] == "''" else found[0]


def _double_part(found: re.Match[str], offset: int) -> str:
    if found["empty"] is not None:
        return _folded(found["empty"])
    if found["joined"] is not None:
        return "\n" * len(_BREAK.findall(found["joined"]))
    digits = found["x"] or found["u"] or found["U"]
    if digits:
        code = int(digits, 16)
        if code <= 0x10FFFF and not (found["U"] and 0xD800 <= code <= 0xDFFF):
            return chr(code)
        message = "an escape that names no Unicode character"
    elif found["c"] is None:
        return found[0]
    elif found["c"] in _ESCAPES:
        return _ESCAPES[found["c"]]
    elif found["c"] in "xuU":
        message = "an escape with too few hexadecimal digits"
    else:
        message = "a backslash with a character that is no escape"
    raise SyntaxProblem(offset + found.start(), message, ESCAPE_HELP)
