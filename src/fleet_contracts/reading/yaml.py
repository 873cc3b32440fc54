"""The strict reader of authored YAML: one flat loop over the events of a text.

Accepted is the core schema of YAML 1.2, one document, string keys (spec section 9).
The loop is the hottest code of the compiler: what is common stands inline, what is
rare is a method of `Rare`, and no place is kept, because places are found again on
demand (`spans.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from fleet_contracts.diagnostics.model import Bag, Diagnostic, Place
from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.core_schema import NUMBER_START
from fleet_contracts.reading.document import Document
from fleet_contracts.reading.focus import first_problem
from fleet_contracts.reading.libyaml import NextEvent
from fleet_contracts.reading.look_alikes import KNOWN_WORDS, LOOK_ALIKE
from fleet_contracts.reading.parsers import Way, remember_way, ways
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.strictness import laxities
from fleet_contracts.reading.yaml12.cursor import SyntaxProblem
from fleet_contracts.reading.yaml_rare import Rare, StopReading
from fleet_contracts.reading.yaml_spot import COMPLEX_KEY, ITEM, MAX_DEPTH, Spot, Stack
from fleet_contracts.reading.yaml_syntax import explain
from fleet_contracts.source import Position, Source, Span

_QUOTES = frozenset("\"'")
_NO_BRACKETS = -1


class _Reading(NamedTuple):
    """What one pass over a text came to.

    `is_doubtful` tells that only the grammar can say what the text means.
    """

    root: list[Any]
    odd: list[tuple[Pointer, str]]
    warnings: list[Diagnostic]
    found: Bag
    is_doubtful: bool


def read_yaml(source: Source, bag: Bag) -> Document | None:
    """Return the plain data of a YAML text, or None after adding what is wrong with it.

    A refusal does not end the reading, so all of a file are added, in the order of
    their places; only a syntax error, nesting that is too deep and a second document
    end it. Adds codes of FLT1005 to FLT1043 (spec section 9, YAML 1.2.2 section 10.3);
    the warnings of the document are FLT1035.
    """
    reading = _reading(source)
    if reading.found.items:
        bag.extend(sorted(reading.found.items, key=_start))
        return None
    return Document(source, reading.root[0], dict(reading.odd), reading.warnings)


def _reading(source: Source) -> _Reading:
    """Read a text in the first way in which it can be read without doubt."""
    tried: list[tuple[Way, _Reading]] = []
    for way in ways(source.text):  # one by one: what the next one needs takes time to prepare
        if way.is_strict and tried:
            last, doubtful = tried[-1]
            problem = first_problem(source.text, last.open(None))
            if problem is not None:
                doubtful.found.items.append(explain(problem, source, Positions(source.text)))
                return doubtful
        tried.append((way, _read(source, way)))
        if not tried[-1][1].is_doubtful:
            break
    way, reading = tried[-1]
    remember_way(source.text, way)
    return reading


def _read(source: Source, way: Way) -> _Reading:
    found = Bag()
    positions = Positions(source.text)
    rare = Rare(source, found, positions)
    root: list[Any] = []
    is_doubtful = False
    last: Diagnostic | None = None
    try:
        _read_events(way.open(rare.lone_surrogate), root, rare)
        if not way.is_strict:
            for problem in laxities(source.text, way.open(None), is_folded=rare.is_folded):
                found.items.append(explain(problem, source, positions))
            is_scalar = not isinstance(root[0], dict | list) if root else False
            is_doubtful = is_scalar or rare.needs_grammar  # libyaml has rules of its own for both
        if not root or (root[0] is None and _is_empty(way.open(None))):
            _refuse_empty(source, found)
    except SyntaxProblem as problem:
        last = explain(problem, source, positions)
    except YAMLError:
        is_doubtful = True
    except StopReading:
        pass
    rare.locate_duplicates(way.open)
    if last:  # what seemed wrong behind it comes of reading it wrongly
        found.items[:] = [item for item in found.items if _start(item) < _start(last)] + [last]
    return _Reading(root, rare.odd, rare.look_alikes.warnings(), found, is_doubtful)


def _read_events(next_event: NextEvent, root: list[Any], rare: Rare) -> None:
    """Append the document's value to `root`.

    `container` is the innermost open collection. `key` is where the next value goes:
    `ITEM` in a list; in a map the key, or None while a key comes next. The stack holds
    both for each collection around. A refused key is an object that equals nothing.
    """
    container: Any = root
    key: Any = ITEM
    stack: Stack = []
    keys: dict[str, str] = {}  # plain keys already known to be strings, each one object
    quoted_keys: dict[str, str] = {}
    numbers: dict[str, Any] = {}  # plain scalars that start like a number, with their value
    known_key, known_number, known_word = keys.get, numbers.get, KNOWN_WORDS.get
    shared_key = quoted_keys.setdefault
    brackets = _NO_BRACKETS  # how many collections are around the outermost open bracket
    first_line = 0  # of the outermost open bracket
    value: Any
    while True:
        event = next_event()
        kind = type(event)
        if kind is ScalarEvent:
            text = event.value
            if event.ctag is None and event.anchor is None:
                if key is None:
                    if event.style:
                        key = shared_key(text, text)
                        if event.start_mark.line != event.end_mark.line:
                            rare.is_folded = True
                    else:
                        key = known_key(text)
                        if key is None:
                            key = rare.plain_key(event, keys, Spot(stack, container, key))
                    if key in container:
                        rare.duplicate(event, key, Spot(stack, container, None))
                    continue
                style = event.style
                if style:
                    value = text
                    if style in _QUOTES and event.start_mark.line != event.end_mark.line:
                        rare.is_folded = True
                elif text[:1] in NUMBER_START:
                    value = known_number(text)
                    if value is None:
                        value = rare.number(event, numbers, Spot(stack, container, key))
                else:
                    value = known_word(text, text)
                    if value is LOOK_ALIKE:
                        value = rare.look_alike(event, Spot(stack, container, key))
            else:
                value = rare.marked_scalar(event, Spot(stack, container, key))
                if key is None:
                    key = rare.other_key(event, value, Spot(stack, container, key))
                    continue
            if key is ITEM:
                container.append(value)
            else:
                container[key] = value
                key = None
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            container, key = stack.pop()
            if key is COMPLEX_KEY:
                key = object()
            elif key is not ITEM:
                key = None
            if len(stack) == brackets:
                if brackets and event.end_mark.line != first_line:
                    rare.is_folded = True
                brackets = _NO_BRACKETS
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            value = {} if kind is MappingStartEvent else []
            if event.ctag is not None or event.anchor is not None:
                rare.marked_collection(event, value, Spot(stack, container, key))
            if len(stack) >= MAX_DEPTH:
                rare.too_deep(event, Spot(stack, container, key))
            if event.flow_style and brackets == _NO_BRACKETS:
                brackets, first_line = len(stack), event.start_mark.line
            if key is None:
                key = rare.complex_key(event, Spot(stack, container, key))
            elif key is ITEM:
                container.append(value)
            else:
                container[key] = value
            stack.append((container, key))
            container = value
            key = None if kind is MappingStartEvent else ITEM
        elif kind is AliasEvent:
            value = rare.alias(event, Spot(stack, container, key))
            if key is None:
                key = rare.other_key(event, value, Spot(stack, container, key))
            elif key is ITEM:
                container.append(value)
            else:
                container[key] = value
                key = None
        elif kind is DocumentStartEvent:
            rare.document_start(event)
        elif kind is StreamEndEvent:
            return


def _is_empty(next_event: NextEvent) -> bool:
    """Tell whether a document whose value is null has no value written at all."""
    event = next_event()
    while not isinstance(event, NodeEvent | StreamEndEvent):
        event = next_event()
    written = event.value or event.ctag or event.anchor if type(event) is ScalarEvent else True
    return not written


def _refuse_empty(source: Source, bag: Bag) -> None:
    bag.add(
        "FLT1013",
        "the file holds no document, only white space, comments or markers",
        Place(source.name, span=Span(Position(1, 1), Position(1, 1))),
        help="write the document, or remove the file",
    )


def _start(diagnostic: Diagnostic) -> Position:
    span = diagnostic.place.span
    return span.start if span else Position(1, 1)
