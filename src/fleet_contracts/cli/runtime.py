"""`fleet-runtime`: the Runtime's side of the contracts."""

from __future__ import annotations

import click

from fleet_contracts import __version__
from fleet_contracts.cli.exits import run


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fleet-runtime")
def fleet_runtime() -> None:
    """Work with the Runtime's record contracts."""


def main() -> None:
    """Run `fleet-runtime` and leave the process."""
    run(fleet_runtime, "fleet-runtime")
