"""Which TaskSets of a project include a file of Tasks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.include import included_files
from fleet_contracts.lsp.tree import read_tree
from fleet_contracts.project import FileProblem, Project
from fleet_contracts.reading.decode import MAX_INPUT_BYTES
from fleet_contracts.scope import Location, Scope

MOST_ENTRIES = 20_000
"""Files and folders that are looked at in search of TaskSets."""

MOST_FLOW_CHARACTERS = 1 << 20
SKIPPED = frozenset({"node_modules", "__pycache__", "venv"})
TASKSET_NAME = re.compile(r"\.taskset\.(?:ya?ml|json)\Z")

# The key at the left margin, and every line below that can belong to its value.
_INCLUDE = re.compile(r"^[\"']?include[\"']?[ \t]*:.*\n(?:(?:[ \t#\]-].*)?\n)*", re.MULTILINE)


def including_roots(path: Path, project: Project, overlay: Mapping[Path, bytes]) -> list[Path]:
    """Return the TaskSets of a project that include a file, sorted.

    Looked at are files named `*.taskset.yaml` (`.yml`, `.json`) in folders that are not
    hidden, and `overlay`, texts in place of files.
    """
    named = (each for each in overlay if each.is_relative_to(project.root))
    roots = {each.resolve() for each in (*_tasksets(project.root), *named)}
    return sorted(root for root in roots if path in included_by(root, project, overlay))


def included_by(root: Path, project: Project, overlay: Mapping[Path, bytes]) -> set[Path]:
    """Return the files that a TaskSet includes, without symbolic links; mistakes are ignored."""
    patterns = _patterns(_text(root, project, overlay))
    scope = Scope(Bag(), Location(root, project.name(root)))
    return {each.resolve() for each in included_files(project, scope, patterns)}


def _tasksets(folder: Path) -> Iterator[Path]:
    left = MOST_ENTRIES
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(n for n in folders if n[0] != "." and n not in SKIPPED)
        yield from (Path(here, name) for name in files if TASKSET_NAME.search(name))
        left -= len(folders) + len(files)
        if left < 0:
            return


def _text(path: Path, project: Project, overlay: Mapping[Path, bytes]) -> str:
    data = overlay.get(path)
    try:
        if data is None and path.stat().st_size <= MAX_INPUT_BYTES:
            data = project.read(path)
    except (FileProblem, OSError):
        return ""
    return (data or b"").decode("utf-8", errors="replace") + "\n"


def _patterns(text: str) -> list[str]:
    """Return what a TaskSet lists under `include`, without reading its Tasks."""
    match = _INCLUDE.search(text)
    if match is None:
        is_flow = text.lstrip().startswith("{") and len(text) <= MOST_FLOW_CHARACTERS
        part = text if is_flow and "include" in text else ""
    else:
        part = match[0]
    root = read_tree(part).root
    found = root.at("include") if root else None
    return [each.text for each in found.items if each.text] if found else []
