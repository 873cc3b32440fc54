"""PATH arguments: what they name, and which project they belong to (spec section 1)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from fleet_contracts.errors import UsageError
from fleet_contracts.project import Project, find_root

KINDS = ("taskset", "environment")
"""Of the authored files that a folder stands for, where a command compiles."""
CHECKED_KINDS = (*KINDS, "verifier")
"""The same where it checks. Files of Tasks are checked with the TaskSets that include them."""

STORE_NAME = ".fleet"
"""The store of a project, in its root."""

ENDINGS = ("yaml", "yml", "json")
SKIPPED = frozenset({"node_modules", "__pycache__"})


def open_project(
    paths: Sequence[Path], root: Path | None, kinds: Sequence[str] = KINDS
) -> tuple[Project, list[Path]]:
    """Return the one project that all paths belong to, and the files without links.

    A folder stands for the authored files of these kinds below it, and is their project root
    where nothing marks one. A file named twice is compiled once. Raises `UsageError` for
    paths of several projects, for one outside the given root, and for a folder without
    authored files.
    """
    named = {file.resolve(): path for path in paths for file in _authored(path, kinds)}
    files = list(named)
    if root is not None:
        top = root.resolve()
        outside = next((file for file in files if not file.is_relative_to(top)), None)
        if outside is not None:
            raise UsageError(
                f"{outside} is outside the project root {top}",
                help="name files of one project, or another --project",
            )
        return Project(top), files
    found = [find_root(file, path if path.is_dir() else None) for file, path in named.items()]
    roots = list(dict.fromkeys(found))
    if len(roots) > 1:
        raise UsageError(
            f"the files belong to several projects: {roots[0]} and {roots[1]}",
            help="compile them one project at a time, or name the common root with --project",
        )
    return Project(roots[0]), files


def _authored(path: Path, kinds: Sequence[str]) -> list[Path]:
    """Return the files that a PATH stands for; hidden folders are not looked into."""
    if not path.is_dir():
        return [path]
    endings = tuple(f".{kind}.{ending}" for kind in kinds for ending in ENDINGS)
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in SKIPPED)
        found += [Path(folder, name) for name in sorted(names) if name.endswith(endings)]
    if not found:
        named = " or ".join(f"*.{kind}.yaml" for kind in kinds)
        raise UsageError(f"{path} holds no {named}", help="name the files, or another folder")
    return found


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
