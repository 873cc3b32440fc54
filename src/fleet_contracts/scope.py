"""Where an authored node comes from, and how a finding about it becomes a diagnostic.

Rules and lowering speak of places relative to the node they look at: `("verifiers", 0,
"decision")`. A `Scope` knows which file that node stands in, which of its fields came from
`defaults`, and which row of a dataset it was made of.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import Bag, Edit, Fix, Part, Place, Related
from fleet_contracts.diagnostics.notation import Notations, Remedy, notation_at, said
from fleet_contracts.pointer import Pointer


@dataclass(frozen=True, slots=True)
class Location:
    """A node of an authored file: the file, its shown name, and the node's pointer."""

    path: Path
    name: str
    pointer: Pointer = ()

    def place(self, at: Pointer = (), kind: Literal["key", "value"] = "value") -> Place:
        """Return the place of something below this node."""
        return Place(self.name, self.pointer + at, kind)

    def below(self, *tokens: str | int) -> Location:
        """Return the location of a node below this one."""
        return Location(self.path, self.name, self.pointer + tokens)


NOTHING: frozenset[str] = frozenset()


@dataclass(slots=True)
class Scope:
    """One authored node under examination.

    `defaulted` names the fields that came from `defaults`; `row` is the dataset row it was
    made of, `notations` say what of it came from the row, `included` is where a TaskSet includes
    the file it stands in. `refused` names the fields that are missing because their shape is
    wrong. `failed` is set by the first error reported through this scope.
    """

    bag: Bag
    location: Location
    defaults: Location | None = None
    defaulted: frozenset[str] = NOTHING
    row: Place | None = None
    included: Place | None = None
    notations: Notations | None = None
    refused: frozenset[str] = NOTHING
    failed: bool = field(default=False, init=False)

    def origin(self, at: Pointer) -> Location:
        """Return the location whose file wrote what stands at `at`."""
        if self.defaults is not None and at and at[0] in self.defaulted:
            return self.defaults
        return self.location

    def report(
        self,
        code: str,
        message: str,
        at: Pointer,
        *,
        help: str | Remedy = "",
        key: bool = False,
        related: tuple[Related, ...] = (),
        alike: str = "",
        fix: Edit | None = None,
        part: Part | None = None,
    ) -> None:
        """Add a diagnostic about what stands at `at`, with every other place that explains it.

        `fix` is the one edit that mends the scalar there, or the `part` of it that is meant;
        `alike` as for `Bag.add`.
        """
        origin = self.origin(at)
        place = origin.place(at, "key" if key else "value")
        if part is not None:
            place = replace(place, part=part)
        if self.included is not None and origin is self.location:
            related = (*related, Related("included here", self.included))
        if CODES[code].severity == "error":
            self.failed = True
        self.bag.add(
            code,
            message,
            place,
            help=said(help, notation_at(self.notations, place.pointer)),
            related=related,
            case=self._case(origin),
            alike=alike,
            fix=Fix(place, fix) if fix else None,
        )

    def _case(self, origin: Location) -> Related | None:
        """Return the row or Task through which something about `origin` came about."""
        if self.row is not None:
            return Related("with this row", self.row)
        if origin is not self.location:
            here = self.location.place(kind="key")
            return Related("this Task takes it from `defaults`", here)
        return None
