"""Which objects a valid document names, and as what (spec sections 4 to 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

from fleet_contracts.store.model import Ref

ObjectKind: TypeAlias = Literal["environment", "artifact", "blob"]


class Named(NamedTuple):
    """An object by digest and size, and what it must be."""

    ref: Ref
    kind: ObjectKind


def named_by_task(task: dict[str, Any]) -> Iterator[Named]:
    """Yield what a Task names: its Environment, its mounts, and the files of its Verifiers."""
    yield Named(ref_of(task["environment"]), "environment")
    for mount in task.get("seed_mounts", ()):
        yield Named(ref_of(mount), "artifact")
    for node in task["verifiers"]:
        yield from _named_by_node(node)


def named_by_artifact(artifact: dict[str, Any]) -> Iterator[Named]:
    """Yield the files of an Artifact."""
    for entry in artifact["entries"].values():
        if entry["type"] == "file":
            yield Named(ref_of(entry), "blob")


def ref_of(value: dict[str, Any]) -> Ref:
    """Return the digest and size that stand in a document."""
    return Ref(value["digest"], value["size"])


def _named_by_node(node: dict[str, Any]) -> Iterator[Named]:
    if node["type"] == "composite":
        if node["aggregation"]["kind"] == "code":
            yield Named(ref_of(node["aggregation"]["entrypoint"]), "blob")
        for edge in node["children"]:
            yield from _named_by_node(edge["node"])
        return
    evaluator = node["evaluator"]
    if evaluator["kind"] == "code.v1":
        yield Named(ref_of(evaluator["entrypoint"]), "blob")
    elif evaluator["kind"] == "judge.v1":
        yield Named(ref_of(evaluator["rubric"]), "blob")
    elif evaluator.get("builtin_id") == "file-equals":
        yield Named(ref_of(evaluator["params"]["content"]), "blob")
