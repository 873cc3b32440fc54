"""A difference for people: Tasks by what they cost, each with its fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from fleet_contracts.diagnostics.text import BOLD, TextStyle, visible
from fleet_contracts.diff.lines import NO_END
from fleet_contracts.diff.model import Change, Difference, FieldChange, Subject, TaskChange, by_cost
from fleet_contracts.diff.table import ORDER
from fleet_contracts.pointer import format_pointer

KINDS = {
    "taskset": "TaskSet",
    "task": "Task",
    "environment": "Environment",
    "artifact": "Artifact",
}
RED = "\x1b[31m"
GREEN = "\x1b[32m"
CYAN = "\x1b[36m"
PAINTED = {"-": RED, "+": GREEN, "@": CYAN}

SHORT_VALUE = 80
"""Characters of JSON in one line; longer values of several parts get a line for each part."""

MOST_KEYS = 10
"""Keys that are named of Tasks that changed alike; all are counted."""


def render_text(
    found: Difference, labels: tuple[str, str], style: TextStyle, *, fields: bool = True
) -> Iterator[str]:
    """Yield the lines of a difference, none for none; without `fields` Tasks and counts only.

    `labels` say what the two sides are called.
    """
    if not found.differs:
        return
    yield _head("---", found.old, labels[0], style)
    yield _head("+++", found.new, labels[1], style)
    if fields and found.changes:
        yield ""
        yield from _fields(found.changes, style, "")
    yield from _tasks(found, style, fields=fields)
    yield ""
    yield _summary(found)


def _head(mark: str, subject: Subject | None, label: str, style: TextStyle) -> str:
    if subject is None:
        return style.paint(f"{mark} {visible(label)}  (not there)", BOLD)
    words = [KINDS[subject.kind], subject.name or "", subject.document.digest]
    said = "  ".join(word for word in words if word)
    return style.paint(f"{mark} {visible(label)}  {visible(said)}", BOLD)


def _tasks(found: Difference, style: TextStyle, *, fields: bool) -> Iterator[str]:
    """Yield Tasks, with their fields or one below the other; ones that changed alike once."""
    gap = True
    for group in _alike(found.tasks):
        first = group[0]
        if gap or (fields and first.changes):
            yield ""
        gap = fields and bool(first.changes)
        yield style.paint(f"{first.consequence or first.kind:8} {_names(group)}", BOLD)
        if fields:
            yield from _fields(first.changes, style, "  ")


def _alike(tasks: Iterable[TaskChange]) -> list[list[TaskChange]]:
    """Return Tasks by cost, those together that changed in the same fields in the same way."""
    groups: dict[object, list[TaskChange]] = {}
    for each in by_cost(list(tasks)):
        changes = [
            [list(change.pointer), change.kind, _absent(change.old), _absent(change.new)]
            for change, _ in each.changes
        ]
        alike = msgspec.json.encode(changes) if changes else each.key
        groups.setdefault(alike, []).append(each)
    return list(groups.values())


def _absent(value: Any) -> list[Any]:
    return [] if value is UNSET else [value]


def _names(group: list[TaskChange]) -> str:
    first = group[0]
    if len(group) == 1:
        return visible(first.key) + _origin(first)
    names = ", ".join(visible(each.key) for each in group[:MOST_KEYS])
    more = f" and {len(group) - MOST_KEYS:,} more" if len(group) > MOST_KEYS else ""
    return f"{len(group):,} Tasks alike: {names}{more}"


def _origin(task: TaskChange) -> str:
    if task.old_key is None:
        return ""
    how = "renamed from" if task.kind == "renamed" else "added with the content of"
    return f"  ({how} {visible(task.old_key)})"


def _fields(changes: Iterable[FieldChange], style: TextStyle, margin: str) -> Iterator[str]:
    for change, means in changes:
        told = "" if change.kind == "changed" else f", {change.kind}"
        yield f"{margin}{visible(format_pointer(change.pointer))}  ({means}{told})"
        for line in _values(change):
            colour = "" if line == NO_END else PAINTED.get(line[:1], "")
            text = visible(line)
            yield f"{margin}  {style.paint(text, colour) if colour else text}"


def _values(change: Change) -> Iterator[str]:
    if change.lines:
        yield from change.lines
        return
    for mark, value in (("-", change.old), ("+", change.new)):
        if value is not UNSET:
            yield from (mark + line for line in _written(value))


def _written(value: Any) -> list[str]:
    """Return a value in JSON, over several lines where it is long."""
    if isinstance(value, str) and "\n" in value:
        return value.removesuffix("\n").split("\n")
    short = json.dumps(value, ensure_ascii=False)
    if len(short) <= SHORT_VALUE or not isinstance(value, dict | list):
        return [short]
    return json.dumps(value, ensure_ascii=False, indent=2).split("\n")


def _summary(found: Difference) -> str:
    if found.old is None or found.new is None or found.new.kind != "taskset":
        if found.old_tasks or found.new_tasks:
            return f"{_counted(found.old_tasks or found.new_tasks)}: {_kinds(found)}"
        return "not there" if found.new is None else found.consequence or "new"
    if not found.tasks:
        return f"{_counted(found.new_tasks)}, all as they were"
    return f"{_counted(found.new_tasks)}: {_kinds(found)}"


def _counted(count: int) -> str:
    return f"{count:,} {'Task' if count == 1 else 'Tasks'}"


def _kinds(found: Difference) -> str:
    """Return how many Tasks there are of each sort, without those that there are none of."""
    changed = [each for each in found.tasks if each.kind == "changed"]
    counts = [
        (sum(each.consequence == means for each in changed), f"to {means}")
        for means in reversed(ORDER)
    ]
    counts += [(found.count(kind), kind) for kind in ("renamed", "added", "removed")]
    counts.append((found.unchanged, "unchanged"))
    return ", ".join(f"{count:,} {what}" for count, what in counts if count)
