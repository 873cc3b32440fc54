"""Options that every command has which reports diagnostics of a project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from fleet_contracts.cli.output import COLORS
from fleet_contracts.cli.report import FORMATS
from fleet_contracts.reading.decode import MAX_INPUT_BYTES

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_MOST = 50

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)

catalog_option = click.option(
    "--catalog", metavar="FILE", type=_FILE, help="Builtins to use instead."
)

_OPTIONS = (
    click.option(
        "--format",
        "form",
        type=click.Choice(list(FORMATS)),
        default="text",
        show_default=True,
        help="How the report on stdout is written.",
    ),
    click.option(
        "--color",
        type=click.Choice(COLORS),
        default="auto",
        show_default=True,
        help="Colours in text; auto is a terminal, NO_COLOR and FORCE_COLOR change it.",
    ),
    click.option(
        "--project",
        metavar="DIR",
        type=_FOLDER,
        help="The project root; without it the nearest folder with fleet.lock or .git.",
    ),
    click.option(
        "--max-input-bytes",
        metavar="N",
        type=click.IntRange(min=1),
        default=MAX_INPUT_BYTES,
        show_default=True,
        help="Refuse larger files.",
    ),
    click.option(
        "--max-errors",
        metavar="N",
        type=click.IntRange(min=0),
        default=DEFAULT_MOST,
        show_default=True,
        help="Show at most N diagnostics as text and as annotations; 0 shows all.",
    ),
)


def report_options(function: Decorated) -> Decorated:
    """Add these options to a command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
