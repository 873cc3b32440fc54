"""The lowest Task generation that expresses a lowered Task (spec section 7).

The tables come from `x-fleet-since` in the master schema; this module only walks them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import UNSET

from fleet_contracts.models.base import Record
from fleet_contracts.models.content import Task
from fleet_contracts.models.since import (
    ABSENT,
    BRANCHES,
    FIELDS,
    ITEMS,
    LISTS,
    NESTED,
    NEWEST,
    VALUES,
)
from fleet_contracts.pointer import Pointer

SPEAKING = {*FIELDS, *ABSENT, *ITEMS, *BRANCHES, *LISTS, *NESTED, *VALUES}


class Need(NamedTuple):
    """A feature, where a Task uses it, and the generation it appeared in."""

    generation: int
    feature: str
    pointer: Pointer


def task_generation(task: Task) -> int:
    """Return the number of the lowest generation that expresses a Task."""
    return max((need.generation for need in _needs(task, ())), default=1)


def deciding_need(task: Task) -> Need | None:
    """Return the first feature that asks for the Task's generation; None at generation 1."""
    highest: Need | None = None
    for need in _needs(task, ()):
        if highest is None or need.generation > highest.generation:
            highest = need
    return highest


def generation_name(number: int) -> str:
    """Return `v1alpha7` for 7."""
    return f"v1alpha{number}"


def generation_number(name: str) -> int:
    """Return 7 for `v1alpha7`; raises `ValueError` for one this release does not know."""
    number = int(name.removeprefix("v1alpha"))
    if not 1 <= number <= NEWEST:
        raise ValueError(f"Task generation {name} is not known to this release")
    return number


def _needs(record: Record, at: Pointer) -> Iterator[Need]:
    kind = type(record)
    if kind in BRANCHES:
        yield Need(BRANCHES[kind], str(kind.__struct_config__.tag or kind.__name__), at)
    for field, since in FIELDS.get(kind, _NONE).items():
        if getattr(record, field) is not UNSET:
            yield Need(since, field, (*at, field))
    for field, since in ABSENT.get(kind, _NONE).items():
        if getattr(record, field) is UNSET:
            yield Need(since, f"no {field}", at)
    for field, (since, limit) in ITEMS.get(kind, _NONE).items():
        if len(getattr(record, field)) > limit:
            yield Need(since, f"more than {limit} {field}", (*at, field))
    for field, since in LISTS.get(kind, _NONE).items():
        if isinstance(getattr(record, field), list):
            yield Need(since, f"a list as {field}", (*at, field))
    for field, values in VALUES.get(kind, _NONE).items():
        value = getattr(record, field)
        if value in values:
            yield Need(values[value], f"{field} {value}", (*at, field))
    for field in NESTED.get(kind, ()):
        value = getattr(record, field)
        if isinstance(value, list):
            for index, item in enumerate(value):
                if type(item) in SPEAKING:
                    yield from _needs(item, (*at, field, index))
        elif type(value) in SPEAKING:
            yield from _needs(value, (*at, field))


_NONE: dict[Any, Any] = {}
