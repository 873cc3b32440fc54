"""PATH arguments: what they name, and which project they belong to (spec section 1)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from fleet_contracts.errors import UsageError
from fleet_contracts.project import Project, find_root


def open_project(paths: Sequence[Path], root: Path | None) -> tuple[Project, list[Path]]:
    """Return the one project that all paths belong to, and the files without links.

    A file named twice is compiled once. Raises `UsageError` for paths of several projects
    and for one outside the given root.
    """
    files = list(dict.fromkeys(path.resolve() for path in paths))
    if root is not None:
        top = root.resolve()
        outside = next((file for file in files if not file.is_relative_to(top)), None)
        if outside is not None:
            raise UsageError(
                f"{outside} is outside the project root {top}",
                help="name files of one project, or another --project",
            )
        return Project(top), files
    roots = list(dict.fromkeys(find_root(file) for file in files))
    if len(roots) > 1:
        raise UsageError(
            f"the files belong to several projects: {roots[0]} and {roots[1]}",
            help="compile them one project at a time, or name the common root with --project",
        )
    return Project(roots[0]), files


def shown_path(project: Project, name: str) -> str:
    """Return what a file of a project is called from the working directory.

    A path that can be opened by a click; one outside the working directory stays relative
    to the project root when that is shorter to read.
    """
    path = project.root / name
    try:
        here = os.path.relpath(path)
    except (OSError, ValueError):
        return name
    return str(path) if here.startswith(os.pardir + os.sep + os.pardir) else here
