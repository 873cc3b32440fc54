"""The objects of one root in those of its layers that are sound (spec section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fleet_contracts.store.disk import io_failures
from fleet_contracts.store.layout import blob_path
from fleet_contracts.store.model import Ref


class _Place(NamedTuple):
    blob: str
    start: int
    size: int


@dataclass(slots=True)
class Objects:
    """Where each object is; their bytes were compared with their digests before."""

    directory: Path
    _places: dict[str, _Place] = field(default_factory=dict)

    def add_blob(self, ref: Ref) -> None:
        """Add an object that is a layer of its own."""
        self._places[ref.digest] = _Place(ref.digest, 0, ref.size)

    def add_pack(self, pack: Ref, table: Sequence[Ref]) -> None:
        """Add all objects of a pack."""
        start = pack.size - sum(ref.size for ref in table)
        for ref in table:
            self._places.setdefault(ref.digest, _Place(pack.digest, start, ref.size))
            start += ref.size

    def size(self, digest: str) -> int | None:
        """Return the size of an object in bytes, None for one that is not there."""
        place = self._places.get(digest)
        return None if place is None else place.size

    def path(self, digest: str) -> Path:
        """Return the file that an object is in."""
        return blob_path(self.directory, self._places[digest].blob)

    def read(self, digest: str) -> bytes:
        """Return the bytes of an object; raises `UnresolvedError`."""
        place = self._places[digest]
        path = self.path(digest)
        with io_failures("read", path), path.open("rb", buffering=0) as file:
            file.seek(place.start)
            return file.read(place.size)
