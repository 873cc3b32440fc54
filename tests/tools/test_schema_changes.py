"""Pairs of small schemas: which changes refuse what was accepted, and which only accept more."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from fleet_contracts import schemas
from tools.schema_changes import breaking_changes

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
CLOSED: Schema = {"type": "object", "properties": {"a": TEXT}, "additionalProperties": False}


def tagged(kind: str, **more: Any) -> Schema:
    return {"type": "object", "required": ["kind"], "additionalProperties": False,
            "properties": {"kind": {"const": kind}, **more}}  # fmt: skip


def found(old: Schema, new: Schema) -> list[str]:
    """Return the breaks of one file, without its name."""
    wrapped = [{"type": "object", "properties": {"x": each}} for each in (old, new)]
    lines = breaking_changes({"some/a.json": wrapped[0]}, {"some/a.json": wrapped[1]})
    assert all(line.startswith("schemas/some/a.json#") for line in lines)
    return [line.removeprefix("schemas/some/a.json#/properties/x") for line in lines]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (CLOSED, {**CLOSED, "required": ["a"]}, ["/required: `a` is newly required"]),
        (
            CLOSED,
            {**CLOSED, "properties": {"a": TEXT, "b": TEXT}, "required": ["b"]},
            ["/required: `b` is newly required"],
        ),
        ({"type": ["string", "integer"]}, TEXT, ["/type: integer is not accepted any more"]),
        ({"type": "number"}, {"type": "integer"}, ["/type: number is not accepted any more"]),
        (TEXT, {"type": "boolean"}, ["/type: string is not accepted any more"]),
        ({}, TEXT, ["/type: every other type is not accepted any more"]),
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, ["/enum: `b` is not accepted any more"]),
        ({"enum": ["a", "b"]}, {"const": "b"}, ["/const: `a` is not accepted any more"]),
        ({"const": True}, {"const": False}, ["/const: `true` is not accepted any more"]),
        (TEXT, {"type": "string", "enum": ["a"]}, ["/enum: only some values are accepted now"]),
        ({"enum": ["a", "B"]}, {**TEXT, "pattern": "^[a-z]$"}, [": `B` is not accepted any more"]),
        (
            {**TEXT, "pattern": "^a"},
            {**TEXT, "pattern": "^b"},
            ["/pattern: the pattern is another one"],
        ),
        (TEXT, {**TEXT, "pattern": "^b"}, ["/pattern: the pattern is another one"]),
        ({**TEXT, "minLength": 1}, {**TEXT, "minLength": 2}, ["/minLength: the limit was `1`"]),
        (TEXT, {**TEXT, "minLength": 1}, ["/minLength: the limit was none"]),
        (TEXT, {**TEXT, "maxLength": 9}, ["/maxLength: the limit was none"]),
        ({"maxLength": 9}, {"maxLength": 8}, ["/maxLength: the limit was `9`"]),
        ({"minimum": 0}, {"minimum": 1}, ["/minimum: the limit was none"]),
        ({"maximum": 0}, {"maximum": -1}, ["/maximum: the limit was `0`"]),
        ({"maxItems": 3}, {"maxItems": 0}, ["/maxItems: the limit was `3`"]),
        ({}, {"minProperties": 1}, ["/minProperties: the limit was none"]),
        ({}, {"uniqueItems": True}, ["/uniqueItems: repeated items are not accepted any more"]),
        (CLOSED, {**CLOSED, "properties": {}}, ["/properties/a: the property is gone"]),
        (
            CLOSED,
            {**CLOSED, "properties": {"b": TEXT}},
            ["/properties/a: the property is gone"],
        ),
        (CLOSED, {**CLOSED, "properties": {"a": False}},
         ["/properties/a: nothing is accepted any more"]),
        (
            {"type": "object"},
            {"type": "object", "additionalProperties": False},
            ["/additionalProperties: other properties are not accepted any more"],
        ),
        (
            {"type": "object", "additionalProperties": TEXT},
            {"type": "object", "additionalProperties": {**TEXT, "maxLength": 1}},
            ["/additionalProperties/maxLength: the limit was none"],
        ),
        (
            {"type": "object"},
            {"type": "object", "properties": {"a": TEXT}},
            ["/properties/a/type: every other type is not accepted any more"],
        ),
        ({}, {"propertyNames": {"maxLength": 3}}, ["/propertyNames/maxLength: the limit was none"]),
        ({}, {"items": TEXT}, ["/items/type: every other type is not accepted any more"]),
        ({}, {"items": False}, ["/items: nothing is accepted any more"]),
        ({}, {"not": TEXT}, ["/not: this keyword is new or changed, and cannot be compared"]),
        (
            {"oneOf": [TEXT, {"type": "integer"}]},
            {"oneOf": [TEXT]},
            ["/oneOf/1: this form is not accepted any more"],
        ),
        (
            {"oneOf": [tagged("a"), tagged("b")]},
            {"oneOf": [tagged("b"), tagged("c")]},
            ["/oneOf/0: this form is not accepted any more"],
        ),
        (
            {"oneOf": [tagged("a", n=TEXT), tagged("b")]},
            {"oneOf": [tagged("b"), tagged("a", n={**TEXT, "maxLength": 3})]},
            ["/oneOf/1/properties/n/maxLength: the limit was none"],
        ),
        (
            {**CLOSED, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {**CLOSED, "oneOf": [{"required": ["a"]}]},
            ["/oneOf/1: this form is not accepted any more"],
        ),
        (
            CLOSED,
            {**CLOSED, "oneOf": [{"required": ["a"]}]},
            [": a new condition, of several branches"],
        ),
        (
            {"oneOf": [{"properties": {"k": {"const": "a"}, "n": TEXT}}], "type": "object"},
            {"oneOf": [{"properties": {"k": {"const": "a"}, "n": False}}], "type": "object"},
            ["/oneOf/0/properties/n: nothing is accepted any more"],
        ),
        (
            {**CLOSED, "properties": {"a": {**TEXT, "default": "x"}}},
            {**CLOSED, "properties": {"a": {**TEXT, "default": "y"}}},
            ["/properties/a/default: the default was `x`"],
        ),
    ],
)  # fmt: skip
def test_a_narrowing_is_named_with_its_pointer(
    old: Schema, new: Schema, expected: list[str]
) -> None:
    assert found(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (CLOSED, {**CLOSED, "properties": {"a": TEXT, "b": TEXT}}),
        ({**CLOSED, "required": ["a"]}, CLOSED),
        (TEXT, {"type": ["string", "integer"]}),
        ({"type": "integer"}, {"type": "number"}),
        (TEXT, {}),
        ({"enum": ["a"]}, {"enum": ["b", "a"]}),
        ({"const": "a"}, {"enum": ["a", "b"]}),
        ({"enum": ["a", "b"]}, {**TEXT, "pattern": "^[a-z]$", "maxLength": 1}),
        ({**TEXT, "pattern": "^a"}, TEXT),
        ({**TEXT, "minLength": 2, "maxLength": 3}, {**TEXT, "minLength": 1, "maxLength": 4}),
        ({**TEXT, "minLength": 2, "maxLength": 3}, TEXT),
        (TEXT, {**TEXT, "minLength": 0}),
        ({"uniqueItems": True, "not": TEXT}, {}),
        (CLOSED, {**CLOSED, "additionalProperties": TEXT}),
        ({**CLOSED, "properties": {"a": False}}, {**CLOSED, "properties": {}}),
        (TEXT, {**TEXT, "description": "Words.", "title": "Text", "deprecated": True}),
        (TEXT, {"oneOf": [TEXT, CLOSED]}),
        ({"oneOf": [TEXT, CLOSED]}, {"oneOf": [CLOSED, {"type": "array"}, TEXT]}),
        ({"oneOf": [tagged("a")]}, {"oneOf": [tagged("b"), tagged("a", n=TEXT)]}),
        (
            {**CLOSED, "oneOf": [{"required": ["a"], "properties": {"b": False}}]},
            {**CLOSED, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        ),
        ({**CLOSED, "oneOf": [{"required": ["a"]}]}, CLOSED),
        (CLOSED, {**CLOSED, "properties": {"a": {**TEXT, "default": "x"}}}),
    ],
)
def test_what_accepts_more_breaks_nothing(old: Schema, new: Schema) -> None:
    assert found(old, new) == []
    assert found(old, old) == []


def test_references_are_followed_and_may_get_other_names() -> None:
    old = {
        "a/root.json": {"type": "object", "properties": {"x": {"$ref": "other.json#/$defs/Old"}}},
        "a/other.json": {"$defs": {"Old": {**TEXT, "maxLength": 4}}},
    }
    new: dict[str, Any] = {
        "a/root.json": {
            "type": "object",
            "properties": {"x": {"$ref": "#/$defs/New"}},
            "$defs": {"New": {**TEXT, "maxLength": 3}},
        }
    }
    assert breaking_changes(old, {**new, "a/other.json": {"$defs": {}}}) == [
        "schemas/a/root.json#/$defs/New/maxLength: the limit was `4`"
    ]
    new["a/root.json"]["$defs"]["New"]["maxLength"] = 5
    assert breaking_changes(old, {**new, "a/other.json": {"$defs": {}}}) == []
    assert breaking_changes(old, new) == ["schemas/a/other.json: the file is gone"]


def test_a_shape_that_holds_itself_is_walked_once() -> None:
    def tree(most: int) -> dict[str, Any]:
        node = {"type": "object", "properties": {"children": {
            "type": "array", "maxItems": most, "items": {"$ref": "#/$defs/Node"}}}}  # fmt: skip
        return {"a/t.json": {"type": "object", "properties": {"x": {"$ref": "#/$defs/Node"}},
                             "$defs": {"Node": node}}}  # fmt: skip

    assert breaking_changes(tree(3), tree(4)) == []
    assert breaking_changes(tree(3), tree(2)) == [
        "schemas/a/t.json#/$defs/Node/properties/children/maxItems: the limit was `3`"
    ]


def test_our_own_schemas_break_by_each_property_that_goes_or_is_required() -> None:
    now = {path: schemas.load(path) for path in schemas.schema_paths() if "content" not in path}
    assert breaking_changes(now, now) == []
    task = "authoring/definitions.json#/$defs/Task"
    for name in now["authoring/definitions.json"]["$defs"]["Task"]["properties"]:
        narrowed = copy.deepcopy(now)
        changed = narrowed["authoring/definitions.json"]["$defs"]["Task"]
        changed["required"] = [name]
        assert breaking_changes(now, narrowed) == [
            f"schemas/{task}/required: `{name}` is newly required"
        ]
        del changed["required"]
        del changed["properties"][name]
        assert f"schemas/{task}/properties/{name}: the property is gone" in breaking_changes(
            now, narrowed
        )


def test_our_own_schemas_break_by_each_limit_of_a_definition() -> None:
    now = {path: schemas.load(path) for path in schemas.schema_paths() if "content" not in path}
    definitions = now["authoring/definitions.json"]["$defs"]
    limited = [name for name, body in definitions.items() if "maxLength" in body]
    assert limited
    for name in limited:
        narrowed = json.loads(json.dumps(now))
        narrowed["authoring/definitions.json"]["$defs"][name]["maxLength"] -= 1
        (line, *more) = breaking_changes(now, narrowed)
        assert not more
        assert line.startswith(f"schemas/authoring/definitions.json#/$defs/{name}/maxLength: ")
