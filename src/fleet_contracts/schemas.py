"""The only door to the schema files.

The files ship inside the wheel; in a checkout they are read from `schemas/`. A schema's
`$id` is an identifier, never an address: nothing is fetched.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import jsonschema_rs

Schema: TypeAlias = dict[str, Any]

BASE = "https://fleet-contracts.dev/schemas/"

AUTHORED = {
    "taskset/v1": "authoring/taskset.v1.json",
    "tasks/v1": "authoring/tasks.v1.json",
    "environment/v1": "authoring/environment.v1.json",
    "verifier/v1": "authoring/verifier.v1.json",
}
MIGRATED = {"taskset/v0": "authoring/taskset.v0.json"}
"""Versions that nothing but `fleet migrate` reads any more."""
AUTHORED_TASK = "authoring/definitions.json#/$defs/Task"
AUTHORED_ENVIRONMENT = "authoring/definitions.json#/$defs/Environment"

_PACKAGE = Path(__file__).parent


def _shipped(folder: str) -> Path:
    inside = _PACKAGE / f"_{folder}"
    return inside if inside.is_dir() else _PACKAGE.parent.parent / folder


SCHEMA_FOLDER = _shipped("schemas")
CATALOG_FILE = _shipped("catalog") / "builtins.yaml"


def schema_paths() -> list[str]:
    """Return the path of every schema file, relative to the schema folder, sorted."""
    files = SCHEMA_FOLDER.glob("*/*.json")
    return sorted(file.relative_to(SCHEMA_FOLDER).as_posix() for file in files)


@functools.cache
def load(path: str) -> Schema:
    """Return a schema document by its path; callers must not change it."""
    schema: Schema = json.loads((SCHEMA_FOLDER / path).read_text(encoding="utf-8"))
    return schema


def resolve(reference: str, path: str) -> tuple[Schema, str]:
    """Return the schema that a `$ref` of the file `path` names, and the file it stands in.

    References are `#/$defs/NAME` or `FILE#/$defs/NAME`, `FILE` relative to `path`.
    """
    file, _, fragment = reference.partition("#")
    target = (Path(path).parent / file).as_posix() if file else path
    schema = load(target)
    for token in fragment.split("/")[1:]:
        schema = schema[token]
    return schema, target


@functools.cache
def validator(reference: str) -> jsonschema_rs.Draft202012Validator:
    """Return the fast validator of `FILE` or `FILE#/$defs/NAME`."""
    import jsonschema_rs  # noqa: PLC0415  a third of the start-up time, needed by few commands

    path = reference.partition("#")[0]
    resources = [(BASE + each, load(each)) for each in _closure(path)]
    registry = jsonschema_rs.Registry(resources, draft=jsonschema_rs.Draft202012)
    return jsonschema_rs.Draft202012Validator(
        {"$ref": BASE + reference}, registry=registry, offline=True
    )


def _closure(path: str) -> list[str]:
    """Return a file and every file it refers to."""
    seen: list[str] = []
    todo = [path]
    while todo:
        current = todo.pop()
        if current in seen:
            continue
        seen.append(current)
        todo.extend(_files_in(load(current), current))
    return seen


def _files_in(node: Any, path: str) -> list[str]:
    if isinstance(node, list):
        return [file for item in node for file in _files_in(item, path)]
    if not isinstance(node, dict):
        return []
    found = [file for value in node.values() for file in _files_in(value, path)]
    reference = node.get("$ref")
    if isinstance(reference, str) and not reference.startswith("#"):
        found.append((Path(path).parent / reference.partition("#")[0]).as_posix())
    return found
