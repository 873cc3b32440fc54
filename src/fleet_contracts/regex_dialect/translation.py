"""A tree as a pattern of Python's `re`."""

from __future__ import annotations

import re

from fleet_contracts.regex_dialect.tree import (
    LAST,
    Anchor,
    AnchorKind,
    Chars,
    Choice,
    Group,
    Node,
    Ranges,
    Repeat,
    Sequence,
    complement,
)

# `\B` of Python before 3.14 does not hold in an empty text, that of RE2 does.
_ANCHORS: dict[AnchorKind, str] = {
    "start": r"\A",
    "end": r"\Z",
    "boundary": r"\b",
    "inside": r"(?!\b)",
}


def to_python(node: Node) -> str:
    """Return the pattern that, with `re.ASCII`, means to Python what the tree is.

    >>> to_python(Repeat(Chars(((48, 57), (97, 97))), 1, None, lazy=True))
    '[0-9a]{1,}?'
    """
    match node:
        case Chars(ranges):
            return _set(ranges)
        case Anchor(kind):
            return _ANCHORS[kind]
        case Sequence(parts):
            return "".join(map(_alone, parts))
        case Choice(branches):
            return "|".join(map(to_python, branches))
        case Group(body):
            return f"({to_python(body)})"
        case Repeat(body, least, most, lazy):
            inside = to_python(body)
            if not isinstance(body, Chars | Group):
                inside = f"(?:{inside})"
            limit = "" if most is None else most
            return f"{inside}{{{least},{limit}}}{'?' if lazy else ''}"


def _alone(node: Node) -> str:
    """Return the pattern of a node beside others."""
    return f"(?:{to_python(node)})" if isinstance(node, Choice) else to_python(node)


def _set(ranges: Ranges) -> str:
    """Return a set as one character or as a class, the shorter way round."""
    if not ranges:
        return r"[^\x00-\U0010ffff]"
    first, last = ranges[0]
    if len(ranges) == 1 and first == last:
        return re.escape(chr(first))
    if ranges[-1][1] < LAST:
        return f"[{_members(ranges)}]"
    others = complement(ranges)
    return f"[^{_members(others)}]" if others else r"[\x00-\U0010ffff]"


def _members(ranges: Ranges) -> str:
    return "".join(
        _escaped(first) if first == last else f"{_escaped(first)}-{_escaped(last)}"
        for first, last in ranges
    )


def _escaped(code: int) -> str:
    return f"\\U{code:08x}" if code > 127 or not chr(code).isalnum() else chr(code)
