"""Plain scalars that tools for YAML 1.1 read as something else than YAML 1.2 does.

Which these are follows from the types at yaml.org/type (bool, int, float, timestamp,
merge and value), with two readings that implementations share: a fraction may hold
underscores but no second point, and a number has at least one digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from fleet_contracts.decimal_text import MAX_LENGTH, DecimalError, normalise
from fleet_contracts.diagnostics.model import Diagnostic, Edit, Fix, Place
from fleet_contracts.reading.core_schema import NUMBER_START, WORDS, is_number, quoted, shortened
from fleet_contracts.reading.decode import MOST_REFUSALS
from fleet_contracts.reading.numbers import exact_number
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.yaml_spot import Spot
from fleet_contracts.source import Source

LOOK_ALIKE = object()
"""In place of a value: the scalar is text, but a word of another meaning to YAML 1.1."""

_WORDS = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), "the boolean true"),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), "the boolean false"),
    "<<": "a merge key",
    "=": "a default value",
}
KNOWN_WORDS: dict[str, Any] = {**WORDS, **dict.fromkeys(_WORDS, LOOK_ALIKE)}
"""Plain scalars that are neither numbers nor ordinary text, with their value."""

_DECIMAL = re.compile(
    r"[-+]?(?:0|[1-9][0-9_]*"
    r"|(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?)"
).fullmatch
_BINARY = re.compile(r"[-+]?0b_*[01][01_]*").fullmatch
_OCTAL = re.compile(r"[-+]?0[0-7_]+").fullmatch
_HEXADECIMAL = re.compile(r"[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*").fullmatch
_SIXTIES = re.compile(
    r"[-+]?(?:[1-9][0-9_]*(?::[0-5]?[0-9])+|[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)"
).fullmatch
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch
_TIMESTAMP = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
).fullmatch


def yaml11(text: str) -> str | None:
    """Return what a tool for YAML 1.1 reads in a plain scalar, None where it reads the same.

    The scalar must be one that YAML 1.2 reads (see `core_schema.resolve`).

    >>> yaml11("no"), yaml11("1_000"), yaml11("1:30"), yaml11("2024-01-01"), yaml11("1e3")
    ('the boolean false', 'the number 1000', 'the number 90', 'a date', 'text')
    >>> yaml11("none") or yaml11("1.50") or yaml11("1:75")
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[:1] not in NUMBER_START:
        return None
    read = next((read for fits, read in _NUMBERS if fits(text)), None)
    if is_number(text):
        return None if read else "text"
    if read:
        number = _spelled(text.replace("_", ""), read)
        return f"the number {number}" if number else "a number"
    if _DATE(text):
        return "a date"
    return "a timestamp" if _TIMESTAMP(text) else None


class LookAlikes:
    """The look-alikes of one reading, each as a warning (FLT1035), in document order."""

    def __init__(self, source: Source, positions: Positions) -> None:
        """Start with nothing read."""
        self._source = source
        self._positions = positions
        self._found: list[Diagnostic] = []
        self._more = 0

    def note(self, event: Any, value: Any, spot: Spot) -> bool:
        """Tell whether a plain scalar of some value is a look-alike, and keep it if so."""
        reading = yaml11(event.value)
        if reading is None:
            return False
        if len(self._found) < MOST_REFUSALS:
            self._found.append(self._warning(event, value, reading, spot))
        else:
            self._more += 1
        return True

    def warnings(self) -> list[Diagnostic]:
        """Return the warnings; the last one counts those beyond the limit."""
        if self._more:
            last = self._found[-1]
            message = f"{last.message}; so are {self._more:,} more scalars of this file"
            self._found[-1] = replace(last, message=message)
            self._more = 0
        return self._found

    def _warning(self, event: Any, value: Any, reading: str, spot: Spot) -> Diagnostic:
        text = event.value
        is_key = spot.key is None
        pointer = (*spot.pointer, text) if is_key else spot.pointer
        place = Place(
            self._source.name, pointer, "key" if is_key else "value", self._positions.span(event)
        )
        here, new, help = "text", f'"{text}"', f"quote it: {quoted(text)}"
        if type(value) is not str:
            new = _plain(value)
            here = f"the number {new}" if new else "a number"
            help = f"write `{new}`" if new else f"write out the number, or {help}"
        message = f"`{shortened(text)}` is {here} here, but {reading} to tools for YAML 1.1"
        fix = self._fix(event, place, new) if new else None
        return Diagnostic("FLT1035", message, place, help, fix=fix)

    def _fix(self, event: Any, place: Place, new: str) -> Fix | None:
        """Return the edit of the scalar alone, without its anchor; None if it is folded."""
        text = event.value
        start = event.end_mark.index - len(text)
        if not self._source.text.startswith(text, start):
            return None
        span = self._positions.stretch(start, len(text))
        return Fix(replace(place, span=span), Edit(text, new, bare=True))


def _sixties(text: str) -> int | Decimal:
    """Return the value of a number to the base of 60."""
    whole, _, fraction = text.lstrip("+-").partition(".")
    value = 0
    for digits in whole.split(":"):
        value = value * 60 + int(digits)
    return exact_number(f"{'-' if text[0] == '-' else ''}{value}.{fraction}")


_NUMBERS: tuple[tuple[Callable[[str], Any], Callable[[str], int | Decimal]], ...] = (
    (_DECIMAL, exact_number),
    (_SIXTIES, _sixties),
    (_BINARY, partial(int, base=2)),
    (_OCTAL, partial(int, base=8)),
    (_HEXADECIMAL, partial(int, base=16)),
)


def _spelled(text: str, read: Callable[[str], int | Decimal]) -> str:
    """Return a number of YAML 1.1 as a plain decimal, empty where that would be long."""
    try:
        return _plain(read(text)) if len(text) <= MAX_LENGTH else ""
    except ValueError:  # its exponent is beyond all measure
        return ""


def _plain(value: int | Decimal) -> str:
    try:
        return normalise(value)
    except DecimalError:
        return ""
