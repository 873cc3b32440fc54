"""Walking through a document beside its schema, to report every mistake once.

The fast validator has said no by then; this says why. It understands the keywords in
`KEYWORDS`, which is all that the schema files use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from fleet_contracts import schemas
from fleet_contracts.diagnostics.model import Bag, Diagnostic, Edit, Fix, Place, Related
from fleet_contracts.diagnostics.notation import Notations, Remedy, notation_at, said
from fleet_contracts.pointer import Pointer, Token
from fleet_contracts.validate.forms import Finding
from fleet_contracts.validate.glued import glued_key
from fleet_contracts.validate.members import Keys, missing_colon
from fleet_contracts.validate.misplaced import misplaced, without
from fleet_contracts.validate.scalars import repeated, wrong_count, wrong_kind, wrong_scalar
from fleet_contracts.validate.shapes import (
    Shape,
    branches,
    follow,
    is_union,
    kind_of,
    kinds,
    reference_of,
    tagged,
)
from fleet_contracts.validate.short_forms import as_map
from fleet_contracts.validate.tags import Branch, choose, guess, wrong_tag
from fleet_contracts.validate.words import clip, shown, wanted

# fmt: off
KEYWORDS = frozenset({
    "$ref", "type", "enum", "const", "oneOf", "anyOf", "discriminator",
    "pattern", "minLength", "maxLength", "minimum", "maximum",
    "properties", "required", "additionalProperties", "propertyNames",
    "minProperties", "maxProperties", "items", "minItems", "maxItems", "uniqueItems",
})
# fmt: on
"""The schema keywords that a walk obeys; there may be none but these and `ANNOTATIONS`."""

# fmt: off
ANNOTATIONS = frozenset({
    "$schema", "$id", "$defs", "title", "description", "deprecated", "default", "examples",
    "x-fleet-since",
})
# fmt: on
"""The schema keywords that say nothing about what is valid."""

# Of more members than this, those that the fast validator accepts are passed over.
_MANY = 64

Member: TypeAlias = tuple[Token, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the document that is to be looked at, and the shape it should have."""

    shape: Shape
    value: Any
    at: Pointer
    optional: bool = False
    branch: Branch | None = None
    elsewhere: frozenset[str] = frozenset()  # keys that have been told to stand elsewhere


class Walker:
    """Looks at a document part by part; what is wrong goes into `bag`, below `base`."""

    def __init__(self, base: Place, bag: Bag, notations: Notations | None = None) -> None:
        """`base` is the place of the document's top; `notations` go by places in its file."""
        self._base = base
        self._bag = bag
        self._notations = notations

    def walk(self, shape: Shape, value: Any) -> None:
        """Report everything that is wrong with a value, in the order of the document."""
        found = misplaced(shape, value)
        for each in found:
            self._add(each.finding, each.at, "key")
        if found:
            value = without(value, {at for each in found for at in each.covers})
        elsewhere = frozenset({"tasks"} if found else ())
        todo = [Step(shape, value, (), elsewhere=elsewhere)]
        while todo:
            todo.extend(reversed(list(self._look(todo.pop()))))

    def _look(self, step: Step) -> Iterable[Step]:
        """Report what is wrong with one part itself and return the parts inside it."""
        shape, value = follow(step.shape), step.value
        wrong = wrong_kind(shape, value, optional=step.optional)
        if wrong is None and is_union(shape):
            return self._union(shape, step)
        wrong = wrong or wrong_scalar(shape, value)
        if wrong:
            self._add(wrong, step.at)
        elif isinstance(value, dict):
            return self._map(shape, step)
        elif isinstance(value, list):
            return self._list(shape, step)
        return ()

    def _add(
        self,
        finding: Finding,
        at: Pointer,
        on: Literal["key", "value"] = "value",
        related: tuple[Related, ...] = (),
    ) -> None:
        place = self._place(at, on)
        fix = Fix(place, finding.fix) if finding.fix else None
        help = said(finding.help, notation_at(self._notations, place.pointer))
        self._bag.add(finding.code, finding.message, place, help=help, related=related, fix=fix)

    def _place(self, at: Pointer, on: Literal["key", "value"] = "value") -> Place:
        base = self._base
        return Place(base.file, base.pointer + at, on, base.span)

    # Unions

    def _union(self, shape: Shape, step: Step) -> Iterable[Step]:
        union = tagged(shape)
        if union is not None:
            branch = choose(union, step.value)
            if branch is None:
                there = union.key in step.value
                at = (*step.at, union.key) if there else step.at
                self._add(wrong_tag(shape, union, step.value), at, "value" if there else "key")
                branch = guess(union, step.value)
            return [replace(step, shape=branch.shape, branch=branch)] if branch else ()
        fits = [each for each in branches(shape) if kind_of(step.value) in kinds(each)]
        if _is_item(shape, step.value):
            message = f"expected {wanted(shape)}, found one item of the list"
            self._add(Finding("FLT2012", message, Remedy("item")), step.at)
            return ()
        if len(fits) == 1:
            is_wrong = wrong_scalar(fits[0], step.value) is not None
            meant = as_map(shape, step.value) if is_wrong else None
            if meant is not None:
                edit = Edit(step.value, meant, bare=True)
                message = f"expected {wanted(shape)}, found {shown(step.value)}"
                remedy = Remedy("as-short-form", clip(meant))
                self._add(Finding("FLT2012", message, remedy, edit), step.at)
                return ()
            return [replace(step, shape=fits[0])]
        self._ambiguous(shape, fits, step)
        return ()

    def _ambiguous(self, shape: Shape, fits: list[Shape], step: Step) -> None:
        """Report why a value fits none of several forms, by the one it is nearest to."""
        base = self._place(step.at)
        findings = [self._findings(each, base, step.value) for each in fits]
        fitting = findings.count([])
        if fitting == 0:
            nearest = min(findings, key=len)
            self._bag.extend(nearest)
        elif fitting > 1 and "oneOf" in shape.schema:
            message = f"expected only one form of {wanted(shape)}, found {shown(step.value)}"
            self._add(Finding("FLT2016", message), step.at)

    def _findings(self, shape: Shape, base: Place, value: Any) -> list[Diagnostic]:
        """Return what is wrong with a value that is to have a shape."""
        found = Bag()
        Walker(base, found, self._notations).walk(shape, value)
        return found.items

    # Maps and lists

    def _map(self, shape: Shape, step: Step) -> Iterator[Step]:
        keys = Keys(shape, step.value, step.branch, step.elsewhere)
        keys.check()
        for found in keys.found:
            self._add(found.finding, step.at + found.at, "key")
        unread = keys.unread | self._names(shape, step)
        parts = {**shape.properties, **self._picked(shape, keys)}
        required = shape.schema.get("required", ())
        others = shape.schema.get("additionalProperties")
        rest: list[Member] = []
        for key, item in step.value.items():
            name = keys.meant.get(key, key)
            if key in unread:
                continue
            if step.branch and step.branch.guessed and name == step.branch.union.key:
                continue
            if name in parts:
                part, optional = shape.part(parts[name]), name not in required
                moved = keys.moved.get(key, frozenset())
                yield Step(part, item, (*step.at, key), optional, elsewhere=moved)
            else:
                rest.append((key, item))
        if isinstance(others, dict):
            yield from self._members(shape.part(others), rest, step.at, optional=True)

    def _picked(self, shape: Shape, keys: Keys) -> dict[str, Any]:
        """Return what the shape of some keys is, given the value of another key."""
        union = tagged(shape)
        if union is None:
            return {}
        value = {keys.meant.get(key, key): item for key, item in keys.value.items()}
        branch = choose(union, value) or guess(union, value)
        parts = branch.shape.properties if branch else {}
        return {key: part for key, part in parts.items() if key != union.key}

    def _names(self, shape: Shape, step: Step) -> set[str]:
        """Report keys that do not have the form of a key; return those without their value."""
        unread: set[str] = set()
        schema = shape.schema.get("propertyNames")
        if schema is None:
            return unread
        names = follow(shape.part(schema))
        for key, item in step.value.items():
            wrong = wrong_scalar(names, key)
            glued = glued_key(key, item) if wrong else None
            is_sure = glued and (glued.gap == ":" or glued.starts_value)
            if wrong and glued and is_sure and wrong_scalar(names, glued.name) is None:
                wrong = missing_colon(wrong.code, glued)
                unread.add(key)
            if wrong:
                self._add(wrong, (*step.at, key), "key")
        return unread

    def _list(self, shape: Shape, step: Step) -> Iterator[Step]:
        wrong = wrong_count(shape, step.value)
        if wrong:
            self._add(wrong, step.at)
        if shape.schema.get("uniqueItems"):
            for index, first in repeated(step.value):
                finding = Finding(
                    "FLT4010", f"found {shown(step.value[index])} a second time", "remove one"
                )
                related = Related("it stands here first", self._place((*step.at, first)))
                self._add(finding, (*step.at, index), related=(related,))
        items = shape.schema.get("items")
        if isinstance(items, dict):
            yield from self._members(shape.part(items), list(enumerate(step.value)), step.at)

    def _members(
        self, part: Shape, members: list[Member], at: Pointer, *, optional: bool = False
    ) -> Iterator[Step]:
        """Yield the members that may be wrong."""
        reference = reference_of(part)
        if len(members) > _MANY and reference is not None:
            accepts = schemas.validator(reference).is_valid
            members = [member for member in members if not accepts(member[1])]
        for token, item in members:
            yield Step(part, item, (*at, token), optional)


def _is_item(shape: Shape, value: Any) -> bool:
    """Tell whether a map is no form of a union, but an item of the list that is one."""
    if not isinstance(value, dict):
        return False
    items = (each.part(each.schema["items"]) for each in branches(shape) if "items" in each.schema)
    references = [reference_of(each) for each in items]
    return any(each and schemas.validator(each).is_valid(value) for each in references)
