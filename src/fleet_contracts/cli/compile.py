"""`fleet compile` and `fleet check`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from fleet_contracts.cli.building import Settings, build
from fleet_contracts.cli.exits import Exit
from fleet_contracts.cli.paths import CHECKED_KINDS, KINDS, open_project
from fleet_contracts.cli.printing import COLORS
from fleet_contracts.cli.report import FORMATS, Report, print_report
from fleet_contracts.cli.watch import watch
from fleet_contracts.errors import UsageError
from fleet_contracts.project import Project
from fleet_contracts.reading.decode import MAX_INPUT_BYTES

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_MOST = 50


def _options(*, store_help: str) -> Callable[[Decorated], Decorated]:
    """Return the arguments and options that both commands share."""
    file = click.Path(exists=True, dir_okay=False, path_type=Path)
    either = click.Path(exists=True, path_type=Path)
    folder = click.Path(file_okay=False, path_type=Path)
    shared = [
        click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=either),
        click.option("-o", "--output", metavar="DIR", type=folder, help=store_help),
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
            "--strict",
            is_flag=True,
            envvar="FLEET_STRICT",
            show_envvar=True,
            help="Let warnings fail, as errors do.",
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
            help="Show at most N diagnostics as text and as annotations; 0 shows all.",
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

    PATH is an authored file, or a folder for all *.taskset.yaml and *.environment.yaml in it.
    Writes canonical content as an OCI image layout, and fleet.lock where a builtin
    Environment is used that is not locked yet. Nothing is written if anything is wrong.
    """
    return _run(writes=True, **options)[0]


@click.command("check")
@_options(store_help="The store to find Artifacts in; default .fleet in the project root.")
@click.option("--watch", "watches", is_flag=True, help="Check again after each change.")
def check_command(watches: bool, **options: Any) -> int:
    """Check authored TaskSets, Environments and Verifiers.

    Does all that `fleet compile` does, digests included, and writes nothing. PATH is an
    authored file, or a folder for all *.taskset.yaml, *.environment.yaml and *.verifier.yaml
    in it. A file of Tasks can be checked by itself, without what a TaskSet adds.
    """
    if not watches:
        return _run(writes=False, **options)[0]
    if options["form"] != "text":
        raise UsageError("--watch is for people", help="leave --format away, or --watch")

    def find() -> Sequence[Path]:
        return open_project(options["paths"], options["project"], CHECKED_KINDS)[1]

    return watch(lambda: _run(writes=False, **options), find)


def _run(
    *,
    writes: bool,
    form: str,
    color: str,
    max_errors: int,
    paths: tuple[Path, ...],
    output: Path | None,
    strict: bool,
    project: Path | None,
    catalog: Path | None,
    max_input_bytes: int,
) -> tuple[Exit, Project]:
    """Build, report, and return the exit code and the project that was looked at."""
    opened, files = open_project(paths, project, KINDS if writes else CHECKED_KINDS)
    settings = Settings(
        project=opened,
        files=files,
        store=output,
        catalog=catalog,
        max_bytes=max_input_bytes,
        writes=writes,
        strict=strict,
        with_parts=not writes,
    )
    built = build(settings)
    reason = _strict_by() if strict else ""
    print_report(form, Report(built, settings, color, max_errors, reason))
    return built.code, opened


def _strict_by() -> str:
    """Return what made warnings fail, as a person knows it."""
    source = click.get_current_context().get_parameter_source("strict")
    return "FLEET_STRICT" if source is ParameterSource.ENVIRONMENT else "--strict"
