"""Where values stand in a text to the letter, aliases included, so that they can be edited."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.libyaml import NextEvent
from fleet_contracts.reading.parsers import way_of
from fleet_contracts.source import Source


class Written(NamedTuple):
    """A value as it is written: offsets, with its anchor and tag.

    An alias is the alias itself, not what it names; a block of text (`|`, `>`) goes to the end
    of its last line or further. Of a list or map only `start` counts.
    """

    start: int
    end: int
    is_alias: bool
    is_block: bool


class _Open:
    """An open collection: `count` nodes of it were met, keys of a map among them."""

    __slots__ = ("count", "is_map", "key", "pointer")

    def __init__(self, pointer: Pointer, *, is_map: bool) -> None:
        self.pointer = pointer
        self.is_map = is_map
        self.count = 0
        self.key = ""

    def advance(self, text: str) -> Pointer | None:
        """Return the pointer of the next node; None if it is a key, which has this text."""
        index = self.count
        self.count += 1
        if not self.is_map:
            return (*self.pointer, index)
        if index % 2:
            return (*self.pointer, self.key)
        self.key = text
        return None


def find_written(source: Source, is_wanted: Callable[[Pointer], bool]) -> dict[Pointer, Written]:
    """Return the wanted values of a readable YAML or JSON text, in the order of the text.

    What stands behind an alias is found where it is written, and there only.
    """
    next_event: NextEvent = way_of(source.text).open(None)
    names: dict[str, str] = {}  # what an alias means that stands for a key
    stack: list[_Open] = []
    found: dict[Pointer, Written] = {}
    while True:
        event = next_event()
        kind = type(event)
        if kind is StreamEndEvent:
            return found
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            stack.pop()
        if not issubclass(kind, NodeEvent):
            continue
        is_alias = kind is AliasEvent
        is_scalar = kind is ScalarEvent
        text = names.get(event.anchor, "") if is_alias else event.value if is_scalar else ""
        if is_scalar and event.anchor is not None:
            names[event.anchor] = text
        pointer = stack[-1].advance(text) if stack else ()
        if pointer is not None and is_wanted(pointer):
            is_block = is_scalar and event.style in ("|", ">")
            marks = event.start_mark.index, event.end_mark.index
            found[pointer] = Written(*marks, is_alias, is_block)
        if not is_alias and not is_scalar:
            stack.append(_Open(pointer or (), is_map=kind is MappingStartEvent))
