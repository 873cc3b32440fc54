"""What lies in the folders of a store, whether a root needs it or not (spec section 3)."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts.store.disk import LOCK_NAME, WORK_NAME, io_failures
from fleet_contracts.store.packs import is_digest

OWN_NAMES = frozenset({LOCK_NAME, WORK_NAME, "blobs", "index.json", "oci-layout"})


@dataclass(slots=True)
class Listing:
    """The blobs of a store with their sizes by digest, and what does not belong there.

    `odd` has the name of a blob and is no regular file; it is here by digest. `foreign` has no
    place in the layout; of a foreign folder only the folder itself is listed.
    """

    blobs: dict[str, int] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)
    foreign: list[Path] = field(default_factory=list)


def list_store(directory: Path) -> Listing:
    """Return what lies in the folders of a store, sorted by name; raises `UnresolvedError`."""
    found = Listing()
    with io_failures("read", directory):
        found.foreign += (path for path in _below(directory) if path.name not in OWN_NAMES)
        blobs = directory / "blobs"
        found.foreign += (path for path in _below(blobs) if path.name != "sha256")
        with os.scandir(blobs / "sha256") as entries:
            for entry in sorted(entries, key=lambda each: each.name):
                _add(found, entry)
    return found


def _below(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def _add(found: Listing, entry: os.DirEntry[str]) -> None:
    digest = f"sha256:{entry.name}"
    if not is_digest(digest):
        found.foreign.append(Path(entry.path))
    elif entry.is_file(follow_symlinks=False):
        found.blobs[digest] = entry.stat(follow_symlinks=False).st_size
    else:
        found.odd[digest] = what_is(Path(entry.path))


def what_is(path: Path) -> str:
    """Return what something is that is no regular file, in words."""
    if path.is_symlink():
        return "a symbolic link"
    return "a folder" if path.is_dir() else "a special file"
