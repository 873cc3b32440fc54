"""Documents of a store that are compared: found by digest, refused where they are not known."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from fleet_contracts.diff.model import Kind, Objects, Subject
from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.models import content as c
from fleet_contracts.models.since import NEWEST
from fleet_contracts.store.model import Ref, StoreError
from fleet_contracts.store.reader import Store, StoredRoot

_TYPES: dict[str, tuple[Kind, type[Any]]] = {
    "fleet.taskset.v1alpha1": ("taskset", c.TaskSetV1alpha1),
    "fleet.taskset.v1alpha2": ("taskset", c.TaskSetV1alpha2),
    "fleet.environment.v1alpha1": ("environment", c.EnvironmentDocument),
    "fleet.artifact.v1alpha1": ("artifact", c.Artifact),
    **{f"fleet.task.v1alpha{number}": ("task", c.Task) for number in range(1, NEWEST + 1)},
}


class _Head(msgspec.Struct):
    schema: str


class Document(NamedTuple):
    """A content document: its kind, and plain data of a shape that is known."""

    kind: Kind
    value: dict[str, Any]


def of_root(store: Store, root: StoredRoot) -> Subject:
    """Return a root of a store."""
    return Subject(root.kind, store, root.document, root.name, root.description)


def of_digest(store: Store, digest: str) -> Subject:
    """Return a document of a store by its digest, a root's with its name.

    Raises `UnresolvedError` where the store does not hold it, `UsageError` for an object of
    another kind, `StoreError` for one that is not known.
    """
    root = next((root for root in store.roots if root.document.digest == digest), None)
    if root is not None:
        return of_root(store, root)
    data = _read(store, digest)
    if _schema(data) == "":
        raise UsageError(
            f"the object {digest} is no document",
            help="compare TaskSets, Tasks, Environments or Artifacts",
        )
    return Subject(_typed(data, digest, store).kind, store, Ref(digest, len(data)))


def of_task(subject: Subject, key: str) -> Subject:
    """Return a Task of a TaskSet; raises `UsageError` and what `load` raises."""
    if subject.kind != "taskset":
        raise UsageError(f"only a TaskSet has Tasks, and this is no TaskSet: #{key}")
    ref = tasks(subject).get(key)
    if ref is None:
        raise UsageError(f"the TaskSet has no Task {key!r}", help="`#` stands before a Task key")
    return Subject("task", subject.store, ref, key)


def load(store: Objects, ref: Ref) -> Document:
    """Return a document.

    Raises `UnresolvedError` where the store lacks it, `StoreError` for one that is not known.
    """
    return _typed(_read(store, ref.digest), ref.digest, store)


def parsed(data: bytes) -> Document | None:
    """Return a document from its bytes, None for anything else."""
    kind = _TYPES.get(_schema(data))
    if kind is None:
        return None
    try:
        msgspec.json.decode(data, type=kind[1])
    except (msgspec.MsgspecError, RecursionError):
        return None
    return Document(kind[0], msgspec.json.decode(data))


def tasks(subject: Subject) -> dict[str, Ref]:
    """Return the Tasks of a TaskSet by key, whether they are listed in it or in pages."""
    value = load(subject.store, subject.document).value
    if "pages" not in value:
        return _listed(value)
    found = {}
    for page in value["pages"]:
        data = _read(subject.store, page["digest"])
        try:
            msgspec.json.decode(data, type=c.TaskSetPage)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise _not_known(page["digest"], "is no page of a TaskSet", subject.store) from None
        found.update(_listed(msgspec.json.decode(data)))
    return found


def _listed(value: dict[str, Any]) -> dict[str, Ref]:
    return {key: Ref(blob["digest"], blob["size"]) for key, blob in value["tasks"].items()}


def _read(store: Objects, digest: str) -> bytes:
    data = store.read(digest)
    if data is None:
        raise UnresolvedError(f"the store {store.directory} has no object {digest}")
    return data


def _schema(data: bytes) -> str:
    """Return what a document says that it is, empty for what is no document."""
    try:
        return msgspec.json.decode(data, type=_Head).schema
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def _typed(data: bytes, digest: str, store: Objects) -> Document:
    document = parsed(data)
    if document is None:
        schema = _schema(data)
        known = "is not valid" if schema in _TYPES else "is of a kind that this release cannot read"
        raise _not_known(digest, f"says {schema!r} and {known}", store)
    return document


def _not_known(digest: str, what: str, store: Objects) -> StoreError:
    return StoreError(
        "FLT6001",
        f"the document {digest} {what}",
        str(store.directory),
        help="use a release that knows it, or compile it anew",
    )
