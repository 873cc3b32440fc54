"""`fleet migrate`: authored files of an older version, made files of the current one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import click

from fleet_contracts.cli.exits import Exit, exit_for
from fleet_contracts.cli.options import color_option, max_input_bytes_option, project_option
from fleet_contracts.cli.output import wants_colours
from fleet_contracts.cli.paths import ALL_KINDS, open_project, shown_path
from fleet_contracts.cli.unified import unified
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.diagnostics.text import TextStyle, count_text, render_text
from fleet_contracts.editor.setup import write_whole
from fleet_contracts.errors import UsageError
from fleet_contracts.migrate import KINDS, Migrated, migrate_file
from fleet_contracts.pointer import format_pointer
from fleet_contracts.project import Project
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.source import Source


@dataclass(slots=True)
class _Run:
    """The files of a command and what was found in them."""

    project: Project
    bag: Bag = field(default_factory=Bag)
    sources: dict[str, Source] = field(default_factory=dict)

    def shown(self, name: str) -> str:
        """Return what a file is called from the working directory."""
        return shown_path(self.project, name)


@click.command("migrate")
@click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
@click.option("--write", "writes", is_flag=True, help="Replace the files; print no diff.")
@click.option("--check", "checks", is_flag=True, help="Fail if a file is of an older version.")
@color_option("Colours of what is wrong; as in `fleet check`.")
@project_option
@max_input_bytes_option
def migrate_command(
    *,
    paths: tuple[Path, ...],
    writes: bool,
    checks: bool,
    color: str,
    project: Path | None,
    max_input_bytes: int,
) -> Exit:
    """Bring authored files to the version that this release compiles.

    PATH is an authored file, or a folder for all authored files in it. Only the values
    change that the new version wants otherwise; comments and layout stay. What became of each
    field is told on stderr. A diff is printed on stdout, for `git apply` or `patch`, and
    nothing is written without --write. If a file cannot be migrated, none is.
    """
    if writes and checks:
        raise UsageError("--write and --check exclude each other", help="name one of them")
    opened, files = open_project(paths, project, ALL_KINDS)
    run = _Run(opened)
    found = [_migrate(run, file, max_input_bytes) for file in files]
    if run.bag.errors:
        return _refused(run, color)
    migrated = [each for each in found if each is not None]
    for each in migrated:
        _tell(run, each)
        if writes and each.changes:
            write_whole(each.path, each.after)
            click.echo(f"wrote {run.shown(each.name)}")
        elif not checks:
            lines = unified(each.before.decode(), each.after.decode(), run.shown(each.name))
            click.echo("".join(lines), nl=False)
    return Exit.ERRORS if checks and any(each.changes for each in migrated) else Exit.CLEAN


def _migrate(run: _Run, file: Path, max_bytes: int) -> Migrated | None:
    return migrate_file(run.project, file, run.bag, run.sources, max_bytes=max_bytes)


def _refused(run: _Run, color: str) -> Exit:
    """Print what is wrong; nothing was written."""
    items = resolve_places(run.bag, run.sources)
    for line in render_text(items, run.sources, TextStyle(wants_colours(color), run.shown)):
        click.echo(line)
    click.echo(f"\n{count_text(items, len(items), '')}")
    return exit_for(items)


def _tell(run: _Run, migrated: Migrated) -> None:
    """Say what became of each field of a file, and how many of each kind there are."""
    name = run.shown(migrated.name)
    if not migrated.changes:
        click.echo(f"{name}: {migrated.new}, nothing to migrate", err=True)
        return
    for change in migrated.changes:
        at = f"{format_pointer(change.pointer)}: " if change.pointer else ""
        place = f"{name}:{change.start.line}:{change.start.column}"
        click.echo(f"{place}: {change.kind}: {at}{change.message}", err=True)
    counts = Counter(change.kind for change in migrated.changes)
    counted = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS)
    click.echo(f"{name}: {migrated.old} to {migrated.new}: {counted}", err=True)
