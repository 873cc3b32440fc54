"""The lowest Task generation that expresses a lowered Task (spec section 7).

The tables come from `x-fleet-since` in the master schema. They are joined into one plan a
type, so that a Task is walked once; which feature decided is asked only when a Task raises
the generation of its TaskSet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


class Need(NamedTuple):
    """A feature, where a Task uses it, and the generation it appeared in."""

    generation: int
    feature: str
    pointer: Pointer


class _Field(NamedTuple):
    """What a field of one type may ask for; 0 where it asks for nothing."""

    name: str
    present: int
    absent: int
    as_list: int
    many: int
    limit: int
    values: Mapping[Any, int]
    nested: bool


class _Plan(NamedTuple):
    """What the presence of a type asks for, and each of its fields that asks for anything."""

    branch: int
    fields: tuple[_Field, ...]


def task_generation(task: Task) -> int:
    """Return the number of the lowest generation that expresses a Task."""
    return _generation(task)


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


def _plan(kind: type[Record]) -> _Plan:
    fields = []
    for name in kind.__struct_fields__:
        many, limit = ITEMS.get(kind, _NONE).get(name, (0, 0))
        field = _Field(
            name=name,
            present=FIELDS.get(kind, _NONE).get(name, 0),
            absent=ABSENT.get(kind, _NONE).get(name, 0),
            as_list=LISTS.get(kind, _NONE).get(name, 0),
            many=many,
            limit=limit,
            values=VALUES.get(kind, _NONE).get(name, _NONE),
            nested=name in NESTED.get(kind, ()),
        )
        if any(field[1:]):
            fields.append(field)
    return _Plan(BRANCHES.get(kind, 0), tuple(fields))


_NONE: Mapping[Any, Any] = {}
_PLANS = {
    kind: _plan(kind) for kind in (*FIELDS, *ABSENT, *ITEMS, *BRANCHES, *LISTS, *NESTED, *VALUES)
}


def _generation(record: Record) -> int:
    plan = _PLANS.get(type(record))
    if plan is None:
        return 1
    highest = plan.branch or 1
    for name, present, absent, as_list, many, limit, values, nested in plan.fields:
        value = getattr(record, name)
        if value is UNSET:
            highest = max(highest, absent)
            continue
        if present > highest:  # noqa: PLR1730 - a call of max costs more, for each field
            highest = present
        if many > highest and len(value) > limit:
            highest = many
        if as_list > highest and isinstance(value, list):
            highest = as_list
        if values:
            highest = max(highest, values.get(value, 0))
        if nested:
            for item in value if isinstance(value, list) else (value,):
                found = _generation(item)
                if found > highest:  # noqa: PLR1730 - the same, for each node
                    highest = found
    return highest


def _needs(record: Record, at: Pointer) -> Iterator[Need]:
    """Yield every feature of a record and what is in it, the outer ones first."""
    kind = type(record)
    plan = _PLANS.get(kind)
    if plan is None:
        return
    if plan.branch:
        yield Need(plan.branch, str(kind.__struct_config__.tag or kind.__name__), at)
    for field in plan.fields:
        value = getattr(record, field.name)
        here = (*at, field.name)
        if value is UNSET:
            if field.absent:
                yield Need(field.absent, f"no {field.name}", at)
            continue
        if field.present:
            yield Need(field.present, field.name, here)
        if field.many and len(value) > field.limit:
            yield Need(field.many, f"more than {field.limit} {field.name}", here)
        if field.as_list and isinstance(value, list):
            yield Need(field.as_list, f"a list as {field.name}", here)
        if field.values and value in field.values:
            yield Need(field.values[value], f"{field.name} {value}", here)
        if field.nested and isinstance(value, list):
            for index, item in enumerate(value):
                yield from _needs(item, (*here, index))
        elif field.nested:
            yield from _needs(value, here)
