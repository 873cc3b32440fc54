"""`--locked`, `--frozen` and `--offline`: what a command may do to the lock (spec section 5)."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from fleet_contracts.cli.options import asked_by, flag_option, together
from fleet_contracts.errors import UsageError
from fleet_contracts.lockfile import LOCK_NAME
from fleet_contracts.pins import Locking
from fleet_contracts.project import find_root

locked_option = flag_option("locked", "Fail if fleet.lock is missing or would change.")
frozen_option = flag_option(
    "frozen", "Use fleet.lock as it is; fail at a builtin that is not in it."
)
offline_option = flag_option("offline", "Fail if anything asks for the network; nothing does.")
locking_options = together(locked_option, frozen_option, offline_option)


def locking_of(*, locked: bool, frozen: bool, root: Path, catalog: Path | None) -> Locking:
    """Return what a command may do to the lock of a project root; raises `UsageError`."""
    if locked and frozen:
        raise UsageError(
            f"{asked_by('locked')} and {asked_by('frozen')} exclude each other",
            help="--locked compares fleet.lock with what is used, --frozen compares nothing",
        )
    return Locking(
        locked=asked_by("locked") if locked else "",
        frozen=asked_by("frozen") if frozen else "",
        command=lock_command_line(root, catalog),
    )


def lock_command_line(root: Path, catalog: Path | None, *more: str) -> str:
    """Return the command, to be run from here, that makes the lock of a project root current."""
    words = ["fleet", "lock", *more]
    if find_root(Path(LOCK_NAME)) != root:
        words += ["--project", os.path.relpath(root)]
    if catalog is not None:
        words += ["--catalog", str(catalog)]
    return shlex.join(words)
