"""Fixes made exact: which characters of a file an edit replaces, and by what."""

from __future__ import annotations

import json
from dataclasses import replace

from fleet_contracts.diagnostics.model import Fix
from fleet_contracts.source import Source

QUOTES = "\"'"


def exact_fix(fix: Fix, source: Source) -> Fix | None:
    """Return a fix whose place has a span with `old` and `new` as they stand in the file.

    None where the span holds anything but `old`, plain or quoted: what an anchor, a tag,
    an alias or an escape stands in is better mended by hand.

    >>> from fleet_contracts.diagnostics.model import Place
    >>> from fleet_contracts.source import Position, Span
    >>> place = Place("a.yaml", span=Span(Position(1, 8), Position(1, 14)))
    >>> exact_fix(Fix(place, "shel", "shell"), Source("a.yaml", 'image: "shel"')).new
    '"shell"'
    """
    span = fix.place.span
    if span is None or span.start.line != span.end.line:
        return None
    stretch = source.line(span.start.line)[span.start.column - 1 : span.end.column - 1]
    if stretch == fix.old:
        return fix
    quote = stretch[:1]
    if quote not in QUOTES or stretch != f"{quote}{fix.old}{quote}":
        return None
    new = json.dumps(fix.new, ensure_ascii=False) if quote == '"' else f"'{fix.new}'"
    return replace(fix, old=stretch, new=new)
