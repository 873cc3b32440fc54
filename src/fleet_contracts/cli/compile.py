"""`fleet compile` and `fleet check`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from fleet_contracts.cli.building import Built, Settings, build
from fleet_contracts.cli.exits import Exit, exit_for
from fleet_contracts.cli.paths import open_project, shown_path
from fleet_contracts.cli.report import print_json, print_text
from fleet_contracts.diagnostics.model import Diagnostic, distinct
from fleet_contracts.reading.decode import MAX_INPUT_BYTES
from fleet_contracts.reading.spans import resolve_places

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_MOST = 50


def _options(*, store_help: str) -> Callable[[Decorated], Decorated]:
    """Return the arguments and options that both commands share."""
    file = click.Path(exists=True, dir_okay=False, path_type=Path)
    folder = click.Path(file_okay=False, path_type=Path)
    shared = [
        click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=file),
        click.option("-o", "--output", metavar="DIR", type=folder, help=store_help),
        click.option(
            "--format",
            "form",
            type=click.Choice(["text", "json"]),
            default="text",
            show_default=True,
            help="How the report on stdout is written.",
        ),
        click.option(
            "--project",
            metavar="DIR",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="The project root; without it the nearest folder with fleet.lock or .git.",
        ),
        click.option("--catalog", metavar="FILE", type=file, help="Builtins to use instead."),
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
            help="Show at most N diagnostics as text; 0 shows all.",
        ),
    ]

    def decorate(function: Decorated) -> Decorated:
        for option in reversed(shared):
            function = option(function)
        return function

    return decorate


@click.command("compile")
@_options(store_help="The store to write; default .fleet in the project root.")
def compile_command(**options: Any) -> int:
    """Compile authored TaskSets and Environments into a store.

    Writes canonical content as an OCI image layout, and fleet.lock where a builtin
    Environment is used that is not locked yet. Nothing is written if anything is wrong.
    """
    return _run(writes=True, **options)


@click.command("check")
@_options(store_help="The store to find Artifacts in; default .fleet in the project root.")
def check_command(**options: Any) -> int:
    """Check authored TaskSets and Environments.

    Does all that `fleet compile` does, digests included, and writes nothing.
    """
    return _run(writes=False, **options)


def _run(
    *,
    writes: bool,
    paths: tuple[Path, ...],
    output: Path | None,
    form: str,
    project: Path | None,
    catalog: Path | None,
    max_input_bytes: int,
    max_errors: int,
) -> Exit:
    opened, files = open_project(paths, project)
    built = build(Settings(opened, files, output, catalog, max_input_bytes, writes))

    def shown(name: str) -> str:
        return shown_path(opened, name)

    items = _in_order(built)
    if form == "json":
        print_json(built, items, shown)
    else:
        print_text(built, items, shown, most=max_errors)
    return exit_for(items)


def _in_order(built: Built) -> list[Diagnostic]:
    """Return diagnostics with their places resolved, file by file as they were read."""
    compiler = built.compiler
    items = distinct(resolve_places(compiler.bag, compiler.reader.sources))
    files = {item.place.file: index for index, item in reversed(list(enumerate(items)))}

    def order(item: Diagnostic) -> tuple[int, int, int]:
        start = item.place.span.start if item.place.span else (0, 0)
        return files[item.place.file], start[0], start[1]

    return sorted(items, key=order)
