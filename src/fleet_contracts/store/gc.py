"""Removing what no root reaches (spec section 3)."""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts.errors import UnresolvedError
from fleet_contracts.store import disk
from fleet_contracts.store.layout import blob_path, is_store
from fleet_contracts.store.listing import list_store
from fleet_contracts.store.model import Ref, StoreError
from fleet_contracts.store.reach import reach


@dataclass(slots=True)
class Collected:
    """What was removed, or would be: blobs, and folders of compiles that were killed.

    `kept` counts the blobs that stay. With `problems` nothing was removed, since nobody can
    tell what the damaged part reaches.
    """

    blobs: list[Ref] = field(default_factory=list)
    leftovers: list[Path] = field(default_factory=list)
    leftover_bytes: int = 0
    kept: int = 0
    kept_bytes: int = 0
    problems: list[StoreError] = field(default_factory=list)

    @property
    def removed_bytes(self) -> int:
        """The bytes that were removed, or would be."""
        return sum(ref.size for ref in self.blobs) + self.leftover_bytes


def collect(directory: Path, *, dry_run: bool = False) -> Collected:
    """Remove the blobs of a store that no root reaches, and what killed compiles left.

    Holds the store's lock from beginning to end, so that no compile can begin to write; a dry
    run only looks, and works in a store that cannot be written to. Raises
    `UnresolvedError` when there is no store, when a compile is writing, or when the disk fails,
    `StoreError` FLT6001 or FLT6002 for a store that cannot be read, and `UsageError` for a
    folder that is none.
    """
    if not is_store(directory):
        raise no_store(directory)
    with disk.io_failures("clean", directory):
        if dry_run:
            return _look(directory)
        with disk.locked(directory):
            found = _look(directory)
            if not found.problems:
                _remove(directory, found)
            return found


def no_store(directory: Path) -> UnresolvedError:
    """Return the `UnresolvedError` for a folder without a store."""
    return UnresolvedError(f"there is no store at {directory}", help="`fleet compile` makes one")


def _look(directory: Path) -> Collected:
    leftovers = _left_behind(directory)
    reached = reach(directory)
    found = Collected(problems=reached.problems)
    if found.problems:
        return found
    for digest, size in list_store(directory).blobs.items():
        if digest in reached.needs:
            found.kept += 1
            found.kept_bytes += size
        else:
            found.blobs.append(Ref(digest, size))
    found.leftovers = leftovers
    found.leftover_bytes = sum(map(_size, leftovers))
    return found


def _remove(directory: Path, found: Collected) -> None:
    for ref in found.blobs:
        blob_path(directory, ref.digest).unlink()
    for folder in found.leftovers:
        shutil.rmtree(folder)
    with suppress(OSError):  # it is not there, or something else is in it
        (directory / disk.WORK_NAME).rmdir()
    if found.blobs:
        disk.sync_folder(blob_path(directory, ""))


def _left_behind(directory: Path) -> list[Path]:
    """Return the folders of compiles that are gone; raises `UnresolvedError` if one is at work."""
    parent = disk.work_parent(directory)
    folders = sorted(parent.iterdir()) if parent.is_dir() else []
    left = [path for path in folders if path.is_dir() and not path.is_symlink()]
    if any(map(_is_owned, left)):
        raise UnresolvedError(
            f"a compile is writing to {directory}; nothing was removed",
            help="run it again when that compile has ended",
        )
    return left


def _is_owned(path: Path) -> bool:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _size(folder: Path) -> int:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files)
