"""Hints for Tasks with placeholders: everything is offered, nothing is demanded.

What a `dataset` says of a Task is checked when its placeholders are filled in, so its schema
accepts anything. The hints of an editor may still be those of a Task.
"""

from __future__ import annotations

from typing import Any

from fleet_contracts.schemas import Schema

TEMPLATE, TASK, SUFFIX = "TaskTemplate", "Task", "Hint"

_WORDS = ("title", "description", "markdownDescription", "defaultSnippets", "examples")
_INSIDE = ("items", "additionalProperties", "then", "else")
_REFERENCE = "#/$defs/"


def with_hints(definitions: Schema) -> Schema:
    """Return definitions in which the template of a Task has hints; it accepts what it did."""
    if TEMPLATE not in definitions:
        return definitions
    found: Schema = {}
    task = definitions[TASK]["properties"]
    template = definitions[TEMPLATE]
    properties = {key: _hint(task[key], definitions, found) for key in template["properties"]}
    return definitions | {TEMPLATE: template | {"properties": properties}} | found


def _hint(schema: Any, definitions: Schema, found: Schema) -> Schema:
    """Return the schema that describes the same and accepts everything."""
    if not isinstance(schema, dict):
        return {}
    hint = {keyword: schema[keyword] for keyword in _WORDS if keyword in schema}
    if "$ref" in schema:
        hint["$ref"] = _reference(schema["$ref"], definitions, found)
    if "properties" in schema:
        hint["properties"] = {
            key: _hint(value, definitions, found) for key, value in schema["properties"].items()
        }
    for keyword in _INSIDE:
        if isinstance(schema.get(keyword), dict):
            hint[keyword] = _hint(schema[keyword], definitions, found)
    if "if" in schema:
        hint["if"] = schema["if"]
    for keyword in ("anyOf", "allOf"):
        if keyword in schema:
            hint[keyword] = [_hint(each, definitions, found) for each in schema[keyword]]
    if "oneOf" in schema:
        hint.setdefault("allOf", []).extend(
            _hint(each, definitions, found) for each in schema["oneOf"]
        )
    if "enum" in schema:
        hint["defaultSnippets"] = _snippets(schema)
    return hint


def _reference(reference: str, definitions: Schema, found: Schema) -> str:
    """Return a reference to the hint of a definition, which is made if it is not there yet."""
    name = reference.removeprefix(_REFERENCE)
    if name + SUFFIX not in found:
        found[name + SUFFIX] = {}  # recursion ends here
        found[name + SUFFIX] = _hint(definitions[name], definitions, found)
    return f"{_REFERENCE}{name}{SUFFIX}"


def _snippets(schema: Schema) -> list[Schema]:
    about = schema.get("markdownEnumDescriptions", [""] * len(schema["enum"]))
    return [
        {"label": str(value), "body": value, "markdownDescription": text}
        for value, text in zip(schema["enum"], about, strict=True)
    ]
