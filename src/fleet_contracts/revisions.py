"""Files of a git revision, read without touching the checkout.

What a compile asks for is written into a folder of our own, with the line endings and filters
that a checkout would apply; nothing else of the revision is read.
"""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from glob import has_magic
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.lockfile import LOCK_NAME
from fleet_contracts.project import Project

INDEX = ""
"""The revision that stands for what is staged."""

LINK = "120000"
FILES = frozenset({"100644", "100755"})
MOST_LINKS = 40
# They name a repository for the folder that git was started in, as hooks are; we name folders.
_ELSEWHERE = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})


class Entry(NamedTuple):
    """A file or symbolic link of a revision: its mode in octal digits, and its object."""

    mode: str
    object: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository by the top folder of its working tree, without links."""

    top: Path

    @classmethod
    def of(cls, folder: Path) -> Repository:
        """Return the repository that a folder belongs to, or would belong to if it was there.

        Raises `UnresolvedError` where there is none.
        """
        while not folder.is_dir():
            folder = folder.parent
        try:
            found = _git(folder, "rev-parse", "--show-toplevel")
        except UnresolvedError as error:
            help = "name two files to compare them without git"
            raise UnresolvedError(error.message, help=help) from None
        return cls(Path(os.fsdecode(found.removesuffix(b"\n"))).resolve())

    def has(self, revision: str) -> bool:
        """Whether a word names a revision."""
        return self._tree(revision) is not None

    def merge_base(self, one: str, other: str) -> str:
        """Return the commit where two revisions parted; raises `UsageError`."""
        for each in (one, other):
            self._known_tree(each)
        try:
            return _git(self.top, "merge-base", one, other).decode().strip()
        except UnresolvedError:
            raise UsageError(f"{one} and {other} have no commit in common") from None

    def tree(self, revision: str) -> dict[str, Entry]:
        """Return the files of a revision by their path from the top; raises `UsageError`."""
        if revision == INDEX:
            return dict(_entries(_git(self.top, "ls-files", "--stage", "--full-name", "-z")))
        tree = self._known_tree(revision)
        return dict(_entries(_git(self.top, "ls-tree", "-r", "-z", "--full-tree", tree)))

    def content(self, path: str, entry: Entry) -> bytes:
        """Return a file as a checkout would write it, of a link its target."""
        if entry.mode == LINK:
            return _git(self.top, "cat-file", "blob", entry.object)
        return _git(self.top, "cat-file", "--filters", f"--path={path}", entry.object)

    def _known_tree(self, revision: str) -> str:
        tree = self._tree(revision)
        if tree is None:
            raise UsageError(
                f"git knows no revision {revision!r} in {self.top}",
                help="name a commit, branch or tag, or fetch it first",
            )
        return tree

    def _tree(self, revision: str) -> str | None:
        if not revision or revision.startswith("-"):
            return None
        try:
            found = _git(self.top, "rev-parse", "--verify", "--quiet", f"{revision}^{{tree}}")
        except UnresolvedError:
            return None
        return found.decode().strip()


@dataclass(slots=True)
class Checkout:
    """The part of a revision that was asked for, in a folder of its own without links.

    Files have the path from the folder that they have from the top of the repository.
    """

    repository: Repository
    revision: str
    folder: Path
    entries: dict[str, Entry] = field(init=False)
    _folders: set[str] = field(init=False)
    _written: set[str] = field(default_factory=set)
    _targets: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the names of all files; raises `UsageError` for an unknown revision."""
        tree = self.repository.tree(self.revision)
        self.entries = {path: entry for path, entry in tree.items() if _is_safe(path)}
        self._folders = {""}
        for path in self.entries:
            while (path := posixpath.dirname(path)) not in self._folders:
                self._folders.add(path)

    def project(self, path: str, root: str | None = None) -> Project:
        """Return the project of a file: the nearest folder with a lock, or the top.

        `path` and `root`, which overrides it, are from the top of the repository.
        """
        if root is None:
            root = posixpath.dirname(path)
            while root and posixpath.join(root, LOCK_NAME) not in self.entries:
                root = posixpath.dirname(root)
        self.write(posixpath.join(root, LOCK_NAME))
        return RevisionProject(self.folder / root, checkout=self)

    def find(self, path: str) -> str | None:
        """Return the path of the file that a path leads to through links; None for no file."""
        for _ in range(MOST_LINKS):
            entry = self.entries.get(path)
            if entry is None or entry.mode != LINK:
                return path if entry and entry.mode in FILES else None
            path = self._target(path, entry)
        return None

    def write(self, path: str, *, with_content: bool = True, links: int = 0) -> None:
        """Write what stands at a path, through links; nothing where the revision has nothing.

        Without content, a file that was not written yet is empty: only its name is asked for.
        """
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            here = "/".join(parts[:count])
            entry = self.entries.get(here)
            if entry is not None and entry.mode == LINK:
                self._link(here, entry)
                rest = posixpath.join(self._target(here, entry), *parts[count:])
                if links < MOST_LINKS and _is_safe(rest):
                    self.write(rest, with_content=with_content, links=links + 1)
                return
        target = self.folder / path
        if path in self._folders:
            target.mkdir(parents=True, exist_ok=True)
        elif entry is not None and entry.mode in FILES and path not in self._written:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.repository.content(path, entry) if with_content else b"")
            if with_content:
                self._written.add(path)

    def write_names(self, path: str) -> None:
        """Write the names of all that is below a folder."""
        waiting, seen = [path], set()
        while waiting:
            start = waiting.pop()
            if start in seen:
                continue
            seen.add(start)
            below = start + "/" if start else ""
            for each, entry in self.entries.items():
                if each.startswith(below):
                    self.write(each, with_content=False)
                    if entry.mode == LINK:
                        waiting.append(self._target(each, entry))

    def _link(self, path: str, entry: Entry) -> None:
        if path not in self._written:
            self._written.add(path)
            link = self.folder / path
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(self._written_target(path, entry))

    def _target(self, path: str, entry: Entry) -> str:
        """Return where a link leads from the top; what is no path there leads nowhere."""
        target = self._written_target(path, entry)
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))

    def _written_target(self, path: str, entry: Entry) -> str:
        if path not in self._targets:
            self._targets[path] = os.fsdecode(self.repository.content(path, entry))
        return self._targets[path]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionProject(Project):
    """A project whose files come from a revision when they are asked for."""

    checkout: Checkout

    def locate(self, folder: Path, relative: str) -> Path:
        """Write the file, then look for it as in any project."""
        self._write(Path(os.path.normpath(folder / relative)))
        return Project.locate(self, folder, relative)

    def glob(self, folder: Path, pattern: str) -> list[str]:
        """Write the names that may match, then look for them as in any project."""
        fixed = takewhile(lambda part: not has_magic(part), pattern.split("/"))
        path = self._path(Path(os.path.normpath(folder.joinpath(*fixed))))
        if path is not None:
            self.checkout.write_names(path)
        return Project.glob(self, folder, pattern)

    def _write(self, path: Path) -> None:
        name = self._path(path)
        if name is not None:
            self.checkout.write(name)

    def _path(self, path: Path) -> str | None:
        """Return a path from the top of the repository; None outside the project."""
        if not path.is_relative_to(self.root):
            return None
        name = path.relative_to(self.checkout.folder).as_posix()
        return "" if name == "." else name


def _entries(listing: bytes) -> Iterator[tuple[str, Entry]]:
    """Yield paths and entries from what `ls-tree` and `ls-files` print, without conflicts."""
    for line in listing.split(b"\0"):
        head, _, path = line.partition(b"\t")
        fields = head.decode("ascii").split(" ")
        if len(fields) != 3:
            continue
        mode, second, third = fields
        if second in {"blob", "commit", "tree"}:
            yield os.fsdecode(path), Entry(mode, third)
        elif third == "0":
            yield os.fsdecode(path), Entry(mode, second)


def _is_safe(path: str) -> bool:
    """Whether a path stays inside the folder it is written to, whatever a tree says."""
    parts = path.split("/")
    return not any(part in {"", ".", ".."} or part.lower() == ".git" for part in parts)


def _git(folder: Path, *words: str) -> bytes:
    """Return what git prints; raises `UnresolvedError` where it fails or is not there."""
    kept = {name: text for name, text in os.environ.items() if name not in _ELSEWHERE}
    try:
        done = subprocess.run(
            ["git", "--no-pager", *words],
            cwd=folder,
            env=kept | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise UnresolvedError("there is no git to read a revision with") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().split("\n")[0]
        raise UnresolvedError(f"git {words[0]} failed: {said.removeprefix('fatal: ')}")
    return done.stdout
