"""`fleet compile` and `fleet check`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from fleet_contracts.cli.building import Settings, build
from fleet_contracts.cli.exits import Exit
from fleet_contracts.cli.locking import asked_by, locking_of, locking_options
from fleet_contracts.cli.offline import without_network
from fleet_contracts.cli.options import report_options
from fleet_contracts.cli.paths import CHECKED_KINDS, KINDS, open_project
from fleet_contracts.cli.report import Report, print_report
from fleet_contracts.cli.watch import watch
from fleet_contracts.errors import UsageError
from fleet_contracts.project import Project

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _options(*, store_help: str, needs_path: bool) -> Callable[[Decorated], Decorated]:
    """Return the arguments and options that both commands share."""
    metavar = "PATH..." if needs_path else "[PATH]..."
    either = click.Path(exists=True, path_type=Path)
    folder = click.Path(file_okay=False, path_type=Path)
    shared = [
        click.argument("paths", metavar=metavar, nargs=-1, required=needs_path, type=either),
        click.option("-o", "--output", metavar="DIR", type=folder, help=store_help),
        click.option(
            "--strict",
            is_flag=True,
            envvar="FLEET_STRICT",
            show_envvar=True,
            help="Let warnings fail, as errors do.",
        ),
        locking_options,
        report_options,
    ]

    def decorate(function: Decorated) -> Decorated:
        for option in reversed(shared):
            function = option(function)
        return function

    return decorate


@click.command("compile")
@_options(store_help="The store to write; default .fleet in the project root.", needs_path=True)
def compile_command(**options: Any) -> int:
    """Compile authored TaskSets and Environments into a store.

    PATH is an authored file, or a folder for all *.taskset.yaml and *.environment.yaml in it.
    Writes canonical content as an OCI image layout, and fleet.lock where a builtin
    Environment is used that is not locked yet. Nothing is written if anything is wrong.
    """
    return _run(writes=True, **options)[0]


@click.command("check")
@_options(
    store_help="The store to find Artifacts in; default .fleet in the project root.",
    needs_path=False,
)
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
    locked: bool,
    frozen: bool,
    offline: bool,
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
        locking=locking_of(locked=locked, frozen=frozen, root=opened.root, catalog=catalog),
    )
    with without_network(asked_by("offline") if offline else ""):
        built = build(settings)
    reason = asked_by("strict") if strict else ""
    print_report(form, Report(built, settings, color, max_errors, reason))
    return built.code, opened
