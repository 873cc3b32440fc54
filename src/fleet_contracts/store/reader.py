"""Reading objects out of a store, wherever in a root they stand (spec section 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from fleet_contracts.errors import UnresolvedError
from fleet_contracts.store.disk import io_failures
from fleet_contracts.store.layout import (
    DESCRIPTION_KEY,
    EMPTY_REF,
    NAME_KEY,
    PACK_TYPE,
    Descriptor,
    blob_path,
    check_blob,
    corrupt,
    is_store,
    own_type,
    read_index,
    read_manifest,
    root_type,
)
from fleet_contracts.store.model import ContentSink, Ref, RootKind, StoreError
from fleet_contracts.store.packs import is_digest, read_table

CHUNK = 1 << 20
_SIZE_BITS = 20  # below BIG_OBJECT, like everything in a pack
_START_BITS = 44


@dataclass(frozen=True, slots=True)
class StoredRoot:
    """A root as `index.json` and its manifest describe it; a copy may have lost its name.

    `blobs` are its objects that have a blob of their own, the document first; `packs` hold
    all others.
    """

    kind: RootKind
    generation: str
    name: str | None
    description: str | None
    document: Ref
    manifest: Ref
    blobs: tuple[Ref, ...] = ()
    packs: tuple[Ref, ...] = ()


class _Place(NamedTuple):
    blob: Ref
    start: int
    ref: Ref


class Store:
    """The roots of a store and the objects they hold, as of when it was opened.

    Tables of packs are read only when an object is looked for, one after another until it
    is found. What no root holds is not found. Every object read is checked by its digest.
    """

    def __init__(self, directory: Path, roots: Sequence[StoredRoot]):
        """Take what was read from the folder; use `open`."""
        self.directory = directory
        self.roots = tuple(roots)
        packs = dict.fromkeys(pack for root in roots for pack in root.packs)
        self._blobs = {ref.digest: ref for root in roots for ref in root.blobs}
        self._carriers = {
            ref.digest: ref for ref in (*(root.manifest for root in roots), *packs, EMPTY_REF)
        }
        self._unread = list(packs)[::-1]
        self._packs: list[Ref] = []
        self._places: dict[bytes, int] = {}  # digest bytes -> (pack << 44 | start) << 20 | size

    @classmethod
    def open(cls, directory: Path) -> Self:
        """Open the store in a folder.

        Raises `UnresolvedError` when there is none or it cannot be read, `UsageError` for a
        folder that holds something else, `StoreError` FLT6001 or FLT6002 for a bad one.
        """
        if not is_store(directory):
            raise UnresolvedError(
                f"there is no store at {directory}",
                help="`fleet compile` makes one",
            )
        while True:
            descriptors = read_index(directory)[1]
            try:
                return cls._read(directory, descriptors)
            except StoreError:
                # What the index named a moment ago may have been replaced, and removed.
                if read_index(directory)[1] == descriptors:
                    raise

    @classmethod
    def _read(cls, directory: Path, descriptors: Sequence[Descriptor]) -> Self:
        roots = []
        for descriptor in descriptors:
            media_type = own_type(directory, descriptor)
            known = root_type(media_type)
            if known is None:
                continue
            manifest = read_manifest(directory, descriptor)
            if manifest.artifact_type != media_type:
                path = blob_path(directory, descriptor.digest)
                corrupt(path, f"the manifest {descriptor.digest} is not of type {media_type}")
            annotations = descriptor.annotations
            name, description = annotations.get(NAME_KEY), annotations.get(DESCRIPTION_KEY)
            blobs = tuple(_refs(manifest.layers, packs=False))
            packs = tuple(_refs(manifest.layers, packs=True))
            roots.append(
                StoredRoot(*known, name, description, blobs[0], descriptor.ref, blobs, packs)
            )
        return cls(directory, roots)

    def find(self, name: str) -> StoredRoot | None:
        """Return the root with a name."""
        return next((root for root in self.roots if root.name == name), None)

    def closure(self, root: StoredRoot) -> dict[str, Ref]:
        """Return every object of a root by its digest, the root document first."""
        found = {ref.digest: ref for ref in root.blobs}
        for pack in root.packs:
            found.update((ref.digest, ref) for ref in self.pack_table(pack))
        return found

    def pack_table(self, pack: Ref) -> list[Ref]:
        """Return what a pack holds, in its order. Raises `StoreError` FLT6001."""
        return self._table(pack)[0]

    def starting(self, digits: str) -> list[Ref]:
        """Return every object and carrier whose digest starts with these hex digits, sorted.

        Carriers are the manifests and packs that objects travel in.
        """
        while self._unread:
            self._read_table(self._unread.pop())
        start = f"sha256:{digits}"
        whole = {**self._carriers, **self._blobs}
        found = {digest: ref for digest, ref in whole.items() if digest.startswith(start)}
        for raw, place in self._places.items():
            digest = f"sha256:{raw.hex()}"
            if digest.startswith(start):
                found.setdefault(digest, Ref(digest, place % (1 << _SIZE_BITS)))
        return sorted(found.values())

    def carrier(self, digest: str) -> Ref | None:
        """Return the manifest, pack or empty configuration with a digest."""
        return self._carriers.get(digest)

    def carrier_chunks(self, digest: str) -> Iterator[bytes] | None:
        """Return the bytes of a carrier as `chunks` does those of an object."""
        ref = self.carrier(digest)
        return None if ref is None else self._stream(_Place(ref, 0, ref))

    def size(self, digest: str) -> int | None:
        """Return the size of an object in bytes, None when no root holds it."""
        place = self._locate(digest)
        return None if place is None else place.ref.size

    def read(self, digest: str) -> bytes | None:
        """Return an object's bytes, None when no root holds it.

        Raises `StoreError` FLT6001 when the store has something else in its place.
        """
        chunks = self.chunks(digest)
        return None if chunks is None else b"".join(chunks)

    def chunks(self, digest: str) -> Iterator[bytes] | None:
        """Return an object's bytes in pieces of at most 1 MiB, None when no root holds it.

        Raises `StoreError` FLT6001, after the last piece if the digest does not fit.
        """
        place = self._locate(digest)
        return None if place is None else self._stream(place)

    def read_into(self, sink: ContentSink, digest: str) -> Ref | None:
        """Copy an object into a sink, large ones in pieces; None when no root holds it.

        Raises what `chunks` and the sink raise.
        """
        chunks = self.chunks(digest)
        return None if chunks is None else sink.put_stream(chunks)

    def _locate(self, digest: str) -> _Place | None:
        blob = self._blobs.get(digest)
        if blob is not None:
            return _Place(blob, 0, blob)
        if not is_digest(digest):
            return None
        raw = bytes.fromhex(digest[7:])
        while raw not in self._places:
            if not self._unread:
                return None
            self._read_table(self._unread.pop())
        whole, size = divmod(self._places[raw], 1 << _SIZE_BITS)
        number, start = divmod(whole, 1 << _START_BITS)
        return _Place(self._packs[number], start, Ref(digest, size))

    def _table(self, pack: Ref) -> tuple[list[Ref], int]:
        path = self._present(pack)
        with io_failures("read", path), path.open("rb") as file:
            return read_table(file, pack.size, str(path))

    def _read_table(self, pack: Ref) -> None:
        refs, start = self._table(pack)
        number = len(self._packs)
        self._packs.append(pack)
        for ref in refs:
            place = (number << _START_BITS | start) << _SIZE_BITS | ref.size
            self._places.setdefault(bytes.fromhex(ref.digest[7:]), place)
            start += ref.size

    def _stream(self, place: _Place) -> Iterator[bytes]:
        path = self._present(place.blob)
        digest, left = place.ref
        hashed = hashlib.sha256()
        with io_failures("read", path), path.open("rb") as file:
            file.seek(place.start)
            while left and (chunk := file.read(min(left, CHUNK))):
                hashed.update(chunk)
                left -= len(chunk)
                yield chunk
        if digest != f"sha256:{hashed.hexdigest()}":
            corrupt(path, f"the object {digest} in {path} does not have the digest of its name")

    def _present(self, blob: Ref) -> Path:
        path = blob_path(self.directory, blob.digest)
        if not check_blob(path, blob.size):
            corrupt(path, f"the store lacks the blob {blob.digest}")
        return path


def _refs(layers: Sequence[Descriptor], *, packs: bool) -> Iterator[Ref]:
    return (layer.ref for layer in layers if (layer.media_type == PACK_TYPE) is packs)
