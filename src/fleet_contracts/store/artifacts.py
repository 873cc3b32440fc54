"""Placing an Artifact in a store (spec section 7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, TypeAlias

from fleet_contracts.canonical import canonical_bytes
from fleet_contracts.store.model import ContentSink, Ref, Root

Entry: TypeAlias = bytes | tuple[Literal["symlink"], str] | tuple[Literal["dir"]]
"""A file's bytes, a symlink's target, or an empty folder."""

GENERATION = "v1alpha1"


def publish_artifact(
    sink: ContentSink,
    name: str,
    entries: Mapping[str, Entry],
    *,
    executable: Collection[str] = (),
    removed: Collection[str] = (),
    description: str | None = None,
) -> Ref:
    """Put an Artifact document with its blobs into a sink as a root (spec section 7).

    `executable` names paths of files, `removed` those that an `fs-diff` took away. Whether
    the paths make sense together is not checked. Raises what the sink raises.
    """
    blobs: list[Ref] = []
    written: dict[str, Any] = {}
    for path, entry in entries.items():
        if isinstance(entry, bytes):
            ref = sink.put(entry)
            blobs.append(ref)
            written[path] = {"type": "file", "digest": ref.digest, "size": ref.size}
            if path in executable:
                written[path]["executable"] = True
        elif entry[0] == "symlink":
            written[path] = {"type": "symlink", "target": entry[1]}
        else:
            written[path] = {"type": "dir"}
    content: dict[str, Any] = {"schema": f"fleet.artifact.{GENERATION}", "entries": written}
    if removed:
        content["removed"] = sorted(set(removed), key=str.encode)
    document = sink.put(canonical_bytes(content))
    sink.add_root(Root("artifact", GENERATION, name, description, document, common=blobs))
    return document
