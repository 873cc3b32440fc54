"""`fleet init`: a project that compiles at once."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from fleet_contracts.cli.exits import Exit
from fleet_contracts.errors import UsageError
from fleet_contracts.scaffold import KINDS, Scaffold, plan_scaffold, write_new
from fleet_contracts.suggest import closest


def _complete(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the kinds, where none is named yet, and that a folder may follow."""
    kinds = [] if context.params.get("words") else KINDS
    folder = CompletionItem(incomplete, type="dir")
    return [folder, *(CompletionItem(kind) for kind in kinds if kind.startswith(incomplete))]


@click.command("init")
@click.argument("words", metavar=f"[{'|'.join(KINDS)}] [DIR]", nargs=-1, shell_complete=_complete)
def init_command(words: tuple[str, ...]) -> Exit:
    """Start a project that compiles at once.

    Writes a small TaskSet (or an Environment, or a Verifier that stands alone) with what
    belongs to it into DIR, and into the project root schemas for editors, .gitignore,
    .gitattributes and a workflow that checks everything. Nothing that is there is changed.
    """
    kind, folder = _kind_and_folder(words)
    scaffold = plan_scaffold(kind, folder)
    if scaffold.taken:
        return _refused(scaffold)
    write_new(scaffold.new)
    for path in scaffold.new:
        click.echo(f"new        {_shown(path)}")
    for path in scaffold.same:
        click.echo(f"unchanged  {_shown(path)}")
    for note in scaffold.notes:
        click.echo(f"note: {note}", err=True)
    verb = "fleet compile-verifier" if kind == "verifier" else "fleet compile"
    click.echo(f"\nnext: {verb} {shlex.quote(_shown(scaffold.authored))}")
    return Exit.CLEAN


def _kind_and_folder(words: tuple[str, ...]) -> tuple[str, Path]:
    """Return what was asked for; either word may be left out."""
    if len(words) > 2:
        raise UsageError(f"expected a kind and a folder, found {len(words)} words")
    if words and words[0] in KINDS:
        folder = words[1] if len(words) == 2 else "."
        kind = words[0]
    else:
        kind, folder = KINDS[0], words[0] if words else "."
        meant = closest(folder, KINDS)
        if len(words) == 2 or (meant and not Path(folder).exists()):
            raise UsageError(
                f"expected {', '.join(KINDS[:-1])} or {KINDS[-1]}, found {folder!r}",
                help=f"did you mean {meant!r}?" if meant else "name the kind first, then DIR",
            )
    if Path(folder).exists() and not Path(folder).is_dir():
        raise UsageError(f"{folder} is no folder", help="name a folder, which may be a new one")
    return kind, Path(folder)


def _refused(scaffold: Scaffold) -> Exit:
    for path in scaffold.taken:
        click.echo(f"error: {_shown(path)} is there, with other content", err=True)
    help = "name another folder, or move these files away; nothing was written"
    click.echo(f"  = help: {help}", err=True)
    return Exit.ERRORS


def _shown(path: Path) -> str:
    """Return a path from the working directory, if it is below it."""
    here = os.path.relpath(path)
    return str(path) if here.startswith(os.pardir + os.sep + os.pardir) else here
