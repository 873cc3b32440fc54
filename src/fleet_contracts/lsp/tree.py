"""The nodes of a YAML or JSON text with their places, also of one with mistakes.

A compile keeps no places; an editor asks for many of one text. What stands before a syntax
error is in the tree all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from fleet_contracts.pointer import Pointer, Token
from fleet_contracts.reading.parsers import Way, ways
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.yaml_spot import MAX_DEPTH
from fleet_contracts.source import Position, Span

MOST_FOR_GRAMMAR = 1 << 16
"""Characters of a text that the grammar is tried on; it takes ten times as long as libyaml."""

_END = Position(1 << 60, 1)


@dataclass(slots=True, eq=False)
class Node:
    """One value: where it stands, which key leads to it, and what is inside.

    `text` is that of a scalar, None for the others; `style` the character that begins it,
    empty for a plain one. `items` has the values inside in the order of the text, `children`
    by token, of repeated keys the first. Those of an alias are its anchor's, which stand
    elsewhere.
    """

    pointer: Pointer
    start: Position
    end: Position
    parent: Node | None = field(repr=False)
    key: Span | None = None
    text: str | None = None
    style: str = ""
    is_alias: bool = False
    items: list[Node] = field(default_factory=list, repr=False)
    children: dict[Token, Node] = field(default_factory=dict, repr=False)

    @property
    def span(self) -> Span:
        """Where the value stands."""
        return Span(self.start, self.end)

    @property
    def begin(self) -> Position:
        """Where the key starts, or the value of what has none."""
        return self.key.start if self.key else self.start

    def at(self, *tokens: Token) -> Node | None:
        """Return what stands below, None where there is no such thing."""
        node: Node | None = self
        for token in tokens:
            node = node.children.get(token) if node else None
        return node

    def above(self, levels: int) -> Node | None:
        """Return what this stands in, so many levels up."""
        node: Node | None = self
        for _ in range(levels):
            node = node.parent if node else None
        return node

    def walk(self) -> Iterator[Node]:
        """Yield this and every value inside, in the order of the text."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.items))


@dataclass(frozen=True, slots=True)
class Tree:
    """A text's nodes; `is_whole` if the text could be read to its end."""

    root: Node | None
    is_whole: bool


def read_tree(text: str) -> Tree:
    """Return the tree of a text; of one that nobody can read, what the first parser saw.

    What is nested deeper than the reader allows ends it like a syntax error (spec section 9).
    """
    first = None
    for way in ways(text):
        if way.is_strict and first is not None and len(text) > MOST_FOR_GRAMMAR:
            break
        tree = _Growing(text).grow(way)
        if tree.is_whole:
            return tree
        first = first or tree
    return first or Tree(None, False)


class _Growing:
    """One pass over the events of a text."""

    def __init__(self, text: str) -> None:
        self._positions = Positions(text)
        self._root: Node | None = None
        self._open: list[Node] = []
        self._keys: list[tuple[Token | None, Span | None] | None] = []
        self._is_map: list[bool] = []
        self._anchors: dict[str, Node] = {}

    def grow(self, way: Way) -> Tree:
        """Read the events; what is open where they end goes on to the end of the text."""
        is_whole = True
        try:
            next_event = way.open(None)
            while type(event := next_event()) is not StreamEndEvent:
                self._take(event)
                if len(self._open) > MAX_DEPTH:
                    is_whole = False
                    break
        except YAMLError:
            is_whole = False
        for node in self._open:
            node.end = _END
        return Tree(self._root, is_whole)

    def _take(self, event: Any) -> None:
        kind = type(event)
        if kind is ScalarEvent:
            self._scalar(event)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            node = self._add(event)
            self._open.append(node)
            self._keys.append(None)
            self._is_map.append(kind is MappingStartEvent)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            node = self._open.pop()
            node.end = self._positions.of(event.end_mark)
            self._keys.pop()
            self._is_map.pop()
        elif kind is AliasEvent:
            self._alias(event)

    def _scalar(self, event: Any) -> None:
        if self._awaits_key:
            self._keys[-1] = (event.value, self._positions.span(event))
            return
        node = self._add(event)
        node.text, node.style = event.value, event.style or ""
        node.end = self._positions.of(event.end_mark)

    def _alias(self, event: Any) -> None:
        if self._awaits_key:
            self._keys[-1] = (None, self._positions.span(event))
            return
        node = self._add(event)
        node.is_alias = True
        node.end = self._positions.of(event.end_mark)
        meant = self._anchors.get(event.anchor)
        if meant is not None and meant not in self._open:
            node.text, node.style, node.children = meant.text, meant.style, meant.children

    @property
    def _awaits_key(self) -> bool:
        return bool(self._open) and self._is_map[-1] and self._keys[-1] is None

    def _add(self, event: Any) -> Node:
        """Return a new node, put where it belongs; a collection as a key gets no token."""
        start = self._positions.of(event.start_mark)
        parent = self._open[-1] if self._open else None
        if parent is None:
            node = Node((), start, start, None)
            self._root = self._root or node
        elif not self._is_map[-1]:
            token = len(parent.items)
            node = self._inside(parent, token, start, None)
        elif (key := self._keys[-1]) is None:
            self._keys[-1] = (None, None)
            node = Node(parent.pointer, start, start, parent)
        else:
            self._keys[-1] = None
            node = self._inside(parent, key[0], start, key[1])
        if getattr(event, "anchor", None) is not None and type(event) is not AliasEvent:
            self._anchors[event.anchor] = node
        return node

    @staticmethod
    def _inside(parent: Node, token: Token | None, start: Position, key: Span | None) -> Node:
        pointer = parent.pointer if token is None else (*parent.pointer, token)
        node = Node(pointer, start, start, parent, key)
        parent.items.append(node)
        if token is not None:
            parent.children.setdefault(token, node)
        return node
