"""What a Task declares that its Verifiers may name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import UNSET

from fleet_contracts.models import authoring as a
from fleet_contracts.rules.subjects import DEFAULT_SEATS

_NONE: frozenset[str] = frozenset()
_NOWHERE: Mapping[str, int] = {}


class Declared(NamedTuple):
    """Capture ids, paths of seed mounts, seats of the roster, endpoints of the Environment.

    `endpoints` is None where the Environment is not known. `writable` has the index of each
    seed mount that is not read-only by its path, and `captured` the paths of captures if there
    is such a mount.
    """

    captures: frozenset[str]
    mounts: frozenset[str]
    seats: frozenset[str]
    endpoints: frozenset[str] | None
    writable: Mapping[str, int] = _NOWHERE
    captured: tuple[str, ...] = ()

    def has_mount(self, path: str) -> bool:
        """Tell whether a path is that of a seed mount or lies inside one."""
        return self.mount_of(path) is not None

    def mount_of(self, path: str) -> str | None:
        """Return the innermost seed mount that has a path, None where it is in no mount."""
        return max((each for each in self.mounts if is_within(path, each)), key=len, default=None)

    def captures_path(self, path: str) -> bool:
        """Tell whether a capture takes an absolute path, or may take it if it is relative."""
        return any(
            is_within(path, each) if each.startswith("/") else f"/{each}/" in f"{path}/"
            for each in self.captured
        )


def is_within(path: str, folder: str) -> bool:
    """Tell whether a path is another one or lies below it.

    >>> is_within("/data/a", "/data"), is_within("/data", "/data"), is_within("/database", "/data")
    (True, True, False)
    """
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def declared_by(task: a.Task, endpoints: frozenset[str] | None) -> Declared:
    """Return what a Task declares; without a roster there is one seat `agent`."""
    writable = _NOWHERE if task.seed_mounts is UNSET else _writable(task.seed_mounts)
    return Declared(
        _NONE if task.captures is UNSET else frozenset(each.id for each in task.captures),
        _NONE if task.seed_mounts is UNSET else frozenset(each.path for each in task.seed_mounts),
        DEFAULT_SEATS if not task.roster else frozenset(each.seat for each in task.roster),
        endpoints,
        writable,
        tuple(each.path for each in task.captures or ()) if writable else (),
    )


def _writable(mounts: list[a.SeedMount]) -> Mapping[str, int]:
    return {each.path: index for index, each in enumerate(mounts) if each.read_only is False}
