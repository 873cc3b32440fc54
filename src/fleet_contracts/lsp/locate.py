"""Which node of a text a person points at."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal, NamedTuple

from fleet_contracts.lsp.tree import Node
from fleet_contracts.source import Position


class Hit(NamedTuple):
    """A node, and whether its key or its value is pointed at.

    `space` is the white space where a value that is not written yet would go.
    """

    node: Node
    on: Literal["key", "value", "space"]


def locate(root: Node | None, position: Position) -> Hit | None:
    """Return what stands at a position; the end of a word belongs to the word.

    None on comments, in white space, and on a collection as such.
    """
    node = root
    while node is not None:
        if node.key is not None and node.key.start <= position <= node.key.end:
            return Hit(node, "key")
        if not node.items:
            break
        index = bisect_right(node.items, position, key=_begin) - 1
        if index < 0:
            return None
        node = node.items[index]
    if node is None or (node.text is None and not node.is_alias):
        return None
    if node.start <= position <= node.end and node.start != node.end:
        return Hit(node, "value")
    if node.start == node.end and node.start.line == position.line and node.start <= position:
        return Hit(node, "space")
    return None


def _begin(node: Node) -> Position:
    return node.begin
