"""Artifacts that seed mounts name: found in the store, with all they hold (spec section 4)."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET

from fleet_contracts.lower.files import Files
from fleet_contracts.lower.scalars import members, tree_path
from fleet_contracts.models import authoring as a
from fleet_contracts.models import content as c
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope
from fleet_contracts.store.model import Ref
from fleet_contracts.store.reader import Store


@dataclass(slots=True)
class Artifacts:
    """Artifacts of one store, copied into the closure of a root that mounts them.

    `store` is None where no store exists yet.
    """

    store: Store | None
    files: Files
    _known: dict[str, Ref | None] = field(default_factory=dict)

    def mounts(self, scope: Scope, mounts: list[a.SeedMount]) -> list[c.SeedMount]:
        """Lower the seed mounts of a Task."""
        lowered = [
            (mount.path, self._mount(scope, mount, ("seed_mounts", index)))
            for index, mount in enumerate(mounts)
        ]
        return members(scope, lowered, ("seed_mounts",), "mount path", key="path")

    def _mount(self, scope: Scope, mount: a.SeedMount, at: Pointer) -> c.SeedMount:
        tree_path(scope, mount.path, (*at, "path"))
        ref = self._artifact(scope, mount.artifact, (*at, "artifact"))
        return c.SeedMount(
            digest=mount.artifact,
            size=ref.size if ref else 0,
            path=mount.path,
            read_only=False if mount.read_only is False else UNSET,
        )

    def _artifact(self, scope: Scope, digest: str, at: Pointer) -> Ref | None:
        if digest not in self._known or self._known[digest] is None:
            self._known[digest] = self._copy(scope, digest, at)
        return self._known[digest]

    def _copy(self, scope: Scope, digest: str, at: Pointer) -> Ref | None:
        data = self.store.read(digest) if self.store else None
        if data is None:
            scope.report(
                "FLT3040",
                f"no Artifact {digest} in the store",
                at,
                help="copy an OCI layout that holds it into the store",
            )
            return None
        try:
            artifact = msgspec.json.decode(data, type=c.Artifact)
        except msgspec.DecodeError:
            message = f"{digest} is in the store, but is no Artifact"
            scope.report("FLT3041", message, at, help="name the digest of an Artifact document")
            return None
        if artifact.removed is not UNSET:
            scope.report(
                "FLT4072",
                "the Artifact is an fs-diff with removed paths, which cannot be mounted",
                at,
                help="mount the Artifact of an fs-snapshot",
            )
            return None
        wanted = [digest]
        wanted += [e.digest for e in artifact.entries.values() if isinstance(e, c.FileEntry)]
        for each in wanted:
            self._take(scope, each, at)
        return Ref(digest, len(data))

    def _take(self, scope: Scope, digest: str, at: Pointer) -> None:
        assert self.store is not None
        ref = self.store.read_into(self.files.sink, digest)
        if ref is None:
            message = f"the Artifact's file {digest} is not in the store"
            scope.report("FLT3040", message, at, help="copy the whole closure into the store")
            return
        self.files.closure[digest] = ref
