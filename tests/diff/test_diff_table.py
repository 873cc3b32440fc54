"""Every field of content has a decision, and every list a way to tell its members apart."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from diff_kit import changes, leaves

from fleet_contracts import schemas
from fleet_contracts.diff.table import (
    ARTIFACT,
    ENVIRONMENT,
    LISTS,
    NAMES,
    ORDER,
    TABLES,
    TASK,
    TASK_BY_TASK,
    TASKSET,
    consequence,
    worst,
)

OK = Path(__file__).resolve().parents[2] / "fixtures" / "compile" / "ok"
CONTENT = [path for path in schemas.schema_paths() if path.startswith("content/")]
COMPARED = [
    path for path in CONTENT if "verifier" not in path and "taskset" not in path
]  # a Verifier alone is no root, and the lists of a TaskSet are compared Task by Task
WANTED = {
    "schema": "reuse",
    "prompt": "rerun",
    "environment": "rerun",
    "seed_mounts": "rerun",
    "captures": "rerun",
    "verifiers": "regrade",
    "roster": "rerun",
    "completion": "rerun",
    "tools": "rerun",
    "metadata": "reuse",
}


def fields(*paths: str) -> set[str]:
    """Return the fields of documents by their schemas."""
    return {name for path in paths for name in schemas.load(path)["properties"]}


def listed(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield every property of a schema that is a list, and the schema of its members."""
    for key, value in node.items() if isinstance(node, dict) else ():
        if key == "properties":
            for name, each in value.items():
                if each.get("type") == "array":
                    yield name, each["items"]
        yield from listed(value)
    for each in node if isinstance(node, list) else ():
        yield from listed(each)


def member_fields(member: Any, path: str) -> list[set[str]]:
    """Return the required fields of each sort of members that a list may have."""
    if "$ref" in member:
        return member_fields(*schemas.resolve(member["$ref"], path))
    if "oneOf" in member:
        return [each for part in member["oneOf"] for each in member_fields(part, path)]
    return [set(member.get("required", ()))]


def contents() -> list[dict[str, Any]]:
    """Return every Task of the fixtures."""
    found = []
    for path in sorted(OK.glob("*/expected/content.json")):
        documents = json.loads(path.read_bytes()).values()
        found += [each for each in documents if each["schema"].startswith("fleet.task.")]
    return found


def test_every_field_of_a_task_has_its_decision() -> None:
    assert WANTED.keys() == fields("content/task.json")
    assert TASK == WANTED


@pytest.mark.parametrize(
    ("table", "paths", "besides"),
    [
        (TASK, [path for path in CONTENT if "/task." in path], set()),
        (ENVIRONMENT, ["content/environment.v1alpha1.json"], set()),
        (ARTIFACT, ["content/artifact.v1alpha1.json"], set()),
        (TASKSET, [path for path in CONTENT if "/taskset." in path], TASK_BY_TASK),
    ],
)
def test_every_field_of_every_generation_has_a_decision(
    table: dict[str, str], paths: list[str], besides: set[str]
) -> None:
    assert paths
    assert table.keys() | besides == fields(*paths)
    assert not table.keys() & besides
    assert set(table.values()) <= set(ORDER)


def test_every_generation_of_every_document_is_looked_at_here() -> None:
    kinds = {path.split("/")[1].split(".")[0] for path in CONTENT}
    assert kinds == {*TABLES, "verifier", "taskset_page"}


@pytest.mark.parametrize("path", COMPARED)
def test_every_list_says_how_its_members_are_known(path: str) -> None:
    found = [*listed(schemas.load(path))]
    if path == "content/task.json":
        found.append(("prompt", {"type": "object", "required": ["role", "text"]}))
    for name, member in found:
        assert name in LISTS, f"{path}: say in LISTS how members of `{name}` are known"
        known_by = LISTS[name]
        if known_by is not None:
            assert all(known_by in each for each in member_fields(member, path)), name


def test_no_list_is_named_that_content_does_not_have() -> None:
    found = {name for path in COMPARED for name, _ in listed(schemas.load(path))}
    assert found | {"prompt"} == LISTS.keys()


def test_each_change_inside_a_field_follows_the_field() -> None:
    for task, way in [(each, way) for each in contents() for way in leaves(each)]:
        other = copy.deepcopy(task)
        inside: Any = other
        for token in way[:-1]:
            inside = inside[token]
        inside[way[-1]] = "something else"
        found = changes(task, other)
        assert found, way
        assert {consequence("task", each.pointer) for each in found} == {WANTED[way[0]]}, way


def test_names_are_of_roots_only() -> None:
    for kind, table in TABLES.items():
        assert (table.keys() >= NAMES.keys()) is (kind != "task")


def test_the_most_expensive_consequence_counts() -> None:
    assert worst(["reuse", "rerun", "regrade"]) == "rerun"
    assert worst(["reuse", "regrade"]) == "regrade"
    assert worst([]) is None
