"""`fleet compile`, `fleet check` and `fleet compile-verifier`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from fleet_contracts.cli.building import Settings, build
from fleet_contracts.cli.exits import Exit
from fleet_contracts.cli.paths import CHECKED_KINDS, KINDS, open_project
from fleet_contracts.cli.report import COLORS, FORMATS, Report, print_report
from fleet_contracts.cli.watch import watch
from fleet_contracts.compiler import ANY, ROOTS, authored_stem
from fleet_contracts.errors import UsageError
from fleet_contracts.parts import VERIFIER
from fleet_contracts.project import Project
from fleet_contracts.reading.decode import MAX_INPUT_BYTES

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_MOST = 50


VERIFIERS_NAME = ".fleet-verifiers"

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_PATHS = click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
_CATALOG = click.option("--catalog", metavar="FILE", type=_FILE, help="Builtins to use instead.")


def _options(*, output_help: str) -> Callable[[Decorated], Decorated]:
    """Return the options that all three commands share."""
    folder = click.Path(file_okay=False, path_type=Path)
    shared = [
        click.option("-o", "--output", metavar="DIR", type=folder, help=output_help),
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
@_PATHS
@_options(output_help="The store to write; default .fleet in the project root.")
@_CATALOG
def compile_command(**options: Any) -> int:
    """Compile authored TaskSets and Environments into a store.

    PATH is an authored file, or a folder for all *.taskset.yaml and *.environment.yaml in it.
    Writes canonical content as an OCI image layout, and fleet.lock where a builtin
    Environment is used that is not locked yet. Nothing is written if anything is wrong.
    """
    return _run(writes=True, **options)[0]


@click.command("check")
@_PATHS
@_options(output_help="The store to find Artifacts in; default .fleet in the project root.")
@_CATALOG
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


@click.command("compile-verifier")
@click.argument("file", type=_FILE)
@_options(output_help="The folder to write; default .fleet-verifiers/NAME in the project root.")
def compile_verifier_command(file: Path, **options: Any) -> int:
    """Compile a Verifier that stands alone.

    FILE is an authored Verifier, NAME its name without .verifier.yaml. Writes its canonical
    document as verifier.json, and what that names below blobs/sha256: enough to grade
    attempts again that were made before. A Verifier is no root, so no store is touched.
    Nothing is written if anything is wrong.
    """
    return _run(writes=True, verifier=True, paths=(file,), catalog=None, **options)[0]


def _run(
    *,
    writes: bool,
    verifier: bool = False,
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
    """Build, report, and return the exit code and the project that was looked at.

    With `verifier`, the one path is a standalone Verifier, which is written to a folder.
    """
    opened, files = open_project(paths, project, KINDS if writes else CHECKED_KINDS)
    folder = None
    if verifier:
        name = authored_stem(files[0], VERIFIER)
        folder, output = output or opened.root / VERIFIERS_NAME / name, None
    settings = Settings(
        project=opened,
        files=files,
        store=output,
        catalog=catalog,
        max_bytes=max_input_bytes,
        writes=writes,
        strict=strict,
        accepts=(VERIFIER,) if verifier else ROOTS if writes else ANY,
        verifier_folder=folder,
    )
    built = build(settings)
    reason = _strict_by() if strict else ""
    print_report(form, Report(built, settings, color, max_errors, reason))
    return built.code, opened


def _strict_by() -> str:
    """Return what made warnings fail, as a person knows it."""
    source = click.get_current_context().get_parameter_source("strict")
    return "FLEET_STRICT" if source is ParameterSource.ENVIRONMENT else "--strict"
