"""`fleet completion`: what a shell needs to complete command lines."""

from __future__ import annotations

import os
from pathlib import PurePath

import click
from click.shell_completion import get_completion_class

from fleet_contracts.cli.exits import Exit
from fleet_contracts.errors import UsageError

SHELLS = ("bash", "zsh", "fish")
PROGRAMS = {
    "fleet": "_FLEET_COMPLETE",
    "flt": "_FLEET_COMPLETE",
    "fleet-runtime": "_FLEET_RUNTIME_COMPLETE",
}
"""The programs, and the variable that asks each of them for completions."""


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def completion_command(shell: str | None) -> Exit:
    """Print a script that completes fleet, flt and fleet-runtime in a shell.

    Without a name of a shell, $SHELL decides. Load it where the shell starts:

    \b
      bash   eval "$(fleet completion bash)"        in ~/.bashrc
      zsh    eval "$(fleet completion zsh)"         in ~/.zshrc, after compinit
      fish   fleet completion fish | source         in ~/.config/fish/config.fish
    """
    click.echo(script(shell or _shell_of(os.environ.get("SHELL", ""))))
    return Exit.CLEAN


def script(shell: str) -> str:
    """Return the script for a shell: a function for each program, and its registration."""
    made = get_completion_class(shell)
    assert made is not None  # the three are click's own
    command = click.Command("fleet")  # a script does not depend on what is completed
    return "\n".join(
        made(command, {}, program, variable).source().strip() + "\n"
        for program, variable in PROGRAMS.items()
    )


def _shell_of(path: str) -> str:
    """Return the shell that a path names; raises `UsageError`."""
    name = PurePath(path).name
    if name not in SHELLS:
        found = f"SHELL is {path!r}" if path else "SHELL is not set"
        raise UsageError(f"no shell to complete for: {found}", help=f"name one of {list(SHELLS)}")
    return name
