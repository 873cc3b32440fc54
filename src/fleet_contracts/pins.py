"""Which pin a builtin Environment gets: the locked one, else the catalogue's (spec section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from fleet_contracts.diagnostics.model import Edit, Place
from fleet_contracts.lockfile import LockFile, entry_digest
from fleet_contracts.models.lock import LockedBuiltin
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope
from fleet_contracts.suggest import closest


@dataclass(frozen=True, slots=True)
class Locking:
    """What a run may do to the lock; by default it adds what is missing.

    `locked` and `frozen` are what forbids that, `--locked` or `FLEET_LOCKED` for instance, empty
    where nothing does. With `locked` it is found out what would be added, with `frozen` a
    builtin that is not locked has no pin. With `rewrites` a fleet.lock.v1 becomes a v2, and
    may get more pins. `command` makes the lock current.
    """

    locked: str = ""
    frozen: str = ""
    rewrites: bool = False
    command: str = "fleet lock"


@dataclass(slots=True)
class Pins:
    """The pins of one project while its roots are compiled.

    `kept` and `added` name the builtins that roots use: locked before, or missing; `used` says
    where the latter are used first. `moved` are pins that replace locked ones.
    """

    lock: LockFile
    catalog: dict[str, LockedBuiltin]
    locking: Locking = field(default_factory=Locking)
    kept: set[str] = field(default_factory=set)
    added: dict[str, LockedBuiltin] = field(default_factory=dict)
    used: dict[str, Place] = field(default_factory=dict)
    moved: dict[str, LockedBuiltin] = field(default_factory=dict)

    def move(self, references: Iterable[str]) -> None:
        """Let locked builtins have the pins of the catalogue, where it has others."""
        for reference in references:
            locked, offered = self.lock.pins[reference], self.catalog.get(reference)
            if offered is not None and offered != self.current(locked):
                self.moved[reference] = offered

    def pin(self, scope: Scope, reference: str, at: Pointer) -> LockedBuiltin | None:
        """Return the pin of a builtin and note its use; None when nobody knows it."""
        offered = self.catalog.get(reference)
        locked = self.lock.pins.get(reference)
        if locked is not None:
            return self._kept(scope, locked, offered)
        if offered is None:
            self._unknown(scope, reference, at)
            return None
        if self.locking.frozen:
            scope.report(
                "FLT5005",
                f"{reference} is not locked, and {self.locking.frozen} lets nothing be added",
                at,
                help=f"run `{self.locking.command}` and commit {self.lock.name}",
            )
            return None
        if self.lock.first_generation and not (self.locking.rewrites or self.locking.locked):
            scope.report(
                "FLT5004",
                f"{reference} is not locked, and nothing is added to a fleet.lock.v1",
                at,
                help=f"run `{self.locking.command}`, which makes it a fleet.lock.v2"
                " that has all builtins",
            )
            return None
        self.added[reference] = offered
        self.used.setdefault(reference, scope.origin(at).place(at))
        return offered

    def current(self, locked: LockedBuiltin) -> LockedBuiltin:
        """Return a locked pin as the second generation of locks has it.

        One of the first generation has the catalogue's endpoints and native tools while the
        catalogue has its image, else none.
        """
        if not self.lock.first_generation:
            return locked
        offered = self.catalog.get(locked.ref)
        if offered is not None and offered.image == locked.image:
            return offered
        digest = entry_digest(msgspec.to_builtins(locked))
        return msgspec.structs.replace(locked, catalog_entry=digest)

    def _kept(
        self, scope: Scope, locked: LockedBuiltin, offered: LockedBuiltin | None
    ) -> LockedBuiltin:
        reference = locked.ref
        is_first = reference not in self.kept
        self.kept.add(reference)
        if reference in self.moved:
            return self.moved[reference]
        pin = self.current(locked)
        if is_first and not self.locking.frozen and offered is not None and offered != pin:
            self._differs(scope, pin, offered)
        return pin

    def _differs(self, scope: Scope, pin: LockedBuiltin, offered: LockedBuiltin) -> None:
        """Note that the catalogue has moved on."""
        if offered.image != pin.image:
            what = "another image"
        else:
            what = "other " + (
                "endpoints" if offered.endpoints != pin.endpoints else "native tools"
            )
        scope.bag.add(
            "FLT5010",
            f"{pin.ref} is locked to {pin.image.value}, the catalogue has {what}",
            Place(self.lock.name, ("builtins", list(self.lock.pins).index(pin.ref))),
            help=f"the pin is kept; `{self.locking.command} --upgrade {pin.ref}` moves it",
        )

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
