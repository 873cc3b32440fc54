"""Diagnostics for programs (`schemas/report/report.v1.json`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import Diagnostic, Fix, Place, Related
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
            "related": _related(item.related, shown),
            "cases": _related(item.cases, shown),
            "more_cases": item.more_cases,
            "fix": _fix(item.fix, shown),
        }
        for item in items
    ]


def _related(related: Iterable[Related], shown: Callable[[str], str]) -> list[dict[str, Any]]:
    return [{"message": each.message, "place": _place(each.place, shown)} for each in related]


def _fix(fix: Fix | None, shown: Callable[[str], str]) -> dict[str, Any] | None:
    if fix is None:
        return None
    return {"place": _place(fix.place, shown), "old": fix.edit.old, "new": fix.edit.new}


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
