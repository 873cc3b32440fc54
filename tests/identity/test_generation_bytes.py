"""Generations change what must change and nothing else; a node has one digest (spec 6 and 7)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from identity_base import FILES, IMAGE_ID, Plain, base, builtin, composite, constant, edge
from identity_kit import ARTIFACTS, KeepingSink, Workshop, one_task, sha, write_files

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.lower.files import Files
from fleet_contracts.lower.verifier import lower_node
from fleet_contracts.models import authoring as a
from fleet_contracts.models import content as c
from fleet_contracts.nodes import node_digest
from fleet_contracts.project import Project
from fleet_contracts.scope import Location, Scope

ENVIRONMENT = {"image_ref": IMAGE_ID}
GENERATIONS = [f"v1alpha{number}" for number in range(1, 11)]


def small(**more: Any) -> Plain:
    return {"prompt": "p", "environment": ENVIRONMENT, "verifiers": [constant("c")], **more}


SNAPSHOT = small(
    captures=[
        {
            "id": "all",
            "kind": "fs-snapshot.v1",
            "path": "/",
            "limits": {"max_files": 9, "max_bytes": "1MiB"},
        }
    ]
)


def test_a_snapshot_raises_the_taskset_and_no_other_task(workshop: Workshop) -> None:
    tasks = {"a": small(), "b": small(metadata={"topic": "x"})}
    document = {"authoring": "taskset/v1", "name": "identity", "tasks": tasks}
    before = workshop.compile(document)
    assert before.task_generation == "v1alpha4"
    tasks["new"] = SNAPSHOT
    after = workshop.compile(document)
    assert after.task_generation == "v1alpha10"
    assert {key: after.tasks[key] for key in ("a", "b")} == before.tasks
    assert after.task("a")["schema"] == "fleet.task.v1alpha1"
    assert after.task("b")["schema"] == "fleet.task.v1alpha4"
    assert after.task("new")["schema"] == "fleet.task.v1alpha10"
    assert after.digest != before.digest


@pytest.mark.parametrize("floor", GENERATIONS)
@pytest.mark.parametrize("task", [small(), small(metadata={"a": "b"}), SNAPSHOT])
def test_a_floor_raises_the_task_generation_only(
    workshop: Workshop, task: Plain, floor: str
) -> None:
    free = workshop.compile(one_task(task))
    floored = workshop.compile(one_task(task, minimum_task_generation=floor))
    assert floored.tasks == free.tasks
    higher = max(GENERATIONS.index(floor), GENERATIONS.index(free.task_generation))
    assert floored.task_generation == GENERATIONS[higher]
    assert (floored.digest == free.digest) == (floored.task_generation == free.task_generation)


def lowered(folder: Path, node: Plain, *, root: bool = True) -> c.EvaluatorLeaf | c.Composite:
    """Lower a node that stands alone."""
    write_files(folder, FILES)
    bag = Bag()
    scope = Scope(bag, Location(folder / "x.verifier.yaml", "x.verifier.yaml"))
    files = Files(Project(folder.resolve()), KeepingSink())
    authored: Any = msgspec.convert(json.loads(json.dumps(node)), a.EvaluatorLeaf | a.Composite)
    content = lower_node(scope, files, authored, ("node",), root=root)
    assert not list(bag)
    return content


def nodes_of(task: Any) -> dict[str, Any]:
    """Return the nodes of a Task document by id."""
    found = {}
    waiting = list(task["verifiers"])
    while waiting:
        node = waiting.pop()
        found[node["id"]] = node
        waiting += [each["node"] for each in node.get("children", [])]
    return found


def json_digest(node: Any) -> str:
    text = json.dumps(node, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha(text.encode())


def authored_nodes() -> dict[str, Plain]:
    document = base(ARTIFACTS)
    return {
        key: node
        for task in document["tasks"].values()
        for key, node in nodes_of(copy.deepcopy(task)).items()
    }


@pytest.mark.parametrize("name", sorted(authored_nodes()))
def test_a_node_alone_is_the_node_in_a_task(workshop: Workshop, tmp_path: Path, name: str) -> None:
    content = workshop.compile(base(ARTIFACTS))
    in_tasks = {k: v for key in content.tasks for k, v in nodes_of(content.task(key)).items()}
    assert node_digest(lowered(tmp_path, authored_nodes()[name])) == json_digest(in_tasks[name])


@pytest.mark.parametrize(
    "leaf", [constant("leaf"), builtin("leaf", "file-exists", {"path": "a"})], ids=["1", "6"]
)
def test_a_node_has_one_digest_wherever_it_stands(
    workshop: Workshop, tmp_path: Path, leaf: Plain
) -> None:
    minimum = {"kind": "min"}
    seat = {"kind": "seat", "seat": "agent"}
    inherited = {**leaf, "subject": seat}
    tasks = {
        "top": small(verifiers=[leaf]),
        "named": small(verifiers=[composite("r", minimum, [edge("one", leaf)])]),
        "otherwise": small(verifiers=[composite("r", minimum, [edge("two", leaf)])]),
        "weighed": small(
            verifiers=[
                composite(
                    "r",
                    {"kind": "weighted_sum"},
                    [
                        edge("a", leaf, weight="0.25"),
                        edge("b", {**constant("other")}, weight="0.75"),
                    ],
                )
            ]
        ),
        "seat": small(verifiers=[composite("r", minimum, [edge("one", leaf)], subject=seat)]),
        "written": small(
            verifiers=[composite("r", minimum, [edge("one", inherited)], subject=seat)]
        ),
        "newest": {**SNAPSHOT, "verifiers": [leaf]},
    }
    document = {"authoring": "taskset/v1", "name": "identity", "tasks": tasks}
    content = workshop.compile(document)
    alone = node_digest(lowered(tmp_path, leaf))
    found = {key: json_digest(nodes_of(content.task(key))["leaf"]) for key in tasks}
    assert found == dict.fromkeys(tasks, alone)
    schemas = {content.task(key)["schema"] for key in tasks}
    assert len(schemas) >= 3


def test_the_subject_of_a_root_is_its_own(tmp_path: Path) -> None:
    seat = {**constant("leaf"), "subject": {"kind": "seat", "seat": "agent"}}
    attempt = {**constant("leaf"), "subject": {"kind": "attempt"}}
    plain = node_digest(lowered(tmp_path, constant("leaf")))
    assert node_digest(lowered(tmp_path, attempt)) == plain
    assert node_digest(lowered(tmp_path, seat)) != plain
    assert node_digest(lowered(tmp_path, seat, root=False)) == plain


def test_what_a_node_digest_holds(tmp_path: Path) -> None:
    def tree(child: Plain, name: str = "r", edge_name: str = "e") -> str:
        return node_digest(
            lowered(tmp_path, composite(name, {"kind": "min"}, [edge(edge_name, child)]))
        )

    def code(file: str) -> Plain:
        evaluator = {"kind": "code.v1", "entrypoint": {"file": file}, "image_ref": IMAGE_ID}
        return {**constant("leaf"), "evaluator": evaluator}

    first = tree(code("code/measure.py"))
    assert first == tree(code("code/../code/measure.py"))
    others = [
        tree(code("code/other.py")),
        tree({**code("code/measure.py"), "id": "renamed"}),
        tree(code("code/measure.py"), name="renamed"),
        tree(code("code/measure.py"), edge_name="renamed"),
    ]
    assert len({first, *others}) == 5
