"""Which files a new project consists of, and which of them are there already."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts import __version__
from fleet_contracts.editor.kinds import FOLDER
from fleet_contracts.editor.setup import plan_setup
from fleet_contracts.errors import UnresolvedError
from fleet_contracts.project import find_root

KINDS = ("taskset", "environment", "verifier")

_FILES = Path(__file__).parent / "files"
_WORKFLOW = ".github/workflows/fleet.yml"
_LINE_FILES = {".gitignore": "gitignore", ".gitattributes": "gitattributes"}


@dataclass(slots=True)
class Scaffold:
    """A project to write: files that are not there yet, and what is to be said about others.

    `authored` is the file to open first. `same` are there as they would be written; `taken`
    are there with other bytes, and then nothing is to be written; `notes` are about files that
    were left alone although something is missing in them.
    """

    root: Path
    authored: Path
    new: dict[Path, bytes] = field(default_factory=dict)
    same: list[Path] = field(default_factory=list)
    taken: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def shown(self, path: Path) -> str:
        """Return a path from the project root."""
        return path.relative_to(self.root).as_posix()


def plan_scaffold(kind: str, folder: Path) -> Scaffold:
    """Return what a project of a kind consists of, in a folder that need not be there yet.

    Authored files go into the folder; what belongs to the project goes into its root: the
    schemas for editors, the files for git, and a workflow. Raises `UnresolvedError` for a file
    that is there and cannot be read.
    """
    folder = folder.resolve()
    root = find_root(folder / "authored")
    name = registry_name(folder.name)
    scaffold = Scaffold(root, folder / f"{name}.{kind}.yaml")
    schemas = Path(os.path.relpath(root / FOLDER, folder)).as_posix()
    words = {"NAME": name, "SCHEMA": f"{schemas}/{kind}.v1.json", "VERSION": __version__}
    for path, text in _templates(kind, words):
        _add(scaffold, folder / path, text.encode())
    for path, template in _LINE_FILES.items():
        _add_lines(scaffold, root / path, _filled(_FILES / "project" / template, words))
    workflow = _filled(_FILES / "project" / "workflow.yml", words).encode()
    _add_or_leave(scaffold, root / _WORKFLOW, workflow, "compare it with what a new project has")
    for file in plan_setup(root).files:
        help = "bring it up to date with `fleet editor setup`"
        _add_or_leave(scaffold, root / file.path, file.after, help)
    return scaffold


def registry_name(text: str) -> str:
    """Return the name that is most like a text and that a registry takes (spec section 4).

    >>> registry_name("My Évals (v2)")
    'my-evals-v2'
    >>> registry_name("...")
    'evals'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9._-]+", "-", plain).lstrip("._-")[:64].rstrip("._-")
    return name or "evals"


def _templates(kind: str, words: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield path and text of each authored file."""
    folder = _FILES / kind
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.name.replace("NAME", words["NAME"])
            yield path.relative_to(folder).with_name(name).as_posix(), _filled(path, words)


def _filled(path: Path, words: dict[str, str]) -> str:
    text = path.read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    return text


def _add(scaffold: Scaffold, path: Path, data: bytes) -> None:
    known = _read(path)
    if known is None:
        scaffold.new[path] = data
    else:
        (scaffold.same if known == data else scaffold.taken).append(path)


def _add_or_leave(scaffold: Scaffold, path: Path, data: bytes, help: str) -> None:
    """Add a file of the project; one that is there may be somebody's own."""
    known = _read(path)
    if known is None:
        scaffold.new[path] = data
    elif known == data:
        scaffold.same.append(path)
    else:
        scaffold.notes.append(f"{scaffold.shown(path)} is there, with other content; {help}")


def _add_lines(scaffold: Scaffold, path: Path, text: str) -> None:
    """Add a file of which only the lines count, not their order, and not what else is there."""
    known = _read(path)
    if known is None:
        scaffold.new[path] = text.encode()
        return
    there = {line.strip() for line in known.decode("utf-8", "replace").splitlines()}
    wanted = [line for line in text.splitlines() if not line.startswith("#")]
    missing = [line for line in wanted if line not in there]
    if missing:
        lines = ", ".join(f"`{line}`" for line in missing)
        scaffold.notes.append(f"{scaffold.shown(path)} is there; add to it {lines}")
    else:
        scaffold.same.append(path)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UnresolvedError(f"cannot read {path}: {error.strerror}") from None
