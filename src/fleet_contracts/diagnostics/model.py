"""What is wrong with a document, as a value (spec section 9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from fleet_contracts.diagnostics.codes import CODES, Severity
from fleet_contracts.pointer import Pointer
from fleet_contracts.source import Span


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands.

    Most places are known first by `pointer` alone and get their `span` late, when
    somebody is going to read them: `at` says whether the key or the value is meant.
    A file that is not a tree (JSON lines, CSV, bytes) has a span and no pointer.
    """

    file: str
    pointer: Pointer = ()
    at: Literal["key", "value"] = "value"
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains a diagnostic, e.g. where a key was defined first."""

    message: str
    place: Place


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake: what was found, what was expected, where, and how to mend it."""

    code: str
    message: str
    place: Place
    help: str = ""
    related: tuple[Related, ...] = ()

    @property
    def severity(self) -> Severity:
        """The severity its code has in the table."""
        return CODES[self.code].severity


@dataclass(slots=True)
class Bag:
    """Diagnostics in the order they were found."""

    items: list[Diagnostic] = field(default_factory=list)

    def add(
        self,
        code: str,
        message: str,
        place: Place,
        *,
        help: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        """Append one diagnostic."""
        self.items.append(Diagnostic(code, message, place, help, related))

    def extend(self, more: Bag) -> None:
        """Append all diagnostics of another bag."""
        self.items.extend(more.items)

    @property
    def errors(self) -> int:
        """How many are errors."""
        return sum(item.severity == "error" for item in self.items)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def with_span(place: Place, span: Span | None) -> Place:
    """Return the place with its span filled in."""
    return replace(place, span=span)
