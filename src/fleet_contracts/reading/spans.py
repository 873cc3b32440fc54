"""Where a value or key stands in a YAML or JSON text, found only when somebody asks.

One more pass over the events keeps nothing but the wanted places, as a tree of their
pointers. What stands behind an alias is found at the anchor, by a further pass that
starts there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
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

from fleet_contracts.diagnostics.fixes import exact_fix
from fleet_contracts.diagnostics.model import Diagnostic, Fix, Part, Place, Related, with_span
from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.parsers import way_of
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.scalar_text import ScalarText
from fleet_contracts.reading.span_tree import Node, share_children, span_of
from fleet_contracts.source import Lines, Source, Span


class _Frame:
    """An open collection on a wanted path.

    `index` counts its items, or twice its entries for a map: even means that a key
    comes next. `child` is what the last key leads to.
    """

    __slots__ = ("child", "event", "index", "is_map", "node")

    def __init__(self, node: Node, event: Any) -> None:
        self.node = node
        self.event = event
        self.is_map = type(event) is MappingStartEvent
        self.index = 0
        self.child: Node | None = None


def resolve_places(items: Iterable[Diagnostic], sources: Mapping[str, Source]) -> list[Diagnostic]:
    """Return diagnostics with the spans of all places filled in, one search a file.

    `sources` are the YAML and JSON texts by name; places in other files stay as they
    are. Fixes become exact, and those that would not fit are dropped. A part of a scalar
    that cannot be told from the rest of the text gets the span of all of it.

    A scalar is its text with quotes, anchor and tag; a block of text (`|`, `>`) its
    header; brackets on one line are whole, on several their first line; a block
    collection is the key that leads to it, or its first line where no key does. What a
    key has twice is found at the first. A place that does not exist, or that stands
    behind a syntax error, gets the span of its nearest ancestor.
    """
    diagnostics = list(items)
    wanted: dict[str, set[Place]] = {}
    for diagnostic in diagnostics:
        for place in _places(diagnostic):
            if place.span is None and place.file in sources:
                wanted.setdefault(place.file, set()).add(place)
    spans = {name: _spans(sources[name], places) for name, places in wanted.items()}
    lines = Lines(sources)

    def resolved(place: Place) -> Place:
        if place.span is not None or place.file not in spans:
            return place
        return with_span(place, spans[place.file][place])

    def all_resolved(related: Iterable[Related]) -> tuple[Related, ...]:
        return tuple(replace(each, place=resolved(each.place)) for each in related)

    def exact(fix: Fix | None) -> Fix | None:
        if fix is None or fix.place.file not in sources:
            return None
        return exact_fix(replace(fix, place=resolved(fix.place)), lines)

    return [
        replace(
            diagnostic,
            place=resolved(diagnostic.place),
            related=all_resolved(diagnostic.related),
            cases=all_resolved(diagnostic.cases),
            fix=exact(diagnostic.fix),
        )
        for diagnostic in diagnostics
    ]


def _places(diagnostic: Diagnostic) -> Iterator[Place]:
    yield diagnostic.place
    for related in (*diagnostic.related, *diagnostic.cases):
        yield related.place
    if diagnostic.fix:
        yield diagnostic.fix.place


def _spans(source: Source, places: Collection[Place]) -> dict[Place, Span]:
    """Return the span of each place of a text."""
    positions = Positions(source.text)
    root = _found(source, {place.pointer for place in places}, positions)
    found = {}
    for place in places:
        span = span_of(root, place.pointer, place.at)
        if place.part is not None:
            span = _part_span(root, place.pointer, place.part, positions) or span
        found[place] = span
    return found


def _part_span(root: Node, pointer: Pointer, part: Part, positions: Positions) -> Span | None:
    """Return the span of a part of the scalar at a pointer, None where it is not sure."""
    node = root
    for token in pointer:
        node = node.children[str(token)]
    stretch = node.scalar.stretch(part) if node.scalar else None
    if stretch is None:
        return None
    return Span(*map(positions.at, stretch))


def _found(source: Source, pointers: Collection[Pointer], positions: Positions) -> Node:
    """Return the tree of the pointers after the search for them."""
    root = Node()
    for pointer in pointers:
        node = root
        for token in pointer:
            node = node.children.setdefault(str(token), Node())
        node.wanted = True
    search = _Search(source, positions, len(pointers))
    search.run({}, root)
    while search.behind_aliases:
        search.run(search.behind_aliases, None)
    return root


class _Search:
    """Passes over one text; `behind_aliases` is what the next pass has to look for."""

    def __init__(self, source: Source, positions: Positions, missing: int) -> None:
        self._text = source.text
        self._open = way_of(source.text).open
        self._positions = positions
        self._missing = missing
        self._pass = 0
        self.behind_aliases: dict[int, Node] = {}

    def run(self, entries: dict[int, Node], root: Node | None) -> None:
        """Look for what is wanted in the document (`root`) or at offsets (`entries`)."""
        self._pass += 1
        self.behind_aliases = {}
        try:
            self._read_events(entries, root)
        except YAMLError:
            return  # what stands before the syntax error has been found

    def _read_events(self, entries: dict[int, Node], root: Node | None) -> None:
        next_event = self._open(None)
        has_anchors = "&" in self._text
        anchors: dict[str, int] = {}
        stack: list[_Frame | None] = []
        frame: _Frame | None = None
        while self._missing:
            event = next_event()
            kind = type(event)
            if kind is MappingEndEvent or kind is SequenceEndEvent:
                if frame is not None:
                    self._close(frame, event)
                frame = stack.pop()
                continue
            starts = kind is MappingStartEvent or kind is SequenceStartEvent
            if not (starts or kind is ScalarEvent or kind is AliasEvent):
                if kind is StreamEndEvent:
                    return
                continue
            node = None
            if frame is not None:
                node = self._advance(frame, event)
            elif not stack:
                node = self._unseen(root)
            if has_anchors and kind is not AliasEvent:
                offset = event.start_mark.index
                if event.anchor is not None:
                    anchors[event.anchor] = offset
                if offset in entries:
                    node = self._entered(entries[offset], node)
            if node is not None:
                self._found(node, event)
                if kind is AliasEvent and node.children:
                    self._follow(node, anchors.get(event.anchor))
            if starts:
                stack.append(frame)
                frame = None if node is None else _Frame(node, event)

    def _advance(self, frame: _Frame, event: Any) -> Node | None:
        """Return the node of what starts inside a frame, None for a key and the unwanted."""
        index = frame.index
        frame.index += 1
        if not frame.is_map:
            return self._unseen(frame.node.children.get(str(index)))
        if index % 2:
            return frame.child
        frame.child = None
        if type(event) is ScalarEvent:
            frame.child = self._unseen(frame.node.children.get(event.value))
            if frame.child is not None:
                frame.child.key = self._positions.span(event)
        return None

    def _unseen(self, node: Node | None) -> Node | None:
        if node is None or node.seen == self._pass:
            return None
        node.seen = self._pass
        return node

    def _found(self, node: Node, event: Any) -> None:
        kind = type(event)
        if kind is ScalarEvent and node.wanted:
            start, end = event.start_mark.index, event.end_mark.index
            node.scalar = ScalarText(self._text, (start, end), event.style, event.value)
        if kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.flow_style:
                node.value = self._positions.first_line(event)
                return  # perhaps not all of it: see `_close`
            node.value = node.key or self._positions.first_line(event)
        elif kind is ScalarEvent and event.style in ("|", ">"):
            node.value = self._positions.first_line(event)
        else:
            node.value = self._positions.span(event)
        self._settle(node)

    def _close(self, frame: _Frame, event: Any) -> None:
        """Let brackets that end on their first line be whole."""
        node = frame.node
        if frame.event.flow_style and node.value is not None:
            end = self._positions.of(event.end_mark)
            if end.line == node.value.start.line:
                node.value = Span(node.value.start, end)
            self._settle(node)

    def _settle(self, node: Node) -> None:
        if node.wanted:
            node.wanted = False
            self._missing -= 1

    def _follow(self, node: Node, target: int | None) -> None:
        """Plan to look for the children of an alias where its anchor stands.

        All aliases of one anchor share one tree of children, so that a text costs one
        pass for each level of aliases inside aliases, however many there are.
        """
        if target is not None:
            share_children(node, self.behind_aliases.setdefault(target, Node()))

    @staticmethod
    def _entered(entry: Node, node: Node | None) -> Node:
        """Return the node to use where an anchor is that an alias led to.

        It may be on a wanted path itself, inside another such anchor.
        """
        if node is None:
            return entry
        share_children(node, entry)
        return node
