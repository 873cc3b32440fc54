"""Which files a TaskSet includes (spec section 4)."""

from __future__ import annotations

import glob
from pathlib import Path

from fleet_contracts.project import FileProblem, Project
from fleet_contracts.scope import Scope

MAGIC = frozenset("*?[")


def included_files(project: Project, scope: Scope, patterns: list[str]) -> list[Path]:
    """Return the files that paths and globs name, each once, sorted by path.

    A pattern that matches nothing, a path that leaves the project, and a pattern listed
    twice are reported.
    """
    found: set[Path] = set()
    for index, pattern in enumerate(patterns):
        at = ("include", index)
        if pattern in patterns[:index]:
            message = f"{pattern!r} is listed twice"
            scope.report("FLT4010", message, at, help="remove one")
            continue
        try:
            found.update(_matches(project, scope.location.path.parent, pattern))
        except FileProblem as problem:
            scope.report(problem.code, problem.message, at, help=problem.help)
    return sorted(found)


def _matches(project: Project, folder: Path, pattern: str) -> list[Path]:
    if not MAGIC.intersection(pattern):
        return [project.locate(folder, pattern)]
    project.check_path(pattern)
    names = sorted(glob.glob(pattern, root_dir=folder, recursive=True))
    files = [name for name in names if not (folder / name).is_dir()]
    if not files:
        raise FileProblem(
            "FLT3021",
            f"{pattern!r} matches no file",
            help=f"patterns are relative to this file; looked in {project.name(folder)}",
        )
    return [project.locate(folder, name) for name in files]
