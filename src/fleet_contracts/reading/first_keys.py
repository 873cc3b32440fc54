"""Where a key stood first: asked only once a file is known to have it twice."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

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

from fleet_contracts.reading.libyaml import NextEvent
from fleet_contracts.reading.positions import Positions
from fleet_contracts.source import Source, Span


class First(NamedTuple):
    """Where a repeated key stood first, and the offset of the key right before the repetition.

    `before` is None where that key is not repeated itself.
    """

    span: Span
    before: int | None


class _Frame:
    """An open collection: the keys of a map so far, and whether a key comes next.

    `before` is the offset of the last key if it was a repeated one.
    """

    __slots__ = ("at_key", "before", "keys")

    def __init__(self, keys: dict[str, Span] | None) -> None:
        self.keys = keys
        self.at_key = keys is not None
        self.before: int | None = None


def first_keys(
    source: Source, next_event: NextEvent, repeated: Collection[int]
) -> dict[int, First]:
    """Return where each repeated key of a YAML text stood first.

    `next_event` starts a further pass over it. `repeated` holds the offsets at which
    scalar keys stand again; the result is by these. Keys that are aliases are not looked up.
    """
    found: dict[int, First] = {}
    positions = Positions(source.text)
    stack = [_Frame(None)]
    while len(found) < len(repeated):
        try:
            event = next_event()
        except YAMLError:
            break
        kind = type(event)
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            stack.pop()
            continue
        if kind is StreamEndEvent:
            break
        frame = stack[-1]
        if kind is ScalarEvent and frame.at_key and frame.keys is not None:
            offset = event.start_mark.index
            is_repeated = offset in repeated and event.value in frame.keys
            if is_repeated:
                found[offset] = First(frame.keys[event.value], frame.before)
            frame.before = offset if is_repeated else None
            frame.keys.setdefault(event.value, positions.span(event))
        starts = kind is MappingStartEvent or kind is SequenceStartEvent
        if frame.keys is not None and (starts or kind is ScalarEvent or kind is AliasEvent):
            frame.at_key = not frame.at_key
        if starts:
            stack.append(_Frame({} if kind is MappingStartEvent else None))
    return found
