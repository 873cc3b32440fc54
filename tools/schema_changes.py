"""Which changes of a schema refuse a document that was valid before.

A document that was valid stays valid: so a schema may accept more and never less. Two schemas are
walked side by side, through `$ref`, and every narrowing is named with its JSON Pointer. What
cannot be compared, such as `not`, may only go. Changed defaults count, too: they change what a
document means.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import jsonschema

from tools.schema_node import ANNOTATIONS, UNIONS, Files, Node

LEAST = {"minLength": 0, "minItems": 0, "minProperties": 0, "minimum": None,
         "exclusiveMinimum": None}  # fmt: skip
MOST = ("maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum")
SCALAR = ("type", "pattern", "minLength", "maxLength", "minimum", "maximum",
          "exclusiveMinimum", "exclusiveMaximum")  # fmt: skip
COMPARED = frozenset({
    *LEAST, *MOST, *SCALAR, *UNIONS, "const", "enum", "required", "properties",
    "additionalProperties", "propertyNames", "items", "uniqueItems",
})  # fmt: skip


def breaking_changes(old: Files, new: Files) -> list[str]:
    """Return one line, `FILE#POINTER: what`, for each narrowing of the roots in `old`."""
    found: dict[str, None] = {}
    comparison = _Comparison()
    for path in sorted(old):
        if path not in new:
            found[f"schemas/{path}: the file is gone"] = None
        elif old[path].keys() & {"type", *UNIONS}:
            found |= comparison.breaks(Node.root(old, path), Node.root(new, path))
    return list(found)


def _shown(value: Any) -> str:
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


@dataclass(slots=True)
class _Comparison:
    """What was found out about pairs of schemas; a pair under way has no breaks as yet."""

    _known: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)

    def breaks(self, old: Node, new: Node) -> dict[str, None]:
        """Return every way in which `new` accepts less than `old`, as keys."""
        old, new = old.followed(), new.followed()
        pair = (old.at(), new.at())
        if pair not in self._known:
            self._known[pair] = {}
            self._known[pair] = dict.fromkeys(self._found(old, new))
        return self._known[pair]

    def _found(self, old: Node, new: Node) -> Iterator[str]:
        if old.schema is False or new.schema == {}:
            return
        if new.schema is False:
            yield f"{new.at()}: nothing is accepted any more"
        elif old.is_union:
            for branch in old.branches():
                yield from self.breaks(branch, new)
        elif new.is_union:
            yield from self._one_of(old, new)
        else:
            yield from _scalars(old, new)
            yield from self._members(old, new)
            yield from self._conditions(old, new)
            yield from _others(old, new)

    def _one_of(self, old: Node, new: Node) -> Iterator[str]:
        """Yield what the branch that is most like a schema has against it."""
        options = [(branch, self.breaks(old, branch)) for branch in new.branches()]
        if all(breaks for _, breaks in options):
            alike = [breaks for branch, breaks in options if _is_alike(old, branch.followed())]
            gone = {f"{old.at()}: this form is not accepted any more": None}
            yield from min(alike, key=len, default=gone)

    def _conditions(self, old: Node, new: Node) -> Iterator[str]:
        """Compare the branches of a union beside other keywords: each only adds conditions."""
        before, after = old.branches(), new.branches()
        if after and not before:
            yield f"{new.at()}: a new condition, of several branches"
        elif after:
            for branch in before:
                yield from self._one_of(branch.followed(), new)

    def _members(self, old: Node, new: Node) -> Iterator[str]:
        """Compare what is said about the members of maps and lists."""
        yield from self._properties(old, new)
        for name in new.schema.get("required", ()):
            if name not in old.schema.get("required", ()):
                yield f"{new.at('required')}: {_shown(name)} is newly required"
        for keyword in ("items", "propertyNames"):
            if keyword in new.schema:
                yield from self.breaks(old.part(keyword), new.part(keyword))

    def _properties(self, old: Node, new: Node) -> Iterator[str]:
        before, after = old.schema.get("properties", {}), new.schema.get("properties", {})
        rest, new_rest = old.part("additionalProperties"), new.part("additionalProperties")
        for name, schema in before.items():
            if name in after:
                was, is_now = old.below("properties", name), new.below("properties", name)
                yield from _default(was, is_now)
                yield from self.breaks(was, is_now)
            elif schema is not False and {"type", "additionalProperties"} & new.schema.keys():
                yield f"{old.at('properties', name)}: the property is gone"
        if rest.schema is False:
            return
        for name in after:
            if name not in before:
                yield from self.breaks(rest, new.below("properties", name))
        if new_rest.schema is False:
            yield f"{new_rest.at()}: other properties are not accepted any more"
        else:
            yield from self.breaks(rest, new_rest)


def _is_alike(old: Node, new: Node) -> bool:
    """Tell whether two branches agree on each constant they both have, and on the type.

    Where neither says of which type it is, there has to be such a constant.
    """
    if new.schema is False or new.is_union:
        return False
    is_alike = bool(old.types and new.types and old.types & new.types)
    before, after = old.schema.get("properties", {}), new.schema.get("properties", {})
    for name in before.keys() & after.keys():
        one, other = (each.below("properties", name).followed() for each in (old, new))
        if isinstance(one.schema, dict) and isinstance(other.schema, dict):
            values, new_values = one.choices, other.choices
            if values and new_values:
                if not any(value in new_values for value in values):
                    return False
                is_alike = is_alike or not (old.types or new.types)
    return is_alike


def _default(old: Node, new: Node) -> Iterator[str]:
    if isinstance(old.schema, dict) and isinstance(new.schema, dict):
        before, after = old.schema.get("default"), new.schema.get("default")
        if before is not None and before != after:
            yield f"{new.at('default')}: the default was {_shown(before)}"


def _scalars(old: Node, new: Node) -> Iterator[str]:
    """Compare what is said about a value itself."""
    before, after = old.choices, new.choices
    if after is not None:
        keyword = "const" if "const" in new.schema else "enum"
        if before is None:
            yield f"{new.at(keyword)}: only some values are accepted now"
        for value in before or ():
            if value not in after:
                yield f"{new.at(keyword)}: {_shown(value)} is not accepted any more"
        return
    if before is not None:
        rules = {key: new.schema[key] for key in SCALAR if key in new.schema}
        for value in before:
            if not jsonschema.Draft202012Validator(rules).is_valid(value):
                yield f"{new.at()}: {_shown(value)} is not accepted any more"
        return
    types, new_types = old.types, new.types
    if new_types is not None and (types is None or types - new_types):
        gone = ", ".join(sorted(types - new_types)) if types is not None else "every other type"
        yield f"{new.at('type')}: {gone} is not accepted any more"
    if new.schema.get("pattern", old.schema.get("pattern")) != old.schema.get("pattern"):
        yield f"{new.at('pattern')}: the pattern is another one"
    for keyword, none in LEAST.items():
        was, is_now = old.schema.get(keyword, none), new.schema.get(keyword, none)
        if is_now is not None and (was is None or is_now > was):
            yield f"{new.at(keyword)}: the limit was {_shown(was) if was else 'none'}"
    for keyword in MOST:
        was, is_now = old.schema.get(keyword), new.schema.get(keyword)
        if is_now is not None and (was is None or is_now < was):
            yield f"{new.at(keyword)}: the limit was {'none' if was is None else _shown(was)}"
    if new.schema.get("uniqueItems") and not old.schema.get("uniqueItems"):
        yield f"{new.at('uniqueItems')}: repeated items are not accepted any more"


def _others(old: Node, new: Node) -> Iterator[str]:
    """Yield keywords that only something that understands them could compare."""
    for keyword, value in new.schema.items():
        if keyword not in COMPARED | ANNOTATIONS and old.schema.get(keyword) != value:
            yield f"{new.at(keyword)}: this keyword is new or changed, and cannot be compared"
