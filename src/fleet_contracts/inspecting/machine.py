"""Views as plain data, for programs (`schemas/report/inspection.v1.json`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fleet_contracts.inspecting.documents import plain
from fleet_contracts.inspecting.forest import ForestNode, forest, walk
from fleet_contracts.inspecting.views import (
    BlobView,
    DocumentView,
    ManifestView,
    PackView,
    PageView,
    RootView,
    StoreView,
    TaskSetView,
    TaskView,
    View,
)
from fleet_contracts.models import content as c
from fleet_contracts.pages import Entry
from fleet_contracts.store.model import Ref

VERSION = "fleet.inspection.v1"


def machine_form(view: View) -> dict[str, Any]:
    """Return everything about a view as JSON data; nothing is left out."""
    makers: dict[type, Callable[[Any], dict[str, Any]]] = {
        StoreView: _store,
        TaskSetView: _taskset,
        PageView: _page,
        TaskView: _task,
        DocumentView: _document,
        BlobView: _blob,
        PackView: _pack,
        ManifestView: _manifest,
    }
    return {"inspection": VERSION, **makers[type(view)](view)}


def _store(view: StoreView) -> dict[str, Any]:
    return {"kind": "store", "path": view.path, "roots": _roots(view.roots)}


def _taskset(view: TaskSetView) -> dict[str, Any]:
    return {
        "kind": "taskset",
        **_ref(view.ref),
        "schema": view.schema,
        "roots": _roots(view.roots),
        "task_generation": view.task_generation,
        "task_count": view.task_count,
        "tasks": _entries(view.tasks),
    }


def _page(view: PageView) -> dict[str, Any]:
    tasks = _entries(view.tasks)
    return {"kind": "taskset_page", **_ref(view.ref), "schema": view.schema, "tasks": tasks}


def _task(view: TaskView) -> dict[str, Any]:
    environment = None if view.environment is None else plain(view.environment)
    return {
        "kind": "task",
        **_ref(view.ref),
        "schema": view.task.schema,
        "places": [
            {"name": each.root.name, "taskset": each.root.document.digest, "key": each.key}
            for each in view.places
        ],
        "environment": {**plain(view.task.environment), "document": environment},
        "verifiers": _nodes(view.forest),
        "document": plain(view.task),
    }


def _document(view: DocumentView) -> dict[str, Any]:
    document = view.document
    kind = document.schema.split(".")[1]
    found = {"kind": kind, **_ref(view.ref), "schema": document.schema}
    if isinstance(document, c.VerifierDocument):
        found["verifiers"] = _nodes(forest([document.node]))
    else:
        found["roots"] = _roots(view.roots)
    return {**found, "document": plain(document)}


def _blob(view: BlobView) -> dict[str, Any]:
    return {"kind": "blob", **_ref(view.ref), "text": view.text is not None}


def _pack(view: PackView) -> dict[str, Any]:
    return {"kind": "pack", **_ref(view.ref), "objects": [_ref(ref) for ref in view.objects]}


def _manifest(view: ManifestView) -> dict[str, Any]:
    return {"kind": "manifest", **_ref(view.ref), "root": _root(view.root)}


def _ref(ref: Ref) -> dict[str, Any]:
    return {"digest": ref.digest, "size": ref.size}


def _entries(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    return [{"key": entry.key, **_ref(entry.ref)} for entry in entries]


def _roots(views: Sequence[RootView]) -> list[dict[str, Any]]:
    return [_root(view) for view in views]


def _root(view: RootView) -> dict[str, Any]:
    root = view.root
    objects, size = view.closure
    return {
        "kind": root.kind,
        "name": root.name,
        "description": root.description,
        **_ref(root.document),
        "schema": f"fleet.{root.kind}.{root.generation}",
        "manifest": root.manifest.digest,
        "layers": len(root.blobs) + len(root.packs),
        "objects": objects,
        "bytes": size,
        "task_count": view.tasks,
        "task_generation": view.task_generation,
    }


def _nodes(trees: Sequence[ForestNode]) -> list[dict[str, Any]]:
    return [
        {
            "path": "/".join(node.path),
            "id": node.node.id,
            "kind": node.kind,
            "weight": node.weight,
            "at_least": node.at_least,
            "digest": node.digest,
        }
        for node in walk(trees)
    ]
