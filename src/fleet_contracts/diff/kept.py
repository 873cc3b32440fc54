"""A sink that content can be read from again, without a store on disk."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from fleet_contracts.canonical import digest
from fleet_contracts.diff.model import Subject
from fleet_contracts.store.hashing import HashSink
from fleet_contracts.store.model import BIG_OBJECT, Ref, Root
from fleet_contracts.store.spool import Spool
from fleet_contracts.store.writer import MEMORY_LIMIT


class Kept:
    """What a compile made, in memory up to a limit, then in a file of `directory`.

    Files of 1 MiB or more are known by digest and size alone.
    """

    def __init__(self, directory: Path, *, memory_limit: int = MEMORY_LIMIT) -> None:
        """Begin with nothing; `memory_limit` is in bytes."""
        self.directory = directory
        self.roots: list[Root] = []
        self._spool = Spool(memory_limit, lambda: directory / "spool")
        self._places: dict[str, tuple[int, int]] = {}
        self._sizes: dict[str, int] = {}

    def put(self, data: bytes) -> Ref:
        """Take one object and keep it."""
        ref = Ref(digest(data), len(data))
        if ref.digest not in self._places:
            self._places[ref.digest] = self._spool.append(data), ref.size
        return ref

    def put_stream(self, chunks: Iterable[bytes]) -> Ref:
        """Take one object in pieces; a big one is not kept."""
        rest = iter(chunks)
        head = bytearray()
        for chunk in rest:
            head += chunk
            if len(head) >= BIG_OBJECT:
                ref = HashSink().put_stream(chain((bytes(head),), rest))
                self._sizes[ref.digest] = ref.size
                return ref
        return self.put(bytes(head))

    def add_root(self, root: Root) -> None:
        """Note a root."""
        self.roots.append(root)

    def read(self, object_digest: str) -> bytes | None:
        """Return an object's bytes, None for one that is not kept."""
        place = self._places.get(object_digest)
        return None if place is None else self._spool.read(*place)

    def size(self, object_digest: str) -> int | None:
        """Return the size of an object in bytes, None for one that was never put."""
        place = self._places.get(object_digest)
        return self._sizes.get(object_digest) if place is None else place[1]

    def close(self) -> None:
        """Forget everything; the folder is left to its owner."""
        self._spool.close()

    def subject(self) -> Subject:
        """Return the last root."""
        root = self.roots[-1]
        return Subject(root.kind, self, root.document, root.name, root.description)
