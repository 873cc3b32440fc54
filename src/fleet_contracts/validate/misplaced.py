"""Tasks, or the keys of a Task, that stand where something else belongs.

A line that is missing or indented wrongly, `tasks:` or a Task's own key, moves whole Tasks
into another map. That is one mistake, not one for each of their keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fleet_contracts import schemas
from fleet_contracts.pointer import Pointer
from fleet_contracts.validate.forms import Finding
from fleet_contracts.validate.shapes import Shape, start
from fleet_contracts.validate.words import listed, thing, tick

_HOLDERS = frozenset({"AuthoredTaskSet", "AuthoredTasks"})
_MOST = 3

# What no Environment has, and every Task has or takes from `defaults`.
_TELLING = frozenset({"prompt", "verifiers"})


@dataclass(frozen=True, slots=True)
class Misplaced:
    """One mistake at a key, and what need not be looked at any more because of it."""

    finding: Finding
    at: Pointer
    covers: tuple[Pointer, ...]


def misplaced(shape: Shape, value: Any) -> list[Misplaced]:
    """Return the mistakes that put Tasks or their keys into a wrong map of a whole document."""
    if shape.title not in _HOLDERS or not isinstance(value, dict):
        return []
    return [*_in_environments(value), *_at_the_top(shape, value), *_among_tasks(value)]


def without(value: dict[str, Any], covered: set[Pointer]) -> dict[str, Any]:
    """Return a document without the parts that have been told about."""
    kept: dict[str, Any] = {}
    for key, part in value.items():
        if (key,) in covered:
            continue
        inside = {at[1] for at in covered if len(at) == 2 and at[0] == key}
        rest = {name: part[name] for name in part if name not in inside} if inside else part
        if rest or not inside:
            kept[key] = rest
    return kept


def strays(tasks: dict[str, Any]) -> list[str]:
    """Return the keys of a Task that stand among the Tasks' own keys.

    >>> strays({"add": {"prompt": "What is 40 + 2?"}, "verifiers": []})
    ['verifiers']
    """
    fields = start(schemas.AUTHORED_TASK).properties
    return [
        key
        for key, task in tasks.items()
        if key in fields and not (isinstance(task, dict) and task.keys() & fields.keys())
    ]


def owner(tasks: dict[str, Any]) -> str | None:
    """Return the Task that the first of the strays most likely belongs to: the one before it."""
    first = strays(tasks)[:1]
    before = None
    for key in tasks:
        if key in first:
            return before
        before = key
    return None


def _looks_like_a_task(value: Any) -> bool:
    return isinstance(value, dict) and bool(value.keys() & _TELLING)


def _named(keys: list[str]) -> str:
    return listed(keys, "and", most=_MOST)


def _in_environments(value: dict[str, Any]) -> Iterator[Misplaced]:
    environments = value.get("environments")
    if not isinstance(environments, dict):
        return
    tasks = [key for key, each in environments.items() if _looks_like_a_task(each)]
    inner = environments.get("tasks")
    is_moved = isinstance(inner, dict) and any(_looks_like_a_task(each) for each in inner.values())
    if "tasks" in environments and (is_moved or (inner is None and tasks)):
        covers = tuple(("environments", key) for key in ["tasks", *tasks])
        message = "`tasks` stands in `environments`, but belongs beside it"
        help = "indent the line `tasks:` like the line `environments:`"
        yield Misplaced(Finding("FLT2012", message, help), ("environments", "tasks"), covers)
    elif tasks:
        covers = tuple(("environments", key) for key in tasks)
        message = f"expected an Environment, found {'a Task' if len(tasks) == 1 else 'Tasks'}"
        message += "" if len(tasks) == 1 else f": {_named(tasks)}"
        them = "it" if len(tasks) == 1 else "them"
        help = f"write the line `tasks:` before {them}"
        help = f"move {them} to `tasks`" if "tasks" in value else help
        yield Misplaced(Finding("FLT2012", message, help), covers[0], covers)


def _at_the_top(shape: Shape, value: dict[str, Any]) -> Iterator[Misplaced]:
    tasks = [
        key
        for key, each in value.items()
        if key not in shape.properties and _looks_like_a_task(each)
    ]
    if not tasks:
        return
    covers: list[Pointer] = [(key,) for key in tasks]
    if "tasks" in value and value["tasks"] is None:
        covers.append(("tasks",))
    is_one = len(tasks) == 1
    message = f"unknown {'key' if is_one else 'keys'} {_named(tasks)} in {thing(shape)}"
    looks, them = ("this looks like a Task", "it") if is_one else ("these look like Tasks", "them")
    line = "" if "tasks" in value else f"write the line `tasks:` before {them} and "
    help = f"{looks}: {line}indent {them} below `tasks:`"
    yield Misplaced(Finding("FLT2010", message, help), (tasks[0],), tuple(covers))


def _among_tasks(value: dict[str, Any]) -> Iterator[Misplaced]:
    tasks = value.get("tasks")
    if not isinstance(tasks, dict):
        return
    found = strays(tasks)
    if not found:
        return
    covers = tuple(("tasks", key) for key in found)
    they, them = ("is a key", "it") if len(found) == 1 else ("are keys", "them")
    before = owner(tasks)
    message = f"{_named(found)} {they} of a Task, but found where a Task's own key belongs"
    help = (
        f"write a line with the Task's key before {them}, and indent {them} below it"
        if before is None
        else f"indent {them} like the other keys of {tick(before)}"
    )
    yield Misplaced(Finding("FLT2012", message, help), covers[0], covers)
