"""`fleet compile`, `fleet check` and `fleet compile-verifier`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from fleet_contracts.cli.building import Settings, build
from fleet_contracts.cli.exits import Exit
from fleet_contracts.cli.locking import locking_of, locking_options
from fleet_contracts.cli.offline import without_network
from fleet_contracts.cli.options import Option, asked_by, catalog_option, strict_option, together
from fleet_contracts.cli.paths import CHECKED_KINDS, KINDS, open_project
from fleet_contracts.cli.report import Report, print_report, report_options
from fleet_contracts.cli.watch import watch
from fleet_contracts.compiler import ANY, ROOTS, authored_stem
from fleet_contracts.errors import UsageError
from fleet_contracts.parts import VERIFIER
from fleet_contracts.project import Project

VERIFIERS_NAME = ".fleet-verifiers"

_PATH = click.Path(exists=True, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _options(*, output_help: str) -> Option[Any]:
    """Return the options that all three commands share."""
    folder = click.Path(file_okay=False, path_type=Path)
    output = click.option("-o", "--output", metavar="DIR", type=folder, help=output_help)
    return together(output, strict_option, report_options)


@click.command("compile")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=_PATH)
@_options(output_help="The store to write; default .fleet in the project root.")
@locking_options
@catalog_option()
def compile_command(**options: Any) -> int:
    """Compile authored TaskSets and Environments into a store.

    PATH is an authored file, or a folder for all *.taskset.yaml and *.environment.yaml in it.
    Writes canonical content as an OCI image layout, and fleet.lock where a builtin
    Environment is used that is not locked yet. Nothing is written if anything is wrong.
    """
    return _run(writes=True, **options)[0]


@click.command("check")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=_PATH)
@_options(output_help="The store to find Artifacts in; default .fleet in the project root.")
@locking_options
@catalog_option()
@click.option("--watch", "watches", is_flag=True, help="Check again after each change.")
def check_command(watches: bool, **options: Any) -> int:
    """Check authored TaskSets, Environments and Verifiers.

    Does all that `fleet compile` does, digests included, and writes nothing. PATH is an
    authored file, or a folder for all *.taskset.yaml, *.environment.yaml and *.verifier.yaml
    in it; without one it is the working directory. A file of Tasks can be checked by itself,
    without what a TaskSet adds.
    """
    options["paths"] = options["paths"] or (Path(),)
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
    return _run(writes=True, verifier=True, paths=(file,), **options)[0]


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
    max_input_bytes: int,
    catalog: Path | None = None,
    locked: bool = False,
    frozen: bool = False,
    offline: bool = False,
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
        locking=locking_of(locked=locked, frozen=frozen, root=opened.root, catalog=catalog),
    )
    with without_network(asked_by("offline") if offline else ""):
        built = build(settings)
    reason = asked_by("strict") if strict else ""
    print_report(form, Report(built, settings, color, max_errors, reason))
    return built.code, opened
