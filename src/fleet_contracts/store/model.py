"""What goes into a store: objects, roots, and where they are put (spec section 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias

from fleet_contracts.errors import FleetError

RootKind: TypeAlias = Literal["taskset", "environment", "artifact"]

BIG_OBJECT = 1 << 20
"""Objects of this many bytes or more are blobs of their own, never in a pack."""


class Ref(NamedTuple):
    """One object: its digest (`sha256:` and 64 hex digits) and its size in bytes."""

    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class TaskPack:
    """The Tasks of one page in key order, after the page document when there is one."""

    page: Ref | None
    tasks: Sequence[Ref]


@dataclass(frozen=True, slots=True)
class Root:
    """A named root and the whole closure of its document.

    `generation` is that of the root document, e.g. `v1alpha2`. `common` is what stands in
    no task pack: Environments, Artifacts and blobs of any size, in any order.
    """

    kind: RootKind
    generation: str
    name: str
    description: str | None
    document: Ref
    task_packs: Sequence[TaskPack] = ()
    common: Collection[Ref] = ()

    @property
    def media_type(self) -> str:
        """The media type of the root document, and the artifact type of the root."""
        return f"application/vnd.fleet.{self.kind}.{self.generation}+json"


class ContentSink(Protocol):
    """Something that takes closure objects and the roots that hold them."""

    def put(self, data: bytes) -> Ref:
        """Take one object; identical ones are kept once."""
        ...

    def put_stream(self, chunks: Iterable[bytes]) -> Ref:
        """Take one object in pieces, for those too large to hold in memory."""
        ...

    def add_root(self, root: Root) -> None:
        """Name a root whose objects have all been put, or will be before the end."""
        ...


class StoreError(FleetError):
    """The store, or a root for it, breaks a rule; `code` is a diagnostic code (FLT6xxx).

    `path` is the file or folder that shows it, empty where only the root does.
    """

    def __init__(self, code: str, message: str, path: str, *, help: str = "") -> None:
        """Say what is wrong, where, and how to mend it."""
        super().__init__(message, help=help)
        self.code = code
        self.path = path
