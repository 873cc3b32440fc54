"""What an authored document says it is (spec section 1)."""

from __future__ import annotations

from typing import Any

from fleet_contracts.diagnostics.model import Bag, Edit, Fix, Place
from fleet_contracts.schemas import AUTHORED, MIGRATED
from fleet_contracts.suggest import closest
from fleet_contracts.validate.glued import glued_text
from fleet_contracts.validate.shapes import start
from fleet_contracts.validate.words import listed, shown, thing, tick

KEY = "authoring"

# The version keys of the other families, and what a document with one is.
_OTHER_KEYS = {"schema": "content", "schema_version": "a Runtime record"}


def check_version(value: Any, expected: tuple[str, ...], file: str, bag: Bag) -> str | None:
    """Return the version that an authored document names, None when it cannot be used here.

    Adds FLT2001 to FLT2003 for one that cannot, and the warning FLT2004 for a version that
    is not the first key; only `$schema` may stand before it.
    """
    if not isinstance(value, dict) or KEY not in value:
        _missing(value, expected, file, bag)
        return None
    version = value[KEY]
    place = Place(file, (KEY,))
    if not isinstance(version, str) or version not in AUTHORED:
        message = f"expected {listed(AUTHORED)}, found {shown(version)}"
        help, known = _known_version(version, expected)
        fix = Fix(place, Edit(version, known)) if known else None
        bag.add("FLT2002", message, place, help=help, fix=fix)
        return None
    if version not in expected:
        message = f"expected {listed(expected)}, found {_named(version)} ({tick(version)})"
        help = f"name {' or '.join(map(_named, expected))} here"
        if version == "verifier/v1" and "taskset/v1" in expected:
            help += ", or compile it with `fleet compile-verifier`"
        bag.add("FLT2003", message, place, help=help)
        return None
    first = next(key for key in value if key != "$schema")
    if first != KEY:
        message = f"expected {tick(KEY)} as the first key, found {tick(first)} before it"
        bag.add("FLT2004", message, Place(file, (KEY,), "key"), help="move it to the top")
    return version


def _named(version: str) -> str:
    return thing(start(AUTHORED[version]))


def _missing(value: Any, expected: tuple[str, ...], file: str, bag: Bag) -> None:
    likely = f"{KEY}: {_likely(value, expected)}"
    if not isinstance(value, dict):
        message = f"expected a map that starts with {tick(likely)}, found {shown(value)}"
        glued = glued_text(value) if isinstance(value, str) else None
        is_key = glued is not None and glued.name == KEY
        help = f"write {tick(likely)} as the first line"
        if glued and is_key:
            help = glued.help
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            help = "if these are rows, name the TaskSet whose `dataset` reads them"
        fix = Fix(Place(file), glued.edit) if glued and is_key else None
        bag.add("FLT2001", message, Place(file), help=help, fix=fix)
        return
    message = f"missing {tick(KEY)}, which says what the document is"
    place, help = Place(file), f"add {tick(likely)} as the first line"
    fix = None
    other = next((key for key in _OTHER_KEYS if key in value), None)
    similar = next((key for key in value if closest(key, [KEY])), None)
    if similar is not None:
        message, help = f"{message}, found {tick(similar)}", f"did you mean {tick(KEY)}?"
        place = Place(file, (similar,), "key")
        fix = Fix(place, Edit(similar, KEY))
    elif other is not None:
        family = _OTHER_KEYS[other]
        message = f"{message}, found {tick(other)}, the version key of {family}"
        place = Place(file, (other,), "key")
        if str(value[other]).startswith("fleet."):
            help = "name the authored file; this one is made by a program"
        else:
            help = f"write {tick(likely)} in its place"
    bag.add("FLT2001", message, place, help=help, fix=fix)


def _likely(value: Any, expected: tuple[str, ...]) -> str:
    """Return the version whose keys a document has most of."""
    keys = value.keys() if isinstance(value, dict) else set()
    return max(expected, key=lambda each: len(keys & start(AUTHORED[each]).properties.keys()))


def _known_version(version: Any, expected: tuple[str, ...]) -> tuple[str, str]:
    """Return the advice what to write, and the one version that is meant, empty if unclear."""
    if not isinstance(version, str):
        return f"write e.g. {tick(expected[0])}", ""
    family, _, number = version.partition("/")
    known = [each for each in AUTHORED if each.partition("/")[0] == family]
    if version in MIGRATED:
        return f"run `fleet migrate --write` on this file: it becomes {tick(known[-1])}", ""
    if known and number[:1] == "v" and number[1:].isdecimal():
        return f"write {tick(known[-1])}, the newest that this release reads", known[-1]
    guess = closest(version, AUTHORED)
    if guess:
        return f"did you mean {tick(guess)}?", guess
    return f"write e.g. {tick(expected[0])}", ""
