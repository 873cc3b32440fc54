"""A sink for content that nobody wants to keep (spec section 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from fleet_contracts.canonical import digest
from fleet_contracts.store.model import Ref, Root
from fleet_contracts.store.packs import lay_out


class HashSink:
    """A sink that keeps nothing: it computes digests and checks roots, for `fleet check`."""

    def put(self, data: bytes) -> Ref:
        """Return what the object would be stored as."""
        return Ref(digest(data), len(data))

    def put_stream(self, chunks: Iterable[bytes]) -> Ref:
        """Return what the object would be stored as."""
        hashed = hashlib.sha256()
        size = 0
        for chunk in chunks:
            hashed.update(chunk)
            size += len(chunk)
        return Ref(f"sha256:{hashed.hexdigest()}", size)

    def add_root(self, root: Root) -> None:
        """Raise `StoreError` FLT6003 when the root needs too many layers."""
        lay_out(root)
