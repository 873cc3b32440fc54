"""What there is to say about a store, a document or a blob, before it becomes text or data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import UNSET

from fleet_contracts.errors import UsageError
from fleet_contracts.inspecting.documents import KINDS, MAX_DOCUMENT_BYTES, broken, sniff
from fleet_contracts.inspecting.finding import Found, TaskPlace, chunks_of, places_of
from fleet_contracts.inspecting.forest import ForestNode, forest
from fleet_contracts.inspecting.tasksets import (
    entries,
    is_taskset,
    listed,
    read_taskset,
    task_count,
)
from fleet_contracts.models import content as c
from fleet_contracts.models.base import Record
from fleet_contracts.pages import Entry
from fleet_contracts.store.model import Ref
from fleet_contracts.store.reader import Store, StoredRoot


@dataclass(frozen=True, slots=True)
class RootView:
    """A root with its closure counted; of a TaskSet, how many Tasks and their generation.

    `closure` is the number of distinct objects and the sum of their bytes.
    """

    root: StoredRoot
    closure: tuple[int, int]
    tasks: int | None = None
    task_generation: str | None = None


@dataclass(frozen=True, slots=True)
class StoreView:
    """A store and its roots."""

    path: str
    roots: Sequence[RootView]


@dataclass(frozen=True, slots=True)
class TaskSetView:
    """A TaskSet; its Tasks are read while they are gone through, which can be done once."""

    ref: Ref
    roots: Sequence[RootView]
    schema: str
    task_generation: str
    task_count: int
    pages: int
    tasks: Iterator[Entry]


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of a TaskSet."""

    ref: Ref
    schema: str
    tasks: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class TaskView:
    """A Task, where it was found, and what it names.

    `environment` and a mount's Artifact are None where this store lacks them.
    """

    ref: Ref
    places: Sequence[TaskPlace]
    task: c.Task
    environment: c.EnvironmentDocument | None
    mounts: Sequence[tuple[c.SeedMount, c.Artifact | None]]
    forest: Sequence[ForestNode]


@dataclass(frozen=True, slots=True)
class DocumentView:
    """An Environment, an Artifact, or a Verifier that stands alone."""

    ref: Ref
    roots: Sequence[RootView]
    document: c.EnvironmentDocument | c.Artifact | c.VerifierDocument


@dataclass(frozen=True, slots=True)
class BlobView:
    """Bytes that are no document; `text` is None where they are not UTF-8, or very many."""

    ref: Ref
    text: str | None


@dataclass(frozen=True, slots=True)
class PackView:
    """A pack and the objects in it."""

    ref: Ref
    objects: Sequence[Ref]


@dataclass(frozen=True, slots=True)
class ManifestView:
    """The OCI manifest of a root, with its layers."""

    ref: Ref
    root: RootView


View: TypeAlias = (
    StoreView
    | TaskSetView
    | PageView
    | TaskView
    | DocumentView
    | BlobView
    | PackView
    | ManifestView
)


def look_at_store(store: Store, path: str) -> StoreView:
    """Return all roots by name; `path` is what a person calls the store."""
    views = [_root_view(store, root) for root in store.roots]
    return StoreView(
        path, sorted(views, key=lambda view: (view.root.name or "", view.root.document))
    )


def look(store: Store, found: Found) -> View:
    """Return what there is to say about what was found. Raises what reading raises."""
    ref = found.ref
    if store.size(ref.digest) is None:
        owner = next((root for root in store.roots if root.manifest == ref), None)
        if owner is not None:
            return ManifestView(ref, _root_view(store, owner))
        if any(ref in root.packs for root in store.roots):
            return PackView(ref, store.pack_table(ref))
    if ref.size > MAX_DOCUMENT_BYTES:
        return BlobView(ref, None)
    data = b"".join(chunks_of(store, ref))
    document = sniff(ref.digest, data)
    if found.place is not None and not isinstance(document, c.Task):
        broken(store, f"{ref.digest}, a Task of {found.place.root.name}, is something else")
    return _blob(ref, data) if document is None else _document(store, found, document)


def forest_of(view: View) -> Sequence[ForestNode]:
    """Return the Verifiers of a Task, or the one that stands alone; raises `UsageError`."""
    if isinstance(view, TaskView):
        return view.forest
    if isinstance(view, DocumentView) and isinstance(view.document, c.VerifierDocument):
        return forest([view.document.node])
    raise UsageError(
        "there are no Verifiers to draw: that is no Task",
        help="name a Task as ROOT#KEY",
    )


def _document(store: Store, found: Found, document: Record) -> View:
    ref = found.ref
    roots = [_root_view(store, root) for root in store.roots if root.document == ref]
    if is_taskset(document):
        pages = len(document.pages) if isinstance(document, c.TaskSetV1alpha2) else 0
        return TaskSetView(
            ref=ref,
            roots=roots,
            schema=document.schema,
            task_generation=document.task_generation,
            task_count=task_count(document),
            pages=pages,
            tasks=entries(store, document),
        )
    if isinstance(document, c.TaskSetPage):
        return PageView(ref, document.schema, list(listed(document.tasks)))
    if isinstance(document, c.Task):
        return _task(store, found, document)
    assert isinstance(document, c.EnvironmentDocument | c.Artifact | c.VerifierDocument)
    return DocumentView(ref, roots, document)


def _task(store: Store, found: Found, task: c.Task) -> TaskView:
    place = found.place
    places = list(places_of(store, found.ref.digest)) if place is None else [place]
    environment = _named(store, task.environment.digest)
    mounts = [] if task.seed_mounts is UNSET else task.seed_mounts
    artifacts = [(mount, _named(store, mount.digest)) for mount in mounts]
    return TaskView(
        ref=found.ref,
        places=places,
        task=task,
        environment=environment if isinstance(environment, c.EnvironmentDocument) else None,
        mounts=[(m, found if isinstance(found, c.Artifact) else None) for m, found in artifacts],
        forest=forest(task.verifiers),
    )


def _named(store: Store, digest: str) -> Record | None:
    data = store.read(digest)
    return None if data is None else sniff(digest, data)


def _root_view(store: Store, root: StoredRoot) -> RootView:
    closure = store.closure(root)
    counted = len(closure), sum(ref.size for ref in closure.values())
    if root.kind != "taskset" or f"fleet.taskset.{root.generation}" not in KINDS:
        return RootView(root, counted)
    content = read_taskset(store, root.document.digest)
    return RootView(root, counted, task_count(content), content.task_generation)


def _blob(ref: Ref, data: bytes) -> BlobView:
    try:
        return BlobView(ref, data.decode())
    except UnicodeDecodeError:
        return BlobView(ref, None)
