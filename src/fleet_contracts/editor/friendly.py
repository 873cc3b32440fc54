"""Schemas that say the same in forms which editors' language servers answer well.

A server that tries every branch of a `oneOf` tells a mistake of one branch as a mistake of
another, and completes from the branch it likes best. Here the key that names the branch, or
the type of the value, decides which branch is looked at.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from fleet_contracts.schemas import Schema

Node: TypeAlias = Any

_MAPS = ("properties", "$defs")
_LISTS = ("allOf", "anyOf", "oneOf")
_SINGLE = ("items", "additionalProperties", "propertyNames")
# A hover shows the first description on the way out of a value: this lets the one of the
# property or the union through.
_SILENT = {"description": ""}
_OF_ALTERNATIVES = frozenset({"required", "properties", "maxProperties"})


def friendly(schema: Schema) -> Schema:
    """Return a schema that accepts exactly what `schema`, a bundle, accepts.

    A `oneOf` becomes `if` and `then`: by the `const` of a key that all branches have, by type,
    or by which keys are there. What a pattern is for becomes its error message.
    """
    rewritten: Schema = _rewritten(schema, schema.get("$defs", {}))
    return rewritten


def _rewritten(node: Node, definitions: Schema) -> Node:
    """Return a schema with every schema inside it rewritten."""
    if not isinstance(node, dict):
        return node
    copied: Schema = {}
    for keyword, value in node.items():
        if keyword in _MAPS:
            copied[keyword] = {name: _rewritten(each, definitions) for name, each in value.items()}
        elif keyword in _LISTS:
            copied[keyword] = [_rewritten(each, definitions) for each in value]
        elif keyword in _SINGLE:
            copied[keyword] = _rewritten(value, definitions)
        else:
            copied[keyword] = value
    if "pattern" in copied and "description" in copied:
        copied["patternErrorMessage"] = f"Expected: {copied['description']}"
    return _without_one_of(copied, definitions) if "oneOf" in copied else copied


def _without_one_of(schema: Schema, definitions: Schema) -> Schema:
    """Return a schema whose `oneOf` is said by conditions, where that is possible."""
    branches = schema["oneOf"]
    rest = {keyword: value for keyword, value in schema.items() if keyword != "oneOf"}
    targets = [_target(branch, definitions) for branch in branches]
    if tag := _tag(rest, targets):
        return _by_tag(rest, tag, branches, targets, definitions)
    if _have_own_types(targets):
        return _by_type(rest, branches, targets)
    if all(_is_alternative(branch) for branch in branches):
        return rest | _by_key(branches)
    return schema


def _target(branch: Schema, definitions: Schema) -> Schema:
    """Return the definition that a branch refers to, or the branch itself."""
    name = str(branch.get("$ref", "")).removeprefix("#/$defs/")
    target: Schema = definitions.get(name, branch)
    return target


def _tag(rest: Schema, targets: list[Schema]) -> str | None:
    """Return the key that must be there and has another `const` in every branch."""
    for key in targets[0].get("properties", {}):
        values = [_constant(target, key) for target in targets]
        if None not in values and len(set(values)) == len(values):
            required = [[*rest.get("required", ()), *_required(target)] for target in targets]
            if all(key in each for each in required):
                return str(key)
    return None


def _required(target: Schema) -> list[str]:
    keys: list[str] = target.get("required", [])
    return keys


def _constant(target: Schema, key: str) -> str | None:
    value = target.get("properties", {}).get(key)
    constant = value.get("const") if isinstance(value, dict) else None
    return constant if isinstance(constant, str) else None


def _by_tag(
    rest: Schema, tag: str, branches: list[Schema], targets: list[Schema], definitions: Schema
) -> Schema:
    """Return a union whose branch is chosen by the value of `tag`.

    A value without it is shown what every branch would have, unless the union itself asks for
    the key.
    """
    values = [str(_constant(target, tag)) for target in targets]
    known = rest.get("properties", {})
    choice = {"description": rest.get("description", ""), "enum": values} | known.get(tag, {})
    choice["markdownEnumDescriptions"] = [_told(target, tag, definitions) for target in targets]
    chosen = [
        {"if": {"properties": {tag: {"const": value}}}, "then": branch | _SILENT}
        for value, branch in zip(values, branches, strict=True)
    ]
    union = rest | {
        "type": "object",
        "properties": known | {tag: choice},
        "if": {"required": [tag]},
        "then": {"allOf": chosen},
    }
    return union if tag in _required(rest) else union | {"else": {"anyOf": branches}}


def _told(target: Schema, tag: str, definitions: Schema) -> str:
    """Return what a branch is for, or else what the key beside its tag is for."""
    if "description" in target:
        return str(target["description"])
    others = [value for key, value in target.get("properties", {}).items() if key != tag]
    return str(_target(others[0], definitions).get("description", "")) if others else ""


def _have_own_types(targets: list[Schema]) -> bool:
    types = [target.get("type") for target in targets]
    return all(isinstance(each, str) for each in types) and len(set(types)) == len(types)


def _by_type(rest: Schema, branches: list[Schema], targets: list[Schema]) -> Schema:
    """Return a union whose branch is chosen by the type of the value."""
    types = [target["type"] for target in targets]
    chosen = [
        {"if": {"type": each}, "then": branch | _SILENT}
        for each, branch in zip(types, branches, strict=True)
    ]
    return rest | {"type": types, "allOf": chosen}


def _is_alternative(branch: Schema) -> bool:
    """Tell whether a branch only asks for one key, perhaps for nothing beside it."""
    properties = branch.get("properties", {}).values()
    return (
        set(branch) <= _OF_ALTERNATIVES
        and len(_required(branch)) == 1
        and branch.get("maxProperties", 1) == 1
        and all(isinstance(each, bool) for each in properties)
    )


def _by_key(branches: list[Schema]) -> Schema:
    """Return that exactly one of some keys is there; those that stand alone are asked last."""
    ordered = sorted(branches, key=lambda branch: "maxProperties" in branch)
    keys = [branch["required"][0] for branch in ordered]
    free = [branch["required"][0] for branch in ordered if "maxProperties" not in branch]
    *others, last = ordered
    names = ", ".join(f"`{key}`" for key in keys)
    chain = last | {"errorMessage": f"One of the keys {names} is needed."}
    for branch in reversed(others):
        key = branch["required"][0]
        excluded = [name for name, each in branch.get("properties", {}).items() if each is False]
        chain = {"if": {"required": [key]}, "then": _alone(key, [*free, *excluded]), "else": chain}
    return chain


def _alone(key: str, keys: list[str]) -> Schema:
    """Return that none of the other keys stands beside `key`."""
    others = [other for other in keys if other != key]
    *names, last = (f"`{name}`" for name in (key, *others))
    return {
        "properties": dict.fromkeys(others, False),
        "errorMessage": f"{', '.join(names)} and {last} exclude each other.",
    }
