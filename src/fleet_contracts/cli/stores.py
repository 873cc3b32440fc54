"""What commands that read a compiled store share: which store, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from fleet_contracts.cli.exits import Exit
from fleet_contracts.cli.options import project_option, together
from fleet_contracts.errors import FleetError, UnresolvedError
from fleet_contracts.project import STORE_NAME, find_root
from fleet_contracts.store.layout import is_store
from fleet_contracts.store.model import StoreError
from fleet_contracts.store.reader import Store

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


store_options = together(
    click.option(
        "-o",
        "--output",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="The store to read; default .fleet in the project root.",
    ),
    project_option,
)
"""The options of `fleet compile` that say where the store is."""


def store_folder(output: Path | None, project: Path | None) -> Path:
    """Return the folder of the store that is asked for, seen from the working directory."""
    if output is not None:
        return output
    here = Path.cwd()
    folder = (project or find_root(here / STORE_NAME)) / STORE_NAME
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def open_store(folder: Path) -> Store:
    """Open the store to read from; raises what `Store.open` raises."""
    if not is_store(folder):
        raise UnresolvedError(
            f"there is no store at {folder}",
            help="`fleet compile` makes one; -o DIR names another",
        )
    return Store.open(folder)


@contextmanager
def store_errors() -> Iterator[None]:
    """Tell what is wrong with a store like any diagnostic, and end with its exit code."""
    try:
        yield
    except StoreError as error:
        click.echo(f"{error.path}: error[{error.code}]: {error.message}", err=True)
        if error.help:
            click.echo(f"  = help: {error.help}", err=True)
        raise click.exceptions.Exit(Exit.ERRORS) from None


def complete_root(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the names of roots that start like a word; none where no store can be read."""
    try:
        store = Store.open(
            store_folder(context.params.get("output"), context.params.get("project"))
        )
    except (FleetError, OSError):
        return []
    names = sorted(root.name for root in store.roots if root.name is not None)
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
