"""Finding the part of a schema that a part of a document has to fit."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from fleet_contracts import schemas
from fleet_contracts.pointer import Pointer, Token
from fleet_contracts.schemas import Schema

EVERY_KIND = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})

# A template is checked once its placeholders are filled in, but is written like this.
_STANDS_FOR = {"TaskTemplate": schemas.AUTHORED_TASK}


@dataclass(frozen=True, slots=True)
class Shape:
    """A schema and the file it stands in, relative to the schema folder."""

    schema: Schema
    path: str

    @property
    def title(self) -> str:
        """The name of the definition, empty for a schema without one."""
        return str(self.schema.get("title", ""))

    @property
    def properties(self) -> Schema:
        """The schemas of the keys that a map may have, empty for anything else."""
        found: Schema = self.schema.get("properties", {})
        return found

    def part(self, schema: Schema) -> Shape:
        """Return a schema that stands in this one."""
        return Shape(schema, self.path)


@dataclass(frozen=True, slots=True)
class Tagged:
    """A union whose branches are told apart by the value of one key."""

    key: str
    branches: Mapping[str, Shape]


def start(reference: str) -> Shape:
    """Return the shape that `FILE` or `FILE#/$defs/NAME` names."""
    path, _, fragment = reference.partition("#")
    return Shape(*schemas.resolve(f"#{fragment}", path))


def follow(shape: Shape) -> Shape:
    """Return what a `$ref` stands for, or the shape itself."""
    while "$ref" in shape.schema:
        shape = _resolved(shape.schema["$ref"], shape.path)
    return shape


@functools.cache
def _resolved(reference: str, path: str) -> Shape:
    return Shape(*schemas.resolve(reference, path))


def reference_of(shape: Shape) -> str | None:
    """Return the absolute form of a shape's `$ref`, or None where it has none."""
    reference = shape.schema.get("$ref")
    if reference is None:
        return None
    file, _, fragment = reference.partition("#")
    folder = shape.path.rpartition("/")[0]
    return f"{f'{folder}/{file}' if file else shape.path}#{fragment}"


def kind_of(value: Any) -> str:
    """Return the JSON type of a value; a number without a fraction is an integer."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float, Decimal)):
        return "integer" if _is_whole(value) else "number"
    return "object" if isinstance(value, dict) else "array"


def _is_whole(value: int | float | Decimal) -> bool:
    if isinstance(value, Decimal):
        return value == value.to_integral_value()
    return isinstance(value, int) or value.is_integer()


def kinds(shape: Shape) -> frozenset[str]:
    """Return the JSON types that a shape can accept."""
    schema = follow(shape).schema
    found: set[str] = set()
    if "type" in schema:
        named = schema["type"]
        found.update([named] if isinstance(named, str) else named)
    elif "enum" in schema or "const" in schema:
        found.update(kind_of(each) for each in schema.get("enum", [schema.get("const")]))
    elif is_union(shape):
        found.update(*(kinds(each) for each in branches(shape)))
    else:
        return EVERY_KIND
    return frozenset(found | {"integer"} if "number" in found else found)


def is_union(shape: Shape) -> bool:
    """Tell whether a shape is one of several others, and nothing by itself."""
    schema = shape.schema
    return ("oneOf" in schema or "anyOf" in schema) and "type" not in schema


def branches(shape: Shape) -> list[Shape]:
    """Return what a union, or a condition between keys, chooses from."""
    schema = shape.schema
    return [follow(shape.part(each)) for each in schema.get("oneOf") or schema.get("anyOf") or ()]


def tagged(shape: Shape) -> Tagged | None:
    """Return the branches of a shape by their discriminator, None when it has none."""
    discriminator = shape.schema.get("discriminator")
    if discriminator is None:
        return None
    key = str(discriminator["propertyName"])
    found: dict[str, Shape] = {}
    for branch in branches(shape):
        tag = follow(branch.part(branch.properties[key])).schema
        found.update(dict.fromkeys(tag.get("enum", [tag.get("const")]), branch))
    return Tagged(key, found)


def tagged_branch(shape: Shape, value: Any) -> tuple[str, Shape] | None:
    """Return the discriminator's name and the branch that a map's own value picks."""
    union = tagged(shape)
    if union is None or not isinstance(value, dict):
        return None
    tag = value.get(union.key)
    branch = union.branches.get(tag) if isinstance(tag, str) else None
    return (union.key, branch) if branch else None


def member(shape: Shape, value: Any, token: Token) -> Shape | None:
    """Return the shape of one member of a map or list, None where nothing is said of it."""
    if isinstance(value, list):
        items = shape.schema.get("items")
        return shape.part(items) if isinstance(items, dict) else None
    picked = None if is_union(shape) else tagged_branch(shape, value)
    if picked and token != picked[0] and token in picked[1].properties:
        return picked[1].part(picked[1].properties[token])
    schema = shape.properties.get(str(token), shape.schema.get("additionalProperties"))
    return shape.part(schema) if isinstance(schema, dict) else None


def settle(shape: Shape, value: Any) -> Shape | None:
    """Return the shape that a value is meant to have, None when its union leaves it open."""
    shape = follow(shape)
    while is_union(shape):
        if tagged(shape) is not None:
            picked = tagged_branch(shape, value)
            fits = [picked[1]] if picked else []
        else:
            fits = [each for each in branches(shape) if kind_of(value) in kinds(each)]
        if len(fits) != 1:
            return None
        shape = fits[0]
    return shape


def shape_at(shape: Shape, value: Any, pointer: Pointer) -> Shape | None:
    """Return the shape of the value at a place of a document, None when it is open."""
    for token in pointer:
        settled = settle(shape, value)
        if settled is None:
            return None
        if settled.title in _STANDS_FOR:
            settled = start(_STANDS_FOR[settled.title])
        inner = member(settled, value, token)
        if inner is None:
            return None
        shape, value = inner, value[token]
    return settle(shape, value)
