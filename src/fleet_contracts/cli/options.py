"""Options that several commands have, each written once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from fleet_contracts.cli.output import COLORS
from fleet_contracts.reading.decode import MAX_INPUT_BYTES

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Option: TypeAlias = Callable[[Decorated], Decorated]

DEFAULT_MOST = 50

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def together(*options: Option[Any]) -> Option[Any]:
    """Return a decorator that adds options in the order in which the help lists them."""

    def decorate(function: Decorated) -> Decorated:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def format_option(
    forms: Sequence[str], help: str = "How the report on stdout is written."
) -> Option[Any]:
    """Return `--format`, the parameter `form`: one of some forms, by default text."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default="text",
        show_default=True,
        help=help,
    )


def color_option(
    help: str = "Colours in text; auto is a terminal, NO_COLOR and FORCE_COLOR change it.",
) -> Option[Any]:
    """Return `--color`."""
    return click.option(
        "--color", type=click.Choice(COLORS), default="auto", show_default=True, help=help
    )


def flag_option(name: str, help: str) -> Option[Any]:
    """Return a flag that its variable `FLEET_NAME` sets, too."""
    return click.option(
        f"--{name}", is_flag=True, envvar=f"FLEET_{name.upper()}", show_envvar=True, help=help
    )


def asked_by(name: str) -> str:
    """Return what set a flag that is set, as a person knows it: its option or its variable."""
    source = click.get_current_context().get_parameter_source(name)
    return f"FLEET_{name.upper()}" if source is ParameterSource.ENVIRONMENT else f"--{name}"


def catalog_option(default: Path | None = None) -> Option[Any]:
    """Return `--catalog`."""
    return click.option(
        "--catalog", metavar="FILE", type=_FILE, default=default, help="Builtins to use instead."
    )


def max_errors_option(where: str) -> Option[Any]:
    """Return `--max-errors`, about what is shown in some forms; 0 shows all."""
    return click.option(
        "--max-errors",
        metavar="N",
        type=click.IntRange(min=0),
        default=DEFAULT_MOST,
        show_default=True,
        help=f"Show at most N diagnostics {where}; 0 shows all.",
    )


strict_option: Option[Any] = flag_option("strict", "Let warnings fail, as errors do.")

project_option: Option[Any] = click.option(
    "--project",
    metavar="DIR",
    type=_FOLDER,
    help="The project root; without it the nearest folder with fleet.lock or .git.",
)

max_input_bytes_option: Option[Any] = click.option(
    "--max-input-bytes",
    metavar="N",
    type=click.IntRange(min=1),
    default=MAX_INPUT_BYTES,
    show_default=True,
    help="Refuse larger files.",
)
