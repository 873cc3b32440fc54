"""One authored file from bytes to plain data of a known, valid shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from fleet_contracts import schemas, validate
from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.pointer import Pointer
from fleet_contracts.project import FileProblem, Project
from fleet_contracts.reading.decode import MAX_INPUT_BYTES, decode
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.scope import Location
from fleet_contracts.source import Source


class Loaded(NamedTuple):
    """A document's location, and its plain data of valid shape without its `$schema`.

    `refused` has what was left out of the data because of its shape: the names by the pointer
    of the map that they stood in, which is a Task, `defaults` or `environments`.
    """

    location: Location
    value: dict[str, Any]
    refused: Mapping[Pointer, frozenset[str]]


@dataclass(slots=True)
class Reader:
    """Reads the authored files of a project and remembers their sources for excerpts.

    `overlay` holds what to read in place of some files: text that an editor has not saved.
    """

    project: Project
    max_bytes: int = MAX_INPUT_BYTES
    overlay: Mapping[Path, bytes] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)

    def load(self, path: Path, expected: tuple[str, ...], bag: Bag) -> Loaded | None:
        """Return a document of valid shape.

        What is wrong goes into the bag. What is wrong in a Task, in `defaults` and in
        `environments` is left out, so that the rest is looked at all the same; None when
        there is more than that.
        """
        loaded = self._read(path, expected, bag)
        if loaded is not None:
            loaded.value.pop("$schema", None)
        return loaded

    def _read(self, path: Path, expected: tuple[str, ...], bag: Bag) -> Loaded | None:
        name = self.project.name(path)
        try:
            data = self.overlay.get(path)
            if data is None:
                data = self.project.read(path)
        except FileProblem as problem:
            bag.add(problem.code, problem.message, Place(name), help=problem.help)
            return None
        source = decode(data, name, bag, max_bytes=self.max_bytes)
        if source is None:
            return None
        self.sources[name] = source
        document = read_yaml(source, bag)
        if document is None:
            return None
        if path.suffix != ".json":  # what reads JSON has one meaning for each scalar
            bag.extend(document.warnings)
        version = validate.check_version(document.value, expected, name, bag)
        if version is None:
            return None
        reference = schemas.AUTHORED[version]
        place = Place(name)
        value = document.value
        if document.odd_numbers:
            validate.odd_decimals(reference, value, document.odd_numbers, place, bag)
        refused: dict[Pointer, frozenset[str]] = {}
        if not validate.is_valid(reference, value):
            validate.explain(reference, value, place, bag)
            value = _without_wrong(value, refused)
            if not validate.is_valid(reference, value):
                return None
        return Loaded(Location(path, name), value, refused)


def without_wrong_members(task: dict[str, Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """Return an authored Task without the members that have a wrong shape, and their names."""
    if validate.is_valid(schemas.AUTHORED_TASK, task):
        return task, frozenset()
    good = {
        name: item
        for name, item in task.items()
        if validate.is_valid(schemas.AUTHORED_TASK, {name: item})
    }
    return good, frozenset(task.keys() - good.keys())


def _without_wrong(value: dict[str, Any], refused: dict[Pointer, frozenset[str]]) -> dict[str, Any]:
    """Return a document without what is wrong in parts of it, noting in `refused` what that is."""
    rest = dict(value)
    if isinstance(value.get("defaults"), dict):
        rest["defaults"], refused["defaults",] = without_wrong_members(value["defaults"])
    tasks = value.get("tasks")
    if isinstance(tasks, dict):
        rest["tasks"] = good = {}
        strays = validate.strays("tasks", tasks)  # keys of the Task before them
        before = ""
        for key, task in tasks.items():
            if key in strays:
                refused["tasks", before] = refused.get(("tasks", before), frozenset()) | {key}
            elif isinstance(task, dict):
                good[key], refused["tasks", key] = without_wrong_members(task)
                before = key
    known = value.get("environments")
    if isinstance(known, dict) and not validate.strays("environments", known):
        rest["environments"] = {
            name: item
            for name, item in known.items()
            if validate.is_valid(schemas.AUTHORED_ENVIRONMENT, item)
        }
        bad = known.keys() - rest["environments"].keys()
        refused["environments",] = frozenset(validate.meant_key(each, known[each]) for each in bad)
    return rest
