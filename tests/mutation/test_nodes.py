"""Every node of every valid file, deleted, retyped, renamed and duplicated in turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from mutation_kit import STEP, Bench, assert_agreed, cases

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.validate import plain_numbers

CASES = cases()
RETYPED: Final[tuple[Any, ...]] = (None, True, 7, -0.5, "", "word", [], ["word"], {}, {"word": 1})
OTHER_NAME = "prompts"


class Change(NamedTuple):
    """What happens to the node at a place: `kind` and, if it is retyped, its new value."""

    kind: str
    place: tuple[str | int, ...]
    value: Any = None


def changes(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[Change]:
    """Yield all changes of all nodes of a document."""
    for other in RETYPED:
        if type(other) is not type(value):
            yield Change("retype", place, other)
    if place:
        yield Change("delete", place)
        yield Change("duplicate", place)
        if isinstance(place[-1], str):
            yield Change("rename", place)
    members = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else ()
    for token, inner in (*members, *items):
        yield from changes(inner, (*place, token))


def written(value: Any, change: Change, place: tuple[str | int, ...] = ()) -> str:
    """Return a document as flow YAML with the change made."""
    if change.kind == "retype" and change.place == place:
        value = change.value
    if isinstance(value, dict):
        pairs = [pair for key in value for pair in _members(value, key, change, place)]
        return "{" + ",\n".join(pairs) + "}"
    if isinstance(value, list):
        parts: list[str] = []
        for index, each in enumerate(value):
            inner = (*place, index)
            times = _times(change, inner)
            parts += [written(each, change, inner)] * times
        return "[" + ",\n".join(parts) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def _members(
    value: dict[str, Any], key: str, change: Change, place: tuple[str | int, ...]
) -> list[str]:
    inner = (*place, key)
    renamed = change.kind == "rename" and change.place == inner
    name = json.dumps(OTHER_NAME if renamed else key)
    return [f"{name}: {written(value[key], change, inner)}"] * _times(change, inner)


def _times(change: Change, place: tuple[str | int, ...]) -> int:
    if change.place != place:
        return 1
    return {"delete": 0, "duplicate": 2}.get(change.kind, 1)


@pytest.mark.parametrize("case", CASES)
def test_every_change_of_every_node(case: str, tmp_path: Path) -> None:
    bench = Bench.of(CASES[case], tmp_path)
    said = 0
    for file in bench.files:
        if file.suffix not in (".yaml", ".yml"):
            continue
        bag = Bag()
        source = decode(file.read_bytes(), file.name, bag)
        assert source is not None
        document = read_yaml(source, bag)
        assert document is not None
        plain = plain_numbers(document.value)
        for change in islice(changes(plain), 0, None, STEP):
            data = written(plain, change).encode("utf-8", "surrogatepass")
            items = bench.check(file, data)
            assert_agreed(data)
            said += bool(items)
            if change.kind == "duplicate" and isinstance(change.place[-1], str):
                assert [item.code for item in items if item.code == "FLT1020"], change
    assert said
