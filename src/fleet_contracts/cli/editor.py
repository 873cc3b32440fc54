"""`fleet editor`: what an editor needs to check, complete and explain authored files."""

from __future__ import annotations

import json
from pathlib import Path

import click

from fleet_contracts.cli.exits import Exit
from fleet_contracts.editor import vscode
from fleet_contracts.editor.kinds import FOLDER, KINDS
from fleet_contracts.editor.setup import Plan, plan_setup, write
from fleet_contracts.errors import UsageError
from fleet_contracts.project import find_root

OTHER_EDITORS = f"""
Any editor with the YAML language server: put a line like this first in a file, with the path
from that file to {FOLDER}/:
  # yaml-language-server: $schema={KINDS[0].schema_path.removeprefix("./")}
VS Code: fleet editor setup --vscode
Neovim, Helix, Zed: give the server `yaml-language-server` the settings that
  fleet editor setup --print
shows, with `yaml.schemas` as `schemas` inside of `yaml`.
JetBrains: Settings, JSON Schema Mappings: map each file of {FOLDER}/ to its file name patterns.
"""


@click.group("editor")
def editor_group() -> None:
    """Teach an editor the schemas of authored files."""


@editor_group.command("setup")
@click.argument(
    "folder",
    metavar="[DIR]",
    default=".",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--vscode", "is_vscode", is_flag=True, help="Add to the settings in .vscode, too.")
@click.option("--print", "is_print", is_flag=True, help="Print the settings; write nothing.")
@click.option("--check", "is_check", is_flag=True, help="Say what would change; write nothing.")
@click.option(
    "--base-url",
    metavar="URL",
    default="",
    help="Where the schema folder is served, for the catalogue.",
)
def setup_command(
    folder: Path, is_vscode: bool, is_print: bool, is_check: bool, base_url: str
) -> Exit:
    """Write the schemas of authored files into a project, for its editors.

    DIR is in the project; `.schemas` is written in the project root: the nearest folder above
    with fleet.lock or .git, else DIR itself. Everything in it can be committed. Settings
    that are there already are added to, and nothing in them is taken away.
    """
    if is_print:
        if is_vscode or is_check or base_url:
            raise UsageError("--print writes and compares nothing", help="name it alone")
        click.echo(json.dumps(vscode.settings(), indent=2))
        return Exit.CLEAN
    plan = plan_setup(find_root(folder / FOLDER), base=base_url, is_vscode=is_vscode)
    if plan.problems:
        return _refused(plan)
    if not is_check:
        write(plan)
    _report(plan)
    if is_check:
        return Exit.CLEAN if plan.is_up_to_date else Exit.ERRORS
    if not is_vscode:
        click.echo(OTHER_EDITORS, nl=False)
    return Exit.CLEAN


def _refused(plan: Plan) -> Exit:
    for problem in plan.problems:
        click.echo(f"error: {problem}", err=True)
    help = "mend the file, or add what `fleet editor setup --print` shows by hand"
    click.echo(f"  = help: {help}; nothing was written", err=True)
    return Exit.ERRORS


def _report(plan: Plan) -> None:
    click.echo(f"in {plan.root}:")
    for file in plan.files:
        click.echo(f"  {file.change:<9}  {file.path}")
    for note in plan.notes:
        click.echo(f"note: {note}", err=True)
