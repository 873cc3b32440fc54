"""`fleet cat`: the exact bytes of an object in a compiled store."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from fleet_contracts.cli.exits import Exit
from fleet_contracts.cli.stores import (
    complete_root,
    open_store,
    store_errors,
    store_folder,
    store_options,
)
from fleet_contracts.inspecting import chunks_of, find


@click.command("cat")
@click.argument("what", metavar="WHAT", shell_complete=complete_root)
@store_options
def cat_command(what: str, output: Path | None, project: Path | None) -> Exit:
    """Write the exact bytes of an object to stdout, wherever in the store they are.

    WHAT is a digest, whole or its first eight hex digits or more; the name of a root for its
    document; or ROOT#KEY for a Task. Nothing is written of an object whose bytes do not
    have its digest.
    """
    with store_errors():
        store = open_store(store_folder(output, project))
        ref = find(store, what).ref
        for _ in chunks_of(store, ref):
            pass  # read to its end, it is known to be right
        stream = sys.stdout.buffer
        for chunk in chunks_of(store, ref):
            stream.write(chunk)
        stream.flush()
    return Exit.CLEAN
