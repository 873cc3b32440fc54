"""What tests of reading and of what is read have in common."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fleet_contracts.diagnostics.model import Diagnostic, Place
from fleet_contracts.pointer import format_pointer
from fleet_contracts.reading.span_tree import Wanted
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.source import Source, Span


def find_spans(source: Source, wanted: Collection[Wanted]) -> dict[Wanted, Span]:
    """Return the span of each wanted place of a YAML or JSON text."""
    items = [Diagnostic("FLT1010", "", Place(source.name, *place)) for place in wanted]
    found: dict[Wanted, Span] = {}
    for place, item in zip(wanted, resolve_places(items, {source.name: source}), strict=True):
        assert item.place.span is not None
        found[place] = item.place.span
    return found


def spelled(item: Diagnostic) -> str:
    """Code, start and end of a diagnostic, and its pointer."""
    span = item.place.span
    assert span is not None
    (line, column), (last_line, last_column) = span
    pointer = format_pointer(item.place.pointer)
    return f"{item.code} {line}:{column}-{last_line}:{last_column} {pointer}".rstrip()


def typed(value: Any) -> Any:
    """Make 1, True and Decimal(1) differ."""
    if isinstance(value, dict):
        return {key: typed(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [typed(inside) for inside in value]
    return (type(value).__name__, str(value))
