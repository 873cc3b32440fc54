"""`fleet inspect`: what is in a compiled store, for people, programs and drawings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from fleet_contracts.cli.exits import Exit
from fleet_contracts.cli.options import format_option
from fleet_contracts.cli.output import takes_unicode
from fleet_contracts.cli.stores import (
    complete_root,
    open_store,
    store_errors,
    store_folder,
    store_options,
)
from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.inspecting import View, find, look, look_at_store
from fleet_contracts.inspecting.branches import ASCII, BOXES, draw
from fleet_contracts.inspecting.graphs import GRAPHS
from fleet_contracts.inspecting.machine import machine_form
from fleet_contracts.inspecting.outline import MOST_ITEMS, Outline
from fleet_contracts.inspecting.views import forest_of
from fleet_contracts.inspecting.yaml_text import YamlWriter
from fleet_contracts.store.reader import Store

FORMATS = ("text", "json", "yaml")


@click.command("inspect")
@click.argument("what", metavar="[WHAT]", required=False, shell_complete=complete_root)
@store_options
@format_option(FORMATS, "JSON and YAML hold everything.")
@click.option("--graph", type=click.Choice(list(GRAPHS)), help="Draw a Task's Verifiers.")
@click.option("--all", "shows_all", is_flag=True, help="Cut nothing short in text.")
def inspect_command(
    *,
    what: str | None,
    output: Path | None,
    project: Path | None,
    form: str,
    graph: str | None,
    shows_all: bool,
) -> Exit:
    """Show what is in a compiled store.

    WHAT is the name of a root, ROOT#KEY for a Task, or the digest of anything; eight hex digits
    of it are enough where they fit one thing only. Without WHAT, the roots are listed.
    """
    if graph is not None and form != "text":
        raise UsageError("--graph is a form of its own", help="leave --format away, or --graph")
    folder = store_folder(output, project)
    with store_errors():
        store = open_store(folder)
        try:
            view = _view(store, what, folder)
            if graph is None:
                lines = list(_lines(form, view, shows_all=shows_all))
            else:
                lines = list(GRAPHS[graph](what or "", forest_of(view)))
        except RecursionError:
            raise UnresolvedError(
                f"{what} is nested too deeply to be shown", help="`fleet cat` gives its bytes"
            ) from None
    for line in lines:
        print(line)
    return Exit.CLEAN


def _view(store: Store, what: str | None, folder: Path) -> View:
    return look_at_store(store, str(folder)) if what is None else look(store, find(store, what))


def _lines(form: str, view: View, *, shows_all: bool) -> Iterator[str]:
    """Yield what is printed about a view."""
    unicode = takes_unicode()
    if form == "json":
        yield json.dumps(machine_form(view), indent=2, ensure_ascii=not unicode)
    elif form == "yaml":
        yield from YamlWriter(ascii_only=not unicode).lines(machine_form(view))
    else:
        outline = Outline(None if shows_all else MOST_ITEMS)
        yield from draw(outline.of(view), BOXES if unicode else ASCII)
