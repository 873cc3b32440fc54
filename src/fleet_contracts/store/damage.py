"""What can be wrong with a blob, in words: missing, no file, or other bytes (spec section 3)."""

from __future__ import annotations

from pathlib import Path

from fleet_contracts.store.model import StoreError

MEND_MISSING = "compile its root again, or copy the store again from where it came from"
MEND_BYTES = "delete the file, then compile its root again or copy the store again"


def missing_blob(path: Path, by: str) -> StoreError:
    """Return the `StoreError` FLT6010 for a blob that is not there; `by` says who names it."""
    message = f"the store lacks the blob sha256:{path.name} of {by}"
    return StoreError("FLT6010", message, str(path), help=MEND_MISSING)


def no_file(path: Path, what: str) -> StoreError:
    """Return the `StoreError` FLT6011 for something that has a blob's name and is no file."""
    return _bad(path, f"is {what}, expected a regular file")


def unreadable(path: Path, error: OSError) -> StoreError:
    """Return the `StoreError` FLT6011 for a blob whose bytes the disk does not give."""
    return _bad(path, f"cannot be read: {error.strerror or error}")


def other_bytes(path: Path, found: str, size: int, expected: int | None) -> StoreError:
    """Return the `StoreError` FLT6011 for a blob of the digest `found`.

    Sizes are in bytes; `expected` is None where nobody says what it should be.
    """
    if expected not in (None, size):
        return _bad(path, f"has {size:,} bytes, expected {expected:,}")
    return _bad(path, f"holds the bytes of {found}")


def _bad(path: Path, what: str) -> StoreError:
    return StoreError("FLT6011", f"the blob sha256:{path.name} {what}", str(path), help=MEND_BYTES)
