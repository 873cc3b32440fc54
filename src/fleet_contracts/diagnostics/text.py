"""Diagnostics for people: one line to jump to, the source line, the fix."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from fleet_contracts.diagnostics.codes import Severity
from fleet_contracts.diagnostics.excerpt import Excerpts
from fleet_contracts.diagnostics.model import Diagnostic, Place, Related
from fleet_contracts.pointer import format_pointer
from fleet_contracts.source import Source

LONGEST_POINTER = 100
"""In characters. Nothing is cut where a program reads it."""

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
        yield from diagnostic_lines(item, excerpts, style)


def diagnostic_lines(item: Diagnostic, excerpts: Excerpts, style: TextStyle) -> Iterator[str]:
    """Yield the lines of one diagnostic whose places are resolved."""
    colour = COLOURS[item.severity]
    where = style.paint(f"{location(item.place, style.shown)}:", BOLD)
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
        yield f"{mark} at {shortened(visible(format_pointer(item.place.pointer)))}"
    if item.help:
        yield f"{mark} help: {visible(item.help)}"
    for related in (*item.related, *item.cases):
        yield f"{mark} {related_text(related, style.shown)}"
    if item.more_cases:
        yield f"{mark} {more_text(item)}"


def related_text(related: Related, shown: Callable[[str], str]) -> str:
    """Return what is at a related place, and where that is."""
    return f"{visible(related.message)}: {location(related.place, shown)}"


def more_text(item: Diagnostic) -> str:
    """Return how many cases there are besides those that are named."""
    return f"and {item.more_cases:,} more"


def location(place: Place, shown: Callable[[str], str]) -> str:
    """Return a place as `file:line:column`, the file alone where no more is known."""
    name = visible(shown(place.file))
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


def shortened(pointer: str) -> str:
    """Return a pointer without tokens in its middle where it would fill more than a line.

    >>> shortened("/tasks/one/verifiers/0" + "/children/1/node" * 9 + "/id")
    '/tasks/one/verifiers/0/children/1/node/children/1/…/1/node/children/1/node/children/1/node/id'
    """
    if len(pointer) <= LONGEST_POINTER:
        return pointer
    half = LONGEST_POINTER // 2
    start, end = pointer[:half].rpartition("/")[0], pointer[-half:].partition("/")[2]
    return f"{start or pointer[:half]}/…/{end or pointer[-half:]}"


def count_text(items: Collection[Diagnostic], shown: int, strict: str = "") -> str:
    """Return how many there are, e.g. `2 errors, 1 warning (1 not shown)`; empty for none.

    `shown` is how many of them a person was shown, `strict` what makes warnings fail, which is
    told where nothing else fails.
    """
    errors, warnings = (
        sum(item.severity == severity for item in items) for severity in ("error", "warning")
    )
    parts = [_many(errors, "error")] if errors else []
    if warnings:
        parts.append(_many(warnings, "warning"))
    hidden = len(items) - shown
    rest = f" ({hidden:,} not shown; --max-errors 0 shows all)" if hidden else ""
    reason = f"; warnings fail because of {strict}" if warnings and strict and not errors else ""
    return ", ".join(parts) + rest + reason


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
