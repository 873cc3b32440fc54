"""What a run does to the lock, and how it is told when that is not wanted (spec section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fleet_contracts.diagnostics.model import Bag, Place, Related
from fleet_contracts.lockfile import lock_text
from fleet_contracts.pins import Pins

DRIFT = "FLT5006"


@dataclass(slots=True)
class LockChange:
    """Texts of the lock before and after, and which builtins were kept, added, moved or dropped.

    `before` is empty where there is no file. Where nothing changes, `after` is `before`.
    """

    before: str = ""
    after: str = ""
    kept: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    written: bool = False

    @property
    def is_current(self) -> bool:
        """Whether there is nothing to write."""
        return self.after == self.before


def change_of(pins: Pins, *, rewrites: bool = False, prune: bool = False) -> LockChange:
    """Return what the builtins that roots use make of the lock.

    With `rewrites` the text becomes that of the newest generation even where no pin changes;
    with `prune` pins that no root uses are dropped.
    """
    lock = pins.lock
    change = LockChange(lock.text, lock.text, kept=sorted(pins.kept), added=sorted(pins.added))
    change.moved = sorted(pins.moved)
    if prune:
        change.dropped = sorted(lock.pins.keys() - pins.kept)
        change.moved = sorted(pins.moved.keys() & pins.kept)
    if pins.added or (rewrites and lock.exists):
        locked = {ref: pins.current(pin) for ref, pin in lock.pins.items()}
        wanted = {**locked, **pins.moved, **pins.added}
        change.after = lock_text({ref: wanted[ref] for ref in wanted.keys() - {*change.dropped}})
    return change


def report_drift(change: LockChange, pins: Pins, bag: Bag, command: str) -> None:
    """Report a lock that is not what it has to be; `command` makes it so."""
    if change.is_current:
        return
    name, by = pins.lock.name, pins.locking.locked
    state = "is not up to date" if pins.lock.exists else "is missing"
    demanded = f", and {by} lets nothing be written" if by else ""
    bag.add(
        DRIFT,
        f"{name} {state}{demanded}: {'; '.join(_reasons(change, pins))}",
        Place(name),
        help=f"run `{command}` and commit {name}",
        related=tuple(Related(f"{ref} is used here", pins.used[ref]) for ref in change.added),
    )


def _reasons(change: LockChange, pins: Pins) -> Iterator[str]:
    """Yield what would happen to the lock."""
    done = {"added": change.added, "moved": change.moved, "dropped": change.dropped}
    if pins.lock.first_generation:
        yield "it would become a fleet.lock.v2"
    for verb, references in done.items():
        if references:
            yield f"{', '.join(references)} would be {verb}"
    if not (pins.lock.first_generation or any(done.values())):
        yield "its text would be put in order"
