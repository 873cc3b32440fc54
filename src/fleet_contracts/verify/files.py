"""Every blob file of a store against the digest in its name, and packs inside (spec section 3)."""

from __future__ import annotations

import hashlib
from pathlib import Path

from fleet_contracts.store.damage import other_bytes, unreadable
from fleet_contracts.store.layout import blob_path
from fleet_contracts.store.model import Ref, StoreError
from fleet_contracts.store.packs import read_table

MEND_PACK = "compile its root again into a new store; if the pack is the same there, report it"


def check_file(directory: Path, digest: str, expected: int | None) -> int:
    """Read a blob, in pieces, and return its size in bytes.

    Raises `StoreError` FLT6011 for other bytes than its name says, or none that can be read,
    and `FileNotFoundError`. `expected` is the size that is written where the blob is named.
    """
    path = blob_path(directory, digest)
    try:
        with path.open("rb", buffering=0) as file:
            found = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise unreadable(path, error) from error
    if found != digest:
        raise other_bytes(path, found, size, expected)
    return size


def check_pack(directory: Path, pack: Ref) -> list[Ref]:
    """Return the table of a pack whose own digest and size are right; every object is read.

    Raises `StoreError` FLT6016 when there is no table, or when it does not tell the truth.
    """
    path = blob_path(directory, pack.digest)
    try:
        with path.open("rb") as file:
            refs, _ = read_table(file, pack.size, str(path))
            for ref in refs:
                found = hashlib.sha256(file.read(ref.size)).hexdigest()
                if f"sha256:{found}" != ref.digest:
                    raise _bad_pack(path, f"has the bytes of sha256:{found} as {ref.digest}")
    except OSError as error:
        raise unreadable(path, error) from error
    except StoreError as error:
        if error.code == "FLT6016":
            raise
        raise _bad_pack(path, "does not begin with a table of what it holds") from None
    return refs


def _bad_pack(path: Path, what: str) -> StoreError:
    message = f"the pack sha256:{path.name} {what}"
    return StoreError("FLT6016", message, str(path), help=MEND_PACK)
