"""What is wrong with a document, as a value (spec section 9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from fleet_contracts.diagnostics.codes import CODES, Severity
from fleet_contracts.pointer import Pointer
from fleet_contracts.source import Span

MOST_CASES = 3
"""Rows or Tasks that are named when one mistake comes about through many of them."""


class Part(NamedTuple):
    """A stretch of the text that a scalar means: offsets into its value, `end` exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands.

    Most places are known first by `pointer` alone and get their `span` late, when
    somebody is going to read them: `at` says whether the key or the value is meant.
    A file that is not a tree (JSON lines, CSV, bytes) has a span and no pointer. `part` is
    the stretch of a scalar that is meant, None for all of it.
    """

    file: str
    pointer: Pointer = ()
    at: Literal["key", "value"] = "value"
    span: Span | None = None
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains a diagnostic, e.g. where a key was defined first."""

    message: str
    place: Place


class Edit(NamedTuple):
    """Text of a scalar, and what it should be; both without quotes.

    Quotes that stand there are kept, unless the new text is `bare`: no string any more.
    """

    old: str
    new: str
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """The one edit that mends a mistake, and where.

    Where the span of `place` holds anything but the old text, it must not be made (see
    `exact_fix`).
    """

    place: Place
    edit: Edit


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake: what was found, what was expected, where, and how to mend it.

    `cases` are the first few rows or Tasks through which a mistake in a template or in
    `defaults` came about, `more_cases` how many more there were.
    """

    code: str
    message: str
    place: Place
    help: str = ""
    related: tuple[Related, ...] = ()
    cases: tuple[Related, ...] = ()
    more_cases: int = 0
    fix: Fix | None = None

    @property
    def severity(self) -> Severity:
        """The severity its code has in the table."""
        return CODES[self.code].severity


@dataclass(slots=True)
class _Met:
    """A diagnostic of a bag by its index, and the case through which it was met last."""

    index: int
    last: Related


@dataclass(slots=True)
class Bag:
    """Diagnostics in the order they were found.

    A mistake that comes about through many rows or Tasks is one diagnostic: the first, with
    the cases of the others.
    """

    items: list[Diagnostic] = field(default_factory=list)
    _errors: int = 0
    _met: dict[tuple[str, Place, str], list[_Met]] = field(default_factory=dict)

    def add(
        self,
        code: str,
        message: str,
        place: Place,
        *,
        help: str = "",
        related: tuple[Related, ...] = (),
        case: Related | None = None,
        alike: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Append one diagnostic, or add its `case` to the same mistake met through another.

        Mistakes through cases are the same if code, place and `alike` are.
        """
        cases = () if case is None else (case,)
        self.append(Diagnostic(code, message, place, help, related, cases, fix=fix), alike=alike)

    def append(self, item: Diagnostic, *, alike: str = "") -> None:
        """Append a diagnostic that has no case or one, as `add` does."""
        self._errors += item.severity == "error"
        if not item.cases:
            self.items.append(item)
            return
        (case,) = item.cases
        known = self._met.setdefault((item.code, item.place, alike), [])
        again = next((met for met in known if met.last != case), None)
        if again is None:
            known.append(_Met(len(self.items), case))
            self.items.append(item)
            return
        again.last = case
        first = self.items[again.index]
        if len(first.cases) < MOST_CASES:
            self.items[again.index] = replace(first, cases=(*first.cases, case))
        else:
            self.items[again.index] = replace(first, more_cases=first.more_cases + 1)

    def extend(self, more: Iterable[Diagnostic]) -> None:
        """Append diagnostics that are as they should be."""
        for item in more:
            self._errors += item.severity == "error"
            self.items.append(item)

    @property
    def errors(self) -> int:
        """How many errors were met, each case counted."""
        return self._errors

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def with_span(place: Place, span: Span | None) -> Place:
    """Return the place with its span filled in."""
    return replace(place, span=span)


def distinct(items: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics without repetitions, e.g. of a file that two roots include.

    Beside an error at the same place it is of no interest what others read there (FLT1035),
    and beside a spelling that has to go (FLT2020) not how long the number is (FLT2021).
    """
    first: dict[tuple[str, str, Place], Diagnostic] = {}
    for item in items:
        first.setdefault((item.code, item.message, item.place), item)
    found = list(first.values())
    wrong = {_spot(item) for item in found if item.severity == "error"}
    misspelled = {_spot(item) for item in found if item.code == "FLT2020" and not item.cases}
    beside = {"FLT1035": wrong, "FLT2021": misspelled}
    return [item for item in found if _spot(item) not in beside.get(item.code, ())]


def _spot(item: Diagnostic) -> tuple[str, Span | None]:
    return item.place.file, item.place.span
