"""One authored file from bytes to plain data of a known, valid shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fleet_contracts import schemas, validate
from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.project import FileProblem, Project
from fleet_contracts.reading.decode import MAX_INPUT_BYTES, decode
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.scope import Location
from fleet_contracts.source import Source


@dataclass(slots=True)
class Reader:
    """Reads the authored files of a project and remembers their sources for excerpts.

    `overlay` holds what to read in place of some files: text that an editor has not saved.
    """

    project: Project
    max_bytes: int = MAX_INPUT_BYTES
    overlay: Mapping[Path, bytes] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)

    def load(
        self, path: Path, expected: tuple[str, ...], bag: Bag
    ) -> tuple[Location, dict[str, Any]] | None:
        """Return a document's location and plain data of valid shape, without its `$schema`.

        What is wrong goes into the bag. Tasks of a wrong shape are left out, so that the
        others are looked at all the same; None when the rest cannot be used either.
        """
        document = self._read(path, expected, bag)
        if document is None:
            return None
        location, value = document
        value.pop("$schema", None)
        return location, value

    def _read(
        self, path: Path, expected: tuple[str, ...], bag: Bag
    ) -> tuple[Location, dict[str, Any]] | None:
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
        if not validate.is_valid(reference, value):
            validate.explain(reference, value, place, bag)
            value = _without_bad_tasks(reference, value)
        return None if value is None else (Location(path, name), value)


def _without_bad_tasks(reference: str, value: dict[str, Any]) -> dict[str, Any] | None:
    """Return a document with its valid Tasks only; None when it is not valid even so."""
    tasks = value.get("tasks")
    if not isinstance(tasks, dict):
        return None
    cut_short = validate.owner(tasks)  # some of its keys stand beside it
    good = {
        key: task
        for key, task in tasks.items()
        if key != cut_short and validate.is_valid(schemas.AUTHORED_TASK, task)
    }
    rest = {**value, "tasks": good}
    return rest if validate.is_valid(reference, rest) else None
