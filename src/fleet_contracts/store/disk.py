"""Files, locks and temporary folders: what makes writing to a store safe (spec section 3)."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fleet_contracts.errors import UnresolvedError
from fleet_contracts.store.model import StoreError

LOCK_NAME = ".lock"
WORK_NAME = ".tmp"


@contextmanager
def io_failures(action: str, path: Path) -> Iterator[None]:
    """Turn an `OSError` into an `UnresolvedError` that names the path it is about."""
    try:
        yield
    except OSError as error:
        raise io_failure(action, path, error) from error


def io_failure(action: str, path: Path, error: OSError) -> UnresolvedError:
    """Return the `UnresolvedError` for an `OSError`, e.g. `cannot write PATH: ...`."""
    named = error.filename if isinstance(error.filename, str) else path
    reason = error.strerror or str(error)
    return UnresolvedError(
        f"cannot {action} {named}: {reason}",
        help="look at its permissions and the space left on its disk",
    )


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_synced(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a new file and make its content durable."""
    with path.open("xb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())


def sync_file(path: Path) -> None:
    """Make the content of a file durable that has been written already."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def write_hashed(path: Path, chunks: Iterable[bytes]) -> tuple[bytes, int]:
    """Write a file; return the SHA-256 of what it holds and its size. Nothing is durable yet."""
    hashed = hashlib.sha256()
    size = 0
    with path.open("wb") as file:
        for chunk in chunks:
            hashed.update(chunk)
            size += file.write(chunk)
    return hashed.digest(), size


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, durably; one that is there already is left.

    Another process may make it first, and even remove it again, before we can look.
    """
    if path.is_dir():
        return
    make_folder(path.parent)
    try:
        path.mkdir()
    except FileExistsError:
        if os.path.lexists(path) and not path.is_dir():
            raise
    sync_folder(path.parent)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the exclusive lock of a store, making the folder and its lock file if need be.

    Whoever removes the lock file holds it, so a lock is only good while its file is still
    the one in the folder. Raises `OSError`.
    """
    handle = _lock(directory)
    try:
        yield
    finally:
        os.close(handle)


def _lock(directory: Path) -> int:
    path = directory / LOCK_NAME
    while True:
        make_folder(directory)
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        except FileNotFoundError:
            continue  # the folder was removed in between
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            here = os.stat(path, follow_symlinks=False)
        except FileNotFoundError:
            os.close(handle)
            continue
        except BaseException:
            os.close(handle)
            raise
        if os.path.samestat(here, os.fstat(handle)):
            return handle
        os.close(handle)


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """A folder inside a store that belongs to one transaction while its handle is locked."""

    path: Path
    handle: int


def work_parent(directory: Path) -> Path:
    """Return the folder of the work folders, which may not be there yet.

    Raises `StoreError` FLT6001 for a link: what it leads to is not the store's to remove.
    """
    parent = directory / WORK_NAME
    if parent.is_symlink():
        message = f"{WORK_NAME} is a link, expected a folder"
        raise StoreError("FLT6001", message, str(parent), help="remove the link")
    return parent


def open_work_folder(directory: Path) -> WorkFolder:
    """Make a transaction's own folder and remove those whose owners are gone.

    Raises `OSError`, and `StoreError` where a link is in the way.
    """
    with locked(directory):
        parent = work_parent(directory)
        parent.mkdir(exist_ok=True)
        for stale in parent.iterdir():
            _remove_if_stale(stale)
        path = Path(tempfile.mkdtemp(dir=parent))
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(handle, fcntl.LOCK_EX)
        return WorkFolder(path, handle)


def _remove_if_stale(path: Path) -> None:
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path)
        finally:
            os.close(handle)


def close_work_folder(directory: Path, folder: WorkFolder, *, remove_store: bool) -> None:
    """Remove a transaction's folder, and what would be left of a store made for nothing.

    The caller holds the store's lock. The lock file goes when nothing else is in the store
    and nobody else works there; with `remove_store` the store's folder goes too.
    """
    with suppress(OSError):
        shutil.rmtree(folder.path)
    os.close(folder.handle)
    with suppress(OSError):
        (directory / WORK_NAME).rmdir()
        if os.listdir(directory) == [LOCK_NAME]:
            (directory / LOCK_NAME).unlink()
            if remove_store:
                directory.rmdir()
