"""Which files a TaskSet includes (spec section 4)."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fleet_contracts.diagnostics.model import Place
from fleet_contracts.project import FileProblem, Project
from fleet_contracts.scope import Scope

MAGIC = re.compile(r"[*?\[]")
REPEATED = re.compile(r"(?:\*\*/+){2,}")  # means the same as one, and takes ages


def included_files(project: Project, scope: Scope, patterns: list[str]) -> dict[Path, Place]:
    """Return the files that paths and globs name, sorted, each with the place that names it.

    A file that several links lead to has the shortest of its paths.
    A pattern that matches nothing, a path that leaves the project, and a pattern listed
    twice are reported.
    """
    found: dict[Path, tuple[Path, Place]] = {}
    for index, pattern in enumerate(patterns):
        at = ("include", index)
        if pattern in patterns[:index]:
            message = f"{pattern!r} is listed twice"
            scope.report("FLT4010", message, at, help="remove one")
            continue
        try:
            for path in _matches(project, scope.location.path.parent, pattern):
                real = path.resolve()
                this = (path, scope.location.place(at))
                found[real] = min(this, found.get(real, this), key=lambda each: len(each[0].parts))
        except FileProblem as problem:
            scope.report(problem.code, problem.message, at, help=problem.help)
    return dict(sorted(found.values(), key=lambda each: each[0]))


def _matches(project: Project, folder: Path, pattern: str) -> list[Path]:
    magic = MAGIC.search(pattern)
    if magic is None:
        return [project.locate(folder, pattern)]
    project.check_path(pattern)
    start = Path(os.path.normpath(folder / pattern[: magic.start()]))
    project.check_inside(start, pattern)
    names = project.glob(folder, REPEATED.sub("**/", pattern))
    files = [name for name in names if not (folder / name).is_dir()]
    if not files:
        raise FileProblem(
            "FLT3021",
            f"{pattern!r} matches no file",
            help=f"patterns are relative to this file; looked in {project.name(folder)}",
        )
    return [project.locate(folder, name) for name in files]
