"""`fleet lsp`: the language server."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path

import click

from fleet_contracts.cli.exits import Exit
from fleet_contracts.cli.options import catalog_option, max_input_bytes_option
from fleet_contracts.errors import UsageError
from fleet_contracts.schemas import CATALOG_FILE

NEEDED = ("pygls", "lsprotocol")


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="What editors pass; there is no other way.")
@catalog_option(CATALOG_FILE)
@max_input_bytes_option
def lsp_command(stdio: bool, catalog: Path, max_input_bytes: int) -> Exit:
    """Serve an editor: the Language Server Protocol on standard input and output.

    Shows what `fleet check` finds while a file is edited, with fixes; goes to the definition
    of names and files; completes names. Logs go to standard error.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the language server needs the package {missing[0]}, which is not installed",
            help="pip install 'fleet-contracts[lsp]'",
        )
    checking = importlib.import_module("fleet_contracts.lsp.checking")
    server = importlib.import_module("fleet_contracts.lsp.server")
    settings = checking.Settings(catalog, max_input_bytes)
    return Exit.CLEAN if server.serve(settings) else Exit.ERRORS
