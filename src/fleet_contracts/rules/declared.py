"""What a Task declares that its Verifiers may name."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from fleet_contracts.models import authoring as a
from fleet_contracts.rules.subjects import DEFAULT_SEATS

_NONE: frozenset[str] = frozenset()


class Declared(NamedTuple):
    """Capture ids, paths of seed mounts, seats of the roster, endpoints of the Environment.

    `endpoints` is None where the Environment is not known.
    """

    captures: frozenset[str]
    mounts: frozenset[str]
    seats: frozenset[str]
    endpoints: frozenset[str] | None

    def has_mount(self, path: str) -> bool:
        """Tell whether a path is that of a seed mount or lies inside one."""
        return path in self.mounts or any(
            path.startswith(mount.rstrip("/") + "/") for mount in self.mounts
        )


def declared_by(task: a.Task, endpoints: frozenset[str] | None) -> Declared:
    """Return what a Task declares; without a roster there is one seat `agent`."""
    return Declared(
        _NONE if task.captures is UNSET else frozenset(each.id for each in task.captures),
        _NONE if task.seed_mounts is UNSET else frozenset(each.path for each in task.seed_mounts),
        DEFAULT_SEATS if not task.roster else frozenset(each.seat for each in task.roster),
        endpoints,
    )
