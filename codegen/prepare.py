"""One schema document a module of structs, in the form the struct generator understands.

Some things of our schemas have no counterpart in a struct and are taken out here, never in the
schema: conditions between keys (`oneOf` beside `properties`), decimals of authored
documents (their source scalar is kept as it is, so the field is untyped), constant
booleans (a plain boolean), and texts for people other than an object's own (the schema
is where they are read). Authored documents lose their constraints too: validation has
checked them once, before a struct is made.
"""

from __future__ import annotations

from typing import Any

from codegen.files import SCHEMAS, Schema, load
from codegen.generations import SINCE

UNTYPED = "Decimal"
CONDITIONS = {"oneOf", "discriminator", "minProperties", "maxProperties"}
TEXTS = {"description", "title"}
CONSTRAINTS = {
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "uniqueItems",
}
NOT_MODEL = {"$schema", "$id", "examples", "$defs"}


def module_schema(paths: list[str], *, constraints: bool) -> Schema:
    """Return one document with the roots and definitions of several schema files.

    The first file is the root of the document. Definitions of the same name must be the
    same; raises `ValueError` when not.
    """
    definitions: Schema = {}
    for path in paths:
        document = load(path)
        parts = document.get("$defs", {})
        if "type" in document:
            parts = {document["title"]: document, **parts}
        for name, body in parts.items():
            prepared = _definition(body, constraints)
            if definitions.setdefault(name, prepared) != prepared:
                raise ValueError(f"{path}: another definition of {name} exists")
    definitions.pop(UNTYPED, None)
    root = load(paths[0])["title"]
    return {**definitions.pop(root), "$schema": load(paths[0])["$schema"], "$defs": definitions}


def schema_paths(family: str, first: str) -> list[str]:
    """Return the schema files of a folder, `first` first, relative to `schemas/`."""
    paths = sorted(str(p.relative_to(SCHEMAS)) for p in (SCHEMAS / family).glob("*.json"))
    return sorted(paths, key=lambda path: path != first)


def _definition(body: Schema, constraints: bool) -> Schema:
    inner = {key: value for key, value in body.items() if key not in NOT_MODEL}
    prepared: Schema = _prepare(inner, constraints)
    prepared["title"] = body["title"]
    if "properties" in body:
        prepared["description"] = body["description"]
    return prepared


def _prepare(node: Any, constraints: bool) -> Any:
    if isinstance(node, list):
        return [_prepare(item, constraints) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        return {} if name == UNTYPED else {"$ref": f"#/$defs/{name}"}
    if isinstance(node.get("const"), bool):
        return {"type": "boolean"}
    dropped = {SINCE} | TEXTS
    if not constraints:
        dropped |= CONSTRAINTS
    if "properties" in node:
        dropped |= CONDITIONS
    result = {}
    for key, value in node.items():
        if key == "properties":
            result[key] = {name: _prepare(each, constraints) for name, each in value.items()}
        elif key not in dropped:
            result[key] = _prepare(value, constraints)
    return result
