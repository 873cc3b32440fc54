"""Bytes to text: one encoding, and no character that a person cannot see."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.source import Position, Source, Span

MAX_INPUT_BYTES = 64 * 1024 * 1024

# The same mistake ten thousand times over is one mistake; a hostile file may not
# fill the memory with diagnostics.
MOST_REFUSALS = 10_000

BOM = "\ufeff"

# Longest first: the UTF-32 mark begins with the UTF-16 one.
_WIDE_MARKS = (
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\xfe\xff", "UTF-16"),
    (b"\xff\xfe", "UTF-16"),
)

# All bytes that need no second look: everything but C0 controls and DEL. Characters
# beyond ASCII are looked at only where there are any.
_QUIET_BYTES = bytes(
    byte for byte in range(256) if byte in b"\t\n\r" or (byte >= 0x20 and byte != 0x7F)
)

# The UTF-8 forms of the characters refused below, each found by a fixed prefix.
_SUSPECT_BYTES = (
    re.compile(rb"\xe2\x80[\x8e\x8f\xa8-\xae]"),
    re.compile(rb"\xe2\x81[\xa6-\xa9]"),
    re.compile(rb"\xd8\x9c"),
    re.compile(rb"\xc2[\x80-\x9f]"),
    re.compile(rb"\xef\xbf[\xbe\xbf]"),
)

_REFUSED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]"
)

# What no kind of row may hold raw: RFC 4180 and RFC 8259 leave it out, too.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def decode(
    data: bytes,
    name: str,
    bag: Bag,
    *,
    max_bytes: int | None = MAX_INPUT_BYTES,
    check_characters: bool = True,
) -> Source | None:
    """Return the text of a file, or None after adding what is wrong with it.

    A UTF-8 byte order mark is dropped. `check_characters=False` is for rows of data: they
    may hold any character that their format allows (see `refuse_controls` for CSV). Adds
    FLT1001 to FLT1004 (spec section 9, YAML 1.2.2 section 5.1).
    """
    if not within_limit(len(data), name, bag, max_bytes=max_bytes):
        return None
    if is_wide(data, name, bag):
        return None
    text = decode_utf8(data, name, bag)
    if text is None:
        return None
    text = text.removeprefix(BOM)
    if check_characters and _is_suspect(data):
        before = len(bag)
        _refuse_characters(text, name, bag)
        if len(bag) > before:
            return None
    return Source(name, text)


def within_limit(size: int, name: str, bag: Bag, *, max_bytes: int | None) -> bool:
    """Tell whether a file of this many bytes may be read; adds FLT1004 if not."""
    if max_bytes is None or size <= max_bytes:
        return True
    bag.add(
        "FLT1004",
        f"the file has {size:,} bytes, more than the limit of {max_bytes:,}",
        Place(name),
        help=f"split the file, or raise the limit with --max-input-bytes {size}",
    )
    return False


def decode_utf8(data: bytes, name: str, bag: Bag, *, first_line: int = 1) -> str | None:
    """Return the text of UTF-8 bytes, or None after adding FLT1001 (RFC 3629).

    `first_line` is the line that the bytes start with (1-based).
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line_start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[line_start : error.start].decode("utf-8").removeprefix(BOM)) + 1
        line = first_line + data.count(b"\n", 0, error.start)
        bag.add(
            "FLT1001",
            f"byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8 ({error.reason})",
            Place(name, span=_one_character(line, column)),
            help="save the file as UTF-8",
        )
        return None


def is_wide(data: bytes, name: str, bag: Bag) -> bool:
    """Tell whether a file starts like UTF-16 or UTF-32; adds FLT1002 if so.

    It does so with a byte order mark or with a zero byte in its first character
    (YAML 1.2.2 section 5.2).
    """
    encoding = _wide_encoding(data)
    if not encoding:
        return False
    bag.add(
        "FLT1002",
        f"the file is encoded as {encoding}; only UTF-8 is read",
        Place(name, span=_one_character(1, 1)),
        help="save the file as UTF-8",
    )
    return True


def _wide_encoding(data: bytes) -> str:
    """Name the wide encoding that a file starts with, or return an empty string."""
    for mark, encoding in _WIDE_MARKS:
        if data.startswith(mark):
            return encoding
    zeros = [byte == 0 for byte in data[:4]]
    if zeros in ([True, True, True, False], [False, True, True, True]):
        return "UTF-32"
    if len(zeros) > 1 and zeros[0] != zeros[1]:
        return "UTF-16"
    return ""


def _is_suspect(data: bytes) -> bool:
    if data.translate(None, _QUIET_BYTES):
        return True
    return not data.isascii() and any(pattern.search(data) for pattern in _SUSPECT_BYTES)


def _refuse_characters(text: str, name: str, bag: Bag) -> None:
    found = islice(_REFUSED.finditer(text), MOST_REFUSALS)
    for character, line, column in _located(text, found):
        code = ord(character)
        bag.add(
            "FLT1003",
            f"found the raw {_kind(code)} U+{code:04X}, which a reader cannot see",
            Place(name, span=_one_character(line, column)),
            help=f'remove it, or write the escape "\\u{code:04x}" in a double-quoted string',
        )


def refuse_controls(text: str, name: str, bag: Bag, *, line: int) -> None:
    """Add FLT1003 for each raw control character of a line of a CSV file (RFC 4180).

    `line` is its number (1-based).
    """
    for match in islice(_CONTROLS.finditer(text), MOST_REFUSALS):
        column = match.start() + 1 - (line == 1 and text.startswith(BOM))
        bag.add(
            "FLT1003",
            f"found the raw control character U+{ord(match[0]):04X}, which a reader cannot see",
            Place(name, span=_one_character(line, column)),
            help="remove it, or write it as an escape in a .jsonl file",
        )


def _located(text: str, found: Iterable[re.Match[str]]) -> Iterable[tuple[str, int, int]]:
    """Yield each found character with its line and column, counting lines only once."""
    line, line_start, seen = 1, 0, 0
    for match in found:
        index = match.start()
        breaks = text.count("\n", seen, index)
        if breaks:
            line += breaks
            line_start = text.rfind("\n", 0, index) + 1
        seen = index
        yield match[0], line, index - line_start + 1


def _kind(code: int) -> str:
    if code in (0x85, 0x2028, 0x2029):
        return "line separator"
    if code in (0x61C, 0x200E, 0x200F) or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
        return "text direction control"
    return "noncharacter" if code >= 0xFFFE else "control character"


def _one_character(line: int, column: int) -> Span:
    return Span(Position(line, column), Position(line, column + 1))
