"""How commands that look at whole stores tell what they found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fleet_contracts.cli.options import (
    color_option,
    format_option,
    max_errors_option,
    together,
)
from fleet_contracts.cli.output import wants_colours
from fleet_contracts.cli.paths import shown_path
from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.diagnostics.text import TextStyle, count_text, render_text
from fleet_contracts.errors import UsageError
from fleet_contracts.project import Project

store_report_options = together(
    format_option(["text", "json"]), color_option(), max_errors_option("as text")
)
"""The options on how a report about a store is told."""


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
