"""How commands that look at whole stores tell what they found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from fleet_contracts.cli.output import COLORS, wants_colours
from fleet_contracts.cli.paths import shown_path
from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.diagnostics.text import TextStyle, count_text, render_text
from fleet_contracts.errors import UsageError
from fleet_contracts.project import Project

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_MOST = 50


def store_report_options(function: Decorated) -> Decorated:
    """Add the options on how a report is told to a command."""
    shared = (
        click.option(
            "--format",
            "form",
            type=click.Choice(["text", "json"]),
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
            "--max-errors",
            "most",
            metavar="N",
            type=click.IntRange(min=0),
            default=DEFAULT_MOST,
            show_default=True,
            help="Show at most N diagnostics as text; 0 shows all.",
        ),
    )
    for option in reversed(shared):
        function = option(function)
    return function


def named_store(word: str) -> Path:
    """Return the folder that an argument names; raises `UsageError`."""
    path = Path(word)
    if not path.is_dir():
        problem = f"{word} is not a folder" if path.exists() else f"there is no folder {word}"
        raise UsageError(problem, help="name the folder of a store, e.g. .fleet")
    return path


def shown(name: str) -> str:
    """Return what a file is called from the working directory."""
    return shown_path(Project(Path.cwd()), name)


def diagnostic_lines(
    items: Sequence[Diagnostic], color: str, most: int, strict: str
) -> Iterator[str]:
    """Yield diagnostics as text, then how many there are; `strict` is what makes warnings fail."""
    listed = items[:most] if most else items
    yield from render_text(listed, {}, TextStyle(wants_colours(color), shown))
    counted = count_text(items, len(listed), strict)
    if items:
        yield ""
    if counted:
        yield counted
