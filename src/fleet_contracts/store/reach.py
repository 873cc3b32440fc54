"""Which blobs `index.json` reaches, without looking into packs (spec section 3)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from fleet_contracts.canonical import digest
from fleet_contracts.store.damage import missing_blob, no_file, other_bytes
from fleet_contracts.store.disk import io_failures
from fleet_contracts.store.layout import (
    DESCRIPTION_KEY,
    EMPTY_REF,
    INDEX_TYPE,
    MANIFEST_TYPE,
    MAX_MANIFEST_BYTES,
    NAME_KEY,
    Descriptor,
    Manifest,
    blob_path,
    corrupt,
    own_type,
    read_index,
    read_manifest,
    read_small,
    root_type,
)
from fleet_contracts.store.listing import what_is
from fleet_contracts.store.model import Ref, RootKind, StoreError
from fleet_contracts.store.packs import is_digest


class HeldRoot(NamedTuple):
    """A root of ours whose manifest can be read, with that manifest."""

    kind: RootKind
    generation: str
    name: str | None
    description: str | None
    ref: Ref
    manifest: Manifest

    @property
    def document(self) -> Ref:
        """The root document."""
        return self.manifest.layers[0].ref

    @property
    def title(self) -> str:
        """What a message calls it."""
        return f"the root {self.name!r}" if self.name else f"the root {self.document.digest}"


class Need(NamedTuple):
    """Who names a blob, in words, with which size in bytes; None where nobody says."""

    by: str
    size: int | None


@dataclass(slots=True)
class Reach:
    """What `index.json` reaches: roots of ours, every blob that is named, and who names it first.

    What another tool's index lists is needed only where it is there: such an index need not
    have all of it. With a `problem` something could not be read, so more may be reached than
    is known.
    """

    roots: list[HeldRoot] = field(default_factory=list)
    needs: dict[str, Need] = field(default_factory=dict)
    problems: list[StoreError] = field(default_factory=list)


def reach(directory: Path) -> Reach:
    """Follow every descriptor of `index.json` down to blobs.

    Manifests that are missing or damaged are among the `problems`. Raises `StoreError` FLT6001
    for an index that cannot be read, and `UnresolvedError`.
    """
    found = Reach()
    with io_failures("read", directory):
        for descriptor in read_index(directory)[1]:
            try:
                _follow(found, directory, descriptor)
            except StoreError as error:
                found.problems.append(error)
    return found


def _manifest_bytes(directory: Path, ref: Ref | str, by: str) -> bytes:
    """Return the bytes of a manifest; its digest is checked, its size where it is known.

    Raises `StoreError` FLT6010 when it is missing, FLT6011 when it is damaged, and FLT6001
    when it is too large to be a manifest.
    """
    object_digest, size = (ref, None) if isinstance(ref, str) else ref
    path = blob_path(directory, object_digest)
    if not os.path.lexists(path):
        raise missing_blob(path, by)
    if path.is_symlink() or not path.is_file():
        raise no_file(path, what_is(path))
    data = read_small(path, MAX_MANIFEST_BYTES)
    if digest(data) != object_digest:
        raise other_bytes(path, digest(data), len(data), size)
    return data


def _follow(found: Reach, directory: Path, descriptor: Descriptor) -> None:
    name = descriptor.annotations.get(NAME_KEY)
    by = f"the root {name!r}" if name else "index.json"
    if not is_digest(descriptor.digest) or descriptor.size < 0:
        read_manifest(directory, descriptor)  # says what is wrong with it
    found.needs.setdefault(descriptor.digest, Need(by, descriptor.size))
    is_root = root_type(descriptor.artifact_type) is not None
    if not is_root and _is_leaf(descriptor.media_type, descriptor.size):
        return
    data = _manifest_bytes(directory, descriptor.ref, by)
    media_type = own_type(directory, descriptor)
    known = root_type(media_type)
    if known is None:
        _follow_all(found, directory, data, by)
        return
    manifest = read_manifest(directory, descriptor)
    if manifest.artifact_type != media_type:
        path = blob_path(directory, descriptor.digest)
        corrupt(path, f"the manifest {descriptor.digest} is not of type {media_type}")
    description = descriptor.annotations.get(DESCRIPTION_KEY)
    root = HeldRoot(*known, name, description, descriptor.ref, manifest)
    found.roots.append(root)
    for ref in (EMPTY_REF, *(layer.ref for layer in manifest.layers)):
        found.needs.setdefault(ref.digest, Need(root.title, ref.size))
    _follow_all(found, directory, data, root.title)  # a newer release may name more in it


def _follow_all(found: Reach, directory: Path, data: bytes, by: str) -> None:
    """Follow what any tool may name in a manifest, or in an index of them (OCI 1.1)."""
    waiting = [data]
    followed: set[str] = set()
    while waiting:
        for item in _named(waiting.pop()):
            is_there = is_digest(item.digest) and os.path.lexists(blob_path(directory, item.digest))
            if not (is_there or item.required):
                continue
            found.needs.setdefault(item.digest, Need(by, None))
            leads_on = item.leads_on and not _is_leaf(item.media_type, item.size)
            if leads_on and item.digest not in followed:
                followed.add(item.digest)
                waiting.append(_manifest_bytes(directory, item.digest, by))


class _Named(NamedTuple):
    digest: str
    media_type: object
    size: object
    leads_on: bool
    required: bool


def _named(data: bytes) -> Iterator[_Named]:
    """Yield all that a manifest or an index names; what is neither names nothing."""
    try:
        document = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return
    for key, leads_on in _KEYS.items():
        value: Any = document.get(key) if isinstance(document, dict) else None
        for item in value if isinstance(value, list) else (value,):
            if isinstance(item, dict) and isinstance(item.get("digest"), str):
                required = not leads_on and is_digest(item["digest"]) and not item.get("urls")
                yield _Named(
                    item["digest"], item.get("mediaType"), item.get("size"), leads_on, required
                )


def _is_leaf(media_type: object, size: object) -> bool:
    """Whether a descriptor is of something too large to be a manifest, and not said to be one."""
    return media_type not in _LEADING_ON and isinstance(size, int) and size > MAX_MANIFEST_BYTES


_KEYS = {
    "config": False,
    "layers": False,
    "blobs": False,
    "manifests": True,
    "subject": True,
}
_LEADING_ON = (
    MANIFEST_TYPE,
    INDEX_TYPE,
    "application/vnd.docker.distribution.manifest.v2+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
)
