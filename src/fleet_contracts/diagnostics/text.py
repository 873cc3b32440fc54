"""Diagnostics for people: one line to jump to, the source line, the fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fleet_contracts.diagnostics.codes import Severity
from fleet_contracts.diagnostics.excerpt import Excerpts
from fleet_contracts.diagnostics.model import Diagnostic, Place
from fleet_contracts.pointer import format_pointer
from fleet_contracts.source import Source

RESET = "\x1b[0m"
BOLD = "\x1b[1m"
FAINT = "\x1b[2m"
COLOURS: dict[Severity, str] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
}


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How text is written: with colours or not, and what a file is called."""

    colours: bool
    shown: Callable[[str], str]

    def paint(self, text: str, colour: str) -> str:
        """Return text in a colour, where colours are wanted."""
        return f"{colour}{text}{RESET}" if self.colours and text else text


def render_text(
    items: Iterable[Diagnostic], sources: dict[str, Source], style: TextStyle
) -> Iterator[str]:
    """Yield the lines of diagnostics whose places are resolved, a blank line between two."""
    excerpts = Excerpts(sources)
    for index, item in enumerate(items):
        if index:
            yield ""
        yield from _diagnostic(item, excerpts, style)


def _diagnostic(item: Diagnostic, excerpts: Excerpts, style: TextStyle) -> Iterator[str]:
    colour = COLOURS[item.severity]
    where = style.paint(f"{_location(item.place, style)}:", BOLD)
    yield f"{where} {style.paint(f'{item.severity}[{item.code}]', colour)}: {visible(item.message)}"
    gutter = "  "
    found = excerpts.excerpt(item.place.file, item.place.span) if item.place.span else None
    if found is not None and item.place.span is not None:
        number = str(item.place.span.start.line)
        gutter = " " * (len(number) + 1)
        line, carets = found
        yield style.paint(f"{gutter}|", FAINT)
        yield f"{style.paint(f'{number} |', FAINT)} {line}".rstrip()
        yield f"{style.paint(f'{gutter}|', FAINT)} {style.paint(carets, colour)}"
    mark = style.paint(f"{gutter}=", FAINT)
    if item.place.pointer:
        yield f"{mark} at {visible(format_pointer(item.place.pointer))}"
    if item.help:
        yield f"{mark} help: {visible(item.help)}"
    for related in (*item.related, *item.cases):
        yield f"{mark} {visible(related.message)}: {_location(related.place, style)}"
    if item.more_cases:
        yield f"{mark} and {item.more_cases:,} more"


def _location(place: Place, style: TextStyle) -> str:
    name = visible(style.shown(place.file))
    if place.span is None:
        return name
    return f"{name}:{place.span.start.line}:{place.span.start.column}"


def visible(text: str) -> str:
    """Return text with characters that cannot be seen escaped, so that none reaches a terminal.

    A document decides on keys and file names, and must not move the cursor by them.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def count_text(errors: int, warnings: int, hidden: int) -> str:
    """Return how many there were, e.g. `2 errors, 1 warning (1 not shown)`; empty for none."""
    parts = [_many(errors, "error")] if errors else []
    if warnings:
        parts.append(_many(warnings, "warning"))
    rest = f" ({hidden:,} not shown; --max-errors 0 shows all)" if hidden else ""
    return ", ".join(parts) + rest


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
