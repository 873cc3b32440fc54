"""Documents by hand, in stores of their own, and what differs between them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import UNSET

from fleet_contracts.canonical import canonical_bytes, digest
from fleet_contracts.diff.difference import difference
from fleet_contracts.diff.documents import of_root
from fleet_contracts.diff.model import Change, Difference, Subject, TaskChange
from fleet_contracts.diff.values import compare
from fleet_contracts.pages import Entry, put_taskset
from fleet_contracts.pointer import format_pointer
from fleet_contracts.store import Root, Store, Transaction

Plain = dict[str, Any]

IMAGE = "sha256:" + "1" * 64
OTHER_IMAGE = "sha256:" + "2" * 64
NOWHERE = {"digest": "sha256:" + "0" * 64, "size": 1}
LEAF: Plain = {
    "id": "answer",
    "type": "evaluator",
    "evaluator": {
        "kind": "builtin.v1",
        "builtin_id": "answer-equals",
        "params": {"expected": "42"},
    },
    "decision": {"kind": "threshold", "at_least": "1"},
}


def task(**fields: Any) -> Plain:
    """Return a Task; a field that is UNSET is left out."""
    whole = {
        "schema": "fleet.task.v1alpha1",
        "prompt": "What is 6 times 7?",
        "environment": NOWHERE,
        "verifiers": [LEAF],
        **fields,
    }
    return {name: item for name, item in whole.items() if item is not UNSET}


def environment(**fields: Any) -> Plain:
    """Return an Environment."""
    image = {"kind": "image_id", "value": IMAGE}
    return {"schema": "fleet.environment.v1alpha1", "image": image, **fields}


class Shelf:
    """Makes stores in a folder, each with one root."""

    def __init__(self, folder: Path) -> None:
        """Begin with no store."""
        self._names = (folder / f"store{number}" for number in itertools.count())

    def taskset(
        self,
        tasks: Mapping[str, Plain],
        *objects: bytes,
        name: str = "small",
        description: str | None = None,
        floor: str = "v1alpha1",
    ) -> Subject:
        """Return a TaskSet of these Tasks; `objects` are what they refer to."""
        directory = next(self._names)
        with Transaction.begin(directory) as sink:
            entries = [
                Entry(key, sink.put(canonical_bytes(each))) for key, each in sorted(tasks.items())
            ]
            common = [sink.put(each) for each in objects]
            made = put_taskset(sink, entries, floor)
            sink.add_root(
                Root(
                    "taskset", made.generation, name, description, made.document, made.packs, common
                )
            )
            sink.commit()
        store = Store.open(directory)
        return of_root(store, store.roots[0])

    def other(self, kind: Any, document: Plain, *objects: bytes) -> Subject:
        """Return an Environment or Artifact."""
        directory = next(self._names)
        with Transaction.begin(directory) as sink:
            common = [sink.put(each) for each in objects]
            ref = sink.put(canonical_bytes(document))
            sink.add_root(Root(kind, "v1alpha1", "small", None, ref, (), common))
            sink.commit()
        store = Store.open(directory)
        return of_root(store, store.roots[0])

    def of_tasks(self, old: Mapping[str, Plain], new: Mapping[str, Plain]) -> Difference:
        """Return what differs between two TaskSets."""
        return difference(self.taskset(old), self.taskset(new))

    def of_task(self, old: Plain, new: Plain, *objects: bytes) -> TaskChange:
        """Return what became of the only Task of two TaskSets."""
        found = difference(
            self.taskset({"one": old}, *objects), self.taskset({"one": new}, *objects)
        )
        (change,) = found.tasks
        return change


def blob(data: bytes) -> Plain:
    """Return the reference to an object."""
    return {"digest": digest(data), "size": len(data)}


def changes(old: Any, new: Any) -> list[Change]:
    """Return what differs between two plain values, references by themselves."""
    return list(compare(old, new, (), lambda one, other: (Change((), "changed", one, other),)))


def told(old: Any, new: Any) -> list[tuple[str, str]]:
    """Return where two plain values differ, and how."""
    return [(format_pointer(each.pointer), each.kind) for each in changes(old, new)]


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every scalar in a plain value."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from leaves(item, (*at, key))
    else:
        yield at
