"""`fleet gc`: removes what no root of a store reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from fleet_contracts.cli.exits import Exit, exit_for
from fleet_contracts.cli.output import dumped
from fleet_contracts.cli.store_report import (
    diagnostic_lines,
    named_store,
    shown,
    store_report_options,
)
from fleet_contracts.cli.stores import store_folder
from fleet_contracts.diagnostics.json import render_json
from fleet_contracts.diagnostics.model import Diagnostic, Place
from fleet_contracts.store.gc import Collected, collect
from fleet_contracts.store.model import StoreError


@click.command("gc")
@click.argument("word", metavar="[DIR]", required=False)
@click.option("--dry-run", is_flag=True, help="Say what would be removed; remove nothing.")
@store_report_options
def gc_command(word: str | None, dry_run: bool, form: str, color: str, max_errors: int) -> Exit:
    """Remove what no root of a store reaches.

    Blobs of roots that were compiled again, and what killed compiles left behind. DIR is a
    store, by default .fleet in the project root. Nothing is removed while a compile is writing
    to it, nor from a store in which what the roots reach cannot be told.
    """
    directory = store_folder(None, None) if word is None else named_store(word)
    try:
        collected = collect(directory, dry_run=dry_run)
    except StoreError as error:
        collected = Collected(problems=[error])
    items = [
        Diagnostic(each.code, each.message, Place(each.path), each.help)
        for each in collected.problems
    ]
    if form == "json":
        print(dumped(_document(directory, collected, items, dry_run=dry_run)))
    else:
        yielded = _text(directory, collected, dry_run=dry_run)
        for line in (*diagnostic_lines(items, color, max_errors, ""), *yielded):
            print(line)
    return exit_for(items)


def _text(directory: Path, collected: Collected, *, dry_run: bool) -> Iterator[str]:
    """Yield a line for each thing that went, and how much that was."""
    name = shown(str(directory))
    if collected.problems:
        yield f"{name}  nothing removed: what the roots reach cannot be told"
        return
    verb = "would remove" if dry_run else "removed"
    for ref in collected.blobs:
        yield f"{verb} {ref.digest}  {ref.size:,} bytes"
    for folder in collected.leftovers:
        yield f"{verb} {shown(str(folder))}, left by a compile that was killed"
    kept = f"{collected.kept:,} {_blobs(collected.kept)}, {collected.kept_bytes:,} bytes kept"
    count = len(collected.blobs)
    yield (
        f"{name}  {count:,} {_blobs(count)}, {collected.removed_bytes:,} bytes"
        f" {'to remove' if dry_run else 'removed'}; {kept}"
    )


def _blobs(count: int) -> str:
    return "blob" if count == 1 else "blobs"


def _document(
    directory: Path, collected: Collected, items: Sequence[Diagnostic], *, dry_run: bool
) -> dict[str, Any]:
    """Return a document of `schemas/report/gc.v1.json`."""
    return {
        "report": "fleet.gc_report.v1",
        "path": shown(str(directory)),
        "dry_run": dry_run,
        "blobs": [{"digest": ref.digest, "size": ref.size} for ref in collected.blobs],
        "leftovers": [shown(str(folder)) for folder in collected.leftovers],
        "bytes": collected.removed_bytes,
        "kept": {"blobs": collected.kept, "bytes": collected.kept_bytes},
        "diagnostics": render_json(items, shown),
    }
