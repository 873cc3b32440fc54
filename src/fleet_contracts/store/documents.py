"""The two OCI documents a store writes: a root's manifest and `index.json` (spec section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fleet_contracts.canonical import canonical_bytes
from fleet_contracts.store.layout import (
    BLOB_TYPE,
    DESCRIPTION_KEY,
    EMPTY_REF,
    EMPTY_TYPE,
    INDEX_TYPE,
    MANIFEST_TYPE,
    NAME_KEY,
    PACK_TYPE,
    own_type,
    read_index,
    root_type,
)
from fleet_contracts.store.model import Ref, Root, StoreError

EMPTY_INDEX = canonical_bytes({"manifests": [], "mediaType": INDEX_TYPE, "schemaVersion": 2})


def manifest_bytes(root: Root, big: Sequence[Ref], packs: Sequence[Ref]) -> bytes:
    """Return the image manifest of a root: its document, big objects, packs."""
    return canonical_bytes(
        {
            "schemaVersion": 2,
            "mediaType": MANIFEST_TYPE,
            "artifactType": root.media_type,
            "config": _descriptor(EMPTY_TYPE, EMPTY_REF),
            "layers": [
                _descriptor(root.media_type, root.document),
                *(_descriptor(BLOB_TYPE, ref) for ref in big),
                *(_descriptor(PACK_TYPE, ref) for ref in packs),
            ],
        }
    )


def merged_index(directory: Path, roots: Mapping[str, Root], manifests: Mapping[str, Ref]) -> bytes:
    """Return `index.json` with some roots, and their manifests, added or replaced by name.

    What other tools put there is kept as it is. Raises `StoreError` FLT6004 when a name
    belongs to a root of another kind, or to no root of ours.
    """
    plain, kept = _without(directory, roots)
    kept.extend(_root_descriptor(root, manifests[name]) for name, root in roots.items())
    kept.sort(key=_index_order)
    return canonical_bytes(
        {**plain, "schemaVersion": 2, "mediaType": INDEX_TYPE, "manifests": kept}
    )


def check_names(directory: Path, roots: Mapping[str, Root]) -> None:
    """Raise `StoreError` FLT6004 when `merged_index` would."""
    _without(directory, roots)


def _without(
    directory: Path, roots: Mapping[str, Root]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    plain, typed = read_index(directory)
    kept = []
    for raw, descriptor in zip(plain["manifests"], typed, strict=True):
        root = roots.get(descriptor.annotations.get(NAME_KEY, ""))
        if root is None:
            kept.append(raw)
            continue
        found = root_type(own_type(directory, descriptor))
        if found is None or found[0] != root.kind:
            raise name_taken(root, found[0] if found else "foreign", directory / "index.json")
    return plain, kept


def name_taken(root: Root, other: str, path: Path) -> StoreError:
    """Return the `StoreError` FLT6004 for a root whose name belongs to one of another kind."""
    return StoreError(
        "FLT6004",
        f"the name {root.name!r} of this {root.kind} belongs to a root of kind {other}",
        str(path),
        help="give one of the two another name: names are unique across kinds",
    )


def _descriptor(media_type: str, ref: Ref) -> dict[str, Any]:
    return {"mediaType": media_type, "digest": ref.digest, "size": ref.size}


def _root_descriptor(root: Root, manifest: Ref) -> dict[str, Any]:
    annotations = {NAME_KEY: root.name}
    if root.description is not None:
        annotations[DESCRIPTION_KEY] = root.description
    return {
        **_descriptor(MANIFEST_TYPE, manifest),
        "artifactType": root.media_type,
        "annotations": annotations,
    }


def _index_order(descriptor: dict[str, Any]) -> tuple[bytes, bytes]:
    name: str = descriptor.get("annotations", {}).get(NAME_KEY, "")
    return name.encode(), canonical_bytes(descriptor)
