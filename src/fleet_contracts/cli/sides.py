"""What the arguments of `fleet diff` name, told apart as git does it."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import NamedTuple, TypeAlias

from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.revisions import INDEX, Repository

HEAD = "HEAD"
USAGE = "see `fleet diff --help` for the forms of A and B"


@dataclass(frozen=True, slots=True)
class InFiles:
    """An authored file as it is on disk; `may_lack` lets it not be there."""

    label: str
    path: Path
    key: str = ""
    may_lack: bool = False


@dataclass(frozen=True, slots=True)
class InRevision:
    """An authored file of a revision, by its path from the top of the repository."""

    label: str
    repository: Repository
    revision: str
    path: str
    key: str = ""
    may_lack: bool = False


@dataclass(frozen=True, slots=True)
class InStore:
    """What a word names in a store, as for `fleet inspect`; an empty one names the only root.

    `directory` None is the store that the command was given. `hint` helps where nothing is found.
    """

    label: str
    directory: Path | None
    word: str = ""
    hint: str = ""


Side: TypeAlias = InFiles | InRevision | InStore


class Sides(NamedTuple):
    """What is compared."""

    old: Side
    new: Side

    @property
    def same_file(self) -> bool:
        """Whether both are authored files of one name, so that other names of roots are news."""
        if isinstance(self.old, InStore) or isinstance(self.new, InStore):
            return False
        return PurePath(self.old.path).name == PurePath(self.new.path).name


def read_sides(words: Sequence[str], files: Sequence[str] | None, *, staged: bool) -> Sides:
    """Return the sides that a command line names; `files` is what stands behind `--`.

    Raises `UsageError` for words that name nothing, `UnresolvedError` where git cannot be asked.
    """
    if files is not None:
        if len(files) != 1:
            raise UsageError("expected one FILE behind `--`", help=USAGE)
        return _of_revisions(words, files[0], staged=staged)
    if not words:
        raise UsageError("expected A and B, or a FILE", help=USAGE)
    *others, last = words
    sides = [_side(word) for word in words]
    if len(sides) == 2 and not staged and not _is_revision(words[0], sides):
        old, new = (side or _bare(word) for side, word in zip(sides, words, strict=True))
        return Sides(old, new)
    if len(words) == 1 and not isinstance(sides[0], InFiles):
        raise UsageError(f"expected something to compare {last!r} with", help=USAGE)
    if not isinstance(sides[-1], InFiles):
        raise UsageError(
            f"{last!r} is no file", help="put `--` before the name of one that is gone"
        )
    return _of_revisions(others, last, staged=staged)


def _bare(word: str) -> InStore:
    """Return what a word names that is nothing else: something in the store."""
    return InStore(word, None, word, f"{word!r} is no file, and no revision of one")


def _is_revision(word: str, sides: Sequence[Side | None]) -> bool:
    """Whether the first of two words is a revision of the file that the second one names."""
    first, second = sides
    if first is not None or not isinstance(second, InFiles):
        return False
    if ".." in word:
        return True
    try:
        return Repository.of(second.path.parent.resolve()).has(word)
    except UnresolvedError:
        return False


def _of_revisions(words: Sequence[str], file: str, *, staged: bool) -> Sides:
    """Return a file at two times: of revisions, staged, or as it is."""
    name, key = _path(file) or _split(file)
    path = name.parent.resolve() / name.name
    repository = Repository.of(path.parent)
    old, new = _revisions(words, repository, staged=staged)
    if not path.is_relative_to(repository.top):
        raise UsageError(f"{name} is outside the repository {repository.top}")
    inside = path.relative_to(repository.top).as_posix()
    behind = f"#{key}" if key else ""

    def at(revision: str) -> InRevision:
        label = f"{revision}:{inside}{behind}"
        return InRevision(label, repository, revision, inside, key, may_lack=True)

    here = InFiles(file, name, key, may_lack=True)
    return Sides(at(old), here if new is None else at(new))


def _revisions(
    words: Sequence[str], repository: Repository, *, staged: bool
) -> tuple[str, str | None]:
    """Return two revisions; None is the file on disk."""
    if len(words) > 2 or (staged and len(words) > 1):
        raise UsageError(f"expected fewer revisions, found {' '.join(words)}", help=USAGE)
    last = INDEX if staged else None
    if len(words) == 2:
        return words[0], words[1]
    if not words:
        return HEAD, last
    for dots in ("...", ".."):
        one, found, other = words[0].partition(dots)
        if found and not staged:
            one, other = one or HEAD, other or HEAD
            return (repository.merge_base(one, other) if dots == "..." else one), other
    return words[0], last


def _side(word: str) -> Side | None:
    """Return what one word names by itself, None for what may be a revision or a root's name."""
    named = _path(word)
    if named is not None:
        path, rest = named
        if not path.is_dir():
            return InFiles(word, path, rest)
        return InStore(word, path, rest)
    if word.lower().startswith("sha256:"):
        return InStore(word, None, word)
    revision, colon, rest = word.partition(":")
    return _of_revision(word, revision, rest) if colon else None


def _path(word: str) -> tuple[Path, str] | None:
    """Return the longest path before a `#` that exists, and what stands behind it."""
    end = len(word)
    while end > 0:
        if os.path.lexists(word[:end]):
            return Path(word[:end]), word[end + 1 :]
        end = word.rfind("#", 0, end)
    return None


def _split(word: str) -> tuple[Path, str]:
    """Return the path and what stands behind the `#` of a word whose path is not there."""
    path, _, rest = word.partition("#")
    return Path(path), rest


def _of_revision(word: str, revision: str, rest: str) -> InRevision:
    """Return the file that REV:FILE names: from the top, with `./` and `../` from here."""
    name, _, key = rest.partition("#")
    if not name:
        raise UsageError(f"{word!r} names no file of a revision", help=USAGE)
    repository = Repository.of(Path.cwd())
    if name.startswith(("./", "../")):
        here = Path.cwd().resolve().relative_to(repository.top).as_posix()
        name = posixpath.join(here, name)
    return InRevision(word, repository, revision, posixpath.normpath(name), key)
