"""Picking the branch of a tagged union, also where the tag is wrong or missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from fleet_contracts.suggest import closest
from fleet_contracts.validate.forms import Finding
from fleet_contracts.validate.glued import glued_key
from fleet_contracts.validate.scalars import wrong_kind, wrong_scalar
from fleet_contracts.validate.shapes import Shape, Tagged
from fleet_contracts.validate.words import listed, thing, tick


@dataclass(frozen=True, slots=True)
class Branch:
    """The branch of a tagged union that a map was taken for, and by which tag.

    `guessed` says that the map does not say so itself, which has been reported.
    """

    union: Tagged
    tag: str
    guessed: bool = False

    @property
    def shape(self) -> Shape:
        """The shape of the branch."""
        return self.union.branches[self.tag]

    def __str__(self) -> str:
        """Return the tag as an author writes it."""
        return f"{self.union.key}: {self.tag}"


def choose(union: Tagged, value: dict[str, Any]) -> Branch | None:
    """Return the branch that a map names, None when it names none.

    A key that only misspells the tag's is read as the tag, and so is one that lacks the space
    behind its `:`.
    """
    key = union.key if union.key in value else _misspelled(union, value)
    tag = value.get(key, _swallowed(union, value))
    return Branch(union, tag) if isinstance(tag, str) and tag in union.branches else None


def _swallowed(union: Tagged, value: dict[str, Any]) -> str | None:
    """Return the tag that its own key has swallowed."""
    glued = (glued_key(key, item) for key, item in value.items())
    return next((each.rest.strip("\"'") for each in glued if each and each.name == union.key), None)


def _misspelled(union: Tagged, value: dict[str, Any]) -> str:
    known = {key for branch in union.branches.values() for key in branch.properties}
    similar = (key for key in value if key not in known and closest(key, [union.key]))
    return next(similar, union.key)


def guess(union: Tagged, value: dict[str, Any]) -> Branch | None:
    """Return the branch that a map without a known tag is most likely meant to be.

    That is the one whose tag is similar, else the only one that has most of its keys.
    """
    written = value.get(union.key)
    similar = closest(written, union.branches) if isinstance(written, str) else None
    if similar:
        return Branch(union, similar, guessed=True)
    keys = value.keys() - {union.key}
    fits = {tag: len(keys & each.properties.keys()) for tag, each in union.branches.items()}
    most = max(fits.values())
    best = [tag for tag, count in fits.items() if count == most]
    return Branch(union, best[0], guessed=True) if most and len(best) == 1 else None


def wrong_tag(shape: Shape, union: Tagged, value: dict[str, Any]) -> Finding:
    """Return what is wrong with the tag of a map whose branch could not be chosen."""
    tags = Shape({"enum": list(union.branches)}, shape.path)
    if union.key in value:
        written = value[union.key]
        finding = wrong_kind(tags, written) or wrong_scalar(tags, written)
        assert finding is not None  # a tag of the union chooses a branch
        likely = guess(union, value)
        if likely and not finding.help:
            return replace(finding, help=f"the other keys go with {tick(str(likely))}")
        return finding
    likely = guess(union, value)
    advice = tick(str(likely)) if likely else f"{tick(union.key)}: {listed(union.branches)}"
    message = f"missing {tick(union.key)} in {thing(shape)}"
    return Finding("FLT2011", message, f"add {advice}")
