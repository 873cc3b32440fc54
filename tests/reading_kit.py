"""What tests of reading and of what is read have in common."""

from __future__ import annotations

from typing import Any

from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.pointer import format_pointer


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
