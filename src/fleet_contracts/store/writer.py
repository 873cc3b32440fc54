"""Writing roots to a store, all or nothing (spec section 3)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Self

from fleet_contracts.canonical import digest
from fleet_contracts.errors import FleetError, InternalError
from fleet_contracts.store import disk
from fleet_contracts.store.damage import other_bytes
from fleet_contracts.store.documents import (
    EMPTY_INDEX,
    check_names,
    manifest_bytes,
    merged_index,
    name_taken,
)
from fleet_contracts.store.layout import (
    EMPTY_BYTES,
    EMPTY_REF,
    LAYOUT_BYTES,
    blob_path,
    check_blob,
    is_store,
    read_index,
)
from fleet_contracts.store.model import BIG_OBJECT, Ref, Root, StoreError
from fleet_contracts.store.packs import Layout, frame, lay_out
from fleet_contracts.store.spool import Spool

MEMORY_LIMIT = 32 << 20
"""Bytes of small objects held in memory before all go to a file."""

_SIZE_BITS = 20  # below BIG_OBJECT, so that offset and size of a spooled object make one int
_SIZE_MASK = BIG_OBJECT - 1
_sha256 = hashlib.sha256


class Transaction:
    """Objects and roots on their way into a store.

    Nothing can be seen in the store before `commit`; leaving the `with` block without it
    forgets everything. After it, `written_by_root` says how many bytes each root added.
    Small objects wait in memory up to a limit, then in one file in a folder of the store's
    own; big ones in a file each.
    """

    def __init__(self, directory: Path, memory_limit: int) -> None:
        """Begin without looking at the folder; use `begin`."""
        self._directory = directory
        self._is_new = not directory.exists()
        self._folder: disk.WorkFolder | None = None
        self._spool = Spool(memory_limit, lambda: self._work_path("spool"))
        self._places: dict[bytes, int] = {}  # digest bytes -> offset << 20 | size
        self._big: dict[bytes, int] = {}  # digest bytes -> size
        self._roots: dict[str, Root] = {}
        self._layouts: dict[str, Layout] = {}
        self._written = 0
        self.written_by_root: dict[str, int] = {}

    @classmethod
    def begin(cls, directory: Path, *, memory_limit: int = MEMORY_LIMIT) -> Self:
        """Begin to write to the store in a folder, which need not exist yet.

        `memory_limit` is in bytes. Raises `UsageError` for a folder that holds something
        else, `StoreError` FLT6001 or FLT6002 for a store that cannot be written to, and
        `UnresolvedError` when it cannot be read.
        """
        if is_store(directory):
            read_index(directory)
        return cls(directory, memory_limit)

    def put(self, data: bytes) -> Ref:
        """Take one object; identical ones are kept once. Raises `UnresolvedError`."""
        raw = _sha256(data).digest()
        size = len(data)
        if raw not in self._places:
            if size >= BIG_OBJECT:
                self._put_big(raw, data)
            else:
                try:
                    self._places[raw] = self._spool.append(data) << _SIZE_BITS | size
                except OSError as error:
                    raise disk.io_failure("write", self._directory, error) from error
        return Ref("sha256:" + raw.hex(), size)

    def put_stream(self, chunks: Iterable[bytes]) -> Ref:
        """Take one object in pieces, never held in memory whole. Raises `UnresolvedError`."""
        rest = iter(chunks)
        head = bytearray()
        for chunk in rest:
            head += chunk
            if len(head) >= BIG_OBJECT:
                break
        else:
            return self.put(bytes(head))
        return self._put_big_stream(chain((bytes(head),), rest))

    def add_root(self, root: Root) -> None:
        """Name a root; one of the same name and kind is replaced at `commit`.

        Raises `StoreError` FLT6003 for too many layers, FLT6004 when this transaction has
        a root of another kind with the name.
        """
        other = self._roots.get(root.name)
        if other is not None and other.kind != root.kind:
            raise name_taken(root, other.kind, self._directory)
        self._layouts[root.name] = lay_out(root)
        self._roots[root.name] = root

    def commit(self) -> int:
        """Write all roots with their objects; return how many bytes were new.

        Raises `StoreError` FLT6004 for a name of another kind, FLT6001 for a blob of
        another size than it must have, FLT6011 for one of other bytes, and `UnresolvedError`
        for failures of the disk.
        """
        if not self._roots:
            self.abort()
            return 0
        with disk.io_failures("write", self._directory):
            work = self._work_folder()
            self._prepare()
            manifests = {}
            for name in self._roots:
                before = self._written
                manifests[name] = self._write_root(name)
                self.written_by_root[name] = self._written - before
            self._install(EMPTY_REF, (EMPTY_BYTES,))
            disk.sync_folder(blob_path(self._directory, ""))
            with disk.locked(self._directory):
                self._write_index(manifests)
                disk.close_work_folder(self._directory, work, remove_store=False)
                self._folder = None
        self._forget()
        return self._written

    def abort(self) -> None:
        """Forget everything and remove what was written on the way."""
        folder, self._folder = self._folder, None
        if folder is not None:
            with suppress(OSError), disk.locked(self._directory):
                disk.close_work_folder(self._directory, folder, remove_store=self._is_new)
        self._forget()

    def __enter__(self) -> Self:
        """Return the transaction; the `with` block ends with `commit` or forgets all."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Forget what was not committed."""
        self.abort()

    def _forget(self) -> None:
        self._spool.close()
        self._places = {}
        self._big = {}
        self._roots = {}
        self._layouts = {}

    def _work_folder(self) -> disk.WorkFolder:
        if self._folder is None:
            self._folder = disk.open_work_folder(self._directory)
        return self._folder

    def _work_path(self, name: str) -> Path:
        return self._work_folder().path / name

    def _put_big(self, raw: bytes, data: bytes) -> None:
        if raw in self._big:
            return
        ref = Ref("sha256:" + raw.hex(), len(data))
        with disk.io_failures("write", self._directory):
            # The folder comes first: while it is there, nobody removes blobs.
            path = self._work_path(raw.hex())
            if not _is_there(blob_path(self._directory, ref.digest), ref):
                path.write_bytes(data)
        self._big[raw] = ref.size

    def _put_big_stream(self, chunks: Iterable[bytes]) -> Ref:
        with disk.io_failures("write", self._directory):
            path = self._work_path("stream")
            raw, size = disk.write_hashed(path, chunks)
            path.replace(path.with_name(raw.hex()))
        self._big[raw] = size
        return Ref("sha256:" + raw.hex(), size)

    def _prepare(self) -> None:
        """Make the folder a store that holds nothing yet, or see that the names are free."""
        directory = self._directory
        with disk.locked(directory):
            if not is_store(directory):
                _check_index(directory)
                disk.make_folder(directory / "blobs" / "sha256")
                self._replace("index.json", EMPTY_INDEX)
                self._replace("oci-layout", LAYOUT_BYTES)
        check_names(directory, self._roots)

    def _write_root(self, name: str) -> Ref:
        root, layout = self._roots[name], self._layouts[name]
        for ref in (root.document, *layout.big):
            self._write_object(ref)
        packs = [self._write_pack(refs) for refs in layout.packs]
        data = manifest_bytes(root, layout.big, packs)
        manifest = Ref(digest(data), len(data))
        self._install(manifest, (data,))
        return manifest

    def _write_object(self, ref: Ref) -> None:
        if ref.size >= BIG_OBJECT:
            if self._big.get(bytes.fromhex(ref.digest[7:])) != ref.size:
                raise _never_put(ref)
            self._install(ref, None)
        else:
            self._install(ref, self._spool.read_all([self._place(ref)]))

    def _write_pack(self, refs: Sequence[Ref]) -> Ref:
        head = frame(refs)
        places = [self._place(ref) for ref in refs]
        hashed = _sha256(head)
        size = len(head)
        for chunk in self._spool.read_all(places):
            hashed.update(chunk)
            size += len(chunk)
        pack = Ref("sha256:" + hashed.hexdigest(), size)
        self._install(pack, chain((head,), self._spool.read_all(places)))
        return pack

    def _place(self, ref: Ref) -> tuple[int, int]:
        place = self._places.get(bytes.fromhex(ref.digest[7:]), -1)
        if place & _SIZE_MASK != ref.size or place < 0:
            raise _never_put(ref)
        return place >> _SIZE_BITS, ref.size

    def _install(self, ref: Ref, chunks: Iterable[bytes] | None) -> None:
        """Put a blob in its place, from its pieces or from the file that is waiting."""
        target = blob_path(self._directory, ref.digest)
        if _is_there(target, ref):
            return
        waiting = self._work_path(target.name)
        if chunks is None:
            disk.sync_file(waiting)
        else:
            disk.write_synced(waiting, chunks)
        waiting.rename(target)
        self._written += ref.size

    def _write_index(self, manifests: dict[str, Ref]) -> None:
        data = merged_index(self._directory, self._roots, manifests)
        if data != (self._directory / "index.json").read_bytes():
            self._replace("index.json", data)
            self._written += len(data)

    def _replace(self, name: str, data: bytes) -> None:
        waiting = self._work_path(name)
        disk.write_synced(waiting, (data,))
        waiting.replace(self._directory / name)
        disk.sync_folder(self._directory)


def _is_there(path: Path, ref: Ref) -> bool:
    """Whether a blob is in its place; what is there is read, for it may have rotted.

    Raises `StoreError` FLT6001 for no file or another size, FLT6011 for other bytes.
    """
    if not check_blob(path, ref.size):
        return False
    with path.open("rb") as file:
        found = f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
    if found != ref.digest:
        raise other_bytes(path, found, ref.size, ref.size)
    return True


def _never_put(ref: Ref) -> FleetError:
    return InternalError(f"the object {ref.digest} of {ref.size} bytes was never put")


def _check_index(directory: Path) -> None:
    """Refuse a folder whose roots would be forgotten if it were made a store.

    An empty index without a layout is what a writer leaves that was killed in between. Raises
    `StoreError` FLT6001.
    """
    index = directory / "index.json"
    if os.path.lexists(index) and (index.is_symlink() or index.read_bytes() != EMPTY_INDEX):
        message = "index.json is there, but oci-layout is missing"
        help = f"write {LAYOUT_BYTES.decode()} to oci-layout, or copy the store again"
        raise StoreError("FLT6001", message, str(directory / "oci-layout"), help=help)
