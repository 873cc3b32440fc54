"""Which pin a builtin Environment gets: the locked one, else the catalogue's (spec section 5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from fleet_contracts.diagnostics.model import Edit, Place
from fleet_contracts.lockfile import LockFile
from fleet_contracts.models.lock import LockedBuiltin
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope
from fleet_contracts.suggest import closest


@dataclass(slots=True)
class Pins:
    """The pins of one project while its roots are compiled.

    `kept` and `added` name the builtins that roots use: locked before, or missing.
    """

    lock: LockFile
    catalog: dict[str, LockedBuiltin]
    kept: set[str] = field(default_factory=set)
    added: dict[str, LockedBuiltin] = field(default_factory=dict)

    def pin(self, scope: Scope, reference: str, at: Pointer) -> LockedBuiltin | None:
        """Return the pin of a builtin and note its use; None when nobody knows it."""
        offered = self.catalog.get(reference)
        locked = self.lock.pins.get(reference)
        if locked is not None:
            return self._kept(scope, locked, offered)
        if offered is None:
            self._unknown(scope, reference, at)
            return None
        if self.lock.first_generation:
            scope.report(
                "FLT5004",
                f"{reference} is not locked, and nothing is added to a fleet.lock.v1",
                at,
                help="delete fleet.lock and compile again, which locks all builtins anew",
            )
            return None
        self.added[reference] = offered
        return offered

    def _kept(
        self, scope: Scope, locked: LockedBuiltin, offered: LockedBuiltin | None
    ) -> LockedBuiltin:
        reference = locked.ref
        if reference not in self.kept and offered is not None and offered.image != locked.image:
            scope.bag.add(
                "FLT5010",
                f"{reference} is locked to {locked.image.value}, the catalogue has another image",
                Place(self.lock.name, ("builtins", list(self.lock.pins).index(reference))),
                help="the pin is kept; to move it, delete its entry and compile again",
            )
        self.kept.add(reference)
        if self.lock.first_generation and offered is not None:
            return offered if offered.image == locked.image else locked
        return locked

    def _unknown(self, scope: Scope, reference: str, at: Pointer) -> None:
        guess = closest(reference, self.catalog)
        known = ", ".join(sorted(self.catalog)) or "none"
        scope.report(
            "FLT3011",
            f"no builtin {reference!r} in the catalogue",
            at,
            help=f"did you mean {guess!r}?" if guess else f"builtins: {known}",
            fix=Edit(reference, guess) if guess else None,
        )
