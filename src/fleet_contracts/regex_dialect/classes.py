"""Classes and escapes of a pattern: what characters they stand for."""

from __future__ import annotations

import re

from fleet_contracts.regex_dialect import tree
from fleet_contracts.regex_dialect.refusals import (
    RegexError,
    bad_escape,
    bracket_in_class,
    replaced,
    shown,
)
from fleet_contracts.regex_dialect.tree import Anchor, AnchorKind, Chars, Ranges

_SETS = {
    "d": tree.DIGITS,
    "D": tree.complement(tree.DIGITS),
    "w": tree.WORD,
    "W": tree.complement(tree.WORD),
    "s": tree.SPACE,
    "S": tree.complement(tree.SPACE),
}
_CONTROLS = {"n": 10, "r": 13, "t": 9, "f": 12, "v": 11}
_ANCHORS: dict[str, AnchorKind] = {"A": "start", "b": "boundary", "B": "inside"}
_PUNCTUATION = frozenset(r"""\.+*?()|[]{}^$-/!"#%&',:;<=>@_`~ """)
_HEX = re.compile(r"\\x([0-9A-Fa-f]{2})")
_OPERATORS = ("--", "&&", "||", "~~")


def read_escape(pattern: str, start: int) -> tuple[Chars | Anchor, int]:
    """Return what the escape at an offset outside classes stands for, and where it ends."""
    anchor = _ANCHORS.get(pattern[start + 1 : start + 2])
    if anchor:
        return Anchor(anchor), start + 2
    ranges, end = _escaped(pattern, start, in_class=False)
    return Chars(ranges), end


def read_class(pattern: str, start: int) -> tuple[Ranges, int]:
    """Return the characters of the class that opens at an offset, and where it ends."""
    negated = pattern.startswith("^", start + 1)
    first = position = start + 1 + negated
    found: list[tuple[int, int]] = []
    while not pattern.startswith("]", position):
        if position == len(pattern):
            help = r"close it with `]`, or write `\[` for a plain `[`"
            raise RegexError("the class that opens", start, " is never closed", help=help)
        ranges, position = _member(pattern, position)
        found.extend(ranges)
    if position == first:
        help = r"write `\]` for a plain `]`, or put the characters of the class before it"
        raise RegexError("found `]`", position, " at the start of a class", help=help)
    ranges = tree.ranges_of(found)
    return (tree.complement(ranges) if negated else ranges), position + 1


def _member(pattern: str, start: int) -> tuple[Ranges, int]:
    """Return one character, range or escape of a class, and where it ends."""
    low, sign = _class_part(pattern, start)
    is_range = pattern.startswith("-", sign) and pattern[sign + 1 : sign + 2] not in ("]", "")
    if not is_range:
        return low, sign
    _refuse_operator(pattern, sign)
    high, end = _class_part(pattern, sign + 1)
    found = shown(pattern[start:end])
    if not (_is_one(low) and _is_one(high)):
        mended = replaced(pattern, sign, sign + 1, r"\-")
        after = ", which is no range between two characters"
        help = r"write `\-` for a plain `-`"
        raise RegexError(f"found {found}", start, after, help=help, mended=mended)
    first, last = low[0][0], high[0][0]
    if first > last:
        new = f"{pattern[sign + 1 : end]}-{pattern[start:sign]}"
        mended = replaced(pattern, start, end, new)
        after = ", whose first character comes after its last"
        help = rf"write {shown(new)}, or `\-` for a plain `-`"
        raise RegexError(f"found the range {found}", start, after, help=help, mended=mended)
    return ((first, last),), end


def _is_one(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]


def _refuse_operator(pattern: str, start: int) -> None:
    pair = pattern[start : start + 2]
    if pair in _OPERATORS:
        after = " inside a class, which other engines take for an operator"
        help = rf"write `\{pair[0]}` for a plain `{pair[0]}`"
        raise RegexError(f"found `{pair}`", start, after, help=help)


def _class_part(pattern: str, start: int) -> tuple[Ranges, int]:
    """Return one character or escape of a class, and where it ends."""
    char = pattern[start]
    if char == "\\":
        return _escaped(pattern, start, in_class=True)
    if char == "[":
        raise bracket_in_class(pattern, start)
    _refuse_operator(pattern, start)
    return ((ord(char), ord(char)),), start + 1


def _escaped(pattern: str, start: int, *, in_class: bool) -> tuple[Ranges, int]:
    """Return the characters that an escape stands for, and where it ends."""
    if start + 1 == len(pattern):
        help = r"write `\\` for a plain backslash"
        raise RegexError(r"found `\`", start, " at the end, with nothing to escape", help=help)
    char = pattern[start + 1]
    hexadecimal = _HEX.match(pattern, start)
    if hexadecimal:
        code = int(hexadecimal[1], 16)
        return ((code, code),), hexadecimal.end()
    if char in _SETS:
        return _SETS[char], start + 2
    if char in _CONTROLS:
        return ((_CONTROLS[char], _CONTROLS[char]),), start + 2
    if char in _PUNCTUATION:
        return ((ord(char), ord(char)),), start + 2
    raise bad_escape(pattern, start, in_class=in_class)
