"""One authored file from bytes to plain data of a known, valid shape."""

from __future__ import annotations

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
    """Reads the authored files of a project and remembers their sources for excerpts."""

    project: Project
    max_bytes: int = MAX_INPUT_BYTES
    sources: dict[str, Source] = field(default_factory=dict)

    def load(
        self, path: Path, expected: tuple[str, ...], bag: Bag
    ) -> tuple[Location, dict[str, Any]] | None:
        """Return a valid document's location and plain data, without its `$schema`.

        None when anything was wrong, which is in the bag then.
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
        version = validate.check_version(document.value, expected, name, bag)
        if version is None:
            return None
        reference = schemas.AUTHORED[version]
        before = bag.errors
        if not validate.is_valid(reference, document.value):
            validate.explain(reference, document.value, Place(name), bag)
        if document.odd_numbers:
            validate.odd_decimals(reference, document.value, document.odd_numbers, Place(name), bag)
        if bag.errors > before:
            return None
        return Location(path, name), document.value
