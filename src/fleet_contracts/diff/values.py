"""Where two plain values differ, down to the fields that do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET

from fleet_contracts.diff.lines import line_diff
from fleet_contracts.diff.model import Change
from fleet_contracts.diff.table import LISTS
from fleet_contracts.pointer import Pointer

REFERENCE = frozenset({"digest", "size"})

Follow: TypeAlias = Callable[[dict[str, Any], dict[str, Any]], tuple[Change, ...]]
"""Returns what differs between two objects, each by its `{digest, size}`, from there on."""

_bytes = msgspec.json.Encoder(order="sorted").encode


def compare(old: Any, new: Any, at: Pointer, follow: Follow) -> Iterator[Change]:
    """Yield every difference between two values that stand at `at`, in the order of the old one."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _maps(old, new, at, follow)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _lists(old, new, at, follow)
    elif not _same(old, new):
        yield Change(at, "changed", old, new, _lines(old, new))


def _maps(
    old: dict[str, Any], new: dict[str, Any], at: Pointer, follow: Follow
) -> Iterator[Change]:
    keys = list(old | new)
    if old.keys() & new.keys() >= REFERENCE and old["digest"] != new["digest"]:
        keys = [key for key in keys if key not in REFERENCE]
        for change in follow(old, new):
            yield change._replace(pointer=at + change.pointer)
    for key in keys:
        yield from _member(old.get(key, UNSET), new.get(key, UNSET), (*at, key), follow)


def _member(old: Any, new: Any, at: Pointer, follow: Follow) -> Iterator[Change]:
    """Compare what may be absent on one side."""
    if old is UNSET:
        yield Change(at, "added", new=new)
    elif new is UNSET:
        yield Change(at, "removed", old=old)
    else:
        yield from compare(old, new, at, follow)


def _lists(old: list[Any], new: list[Any], at: Pointer, follow: Follow) -> Iterator[Change]:
    name = LISTS.get(str(at[-1])) if at else None
    before, after = _by_name(old, name), _by_name(new, name)
    if before is not None and after is not None:
        yield from _named(before, after, at, follow)
    elif not any(isinstance(each, dict | list) for each in old + new):
        if not _same(old, new):
            yield Change(at, "changed", old, new, line_diff(_listed(old), _listed(new)))
    else:
        yield from _by_position(old, new, at, follow)


def _by_name(members: list[Any], name: str | None) -> dict[str, Any] | None:
    """Return the members of a list by their names; None where they have no distinct ones."""
    if name is None or not all(isinstance(each, dict) for each in members):
        return None
    found = {each.get(name): each for each in members}
    distinct = len(found) == len(members) and all(isinstance(key, str) for key in found)
    return found if distinct else None


def _named(
    old: dict[str, Any], new: dict[str, Any], at: Pointer, follow: Follow
) -> Iterator[Change]:
    for name in old | new:
        yield from _member(old.get(name, UNSET), new.get(name, UNSET), (*at, name), follow)
    if [name for name in old if name in new] != [name for name in new if name in old]:
        yield Change(at, "reordered", list(old), list(new))


def _by_position(old: list[Any], new: list[Any], at: Pointer, follow: Follow) -> Iterator[Change]:
    """Compare what is left of two lists without the members that they begin and end with."""
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    for index, (one, other) in enumerate(zip_longest(before, after, fillvalue=UNSET), start):
        yield from _member(one, other, (*at, index), follow)


def _alike(old: list[Any], new: list[Any]) -> int:
    """Return how many members two lists share at their start."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if not _same(one, other):
            break
        count += 1
    return count


def _same(old: Any, new: Any) -> bool:
    """Whether two values have the same canonical bytes; true is not 1."""
    return type(old) is type(new) and _bytes(old) == _bytes(new)


def _lines(old: Any, new: Any) -> tuple[str, ...]:
    """Return a line diff of two texts, where one has several lines."""
    if isinstance(old, str) and isinstance(new, str) and "\n" in old + new:
        return line_diff(old, new)
    return ()


def _listed(values: list[Any]) -> str:
    """Return scalars one below the other, in JSON."""
    return "".join(_bytes(value).decode() + "\n" for value in values)
