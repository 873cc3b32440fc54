"""A large text with a syntax error, without what stands far before the error.

While somebody types, a text is broken more often than not. Its error is explained by the
grammar, which takes ten times as long as libyaml; so the grammar is spared the Tasks before.
"""

from __future__ import annotations

import re
from typing import Any

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from fleet_contracts.reading.libyaml import NextEvent
from fleet_contracts.reading.parsers import ways
from fleet_contracts.reading.yaml_spot import MAX_DEPTH

LEAST_CHARACTERS = 1 << 14
KEPT = 2
"""Entries before the error that stay, as what is wrong may begin before it is noticed."""

_ANCHOR = re.compile(r"(?<![^\s,\[\]{}])&\S")
_LONE_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")


def shortened(text: str) -> str | None:
    """Return a broken text whose sound entries are empty lines; None where that cannot be.

    Entries are those of the map inside the top map that the error stands in, Tasks in most
    cases; the first one and the last ones stay. Lines and columns stay the same.
    """
    if len(text) < LEAST_CHARACTERS or _LONE_CARRIAGE_RETURN.search(text):
        return None
    way = next(ways(text))
    starts = None if way.is_strict else _starts_before_error(way.open(None))
    if starts is None or len(starts) <= 1 + KEPT:
        return None
    lines = text.split("\n")
    first, last = starts[1], starts[-KEPT]
    if _ANCHOR.search("\n".join(lines[first:last])):
        return None
    return "\n".join([*lines[:first], *[""] * (last - first), *lines[last:]])


def _starts_before_error(next_event: NextEvent) -> list[int] | None:
    """Return the lines (0-based) on which the entries before the error begin.

    None if there is no error, or none in a block map inside the top one.
    """
    starts: list[int] = []
    depth, column = 0, -1
    try:
        while type(event := next_event()) is not StreamEndEvent:
            kind = type(event)
            if kind is ScalarEvent:
                if depth == 2 and event.start_mark.column == column:
                    starts.append(event.start_mark.line)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                depth += 1
                if depth > MAX_DEPTH:
                    return None
                if depth == 2:
                    starts, column = [], _column(event)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                depth -= 1
    except YAMLError:
        return starts if depth >= 2 else None
    return None


def _column(event: Any) -> int:
    """Return the column of the keys of a block map, -1 for other collections."""
    is_block_map = type(event) is MappingStartEvent and not event.flow_style
    return event.start_mark.column if is_block_map else -1
