"""PATH arguments: what they name, and which project they belong to (spec section 1)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.project import MARKERS, Project, find_root, open_regular

KINDS = ("taskset", "environment")
"""Of the authored files that a folder stands for, where a command compiles."""
CHECKED_KINDS = (*KINDS, "verifier")
"""The same where it checks. Files of Tasks are checked with the TaskSets that include them."""
ALL_KINDS = (*CHECKED_KINDS, "tasks")
"""The same where nothing is compiled."""

"""The store of a project, in its root."""

ENDINGS = ("yaml", "yml", "json")
DATA_ENDINGS = (".csv", ".jsonl")
"""Of files that hold rows for a `dataset`; one of these is never an authored document."""
SKIPPED = frozenset({"node_modules", "__pycache__"})

_VERSION = re.compile(
    rb"""(?m)^(?:\xef\xbb\xbf)?(?:\{.*?|[ \t]*["'])?\bauthoring["']?"""
    rb"""\s*:\s*["']?(?:taskset|environment)/v"""
)
"""A version key of a root at the top of a document: at the start of a line, quoted, or in a map on
one line. One that is indented is text inside something else."""


def open_project(
    paths: Sequence[Path], root: Path | None, kinds: Sequence[str] = KINDS
) -> tuple[Project, list[Path]]:
    """Return the one project that all paths belong to, and the files without links.

    A folder stands for the authored files of these kinds below it, and is their project root
    where nothing marks one. A file named twice is compiled once. Raises `UsageError` for
    paths of several projects, for one outside the given root, for a folder without authored
    files, and for a file of data.
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
            help="name the files of one project, or the common root with --project",
        )
    return Project(roots[0]), files


def _authored(path: Path, kinds: Sequence[str]) -> list[Path]:
    """Return the files that a PATH stands for; hidden folders are not looked into."""
    if not path.is_dir():
        if path.suffix.lower() in DATA_ENDINGS:
            raise UsageError(
                f"{path} is a data file, not an authored document",
                help="name the TaskSet that reads its rows with `dataset`",
            )
        return [path]
    endings = tuple(f".{kind}.{ending}" for kind in kinds for ending in ENDINGS)
    found = [file for file in _files(path) if file.name.endswith(endings)]
    if not found:
        named = " or ".join(f"*.{kind}.yaml" for kind in kinds)
        raise UsageError(f"{path} holds no {named}", help="name the files, or another folder")
    return found


def authored_roots(project: Project) -> list[Path]:
    """Return every file of a project that can be compiled: named like a root, or saying it is one.

    Hidden folders are not looked into, nor are those that are projects of their own. Raises
    `UnresolvedError` for a file or folder that cannot be read.
    """
    named = tuple(f".{kind}.{ending}" for kind in KINDS for ending in ENDINGS)
    maybe = tuple(f".{ending}" for ending in ENDINGS)
    return [
        file
        for file in _files(project.root, MARKERS, _cannot_read)
        if file.name.endswith(named) or (file.name.endswith(maybe) and _says_root(file))
    ]


def _says_root(path: Path) -> bool:
    """Tell whether a file seems to hold the version key of a root."""
    try:
        with open_regular(path) as file:
            return bool(_VERSION.search(file.read()))
    except OSError as error:
        _cannot_read(error)


def _cannot_read(error: OSError) -> NoReturn:
    raise UnresolvedError(f"cannot read {error.filename}: {error.strerror}") from None


def _files(
    top: Path,
    markers: Container[str] = (),
    failed: Callable[[OSError], object] | None = None,
) -> Iterator[Path]:
    """Yield the files below a folder in order, but not those below others with a marker.

    `failed` is called for a folder that cannot be read; without it, such a folder is left out.
    """
    for folder, folders, names in os.walk(top, onerror=failed):
        if Path(folder) != top and any(name in markers for name in (*folders, *names)):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in SKIPPED)
        yield from (Path(folder, name) for name in sorted(names))


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
