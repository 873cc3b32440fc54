"""Two documents and all they hold, compared by content: Task by Task, then field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fleet_contracts.diff.documents import Document, load, parsed, tasks
from fleet_contracts.diff.lines import line_diff
from fleet_contracts.diff.model import (
    Change,
    Difference,
    FieldChange,
    Kind,
    Objects,
    Subject,
    TaskChange,
)
from fleet_contracts.diff.table import TASK_BY_TASK, consequence, worst
from fleet_contracts.diff.values import compare
from fleet_contracts.errors import UsageError
from fleet_contracts.store.model import BIG_OBJECT, Ref, StoreError

WORDS: dict[Kind, str] = {
    "taskset": "a TaskSet",
    "task": "a Task",
    "environment": "an Environment",
    "artifact": "an Artifact",
}


def difference(old: Subject | None, new: Subject | None, *, with_names: bool = False) -> Difference:
    """Return what differs; a subject that is None is not there, as a file before its first commit.

    `with_names` compares the names of roots, too. Raises `UsageError` for subjects of different
    kinds, `UnresolvedError` and `StoreError` for a store that lacks something.
    """
    if old is None or new is None:
        return _one_sided(old, new)
    if old.kind != new.kind:
        raise UsageError(
            f"{WORDS[old.kind]} cannot be compared with {WORDS[new.kind]}",
            help="name two documents of one kind; `#KEY` behind a TaskSet is a Task",
        )
    names = ["name"] if with_names else []
    names = [] if old.kind == "task" else [*names, "description"]  # a Task has neither
    own = [each for name in names for each in _text(name, old, new)]
    comparing = _Comparing(old.store, new.store)
    if old.document.digest != new.document.digest:
        own += comparing.documents(old.kind, old.document, new.document)
    changes = tuple(_judged(old.kind, own))
    if old.kind != "taskset":
        return Difference(old, new, changes)
    before, after = tasks(old), tasks(new)
    found = tuple(_tasks(before, after, comparing))
    return Difference(old, new, changes, found, len(before), len(after))


def _one_sided(old: Subject | None, new: Subject | None) -> Difference:
    before = tasks(old) if old and old.kind == "taskset" else {}
    after = tasks(new) if new and new.kind == "taskset" else {}
    found = [TaskChange(key, "removed", old=ref) for key, ref in before.items()]
    found += [TaskChange(key, "added", new=ref) for key, ref in after.items()]
    return Difference(old, new, (), tuple(found), len(before), len(after))


def _text(name: str, old: Subject, new: Subject) -> Iterator[Change]:
    """Compare the name or the description of two roots."""
    before, after = (getattr(each, name) for each in (old, new))
    yield from compare(_map(name, before), _map(name, after), (), _nothing)


def _map(name: str, value: str | None) -> dict[str, str]:
    return {} if value is None else {name: value}


def _nothing(old: dict[str, Any], new: dict[str, Any]) -> tuple[Change, ...]:
    """Follow no reference: there is none in text."""
    return ()


def _judged(kind: Kind, changes: Iterable[Change]) -> Iterator[FieldChange]:
    for each in changes:
        yield FieldChange(each, consequence(kind, each.pointer))


def _tasks(old: dict[str, Ref], new: dict[str, Ref], comparing: _Comparing) -> Iterator[TaskChange]:
    """Yield what became of each Task that is not what it was, sorted by key."""
    origins = _renamed(old, new)
    gone = old.keys() - new.keys() - set(origins.values())
    holders: dict[str, str] = {}
    for key, ref in old.items():
        holders.setdefault(ref.digest, key)
    for key in sorted(new.keys() | gone):
        before, after = old.get(key), new.get(key)
        if after is None:
            yield TaskChange(key, "removed", old=before)
        elif key in origins:
            origin = origins[key]
            yield TaskChange(key, "renamed", old[origin], after, origin, "reuse")
        elif before is None:
            same = holders.get(after.digest)
            yield TaskChange(key, "added", None, after, same, "reuse" if same else None)
        elif before.digest != after.digest:
            found = tuple(_judged("task", comparing.documents("task", before, after)))
            means = worst(each.consequence for each in found)
            yield TaskChange(key, "changed", before, after, None, means or "reuse", found)


def _renamed(old: dict[str, Ref], new: dict[str, Ref]) -> dict[str, str]:
    """Return from which key each Task was renamed whose content is that of one that went.

    Of several equal ones the first of the new keys gets the first of the old ones.
    """
    waiting: dict[str, list[str]] = {}
    for key in sorted(old.keys() - new.keys(), reverse=True):
        waiting.setdefault(old[key].digest, []).append(key)
    return {
        key: waiting[new[key].digest].pop()
        for key in sorted(new.keys() - old.keys())
        if waiting.get(new[key].digest)
    }


@dataclass(slots=True)
class _Comparing:
    """Compares documents of two stores and what they refer to; a pair of objects only once."""

    old: Objects
    new: Objects
    _known: dict[tuple[str, str], tuple[Change, ...]] = field(default_factory=dict)

    def documents(self, kind: Kind, old: Ref, new: Ref) -> list[Change]:
        """Return what differs between two documents of a kind."""
        before, after = (
            _own_fields(load(*each, kind)) for each in ((self.old, old), (self.new, new))
        )
        if isinstance(before.get("prompt"), list) or isinstance(after.get("prompt"), list):
            before, after = _with_messages(before), _with_messages(after)
        try:
            return list(compare(before, after, (), self.objects))
        except RecursionError:
            raise StoreError(
                "FLT6001",
                f"the document {old.digest} or {new.digest} is nested without end",
                str(self.new.directory),
                help="compile it anew",
            ) from None

    def objects(self, old: dict[str, Any], new: dict[str, Any]) -> tuple[Change, ...]:
        """Return what differs between two objects by reference, their digests if nothing else."""
        pair = old["digest"], new["digest"]
        if pair not in self._known:
            self._known[pair] = self._objects(*(_reference(each) for each in (old, new)))
        return self._known[pair]

    def _objects(self, old: dict[str, Any], new: dict[str, Any]) -> tuple[Change, ...]:
        before, after = _small(self.old, old["digest"]), _small(self.new, new["digest"])
        if before is None or after is None:
            return (Change((), "changed", old, new),)
        found = self._inside(parsed(old["digest"], before), parsed(new["digest"], after))
        return found or (Change((), "changed", old, new, _lines(before, after)),)

    def _inside(self, old: Document | None, new: Document | None) -> tuple[Change, ...]:
        if old is None or new is None or old.kind != new.kind:
            return ()
        return tuple(compare(old.value, new.value, (), self.objects))


def _own_fields(document: Document) -> dict[str, Any]:
    """Return a document's value; that of a TaskSet without the list of its Tasks."""
    skipped = TASK_BY_TASK if document.kind == "taskset" else frozenset()
    return {name: item for name, item in document.value.items() if name not in skipped}


def _with_messages(value: dict[str, Any]) -> dict[str, Any]:
    """Return a Task whose prompt is a list; text means one message of the user."""
    prompt = value.get("prompt")
    if not isinstance(prompt, str):
        return value
    return {**value, "prompt": [{"role": "user", "text": prompt}]}


def _reference(value: dict[str, Any]) -> dict[str, Any]:
    return {"digest": value["digest"], "size": value["size"]}


def _lines(old: bytes, new: bytes) -> tuple[str, ...]:
    """Return a line diff of two files; empty unless both are text."""
    try:
        return line_diff(old.decode(), new.decode())
    except UnicodeDecodeError:
        return ()


def _small(store: Objects, digest: str) -> bytes | None:
    """Return an object that is small enough to be read by people; None for any other."""
    size = store.size(digest)
    return store.read(digest) if size is not None and size < BIG_OBJECT else None
