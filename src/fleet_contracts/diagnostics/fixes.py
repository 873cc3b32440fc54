"""Fixes made exact: which characters of a file an edit replaces, and by what."""

from __future__ import annotations

import json
from dataclasses import replace

from fleet_contracts.diagnostics.model import Edit, Fix
from fleet_contracts.source import Lines

QUOTES = "\"'"


def exact_fix(fix: Fix, lines: Lines) -> Fix | None:
    """Return a fix whose place has a span, with both texts as they stand in the file.

    None where the span holds anything but the old text, plain or quoted: what an anchor, a
    tag, an alias or an escape stands in is better mended by hand.

    >>> from fleet_contracts.diagnostics.model import Edit, Place
    >>> from fleet_contracts.source import Lines, Position, Source, Span
    >>> place = Place("a.yaml", span=Span(Position(1, 8), Position(1, 14)))
    >>> lines = Lines({"a.yaml": Source("a.yaml", 'image: "shel"')})
    >>> exact_fix(Fix(place, Edit("shel", "shell")), lines).edit
    Edit(old='"shel"', new='"shell"', bare=False)
    """
    span = fix.place.span
    if span is None or span.start.line != span.end.line:
        return None
    line = lines.line(fix.place.file, span.start.line) or ""
    stretch = line[span.start.column - 1 : span.end.column - 1]
    old, new, bare = fix.edit
    if stretch == old:
        return fix
    quote = stretch[:1]
    if quote not in QUOTES or stretch != f"{quote}{old}{quote}":
        return None
    if not bare:
        new = json.dumps(new, ensure_ascii=False) if quote == '"' else f"'{new}'"
    return replace(fix, edit=Edit(stretch, new, bare))
