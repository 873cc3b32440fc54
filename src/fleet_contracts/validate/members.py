"""What is wrong with the keys of a map: unknown, missing, or not going together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.diagnostics.notation import Remedy
from fleet_contracts.pointer import Pointer
from fleet_contracts.suggest import closest
from fleet_contracts.validate.forms import Finding
from fleet_contracts.validate.glued import Glued, glued_key
from fleet_contracts.validate.scalars import choices_of, keys_of, wrong_count
from fleet_contracts.validate.shapes import Shape, branches, follow, tagged
from fleet_contracts.validate.tags import Branch, choose
from fleet_contracts.validate.words import listed, sentence, thing, tick


@dataclass(frozen=True, slots=True)
class Found:
    """A finding about a map, at one of its keys or values or (no `at`) at the map itself."""

    finding: Finding
    at: Pointer = ()
    on: Literal["key", "value"] = "key"


def missing_colon(code: str, glued: Glued) -> Finding:
    """Return what is wrong with a key that no `: ` follows."""
    message = f"expected ': ' behind the key {tick(glued.name)}"
    return Finding(code, message, glued.help, glued.edit)


@dataclass(slots=True)
class Keys:
    """The keys of one map against those that its shape has.

    `meant` maps each misspelled key to the one it most likely stands for. `elsewhere` are
    keys that were found outside of this map although they belong into it, or inside although
    they do not; `moved` are such keys of the maps in this one. The values of the keys in
    `unread` were not read as values.
    """

    shape: Shape
    value: dict[str, Any]
    branch: Branch | None = None
    elsewhere: frozenset[str] = frozenset()
    meant: dict[str, str] = field(default_factory=dict)
    moved: dict[str, frozenset[str]] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    found: list[Found] = field(default_factory=list)

    def check(self) -> None:
        """Fill `meant` and `found`: FLT2010, FLT2011, FLT2015 and FLT2016."""
        known = self.value.keys() | self.elsewhere
        missing = [key for key in self.shape.schema.get("required", ()) if key not in known]
        unknown: list[str] = []
        if self.shape.schema.get("additionalProperties") is False:
            known = self.shape.properties.keys() | self.elsewhere
            unknown = [key for key in self.value if key not in known]
        for key in missing:
            flattened = self._flattened(key, unknown)
            if flattened:
                missing.remove(key)
                unknown = [each for each in unknown if each not in flattened]
                break
        for key in unknown:
            self._unknown(key)
        for key in missing:
            if key not in self.meant.values() and not self._too_deep(key):
                self._missing(key)
        wrong = wrong_count(self.shape, self.value)
        if wrong:
            self.found.append(Found(wrong))
        if "oneOf" in self.shape.schema and tagged(self.shape) is None:
            self._together()

    def _where(self) -> str:
        return f"beside {tick(str(self.branch))}" if self.branch else f"in {thing(self.shape)}"

    def _flattened(self, key: str, unknown: list[str]) -> list[str]:
        """Report keys that stand here but belong into the map under a missing key; return them."""
        inner = self._keys_inside(key)
        found = [each for each in unknown if each in inner]
        if not found or any(closest(each, self.shape.properties) for each in found):
            return []
        they = "it belongs" if len(found) == 1 else "they belong"
        remedy = Remedy("below-key" if len(found) == 1 else "below-key-all", key)
        message = f"{listed(found, 'and')} {self._where()}, but {they} into {tick(key)}"
        self.found.append(Found(Finding("FLT2011", message, remedy), (found[0],)))
        return found

    def _keys_inside(self, key: str) -> set[str]:
        """Return the keys that the map under a key may have."""
        union = tagged(self.shape)
        branch = choose(union, self.value) if union else None
        found: set[str] = set()
        for holder in [self.shape, branch.shape] if branch else [self.shape]:
            found |= keys_of(holder.part(holder.properties.get(key, {})))
        return found

    def _unknown(self, key: str) -> None:
        properties = self.shape.properties
        guess = closest(key, [each for each in properties if each not in self.value])
        sibling = self._sibling(key)
        glued = glued_key(key, self.value[key])
        if glued and glued.name in properties and glued.name not in self.value:
            self.meant[key] = glued.name
            self.unread.add(key)
            self.found.append(Found(missing_colon("FLT2010", glued), (key,)))
            return
        if sibling:
            help = f"remove it: it goes with {sibling}"
        elif guess:
            self.meant[key] = guess
            help = f"did you mean {tick(guess)}?"
        else:
            help = self._advice(key)
        message = f"unknown key {tick(key)} {self._where()}"
        fix = Edit(key, self.meant[key]) if key in self.meant else None
        self.found.append(Found(Finding("FLT2010", message, help, fix), (key,)))

    def _advice(self, key: str) -> str:
        """Return where a key belongs that resembles none, else which keys there are."""
        inside = [each for each in self.shape.properties if key in self._keys_inside(each)]
        if len(inside) == 1:
            inner = self.value.get(inside[0])
            if isinstance(inner, dict) and key not in inner:
                self._move(inside[0], key)
            return f"write it into {tick(inside[0])}"
        known = [each for each in self.shape.properties if each != "$schema"]
        return f"use {listed(known)}" if len(known) > 1 else f"only {listed(known)} is known"

    def _move(self, holder: str, key: str) -> None:
        self.moved[holder] = self.moved.get(holder, frozenset()) | {key}

    def _too_deep(self, key: str) -> bool:
        """Report a missing key that stands in a map beside it; tell whether it does."""
        holders = [
            name
            for name, inner in self.value.items()
            if isinstance(inner, dict) and key in inner and name in self.shape.properties
            if key not in self._keys_inside(name)
        ]
        if len(holders) != 1:
            return False
        (holder,) = holders
        self._move(holder, key)
        message = f"{tick(key)} stands in {tick(holder)}, but belongs beside it"
        finding = Finding("FLT2011", message, f"indent it like {tick(holder)}")
        self.found.append(Found(finding, (holder, key)))
        return True

    def _sibling(self, key: str) -> str:
        if self.branch is None:
            return ""
        union = self.branch.union
        tags = [tag for tag, other in union.branches.items() if key in other.properties]
        return listed([f"{union.key}: {tag}" for tag in tags])

    def _missing(self, key: str) -> None:
        if self.branch and self.branch.guessed and key == self.branch.union.key:
            return
        part = self.shape.properties.get(key, {})
        choices = choices_of(self.shape.part(part))
        said = choices or sentence(self.shape.part(part))
        advice = f"add {tick(key)}: {said}" if said else f"add {tick(key)}"
        const = follow(self.shape.part(part)).schema.get("const")
        if isinstance(const, str):
            advice = f"add {tick(f'{key}: {const}')}"
        message = f"missing {tick(key)} {self._where()}"
        self.found.append(Found(Finding("FLT2011", message, advice)))

    def _together(self) -> None:
        """Look at keys of which exactly one must stand, some of them alone."""
        options = {each.schema["required"][0]: each.schema for each in branches(self.shape)}
        there = [key for key in self.value if self.meant.get(key, key) in options]
        if not there and any(key not in self.shape.properties for key in self.value):
            return  # it may be what the unknown key was meant to be
        if not there:
            message = f"missing one of {listed(options)} {self._where()}"
            found = Found(Finding("FLT2016", message, "add exactly one of them"))
            self.found.append(found)
        elif len(there) > 1:
            message = f"found {listed(there, 'and')} together, expected only one of them"
            found = Found(Finding("FLT2016", message, "keep one of them"), (there[1],))
            self.found.append(found)
        elif "maxProperties" in options[self.meant.get(there[0], there[0])]:
            beside = [key for key in self.value if key in self.shape.properties]
            beside = [key for key in beside if key != there[0]]
            if beside:
                message = f"found {listed(beside, 'and')} beside {tick(there[0])}, expected nothing"
                help = f"move it into the file, or write it all here without {tick(there[0])}"
                self.found.append(Found(Finding("FLT2016", message, help), (beside[0],)))
