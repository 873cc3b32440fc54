"""What a pattern is made of: a tree of few kinds of nodes, and sets of characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

LAST = 0x10FFFF

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""A set of code points: first and last of each range, in order, with gaps between them."""

AnchorKind: TypeAlias = Literal["start", "end", "boundary", "inside"]


def ranges_of(pairs: Iterable[tuple[int, int]]) -> Ranges:
    """Return the set that some ranges, which may overlap, are together.

    >>> ranges_of([(50, 60), (48, 52), (61, 61)])
    ((48, 61),)
    """
    merged: list[tuple[int, int]] = []
    for first, last in sorted(pairs):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """Return all other characters.

    >>> complement(((10, 10),))
    ((0, 9), (11, 1114111))
    """
    edges = [-1, *(edge for pair in ranges for edge in pair), LAST + 1]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return tuple((before + 1, behind - 1) for before, behind in gaps if before + 1 < behind)


DIGITS: Ranges = ((48, 57),)
WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
SPACE: Ranges = ((9, 10), (12, 13), (32, 32))
"""What RE2 takes for `\\s`: no vertical tab."""
NO_LINE_FEED: Ranges = complement(((10, 10),))


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of a set."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Anchor:
    """The start or the end of the text, a place with `\\b`, or one without."""

    kind: AnchorKind


@dataclass(frozen=True, slots=True)
class Sequence:
    """One node after the other; none matches the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The first branch that leads to a match."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A group that captures; `number` counts opening parentheses from 1."""

    body: Node
    number: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node `least` to `most` times, without a limit if that is None; as often as
    possible unless `lazy`."""

    body: Node
    least: int
    most: int | None
    lazy: bool


Node: TypeAlias = Chars | Anchor | Sequence | Choice | Group | Repeat


def matches_empty(node: Node, holding: frozenset[AnchorKind]) -> bool:
    """Tell whether a node matches no characters at all where just some anchors hold."""
    match node:
        case Chars():
            return False
        case Anchor(kind):
            return kind in holding
        case Sequence(parts):
            return all(matches_empty(part, holding) for part in parts)
        case Choice(branches):
            return any(matches_empty(branch, holding) for branch in branches)
        case Group(body):
            return matches_empty(body, holding)
        case Repeat(body, least):
            return least == 0 or matches_empty(body, holding)


ALL_ANCHORS: frozenset[AnchorKind] = frozenset(("start", "end", "boundary", "inside"))


def can_be_empty(node: Node) -> bool:
    """Tell whether a node may match no characters somewhere."""
    return matches_empty(node, ALL_ANCHORS)


def has_group(node: Node) -> bool:
    """Tell whether something in a node captures."""
    match node:
        case Group():
            return True
        case Sequence(nodes) | Choice(nodes):
            return any(has_group(each) for each in nodes)
        case Repeat(body):
            return has_group(body)
        case _:
            return False


def copies(node: Node) -> int:
    """Return how often something in a node is written out at most, as RE2 counts it.

    >>> ab = Repeat(Chars(((97, 98),)), 2, 3, lazy=False)
    >>> copies(Repeat(ab, 5, None, lazy=False))
    15
    """
    match node:
        case Sequence(nodes) | Choice(nodes):
            return max(map(copies, nodes), default=1)
        case Group(body):
            return copies(body)
        case Repeat(body, least, most):
            return copies(body) * max(least if most is None else most, 1)
        case _:
            return 1


def size(node: Node) -> int:
    """Return how large the program of a node is, its repeats written out.

    A set counts once, and once more for each of its ranges beyond ASCII: such a range is
    several instructions of an engine that reads bytes.
    """
    match node:
        case Chars(ranges):
            return 1 + sum(last > 127 for _, last in ranges)
        case Anchor():
            return 1
        case Sequence(parts):
            return sum(map(size, parts))
        case Choice(branches):
            return sum(map(size, branches)) + len(branches)
        case Group(body):
            return size(body) + 2
        case Repeat(body, least, most):
            return (size(body) + 1) * max(least + 1 if most is None else most, 1)
