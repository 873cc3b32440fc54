"""One self-contained schema document of a schema and everything it refers to."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from fleet_contracts import schemas
from fleet_contracts.schemas import Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_ORDER = {
    keyword: index
    for index, keyword in enumerate(
        (
            *("$schema", "$id", "$comment", "title", "description", "markdownDescription"),
            *("type", "const", "enum", "$ref", "pattern", "minLength", "maxLength"),
            *("minimum", "maximum", "required", "properties", "propertyNames"),
            *("additionalProperties", "minProperties", "maxProperties"),
            *("items", "minItems", "maxItems", "uniqueItems", "allOf", "anyOf", "oneOf"),
            *("default", "examples", "defaultSnippets", "$defs"),
        )
    )
}
_MAPS = frozenset({"$defs", "properties", "patternProperties", "dependentSchemas"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SINGLE = frozenset(
    {"items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"}
)
_OF_A_FILE = frozenset({"$schema", "$id", "$defs"})
_OURS = "x-fleet-"
_OF_A_TYPE = {
    "string": frozenset({"pattern", "minLength", "maxLength"}),
    "number": frozenset({"minimum", "maximum"}),
    "integer": frozenset({"minimum", "maximum"}),
    "array": frozenset({"items", "minItems", "maxItems", "uniqueItems"}),
    "object": frozenset(
        {"required", "properties", "propertyNames", "additionalProperties", "maxProperties"}
    ),
}


class _Part(NamedTuple):
    """A definition of a file, or with an empty name the file as a whole."""

    path: str
    name: str

    @property
    def body(self) -> Schema:
        """What stands there, without what belongs to a file rather than to a schema."""
        schema = schemas.load(self.path)
        if self.name:
            definition: Schema = schema["$defs"][self.name]
            return definition
        return {key: value for key, value in schema.items() if key not in _OF_A_FILE}

    @property
    def plain_name(self) -> str:
        """The name that a definition would have if no other one had it."""
        return self.name or _words(self.body.get("title", self.path))

    @property
    def full_name(self) -> str:
        """The name with the words of the file before it."""
        return _words(PurePosixPath(self.path).with_suffix("").as_posix()) + self.plain_name


def bundle(reference: str, *, strict: bool = True) -> Schema:
    """Return one document that means what `FILE` or `FILE#/$defs/NAME` means.

    Draft 2020-12 without a reference to another file, a nested `$id`, `discriminator` or
    `x-fleet-*`; definitions that nothing refers to are left out. The same reference gives the
    same keys in the same order. `strict` adds what some validators insist on, `ajv` in its
    strict mode among them: required keys stand in `properties` too, and no schema has several
    types (spec section 8).
    """
    root = _assembled(reference)
    return everywhere(_strict, root) if strict else root


def _assembled(reference: str) -> Schema:
    start = _part(reference, "")
    parts = _reachable(start)
    names = _names(start, parts)
    root: Schema = {"$schema": DIALECT}
    if not start.name:
        root["$id"] = schemas.BASE + start.path
    if start in names:
        body = {key: start.body[key] for key in ("title", "description") if key in start.body}
        root |= body | {"$ref": f"#/$defs/{names[start]}"}
    else:
        root |= _copy(start.body, start.path, names)
    definitions = {name: _copy(part.body, part.path, names) for part, name in names.items()}
    if definitions:
        root["$defs"] = {name: definitions[name] for name in sorted(definitions)}
    return _in_order(root)


def _part(reference: str, path: str) -> _Part:
    """Return what a reference in the file `path` names."""
    file, _, fragment = reference.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
    return _Part(target, fragment.removeprefix("/$defs/"))


def _reachable(start: _Part) -> dict[_Part, bool]:
    """Return the first part and all it leads to, and whether something refers to each."""
    found = {start: False}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        for reference in _references(here.body):
            part = _part(reference, here.path)
            if part not in found:
                waiting.append(part)
            found[part] = True
    return found


def _references(schema: Any) -> list[str]:
    """Return every `$ref` in a schema, in order."""
    if not isinstance(schema, dict):
        return []
    found = [schema["$ref"]] if "$ref" in schema else []
    for keyword, value in schema.items():
        for part in _inside(keyword, value):
            found += _references(part)
    return found


def _inside(keyword: str, value: Any) -> list[Any]:
    """Return the schemas that are directly below a keyword."""
    if keyword in _MAPS:
        return list(value.values())
    if keyword in _LISTS:
        return list(value)
    return [value] if keyword in _SINGLE else []


def _names(start: _Part, parts: dict[_Part, bool]) -> dict[_Part, str]:
    """Return a name for each part that is referred to; the file asked for has the first choice."""
    wanted = sorted(part for part, is_wanted in parts.items() if is_wanted)
    often = Counter(part.plain_name for part in wanted)
    names: dict[_Part, str] = {}
    taken: set[str] = set()
    for part in sorted(wanted, key=lambda part: (part.path != start.path, part)):
        clear = often[part.plain_name] == 1 or part.path == start.path
        name = _free(part.plain_name if clear else part.full_name, taken)
        names[part] = name
        taken.add(name)
    return names


def _free(name: str, taken: set[str]) -> str:
    """Return a name, with a number behind it if another part has it."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}{number}"
    return free


def _words(text: str) -> str:
    """Return text as one word of letters and digits: `content/task.v1` as `ContentTaskV1`."""
    spaced = "".join(each if each.isalnum() else " " for each in text)
    return "".join(word[0].upper() + word[1:] for word in spaced.split())


def _copy(schema: Any, path: str, names: dict[_Part, str]) -> Any:
    """Return a schema of the file `path` as it reads in the bundle."""

    def bundled(each: Schema) -> Schema:
        kept = {
            keyword: value
            for keyword, value in each.items()
            if keyword != "discriminator" and not keyword.startswith(_OURS)
        }
        if "$ref" in kept:
            kept["$ref"] = f"#/$defs/{names[_part(kept['$ref'], path)]}"
        return _in_order(kept)

    return everywhere(bundled, schema)


def everywhere(change: Callable[[Schema], Schema], schema: Any) -> Any:
    """Return a schema in which every schema was changed, innermost first."""
    if not isinstance(schema, dict):
        return schema
    changed: Schema = {}
    for keyword, value in schema.items():
        if keyword in _MAPS:
            changed[keyword] = {name: everywhere(change, each) for name, each in value.items()}
        elif keyword in _LISTS:
            changed[keyword] = [everywhere(change, each) for each in value]
        elif keyword in _SINGLE:
            changed[keyword] = everywhere(change, value)
        else:
            changed[keyword] = value
    return change(changed)


def _in_order(schema: Schema) -> Schema:
    """Return a schema with its own keywords in the order in which people read them."""
    last = len(_ORDER)
    return dict(sorted(schema.items(), key=lambda item: (_ORDER.get(item[0], last), item[0])))


def _strict(schema: Schema) -> Schema:
    return _in_order(_with_one_type(_with_required_properties(schema)))


def _with_required_properties(schema: Schema) -> Schema:
    """Return a schema whose required keys are properties; what it means stays the same."""
    known = schema.get("properties", {})
    missing = [key for key in schema.get("required", ()) if key not in known]
    if not missing:
        return schema
    rest = schema.get("additionalProperties", True)
    return schema | {"properties": known | dict.fromkeys(missing, rest)}


def _with_one_type(schema: Schema) -> Schema:
    """Return a schema with a branch for each of its types, and in it what is about that type."""
    types = schema.get("type")
    if not isinstance(types, list) or "anyOf" in schema:
        return schema
    about = frozenset().union(*_OF_A_TYPE.values(), {"type"})
    branches = [
        {"type": each} | {key: schema[key] for key in schema if key in _OF_A_TYPE.get(each, ())}
        for each in types
    ]
    rest = {key: value for key, value in schema.items() if key not in about}
    return rest | {"anyOf": [_in_order(branch) for branch in branches]}
