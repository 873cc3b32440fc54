"""A walk over the tokens of a JSON text, for the places the parser does not tell.

Only rejected texts are walked; the standard library has parsed them before, or has
given up on their depth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fleet_contracts.pointer import Pointer, Token
from fleet_contracts.reading.numbers import can_be_exact

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


class Problem(NamedTuple):
    """Something a JSON text must not hold, between two offsets.

    `first` is where a repeated key stands first.
    """

    code: str
    start: int
    end: int
    pointer: Pointer
    first: tuple[int, int] | None = None


@dataclass(slots=True)
class _Level:
    """An open collection: the keys so far (None in a list) and where the walk is."""

    keys: dict[str, tuple[int, int]] | None
    at: Token
    expects_key: bool


def find_problems(text: str, max_depth: int) -> Iterator[Problem]:
    """Yield repeated keys (FLT1020), constants that are no JSON (FLT1033), numbers that
    cannot be kept exactly (FLT1034), and the first collection that is too deep (FLT1040).

    The walk ends where nesting passes `max_depth` collections.
    """
    stack: list[_Level] = []
    for match in _TOKEN.finditer(text):
        token, start, end = match[0], match.start(), match.end()
        level = stack[-1] if stack else None
        if token in "{[":
            if len(stack) >= max_depth:
                yield Problem("FLT1040", start, end, _pointer(stack))
                return
            stack.append(_Level({}, "", True) if token == "{" else _Level(None, 0, False))
        elif token in "}]":
            if stack:
                stack.pop()
        elif token == ",":
            if level is not None and level.keys is not None:
                level.expects_key = True
            elif level is not None and isinstance(level.at, int):
                level.at += 1
        elif level is not None and level.keys is not None and level.expects_key:
            key = str(json.loads(token, strict=False))
            level.at, level.expects_key = key, False
            first = level.keys.setdefault(key, (start, end))
            if first != (start, end):
                yield Problem("FLT1020", start, end, _pointer(stack), first)
        elif token in ("NaN", "Infinity", "-Infinity"):
            yield Problem("FLT1033", start, end, _pointer(stack))
        elif token[0] in "-0123456789" and not can_be_exact(token):
            yield Problem("FLT1034", start, end, _pointer(stack))


def _pointer(stack: list[_Level]) -> Pointer:
    return tuple(level.at for level in stack)
