"""Writing a standalone Verifier into a folder of its own, all or nothing (spec section 3).

`verifier.json` holds the canonical bytes of the document and nothing else, so that their
SHA-256 is its digest; `blobs/sha256/` holds what it names. The folder is no store.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import msgspec

from fleet_contracts.errors import UsageError
from fleet_contracts.store import disk
from fleet_contracts.store.model import BIG_OBJECT, Ref
from fleet_contracts.store.writer import MEMORY_LIMIT, Transaction

DOCUMENT_NAME = "verifier.json"
SCHEMA_START = "fleet.verifier."

_OWN_NAMES = {DOCUMENT_NAME, "blobs", disk.LOCK_NAME, disk.WORK_NAME}


class VerifierFolder(Transaction):
    """Objects on their way into the folder of one standalone Verifier.

    As in a store, blobs come first and the document is renamed last, under a lock; a blob
    that is there is checked by size and left. The lock goes when nobody else writes there.
    """

    def __init__(self, directory: Path, memory_limit: int) -> None:
        """Begin without looking at the folder; use `begin`."""
        super().__init__(directory, memory_limit)
        self._verifier: tuple[str, Ref, Sequence[Ref]] | None = None

    @classmethod
    def begin(cls, directory: Path, *, memory_limit: int = MEMORY_LIMIT) -> Self:
        """Begin to write to a folder, which need not exist yet.

        Raises `UsageError` for one that holds anything but a standalone Verifier, and
        `UnresolvedError` when it cannot be read.
        """
        with disk.io_failures("read", directory):
            found = _foreign(directory)
        if found:
            raise UsageError(
                f"the folder {directory} holds {found}",
                help="name a new or an empty folder, or one of an earlier `compile-verifier`",
            )
        return cls(directory, memory_limit)

    def add_verifier(self, name: str, document: Ref, blobs: Sequence[Ref]) -> None:
        """Say which of the objects is the document, and which ones it names."""
        self._verifier = (name, document, blobs)

    def commit(self) -> int:
        """Write the blobs, then the document; return how many bytes were new.

        Raises `StoreError` FLT6001 for a blob of another size than it must have, and
        `UnresolvedError` for failures of the disk.
        """
        if self._verifier is None:
            self.abort()
            return 0
        name, document, blobs = self._verifier
        directory = self._directory
        with disk.io_failures("write", directory):
            work = self._work_folder()
            if blobs:
                folder = directory / "blobs" / "sha256"
                disk.make_folder(folder)
                for ref in blobs:
                    self._write_object(ref)
                disk.sync_folder(folder)
            with disk.locked(directory):
                self._write_document(document)
                self._close(work)
                self._folder = None
        self.written_by_root[name] = self._written
        self._forget()
        return self._written

    def abort(self) -> None:
        """Forget everything and remove what was written on the way."""
        folder, self._folder = self._folder, None
        if folder is not None:
            with suppress(OSError), disk.locked(self._directory):
                self._close(folder)
        super().abort()

    def _close(self, work: disk.WorkFolder) -> None:
        """Remove the work folder and, where nobody else works, the lock, which the caller holds."""
        disk.close_work_folder(self._directory, work, remove_store=self._is_new)
        if not (self._directory / disk.WORK_NAME).exists():
            (self._directory / disk.LOCK_NAME).unlink(missing_ok=True)

    def _write_document(self, document: Ref) -> None:
        data = self._bytes(document)
        path = self._directory / DOCUMENT_NAME
        if not path.exists() or path.read_bytes() != data:
            self._replace(DOCUMENT_NAME, data)
            self._written += len(data)

    def _bytes(self, ref: Ref) -> bytes:
        if ref.size >= BIG_OBJECT:
            return self._work_path(ref.digest.removeprefix("sha256:")).read_bytes()
        return b"".join(self._spool.read_all([self._place(ref)]))


def _foreign(directory: Path) -> str:
    """Return what a folder holds that no standalone Verifier has; empty if nothing."""
    try:
        names = sorted(os.listdir(directory))
    except FileNotFoundError:
        return ""
    except NotADirectoryError:
        raise UsageError(f"{directory} is not a folder") from None
    if "oci-layout" in names:
        return "a store, which a Verifier does not belong to"
    other = next((name for name in names if name not in _OWN_NAMES), None)
    if other is not None:
        return f"{other!r}, which belongs to no standalone Verifier"
    for folder in (directory / "blobs", directory / "blobs" / "sha256"):
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            return f"a `{folder.relative_to(directory).as_posix()}` that is no folder"
    path = directory / DOCUMENT_NAME
    if path.is_symlink() or (path.exists() and not _is_document(path)):
        return f"a `{DOCUMENT_NAME}` that is no compiled Verifier"
    return ""


def _is_document(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        value = msgspec.json.decode(path.read_bytes())
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(value, dict) and str(value.get("schema")).startswith(SCHEMA_START)
