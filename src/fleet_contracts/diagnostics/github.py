"""Diagnostics as annotations of GitHub Actions: one workflow command each.

A runner reads commands from the output of a step, `::error file=a.yaml,line=1::message`.
Whatever a document says stands behind the second `::` of a line or is escaped, so that no
document can give a command of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from unicodedata import category

from fleet_contracts.diagnostics.codes import CODES, Severity
from fleet_contracts.diagnostics.model import Diagnostic, Place
from fleet_contracts.diagnostics.text import more_text, related_text, visible
from fleet_contracts.pointer import format_pointer

COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}


def render_github(items: Iterable[Diagnostic], shown: Callable[[str], str]) -> Iterator[str]:
    """Yield one line for each diagnostic whose places are resolved.

    `shown` names files, as they are called in the repository.
    """
    for item in items:
        title = f"{item.code} {CODES[item.code].name}"
        properties = {**_place(item.place, shown), "title": title}
        written = ",".join(f"{name}={_property(text)}" for name, text in properties.items())
        data = _data("\n".join(_lines(item, shown)))
        yield f"::{COMMANDS[item.severity]} {written}::{data}"


def _place(place: Place, shown: Callable[[str], str]) -> dict[str, str]:
    """Return the properties that say where; columns are allowed within one line only."""
    found = {"file": _without_controls(shown(place.file))}
    if place.span is None:
        return found
    start, end = place.span
    found |= {"line": str(start.line), "endLine": str(end.line)}
    if start.line == end.line:
        found |= {"col": str(start.column), "endColumn": str(end.column)}
    return found


def _lines(item: Diagnostic, shown: Callable[[str], str]) -> Iterator[str]:
    yield visible(item.message)
    if item.help:
        yield f"help: {visible(item.help)}"
    if item.place.pointer:
        yield f"at {visible(format_pointer(item.place.pointer))}"
    for related in (*item.related, *item.cases):
        yield related_text(related, shown)
    if item.more_cases:
        yield more_text(item)


def _without_controls(name: str) -> str:
    """Return a file name with control characters escaped; other names must stay as they are."""
    if name.isprintable():
        return name
    escaped = (category(each) in ("Cc", "Cs", "Zl", "Zp") for each in name)
    return "".join(
        ascii(each)[1:-1] if bad else each for each, bad in zip(name, escaped, strict=True)
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
