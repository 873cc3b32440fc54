"""Stores for the benchmark of `fleet verify`, and the bare pass that it is compared with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from fleet_contracts.canonical import canonical_bytes
from fleet_contracts.store.model import Root
from fleet_contracts.store.writer import Transaction

FILES = 8
STEP = 1 << 20

BARE = """
import hashlib, sys
from pathlib import Path
for path in sorted((Path(sys.argv[1]) / "blobs" / "sha256").iterdir()):
    with path.open("rb", buffering=0) as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == path.name
"""
"""A program that hashes every blob of a store and does nothing else."""


def write_large(folder: Path, megabytes: int) -> Path:
    """Write a store of one Artifact with a few large files; return its folder."""
    store = folder / "large"
    with Transaction.begin(store) as transaction:
        refs = {
            f"file-{number}": transaction.put_stream(_noise(number, megabytes // FILES))
            for number in range(FILES)
        }
        entries = {
            path: {"type": "file", "digest": ref.digest, "size": ref.size}
            for path, ref in refs.items()
        }
        content = {"schema": "fleet.artifact.v1alpha1", "entries": entries}
        document = transaction.put(canonical_bytes(content))
        transaction.add_root(
            Root("artifact", "v1alpha1", "large", None, document, common=list(refs.values()))
        )
        transaction.commit()
    return store


def size(store: Path) -> int:
    """Return the bytes of all blobs of a store."""
    return sum(path.stat().st_size for path in (store / "blobs" / "sha256").iterdir())


def _noise(seed: int, megabytes: int) -> Iterator[bytes]:
    """Yield bytes that look random, the same for the same seed."""
    for number in range(megabytes):
        yield hashlib.shake_128(f"{seed} {number}".encode()).digest(STEP)
