"""Tasks, keys of a Task and other parts that stand where something else belongs.

A line that is missing or indented wrongly, `tasks:` or a Task's own key, moves whole Tasks
into another map; so does any line that is too deep. That is one mistake, not one for each of
their keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fleet_contracts import schemas
from fleet_contracts.pointer import Pointer
from fleet_contracts.validate.forms import Finding
from fleet_contracts.validate.shapes import Shape, branches, follow, start
from fleet_contracts.validate.words import listed, thing, tick

_HOLDERS = frozenset({"AuthoredTaskSet", "AuthoredTasks"})
_MOST = 3

# What no Environment has, and every Task has or takes from `defaults`.
_TELLING = frozenset({"prompt", "verifiers"})

# The maps at the top, and what each member of them is, or what they are themselves.
_MEMBERS = {
    "environments": schemas.AUTHORED_ENVIRONMENT,
    "tasks": schemas.AUTHORED_TASK,
    "defaults": schemas.AUTHORED_TASK,
}
_NAMED_THINGS = {"environments": "an Environment", "tasks": "a Task"}


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
    moved = [each for holder in _MEMBERS for each in _moved(shape, value, holder)]
    value = without(value, {at for each in moved for at in each.covers})
    nameless = [each for holder in _NAMED_THINGS for each in _without_name(value, holder)]
    return [*moved, *_at_the_top(shape, value), *nameless]


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


def strays(holder: str, members: dict[str, Any]) -> list[str]:
    """Return the keys of a Task (of an Environment) that stand among the keys of all of them.

    `holder` is `tasks` or `environments`, `members` what stands in it.

    >>> strays("tasks", {"add": {"prompt": "What is 40 + 2?"}, "verifiers": []})
    ['verifiers']
    """
    fields = _fields(_MEMBERS[holder])
    return [key for key, each in members.items() if key in fields and not _has_any(each, fields)]


def _fields(reference: str) -> frozenset[str]:
    shape = follow(start(reference))
    return frozenset(name for each in [shape, *branches(shape)] for name in each.properties)


def _has_any(value: Any, fields: frozenset[str]) -> bool:
    return isinstance(value, dict) and bool(value.keys() & fields)


def _named(keys: list[str]) -> str:
    return listed(keys, "and", most=_MOST)


def _them(keys: list[str]) -> str:
    return "it" if len(keys) == 1 else "them"


def _moved(shape: Shape, value: dict[str, Any], holder: str) -> Iterator[Misplaced]:
    """Yield what stands in a map at the top although it belongs beside that."""
    part = value.get(holder)
    if not isinstance(part, dict):
        return
    own = _fields(_MEMBERS[holder])
    known = frozenset() if holder in _NAMED_THINGS else own
    tasks = [key for key, each in part.items() if key not in known and _has_any(each, _TELLING)]
    keys = [
        key
        for key, each in part.items()
        if key in shape.properties and key not in own and not _has_any(each, own)
        if key != "tasks" or tasks or isinstance(each, dict)
    ]
    if holder == "tasks":
        tasks = []
    covers = tuple((holder, key) for key in dict.fromkeys([*keys, *tasks]))
    if keys:
        belong = "belongs" if len(keys) == 1 else "belong"
        stand = "stands" if len(keys) == 1 else "stand"
        message = f"{_named(keys)} {stand} in {tick(holder)}, but {belong} beside it"
        help = f"indent {_them(keys)} like the line {tick(f'{holder}:')}"
        yield Misplaced(Finding("FLT2012", message, help), (holder, keys[0]), covers)
    elif tasks:
        found = "a Task" if len(tasks) == 1 else "Tasks"
        wanted = "an Environment" if holder == "environments" else "what a Task may leave out"
        message = f"expected {wanted}, found {found}: {_named(tasks)}"
        help = f"write the line `tasks:` before {_them(tasks)}"
        help = f"move {_them(tasks)} to `tasks`" if "tasks" in value else help
        yield Misplaced(Finding("FLT2012", message, help), covers[0], covers)


def _at_the_top(shape: Shape, value: dict[str, Any]) -> Iterator[Misplaced]:
    """Yield the Tasks that stand beside `tasks`, or where that is missing."""
    known = shape.properties
    tasks = [key for key, each in value.items() if key not in known and _has_any(each, _TELLING)]
    if not tasks:
        return
    covers: list[Pointer] = [(key,) for key in tasks]
    if "tasks" in value and value["tasks"] is None:
        covers.append(("tasks",))
    is_one, them = len(tasks) == 1, _them(tasks)
    message = f"unknown {'key' if is_one else 'keys'} {_named(tasks)} in {thing(shape)}"
    looks = "this looks like a Task" if is_one else "these look like Tasks"
    line = "" if "tasks" in value else f"write the line `tasks:` before {them} and "
    help = f"{looks}: {line}indent {them} below `tasks:`"
    yield Misplaced(Finding("FLT2010", message, help), (tasks[0],), tuple(covers))


def _without_name(value: dict[str, Any], holder: str) -> Iterator[Misplaced]:
    """Yield the fields of a Task or Environment that stand where its own key belongs."""
    part = value.get(holder)
    found = strays(holder, part) if isinstance(part, dict) else []
    if not isinstance(part, dict) or not found:
        return
    covers = tuple((holder, key) for key in found)
    are, them = ("is a key", "it") if len(found) == 1 else ("are keys", "them")
    noun = _NAMED_THINGS[holder]
    message = f"{_named(found)} {are} of {noun}, but found where the key of {noun} belongs"
    before = list(part)[: list(part).index(found[0])]
    help = (
        f"indent {them} like the other keys of {tick(before[-1])}"
        if before
        else f"write a line with that key before {them}, and indent {them} below it"
    )
    yield Misplaced(Finding("FLT2012", message, help), covers[0], covers)
