"""The pointers whose places are wanted, as one tree."""

from __future__ import annotations

from typing import Literal, TypeAlias

from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.scalar_text import ScalarText
from fleet_contracts.source import Position, Span

At: TypeAlias = Literal["key", "value"]
Wanted: TypeAlias = tuple[Pointer, At]


class Node:
    """One token of wanted pointers: its spans once found, and what is wanted inside.

    `wanted` says that a pointer ends here and is still looked for. `seen` is the pass
    that found the node: within one pass, a second find is a repeated key. `scalar` is set
    where the value is one, and not an alias.
    """

    __slots__ = ("children", "key", "scalar", "seen", "value", "wanted")

    def __init__(self) -> None:
        self.children: dict[str, Node] = {}
        self.key: Span | None = None
        self.value: Span | None = None
        self.scalar: ScalarText | None = None
        self.wanted = False
        self.seen = 0


def span_of(root: Node, pointer: Pointer, at: At) -> Span:
    """Return the span of a wanted place, or that of its nearest ancestor that was found."""
    node = root
    nearest = root.value or Span(Position(1, 1), Position(1, 1))
    for token in pointer:
        node = node.children[str(token)]
        if node.value is None:
            return node.key or nearest
        nearest = node.value
    return node.key if at == "key" and node.key else nearest


def share_children(node: Node, shared: Node) -> None:
    """Add a node's children to those of another, and let both have the same ones."""
    merges = [(node, shared)]
    while merges:
        one, into = merges.pop()
        if one.children is into.children:
            continue
        for token, child in one.children.items():
            known = into.children.setdefault(token, child)
            if known is not child:
                merges.append((child, known))
        one.children = into.children
