"""One authored file, step by step from the version it names to the current one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fleet_contracts import schemas, validate
from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.migrate import taskset_v0
from fleet_contracts.migrate.model import Change, Step, edited
from fleet_contracts.pointer import Pointer
from fleet_contracts.project import FileProblem, Project
from fleet_contracts.reading.decode import BOM, MAX_INPUT_BYTES, decode
from fleet_contracts.reading.document import Document
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source

STEPS: dict[str, Step] = {taskset_v0.OLD: taskset_v0.STEP}
"""The step from each old version of an authored file to the next one."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """A file before and after, and what became of its fields, in the order of the text.

    Where there was nothing to do, `old` is `new` and the bytes are the same.
    """

    path: Path
    name: str
    old: str
    new: str
    before: bytes
    after: bytes
    changes: tuple[Change, ...] = ()


def migrate_file(
    project: Project,
    path: Path,
    bag: Bag,
    sources: dict[str, Source],
    *,
    max_bytes: int = MAX_INPUT_BYTES,
) -> Migrated | None:
    """Return a file as the current version has it; None after adding what is in the way.

    A file of an old version must be valid under the schema of that version. The text is edited
    where the version asks for it, and is the same to the letter everywhere else. What comes
    out is read again: it means what it should, or the file is refused (FLT2005).
    """
    name = project.name(path)
    try:
        data = project.read(path)
    except FileProblem as problem:
        bag.add(problem.code, problem.message, Place(name), help=problem.help)
        return None
    source = decode(data, name, bag, max_bytes=max_bytes)
    if source is None:
        return None
    sources[name] = source
    document = read_yaml(source, bag)
    if document is None:
        return None
    old = new = _version(document, bag)
    changes: list[Change] = []
    while new in STEPS and document is not None:
        step = STEPS[new]
        new, document = step.new, _migrated(document, schemas.MIGRATED[new], step, bag, changes)
    if document is None or old is None or new is None:
        return None
    mark = BOM if data.startswith(BOM.encode()) else ""
    after = (mark + document.source.text).encode()
    return Migrated(path, name, old, new, data, after, tuple(changes))


def _version(document: Document, bag: Bag) -> str | None:
    """Return the version that a document names, None after adding that it is unknown."""
    value, name = document.value, document.source.name
    version = value.get("authoring") if isinstance(value, dict) else None
    if isinstance(version, str) and version in STEPS:
        return version
    found = Bag()  # where the version stands is a matter of `fleet check`
    known = validate.check_version(value, tuple(schemas.AUTHORED), name, found)
    bag.extend(item for item in found if item.severity == "error")
    return known


def _migrated(
    document: Document, schema: str, step: Step, bag: Bag, changes: list[Change]
) -> Document | None:
    """Return a document after one step."""
    source, value = document.source, document.value
    place = Place(source.name)
    errors = bag.errors
    if document.odd_numbers:
        validate.odd_decimals(schema, value, document.odd_numbers, place, bag)
    if not validate.is_valid(schema, value):
        validate.explain(schema, value, place, bag)
    if bag.errors > errors:
        return None
    edits = sorted(step.edits(source, value))
    after = Source(source.name, edited(source.text, edits))
    wanted = step.upgrade(value)
    new = read_yaml(after, Bag())
    if new is None or new.value != wanted:
        at = () if new is None else _first_difference(new.value, wanted)
        _refuse(Place(source.name, at), step, bag)
        return None
    positions = Positions(source.text)
    changes += [
        Change(each.kind, each.pointer, each.message, positions.at(each.start)) for each in edits
    ]
    return new


def _first_difference(one: Any, other: Any) -> Pointer:
    """Return where two values differ first."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(key, one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(index, *pair) for index, pair in enumerate(zip(one, other, strict=True))]
    else:
        return ()
    for token, left, right in pairs:
        if left != right:
            return (token, *_first_difference(left, right))
    return ()


def _refuse(place: Place, step: Step, bag: Bag) -> None:
    bag.add(
        "FLT2005",
        f"expected values that can be edited one by one to become `{step.new}`, found one that"
        " shares its text with another",
        place,
        help="write it out in one line, without an anchor or alias, and migrate again",
    )
