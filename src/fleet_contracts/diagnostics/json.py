"""Diagnostics for programs (`schemas/report/report.v1.json`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import Diagnostic, Place
from fleet_contracts.pointer import format_pointer


def render_json(items: Iterable[Diagnostic], shown: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return diagnostics whose places are resolved as plain data; `shown` names files."""
    return [
        {
            "code": item.code,
            "name": CODES[item.code].name,
            "severity": item.severity,
            "message": item.message,
            "help": item.help,
            "place": _place(item.place, shown),
            "related": [
                {"message": related.message, "place": _place(related.place, shown)}
                for related in item.related
            ],
        }
        for item in items
    ]


def _place(place: Place, shown: Callable[[str], str]) -> dict[str, Any]:
    start, end = place.span if place.span else (None, None)
    return {
        "file": shown(place.file),
        "pointer": format_pointer(place.pointer),
        "line": start.line if start else None,
        "column": start.column if start else None,
        "end_line": end.line if end else None,
        "end_column": end.column if end else None,
    }
