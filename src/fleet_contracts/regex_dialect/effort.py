"""How long a backtracking engine may take for a pattern, at most.

Where the next character decides at each fork of a pattern which way can lead on, an engine
that backtracks goes one way only, and the effort grows like the text. Where it does not, each
way is tried with all that comes behind it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from fleet_contracts.regex_dialect.tree import (
    Anchor,
    Chars,
    Choice,
    Group,
    Node,
    Ranges,
    Repeat,
    Sequence,
    can_be_empty,
    ranges_of,
    size,
)

MOST_STEPS = 1 << 13
"""What an engine may need at most from one place of a text, in steps of some 10 ns."""
_MOST_ANCHORED = 10**8
LONGEST = 10**7
"""A text this long may be searched where nothing grows with the text."""
_LENGTHS = (LONGEST, 4000, 1000, 250)
_BEYOND = 10**12
_MOST_WRITTEN_OUT = 30


class _Effort(NamedTuple):
    """Steps inside a node from one place, and how often what comes behind it is tried."""

    steps: int
    ways: int


_ENDLESS = _Effort(_BEYOND, _BEYOND)


def longest_text(node: Node) -> int:
    """Return up to how many characters a text may be searched by backtracking, 0 for never.

    A search starts from each place of a text, unless the pattern is tied to its start.
    """
    most = _MOST_ANCHORED if _is_anchored(node) else MOST_STEPS
    return next((n for n in _LENGTHS if _effort(node, (), n).steps <= most), 0)


def _is_anchored(node: Node) -> bool:
    match node:
        case Anchor("start"):
            return True
        case Sequence((first, *_)) | Group(first):
            return _is_anchored(first)
        case Choice(branches):
            return all(map(_is_anchored, branches))
        case _:
            return False


def _first(node: Node, behind: Ranges) -> Ranges:
    """Return the characters that a node can start with, given those that come behind it.

    None comes behind the end of the text. A match ends a search, so that nothing which
    comes behind it counts.
    """
    match node:
        case Chars(ranges):
            return ranges
        case Anchor(kind):
            return () if kind == "end" else behind
        case Sequence(parts):
            for part in reversed(parts):
                behind = _first(part, behind)
            return behind
        case Choice(branches):
            return _union(*(_first(branch, behind) for branch in branches))
        case Group(body):
            return _first(body, behind)
        case Repeat(body, least, most):
            if most == 0:
                return behind
            inside = _first(body, behind)
            return inside if least else _union(inside, behind)


def _effort(node: Node, behind: Ranges, length: int) -> _Effort:
    """Return the effort for a text of some length; `behind` as for `_first`."""
    match node:
        case Chars() | Anchor():
            return _Effort(1, 1)
        case Sequence(parts):
            total = _Effort(0, 1)
            for part in reversed(parts):
                own = _effort(part, behind, length)
                total = _limited(own.steps + own.ways * total.steps, own.ways * total.ways)
                behind = _first(part, behind)
            return total
        case Choice(branches):
            efforts = [_effort(branch, behind, length) for branch in branches]
            steps, ways = (sum(each) for each in zip(*efforts, strict=True))
            if _are_apart([_first(branch, behind) for branch in branches]):
                ways = max(each.ways for each in efforts)
            return _limited(steps + len(branches), ways)
        case Group(body):
            return _effort(body, behind, length)
        case Repeat():
            return _repeated(node, behind, length)


def _repeated(node: Repeat, behind: Ranges, length: int) -> _Effort:
    most = length if node.most is None else min(node.most, length)
    if node.most != 1 and can_be_empty(node.body):
        return _ENDLESS
    again = _first(node.body, behind)
    decided = node.least == node.most or _are_apart([again, behind])
    steps, ways = _effort(node.body, _union(again, behind), length)
    if ways > 1 and most > _MOST_WRITTEN_OUT:
        return _ENDLESS
    if ways > 1:
        times = [min(ways**count, _BEYOND) for count in range(most + 1)]
        return _limited((steps + 1) * sum(times), sum(times[node.least :]))
    # One way only: each round takes characters of its own.
    all_steps = min(most * (steps + 1), length * size(node.body) * 2)
    return _limited(all_steps, 1 if decided else max(most - node.least, 0) + 1)


def _limited(steps: int, ways: int) -> _Effort:
    return _Effort(min(steps, _BEYOND), min(ways, _BEYOND))


def _union(*sets: Ranges) -> Ranges:
    return ranges_of(pair for each in sets for pair in each)


def _are_apart(sets: list[Ranges]) -> bool:
    """Tell whether no two sets have a character in common."""
    pairs = sorted(pair for each in sets for pair in each)
    return all(left[1] < right[0] for left, right in pairwise(pairs))
