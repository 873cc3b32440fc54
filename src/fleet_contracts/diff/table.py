"""What a change of each field means for attempts that were made before it.

The one place where that is decided. Whoever adds a field to content adds a row here: a test
compares the tables with the schemas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from fleet_contracts.pointer import Pointer

Consequence: TypeAlias = Literal["reuse", "regrade", "rerun"]
"""Attempts and results stay good; attempts stay good, results do not; neither does."""

ORDER: tuple[Consequence, ...] = ("reuse", "regrade", "rerun")
"""The consequences, the most expensive last."""

TASK: Mapping[str, Consequence] = {
    "schema": "reuse",  # every generation reads a Task alike
    "prompt": "rerun",
    "environment": "rerun",
    "seed_mounts": "rerun",
    "captures": "rerun",  # what was not captured then cannot be graded now
    "verifiers": "regrade",
    "roster": "rerun",
    "completion": "rerun",
    "tools": "rerun",
    "metadata": "reuse",
}
ENVIRONMENT: Mapping[str, Consequence] = {
    "schema": "rerun",
    "image": "rerun",
    "env": "rerun",
    "workdir": "rerun",
    "user": "rerun",
    "endpoints": "rerun",
    "native_tools": "rerun",
    "resources": "rerun",
    "network": "rerun",
    "platforms": "rerun",
}
ARTIFACT: Mapping[str, Consequence] = {
    "schema": "rerun",
    "entries": "rerun",
    "removed": "rerun",
}
TASKSET: Mapping[str, Consequence] = {
    "schema": "reuse",
    "task_generation": "reuse",
}
NAMES: Mapping[str, Consequence] = {
    "name": "reuse",
    "description": "reuse",
}
"""What a root says to people; it is no content."""

TASK_BY_TASK = frozenset({"tasks", "task_count", "pages"})
"""Fields of a TaskSet that say no more than which Tasks there are."""

TABLES: Mapping[str, Mapping[str, Consequence]] = {
    "taskset": {**TASKSET, **NAMES},
    "task": TASK,
    "environment": {**ENVIRONMENT, **NAMES},
    "artifact": {**ARTIFACT, **NAMES},
}
"""The decisions for each kind of document; what stands inside a field follows the field."""

LISTS: Mapping[str, str | None] = {
    "verifiers": "id",
    "children": "id",
    "captures": "id",
    "seed_mounts": "path",
    "roster": "seat",
    "inputs": "name",
    "bindings": "name",
    "metrics": "name",
    "endpoints": "name",
    "prompt": None,
    "args": None,
    "categories": None,
    "tools": None,
    "native_tools": None,
    "platforms": None,
    "allow": None,
    "removed": None,
}
"""By which of its fields a member of a list is known; None: by its position or as a whole."""


def consequence(kind: str, pointer: Pointer) -> Consequence:
    """Return what a change at a place in a document of some kind means."""
    return TABLES[kind][str(pointer[0])]


def worst(found: Iterable[Consequence]) -> Consequence | None:
    """Return the most expensive of some consequences, None of none."""
    return max(found, key=ORDER.index, default=None)
