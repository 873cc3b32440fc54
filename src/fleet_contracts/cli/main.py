"""`fleet` (also `flt`): the commands, each in a module that is imported when it is run."""

from __future__ import annotations

import gc
import importlib
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from fleet_contracts import __version__
from fleet_contracts.cli.exits import run


class Entry(NamedTuple):
    """A command: the module it is in, its function there, and one line of help."""

    module: str
    function: str
    help: str


COMMANDS = {
    "compile": Entry("compile", "compile_command", "Compile authored roots into a store."),
    "compile-verifier": Entry(
        "compile", "compile_verifier_command", "Compile a Verifier that stands alone."
    ),
    "check": Entry("compile", "check_command", "Check authored roots; write nothing."),
    "lock": Entry("lock", "lock_command", "Bring fleet.lock up to date."),
    "inspect": Entry("inspect", "inspect_command", "Show what is in a compiled store."),
    "cat": Entry("cat", "cat_command", "Write the bytes of an object in a store."),
    "diff": Entry("diff", "diff_command", "Say what changed, and what must be run again."),
    "verify": Entry("verify", "verify_command", "Check every byte of a store."),
    "gc": Entry("gc", "gc_command", "Remove what no root of a store reaches."),
    "explain": Entry("explain", "explain_command", "Say what a diagnostic means."),
    "init": Entry("init", "init_command", "Start a project that compiles at once."),
    "migrate": Entry("migrate", "migrate_command", "Bring authored files to the newest version."),
    "editor": Entry("editor", "editor_group", "Teach an editor the schemas."),
    "lsp": Entry("lsp", "lsp_command", "Serve an editor over stdio."),
    "completion": Entry("completion", "completion_command", "Print a shell completion script."),
}


class Commands(click.Group):
    """A group whose help names every command without importing it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and return the command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"fleet_contracts.cli.{entry.module}")
        command: click.Command = getattr(module, entry.function)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that start like this, without importing them, and options."""
        named = [
            CompletionItem(name, help=entry.help)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return named + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fleet")
def fleet() -> None:
    """Compile agent evaluations to canonical, digested, immutable content."""


def main() -> None:
    """Run `fleet` and leave the process.

    The garbage collector is off: a compile makes millions of objects that live to its end.
    """
    gc.disable()
    run(fleet, "fleet")
