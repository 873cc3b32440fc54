"""Documents of a store that are compared: found by digest, refused where they are not known."""

from __future__ import annotations

from typing import Any, NamedTuple

from fleet_contracts.diff.model import Kind, Objects, Subject
from fleet_contracts.errors import UsageError
from fleet_contracts.inspecting.documents import MAX_DOCUMENT_BYTES, plain, sniff
from fleet_contracts.models import content as c
from fleet_contracts.store.layout import corrupt
from fleet_contracts.store.model import Ref
from fleet_contracts.store.reader import Store, StoredRoot

_KINDS: dict[type[Any], Kind] = {
    c.TaskSetV1alpha1: "taskset",
    c.TaskSetV1alpha2: "taskset",
    c.Task: "task",
    c.EnvironmentDocument: "environment",
    c.Artifact: "artifact",
}


class Document(NamedTuple):
    """A content document: its kind, and plain data of a shape that is known."""

    kind: Kind
    value: dict[str, Any]


def of_root(store: Store, root: StoredRoot) -> Subject:
    """Return a root of a store."""
    return Subject(root.kind, store, root.document, root.name, root.description)


def of_digest(store: Store, digest: str) -> Subject:
    """Return a document of a store by its digest, a root's with its name.

    Raises `UsageError` for any other object, `UnresolvedError` for a document of a generation
    that is not known.
    """
    root = next((root for root in store.roots if root.document.digest == digest), None)
    if root is not None:
        return of_root(store, root)
    size = store.size(digest)
    data = store.read(digest) if size is not None and size <= MAX_DOCUMENT_BYTES else None
    document = None if data is None else parsed(digest, data)
    if data is None or document is None:
        raise UsageError(
            f"{digest} is no document that can be compared",
            help="compare TaskSets, Tasks, Environments or Artifacts",
        )
    return Subject(document.kind, store, Ref(digest, len(data)))


def of_task(subject: Subject, key: str) -> Subject:
    """Return a Task of a TaskSet; raises `UsageError` and what `load` raises."""
    if subject.kind != "taskset":
        raise UsageError(f"only a TaskSet has Tasks, and this is no TaskSet: #{key}")
    ref = tasks(subject).get(key)
    if ref is None:
        raise UsageError(f"the TaskSet has no Task {key!r}", help="`#` stands before a Task key")
    return Subject("task", subject.store, ref, key)


def load(store: Objects, ref: Ref, kind: Kind) -> Document:
    """Return a document that another one names, or a root; it has to be of a kind.

    Raises `StoreError` FLT6001 where it is missing or something else, `UnresolvedError` for one
    of a generation that is not known.
    """
    document = parsed(ref.digest, _read(store, ref.digest))
    if document is None or document.kind != kind:
        corrupt(store.directory, f"the document {ref.digest} is not what it should be")
    return document


def parsed(digest: str, data: bytes) -> Document | None:
    """Return an object as a document, None for anything else.

    Raises `UnresolvedError` for a document of a generation that is not known.
    """
    record = sniff(digest, data)
    if record is None or type(record) not in _KINDS:
        return None
    return Document(_KINDS[type(record)], plain(record))


def tasks(subject: Subject) -> dict[str, Ref]:
    """Return the Tasks of a TaskSet by key, whether they are listed in it or in pages."""
    value = load(subject.store, subject.document, "taskset").value
    if "pages" not in value:
        return _listed(value)
    found = {}
    for entry in value["pages"]:
        digest = entry["digest"]
        page = sniff(digest, _read(subject.store, digest))
        if not isinstance(page, c.TaskSetPage):
            corrupt(subject.store.directory, f"the TaskSet page {digest} is something else")
        found.update(_listed(plain(page)))
    return found


def _listed(value: dict[str, Any]) -> dict[str, Ref]:
    return {key: Ref(blob["digest"], blob["size"]) for key, blob in value["tasks"].items()}


def _read(store: Objects, digest: str) -> bytes:
    data = store.read(digest)
    if data is None:
        corrupt(store.directory, f"the store lacks the document {digest}")
    return data
