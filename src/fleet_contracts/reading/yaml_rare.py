"""What the YAML reader's loop does not do itself: refusals, anchors, tags, odd keys."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Literal, NoReturn, TypeAlias

from ruamel.yaml.events import AliasEvent, MappingStartEvent, SequenceStartEvent

from fleet_contracts.diagnostics.model import Bag, Place, Related, with_span
from fleet_contracts.pointer import Pointer, Token
from fleet_contracts.reading.aliases import MAX_ALIAS_NODES, Anchor, copied_odd_numbers, measure
from fleet_contracts.reading.core_schema import Refusal, is_odd, resolve
from fleet_contracts.reading.decode import MOST_REFUSALS
from fleet_contracts.reading.first_keys import first_keys
from fleet_contracts.reading.libyaml import Positions
from fleet_contracts.reading.surrogates import lone_escapes
from fleet_contracts.reading.tags import collection_refusal, tagged_value
from fleet_contracts.source import Source, Span

MAX_DEPTH = 128
"""Collections inside each other, the outermost counted (spec section 9)."""

ITEM = object()
"""In place of a key: the next value is an item of a list."""

COMPLEX_KEY = object()
"""In place of a key: the open collection is itself a key, and refused."""

Stack: TypeAlias = list[tuple[Any, Any]]
"""Each collection around the innermost one, with the key (or `ITEM`) that led inwards."""

# Texts kept to be recognised at once; more would only cost memory.
_MOST_REMEMBERED = 10_000

_TAG = re.compile(r"(?:&\S+\s+)?(!\S*)")
_DIRECTIVE = re.compile(r"^%.*$", re.MULTILINE)
_FINE_DIRECTIVE = re.compile(r"%YAML[ \t]+1\.2[ \t]*(?:[ \t]#.*)?\r?|%TAG[ \t].*").fullmatch


class Stop(Exception):
    """Reading on makes no sense; what is wrong is in the bag."""


class Rare:
    """The state of one reading that the loop itself does not need.

    `odd` lists the oddly spelled numbers in document order (see `Document`).
    """

    def __init__(self, source: Source, bag: Bag, positions: Positions) -> None:
        self.odd: list[tuple[Pointer, str]] = []
        self._source = source
        self._bag = bag
        self._positions = positions
        self._anchors: dict[str, Anchor] = {}
        self._alias_nodes_left = MAX_ALIAS_NODES
        self._repeated: dict[int, int] = {}  # offset of the key -> index in the bag
        self._documents = 0

    # Documents

    def document_start(self, event: Any) -> None:
        """Refuse a second document, and directives that ask for another YAML.

        A `%YAML 1.1` file means something else by `no`, `010` or `<<` than this reader
        does, so it is refused instead of read in silence; `%TAG` is harmless, because
        whatever is not a core tag in the end is refused.
        """
        self._documents += 1
        if self._documents > 1:
            self._refuse(
                "FLT1012",
                "A second document starts here; a file holds exactly one.",
                self._positions.span(event),
                "Move it to a file of its own.",
            )
            raise Stop
        start, end = event.start_mark.index, event.end_mark.index
        for match in _DIRECTIVE.finditer(self._source.text, start, end):
            if not _FINE_DIRECTIVE(match[0]):
                position = self._positions.at(match.start())
                self._refuse(
                    "FLT1014",
                    f"The directive {match[0].strip()} is not `%YAML 1.2`.",
                    Span(position, self._positions.moved(position, len(match[0].strip()))),
                    "Remove the line; the file is read as YAML 1.2.",
                )

    # Keys

    def plain_key(self, event: Any, keys: dict[str, str], stack: Stack, container: Any) -> Any:
        """Return a plain scalar as a key, or an object that equals nothing."""
        text = event.value
        if text == "<<":
            self._refuse(
                "FLT1022",
                "The merge key `<<` belongs to YAML 1.1 and merges nothing here.",
                self._positions.span(event),
                'Write out what it would merge, or quote it if a key is meant: "<<".',
                pointer_of(stack, container, None),
            )
            return object()
        if type(resolve(text)) is not str:
            return self._refuse_key(event, text, stack, container)
        if len(keys) < _MOST_REMEMBERED:
            keys[text] = text
        return text

    def other_key(self, event: Any, value: Any, stack: Stack, container: Any) -> Any:
        """Return the value of a tagged or anchored scalar or of an alias as a key."""
        if type(value) is not str:
            text = event.value if type(event) is not AliasEvent else f"*{event.anchor}"
            return self._refuse_key(event, text, stack, container)
        if value in container:
            self.duplicate(event, value, stack, container)
        return value

    def complex_key(self, event: Any, stack: Stack, container: Any) -> Any:
        """Refuse a list or map as a key."""
        kind = "map" if type(event) is MappingStartEvent else "list"
        self._refuse(
            "FLT1021",
            f"Found a {kind} as a key, expected a string.",
            self._positions.first_line(event),
            "Write a string; a template such as {{name}} needs quotes.",
            pointer_of(stack, container, None),
        )
        return COMPLEX_KEY

    def duplicate(self, event: Any, key: str, stack: Stack, container: Any) -> None:
        """Refuse a key that its map already has."""
        self._repeated[event.start_mark.index] = len(self._bag)
        pointer = (*pointer_of(stack, container, None), key)
        self._refuse(
            "FLT1020",
            f"The key {quoted(key)} stands twice in one map.",
            self._positions.span(event),
            "Remove or rename one of them.",
            pointer,
            "key",
            (Related("first defined here", Place(self._source.name, pointer, "key")),),
        )

    def locate_duplicates(self) -> None:
        """Fill in where each repeated key stood first: one more pass, only if needed."""
        if not self._repeated:
            return
        for offset, span in first_keys(self._source, self._repeated.keys()).items():
            number = self._repeated[offset]
            diagnostic = self._bag.items[number]
            first = diagnostic.related[0]
            located = replace(first, place=with_span(first.place, span))
            self._bag.items[number] = replace(diagnostic, related=(located,))

    def _refuse_key(self, event: Any, text: str, stack: Stack, container: Any) -> object:
        found = f"`{shortened(text)}`" if text else "nothing"
        self._refuse(
            "FLT1021",
            f"Found {found} as a key, expected a string.",
            self._positions.span(event),
            f"Quote it: {quoted(text)}." if text[:1] != "*" else "Write the key itself.",
            pointer_of(stack, container, None),
        )
        return object()

    # Values

    def number(
        self, event: Any, numbers: dict[str, Any], stack: Stack, container: Any, key: Any
    ) -> Any:
        """Return the value of a plain scalar that starts like a number."""
        text = event.value
        value = self._resolved(event, resolve(text), stack, container, key)
        if len(numbers) < _MOST_REMEMBERED and not is_odd(text, value) and value is not None:
            numbers[text] = value
        return value

    def marked_scalar(self, event: Any, stack: Stack, container: Any, key: Any) -> Any:
        """Return the value of a scalar that has an anchor, a tag or both."""
        text, odd_start = event.value, len(self.odd)
        if event.ctag is not None:
            value = tagged_value(str(event.ctag), text)
        else:
            value = text if event.style else resolve(text)
        if key is not None or event.ctag is not None or type(value) is not Refusal:
            value = self._resolved(event, value, stack, container, key)
        self._name(event, value, odd_start, stack, container, key)
        return value

    def marked_collection(
        self, event: Any, value: Any, stack: Stack, container: Any, key: Any
    ) -> None:
        """Check the tag of a map or list, and remember its anchor."""
        if event.ctag is not None:
            is_map = type(event) is MappingStartEvent
            refusal = collection_refusal(str(event.ctag), is_map=is_map)
            if refusal:
                self._refuse_value(event, refusal, pointer_of(stack, container, key))
        self._name(event, value, len(self.odd), stack, container, key)

    def alias(self, event: Any, stack: Stack, container: Any, key: Any) -> Any:
        """Return what an alias names, or None after refusing it."""
        anchor = self._anchors.get(event.anchor)
        here = pointer_of(stack, container, key)
        span = self._positions.span(event)
        if anchor is None:
            self._refuse(
                "FLT1043",
                f"The alias *{event.anchor} names no anchor defined before it.",
                span,
                f"Define &{event.anchor} first, or quote the text if it starts with '*'.",
                here,
            )
            return None
        value = anchor.value
        if container is value or any(opened is value for opened, _ in stack):
            self._refuse(
                "FLT1042",
                f"The alias *{event.anchor} stands inside what it names.",
                span,
                "Write out the value that is meant.",
                here,
            )
            return None
        return self._expanded(event, anchor, span, here, len(stack))

    def too_deep(self, event: Any, stack: Stack, container: Any, key: Any) -> NoReturn:
        """Refuse a collection below the last level, and stop.

        libyaml's time grows with the square of the nesting of brackets, so nothing
        behind this is read.
        """
        pointer = pointer_of(stack, container, key)
        self._refuse_depth(self._positions.first_line(event), pointer)
        raise Stop

    def lone_surrogate(self, event: Any) -> None:
        """Refuse each half of a surrogate pair in a double-quoted scalar."""
        start, end = event.start_mark.index, event.end_mark.index
        for first, last in lone_escapes(self._source.text, start, end):
            position = self._positions.at(first)
            self._refuse(
                "FLT1005",
                f"The escape {self._source.text[first:last]} is half of a surrogate pair.",
                Span(position, self._positions.moved(position, last - first)),
                "Write both halves, or the character itself.",
            )

    def _expanded(
        self, event: Any, anchor: Anchor, span: Span, here: Pointer, depth: int
    ) -> Any:
        if self._alias_nodes_left < 0:
            return None  # already refused
        size = measure(anchor.value, self._alias_nodes_left)
        self._alias_nodes_left -= size.nodes
        if self._alias_nodes_left < 0:
            self._refuse(
                "FLT1041",
                f"With *{event.anchor} the aliases of this file stand for more than"
                f" {MAX_ALIAS_NODES:,} values.",
                span,
                "Write out less with aliases, for example with `defaults` or `dataset`.",
                here,
            )
            return None
        if depth + size.levels > MAX_DEPTH:
            self._refuse_depth(span, here)
            return None
        self.odd += copied_odd_numbers(anchor, here, self.odd)
        return anchor.value

    def _resolved(self, event: Any, value: Any, stack: Stack, container: Any, key: Any) -> Any:
        """Return a resolved value after refusing it or noting its odd spelling."""
        if type(value) is Refusal:
            self._refuse_value(event, value, pointer_of(stack, container, key))
            return None
        if key is not None and is_odd(event.value, value):
            self.odd.append((pointer_of(stack, container, key), event.value))
        return value

    def _name(
        self, event: Any, value: Any, odd_start: int, stack: Stack, container: Any, key: Any
    ) -> None:
        if event.anchor is not None:
            pointer = None if key is None else pointer_of(stack, container, key)
            self._anchors[event.anchor] = Anchor(value, pointer, odd_start)

    # Refusing

    def _refuse_value(self, event: Any, refusal: Refusal, pointer: Pointer) -> None:
        span = self._positions.span(event)
        tag = None
        if event.ctag is not None:
            tag = _TAG.match(self._source.text, event.start_mark.index)
        if tag:
            start = self._positions.at(tag.start(1))
            span = Span(start, self._positions.moved(start, len(tag[1])))
        elif type(event) is MappingStartEvent or type(event) is SequenceStartEvent:
            span = self._positions.first_line(event)
        self._refuse(refusal.code, refusal.message, span, refusal.help, pointer)

    def _refuse_depth(self, span: Span, pointer: Pointer) -> None:
        self._refuse(
            "FLT1040",
            f"Nesting is deeper than {MAX_DEPTH} levels.",
            span,
            "Flatten the structure.",
            pointer,
        )

    def _refuse(
        self,
        code: str,
        message: str,
        span: Span,
        help: str,
        pointer: Pointer = (),
        at: Literal["key", "value"] = "value",
        related: tuple[Related, ...] = (),
    ) -> None:
        place = Place(self._source.name, pointer, at, span)
        self._bag.add(code, message, place, help=help, related=related)
        if len(self._bag) >= MOST_REFUSALS:
            raise Stop


def pointer_of(stack: Stack, container: Any, key: Any) -> Pointer:
    """Return the pointer of the value that comes next, or of the map if `key` is None.

    Ends before a refused key.
    """
    if not stack:
        return ()
    tokens: list[Token] = []
    for opened, led_to in stack[1:]:
        if led_to is ITEM:
            tokens.append(len(opened) - 1)
        elif type(led_to) is str:
            tokens.append(led_to)
        else:
            return tuple(tokens)
    if key is ITEM:
        tokens.append(len(container))
    elif type(key) is str:
        tokens.append(key)
    return tuple(tokens)


def shortened(text: str) -> str:
    """Return a text that fits into a message."""
    return text if len(text) <= 60 else f"{text[:57]}..."


def quoted(text: str) -> str:
    """Return a text in double quotes, shortened."""
    return f'"{shortened(text)}"'
