"""Every schema in every schema file, and the slow validator to compare the fast one with."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import referencing
from referencing.jsonschema import DRAFT202012

from fleet_contracts import schemas
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source
from fleet_contracts.validate.shapes import (
    Shape,
    branches,
    follow,
    is_union,
    kind_of,
    kinds,
    tagged,
)

PATHS = schemas.schema_paths()
ROOTS = [path for path in PATHS if schemas.load(path).keys() & {"type", "oneOf"}]
TASKSET = "authoring/taskset.v1.json"
EVERY_FIELD = Path(__file__).parent / "every_field.taskset.yaml"

_MAPS = ("properties", "$defs")
_LISTS = ("oneOf", "anyOf")
_SINGLE = ("items", "additionalProperties", "propertyNames")


class Spot(NamedTuple):
    """A schema, where it stands, and whether it only adds conditions to the one around it."""

    path: str
    pointer: Pointer
    schema: dict[str, Any]
    is_condition: bool = False

    def __str__(self) -> str:
        """Return `FILE#/POINTER`."""
        return f"{self.path}#{''.join(f'/{token}' for token in self.pointer)}"


def spots(path: str) -> Iterator[Spot]:
    """Yield every schema of a file, itself first."""
    todo = [Spot(path, (), schemas.load(path))]
    while todo:
        spot = todo.pop()
        yield spot
        todo += _inside(spot)


def _inside(spot: Spot) -> Iterator[Spot]:
    conditions = "type" in spot.schema
    for keyword, value in spot.schema.items():
        at = (*spot.pointer, keyword)
        if keyword in _MAPS:
            for name, each in value.items():
                if each is not False:  # "not this key"
                    yield Spot(spot.path, (*at, name), each, spot.is_condition)
        elif keyword in _LISTS:
            for index, each in enumerate(value):
                yield Spot(spot.path, (*at, index), each, conditions)
        elif keyword in _SINGLE and isinstance(value, dict):
            yield Spot(spot.path, at, value)


def all_spots() -> list[Spot]:
    """Return every schema of every file."""
    return [spot for path in PATHS for spot in spots(path)]


@functools.cache
def slow(path: str) -> jsonschema.Draft202012Validator:
    """Return the slow validator of a root."""
    resources = [
        (schemas.BASE + each, DRAFT202012.create_resource(schemas.load(each))) for each in PATHS
    ]
    registry: Any = referencing.Registry().with_resources(resources)
    return jsonschema.Draft202012Validator({"$ref": schemas.BASE + path}, registry=registry)


def every_field() -> Any:
    """Return an authored TaskSet that uses every field and every branch."""
    return copy.deepcopy(_every_field())


@functools.cache
def _every_field() -> Any:
    bag = Bag()
    text = EVERY_FIELD.read_text(encoding="utf-8")
    document = read_yaml(Source(EVERY_FIELD.name, text), bag)
    assert document is not None
    assert not bag.items
    return document.value


def documents() -> list[tuple[str, Any]]:
    """Return valid documents, each with the path of its root."""
    examples = [(path, each) for path in ROOTS for each in schemas.load(path)["examples"]]
    return [*examples, (TASKSET, _every_field())]


def used_properties(path: str, document: Any) -> set[int]:
    """Return the identities of the property schemas that a valid document makes use of."""
    used: set[int] = set()
    todo = [(Shape(schemas.load(path), path), document)]
    while todo:
        shape, value = todo.pop()
        shape = follow(shape)
        union = tagged(shape)
        if union is not None:
            todo.append((union.branches[value[union.key]], value))
        elif is_union(shape):
            todo += [(each, value) for each in branches(shape) if kind_of(value) in kinds(each)]
        if isinstance(value, dict):
            for key, item in value.items():
                part = shape.properties.get(key, shape.schema.get("additionalProperties"))
                used.add(id(part))
                todo += [(shape.part(part), item)] if isinstance(part, dict) else []
        elif isinstance(value, list) and "items" in shape.schema:
            todo += [(shape.part(shape.schema["items"]), item) for item in value]
    return used


def pointers(value: Any, at: Pointer = ()) -> Iterator[Pointer]:
    """Yield the place of everything inside a document."""
    if isinstance(value, (dict, list)):
        for token, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*at, token)
            yield from pointers(item, (*at, token))


def at(value: Any, pointer: Pointer) -> Any:
    """Return what stands at a place; raises `LookupError` where nothing does."""
    for token in pointer:
        value = value[token]
    return value
