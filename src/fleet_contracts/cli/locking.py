"""`--locked`, `--frozen` and `--offline`: what a command may do to the lock (spec section 5)."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from fleet_contracts.errors import UsageError
from fleet_contracts.lockfile import LOCK_NAME
from fleet_contracts.pins import Locking
from fleet_contracts.project import find_root

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

locked_option = click.option(
    "--locked",
    is_flag=True,
    envvar="FLEET_LOCKED",
    show_envvar=True,
    help="Fail if fleet.lock is missing or would change.",
)
frozen_option = click.option(
    "--frozen",
    is_flag=True,
    envvar="FLEET_FROZEN",
    show_envvar=True,
    help="Use fleet.lock as it is; fail at a builtin that is not in it.",
)
offline_option = click.option(
    "--offline",
    is_flag=True,
    envvar="FLEET_OFFLINE",
    show_envvar=True,
    help="Fail if anything asks for the network; nothing does.",
)


def locking_options(function: Decorated) -> Decorated:
    """Add the three options to a command."""
    return locked_option(frozen_option(offline_option(function)))


def asked_by(name: str) -> str:
    """Return what set a flag that is set, as a person knows it: its option or its variable."""
    source = click.get_current_context().get_parameter_source(name)
    return f"FLEET_{name.upper()}" if source is ParameterSource.ENVIRONMENT else f"--{name}"


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
