"""Whether a root's layers are those that its documents ask for (spec section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fleet_contracts.store.disk import io_failures
from fleet_contracts.store.documents import manifest_bytes
from fleet_contracts.store.layout import PACK_TYPE, blob_path
from fleet_contracts.store.model import Ref, Root, StoreError, TaskPack
from fleet_contracts.store.packs import lay_out
from fleet_contracts.store.reach import HeldRoot
from fleet_contracts.verify.files import MEND_PACK


def layout_problem(
    directory: Path,
    held: HeldRoot,
    packs: Sequence[tuple[Ref, ...]],
    task_packs: Sequence[TaskPack],
    common: Mapping[str, Ref],
) -> StoreError | None:
    """Compare the layers of a root with those that would be written for its closure.

    `packs` are the tables of its packs in the order of the manifest; `task_packs` and `common`
    are what its documents name. Returns FLT6016, FLT6003 for too many layers, or None.
    """
    root = Root(
        held.kind,
        held.generation,
        held.name or "",
        held.description,
        held.document,
        task_packs,
        common.values(),
    )
    path = blob_path(directory, held.ref.digest)
    try:
        wanted = lay_out(root)
    except StoreError as error:
        return StoreError(error.code, error.message, str(path), help=error.help)
    layers = [layer.ref for layer in held.manifest.layers if layer.media_type == PACK_TYPE]
    for index, (found, expected) in enumerate(zip(packs, wanted.packs, strict=False)):
        if found != expected:
            message = (
                f"the pack {layers[index].digest} of {held.title} holds {len(found):,} objects,"
                f" and not the {len(expected):,} that belong there in their order"
            )
            pack = blob_path(directory, layers[index].digest)
            return StoreError("FLT6016", message, str(pack), help=MEND_PACK)
    if len(packs) != len(wanted.packs):
        message = f"{held.title} has {len(packs)} packs, expected {len(wanted.packs)}"
        return StoreError("FLT6016", message, str(path), help=MEND_PACK)
    with io_failures("read", path):
        data = path.read_bytes()
    if data != manifest_bytes(root, wanted.big, layers):
        message = f"the manifest of {held.title} is not the one that its closure asks for"
        return StoreError("FLT6016", message, str(path), help=MEND_PACK)
    return None
