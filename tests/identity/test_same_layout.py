"""One digest for one meaning, however a project is cut into files (spec sections 2, 4, 5)."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from identity_base import FILES, base, desk
from identity_kit import ARTIFACTS, Content, Workshop, nodes
from test_same_spelling import same

FOREST = "a/forest"
TASK_FIELDS = list(base(ARTIFACTS)["tasks"][FOREST])
HEAD = {"authoring": "taskset/v1", "name": "identity"}


def tasks_file(tasks: dict[str, Any], up: str = "") -> str:
    """Return an included file; `up` leads from its folder to that of the root."""
    tasks = copy.deepcopy(tasks)
    for _, value in list(nodes(tasks)):
        if isinstance(value, dict) and "file" in value:
            value["file"] = up + value["file"]
    return json.dumps({"authoring": "tasks/v1", "tasks": tasks}, ensure_ascii=False)


def without_tasks() -> tuple[dict[str, Any], dict[str, Any]]:
    document = base(ARTIFACTS)
    return document, document.pop("tasks")


def test_tasks_may_stand_in_one_included_file(workshop: Workshop, expected: Content) -> None:
    document, tasks = without_tasks()
    document["include"] = ["more.tasks.yaml"]
    same(workshop.compile(document, {"more.tasks.yaml": tasks_file(tasks)}), expected)


@pytest.mark.parametrize("here", sorted(base(ARTIFACTS)["tasks"]))
def test_tasks_may_stand_in_several_files(workshop: Workshop, expected: Content, here: str) -> None:
    document, tasks = without_tasks()
    document["tasks"] = {here: tasks.pop(here)}
    files = {
        f"parts/{index}.tasks.yaml": tasks_file({key: task}, "../")
        for index, (key, task) in enumerate(tasks.items())
    }
    globs = [["parts/*.tasks.yaml"], ["**/*.tasks.yaml"]]
    for include in (list(files), list(reversed(files)), *globs):
        document["include"] = include
        same(workshop.compile(document, files), expected)


def test_names_of_included_files_decide_nothing(workshop: Workshop, expected: Content) -> None:
    document, tasks = without_tasks()
    document["include"] = ["parts/*"]
    keys = sorted(tasks)
    for order in (keys, keys[::-1]):
        files = {
            f"parts/{name}.yaml": tasks_file({key: tasks[key]}, "../")
            for name, key in zip("zay", order, strict=True)
        }
        same(workshop.compile(document, files), expected)


def test_a_root_below_the_project_root(workshop: Workshop, expected: Content) -> None:
    document = base(ARTIFACTS)
    for _, value in list(nodes(document)):
        if isinstance(value, dict) and "file" in value:
            value["file"] = f"../../{value['file']}"
    folder = workshop.project({"deep/er/x.taskset.yaml": json.dumps(document)})
    same(workshop.compile_file(folder / "deep" / "er" / "x.taskset.yaml", folder), expected)


@pytest.mark.parametrize("field", TASK_FIELDS)
@pytest.mark.parametrize("place", ["here", "included"])
def test_a_field_may_come_from_defaults(
    workshop: Workshop, expected: Content, field: str, place: str
) -> None:
    document, tasks = without_tasks()
    forest = tasks.pop(FOREST)
    document["defaults"] = {field: forest.pop(field)}
    files = {}
    if place == "here":
        document["tasks"] = {FOREST: forest}
    else:
        document["include"] = ["parts/forest.tasks.yaml"]
        files = {"parts/forest.tasks.yaml": tasks_file({FOREST: forest}, "../")}
    content = workshop.compile(document, files)
    assert content.tasks == {FOREST: expected.tasks[FOREST]}


def test_all_fields_may_come_from_defaults(workshop: Workshop, expected: Content) -> None:
    document, tasks = without_tasks()
    document["defaults"] = tasks[FOREST]
    document["tasks"] = {"empty": {}}
    content = workshop.compile(document)
    assert content.tasks == {"empty": expected.tasks[FOREST]}


@pytest.mark.parametrize("field", TASK_FIELDS)
def test_a_default_that_every_task_replaces_is_no_content(
    workshop: Workshop, expected: Content, field: str
) -> None:
    document = base(ARTIFACTS)
    forest = document["tasks"][FOREST]
    document["tasks"] = {FOREST: forest}
    other: dict[str, Any] = {
        "prompt": "other",
        "environment": {"image_ref": "sha256:" + "9" * 64},
        "seed_mounts": [],
        "captures": [],
        "verifiers": base(ARTIFACTS)["tasks"]["plain"]["verifiers"],
        "roster": [{"seat": "agent", "role": "other"}],
        "completion": {"mode": "deadline", "deadline_seconds": 1},
        "tools": [],
        "metadata": {"other": "kept whole, never merged"},
    }
    document["defaults"] = {field: other[field]}
    assert workshop.compile(document).tasks[FOREST] == expected.tasks[FOREST]


@pytest.mark.parametrize("form", ["inline", "named", "file", "named file", "json file"])
def test_an_environment_may_be_written_anywhere(
    workshop: Workshop, expected: Content, form: str
) -> None:
    document = base(ARTIFACTS)
    environments, forest = document["environments"], document["tasks"][FOREST]
    standalone = {"authoring": "environment/v1", "name": "any", "description": "d", **desk()}
    name = "env/desk.environment.json" if form == "json file" else "env/desk.environment.yaml"
    files = {name: json.dumps(standalone)} if "file" in form else {}
    match form:
        case "inline":
            forest["environment"] = environments.pop("desk")
        case "named":
            environments["other.name"] = environments.pop("desk")
            forest["environment"] = "other.name"
        case "named file":
            environments["desk"] = {"file": name}
        case _:
            del environments["desk"]
            forest["environment"] = {"file": name}
    same(workshop.compile(document, files), expected)


def test_a_standalone_environment_is_the_same_content(
    workshop: Workshop, expected: Content
) -> None:
    document = base(ARTIFACTS)
    document["environments"]["desk"] = {"file": "desk.environment.yaml"}
    standalone = json.dumps({"authoring": "environment/v1", **desk()})
    content = workshop.compile(document, {"desk.environment.yaml": standalone})
    assert content.environment(FOREST) == expected.environment(FOREST)


@pytest.mark.parametrize(
    "more",
    [
        {"name": "another"},
        {"description": "another"},
        {"$schema": "https://example.com/taskset.json"},
        {"minimum_task_generation": "v1alpha1"},
        {"minimum_task_generation": "v1alpha10"},
        {"defaults": {}},
        {"include": []},
        {"dataset": []},
    ],
    ids=lambda more: next(iter(more)),
)
def test_what_is_no_content(workshop: Workshop, expected: Content, more: dict[str, Any]) -> None:
    same(workshop.compile({**base(ARTIFACTS), **more}), expected)


def test_an_unused_environment_is_no_content(workshop: Workshop, expected: Content) -> None:
    document = base(ARTIFACTS)
    document["environments"]["unused"] = {"image_ref": "sha256:" + "8" * 64}
    same(workshop.compile(document), expected)


def test_the_order_of_datasets_is_no_content(workshop: Workshop) -> None:
    rows = {"a.jsonl": '{"n": 1}\n{"n": 2}\n', "b.csv": "n\n3\n4\n"}
    task = {**base(ARTIFACTS)["tasks"]["plain"], "prompt": "Item ${row.n}"}
    datasets = [
        {"rows": "a.jsonl", "key": "a/${row.n}", "task": task},
        {"rows": "b.csv", "key": "b/${row.n}", "task": task},
    ]
    one = workshop.compile({**HEAD, "dataset": datasets}, rows)
    other = workshop.compile({**HEAD, "dataset": datasets[::-1]}, rows)
    same(one, other)
    assert set(one.tasks) == {"a/1", "a/2", "b/3", "b/4"}


def test_a_task_of_a_row_is_the_same_task(workshop: Workshop, expected: Content) -> None:
    document, tasks = without_tasks()
    forest = tasks.pop(FOREST)
    document["dataset"] = [{"rows": "rows.json", "key": "${row.key}", "task": forest}]
    document["tasks"] = tasks
    same(workshop.compile(document, {"rows.json": json.dumps([{"key": FOREST}])}), expected)


@pytest.mark.parametrize("field", TASK_FIELDS)
def test_a_whole_field_may_come_from_a_row(
    workshop: Workshop, expected: Content, field: str
) -> None:
    document, tasks = without_tasks()
    forest = tasks.pop(FOREST)
    row = {"key": FOREST, "value": forest[field]}
    forest[field] = "${row.value}"
    document["dataset"] = [{"rows": "rows.jsonl", "key": "${row.key}", "task": forest}]
    document["tasks"] = tasks
    same(workshop.compile(document, {"rows.jsonl": json.dumps(row)}), expected)


def test_the_files_are_those_of_the_common_project() -> None:
    named = {
        value["file"]
        for _, value in nodes(base(ARTIFACTS))
        if isinstance(value, dict) and "file" in value
    }
    assert named <= FILES.keys()
