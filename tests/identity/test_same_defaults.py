"""One digest for one meaning, whether a default is written out or left out (spec section 2)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from identity_base import IMAGE_ID, Plain, composite, constant, edge
from identity_kit import ARTIFACTS, Pointer, Workshop, at, one_task

INHERIT = {"kind": "seat", "seat": "agent"}
CODE = {"kind": "code.v1", "entrypoint": {"file": "code/measure.py"}, "image_ref": IMAGE_ID}
JUDGE = {"kind": "judge.v1", "rubric": "Right?", "model_slot": "grader"}


def tree(kind: str) -> Plain:
    weight: Plain = {"weight": "1"} if kind == "weighted_sum" else {}
    aggregation: Plain = {"kind": kind}
    if kind == "code":
        aggregation |= {"entrypoint": {"file": "code/aggregate.py"}, "image_ref": IMAGE_ID}
    return composite(kind, aggregation, [edge("only", constant("leaf"), **weight)])


def task() -> Plain:
    """Return a Task in which everything that has a default is left out."""
    inputs = [{"name": "a", "select": {"source": "trace"}, "expose": {"as": "ctx"}}]
    leaf: Plain = {"type": "evaluator", "decision": {"kind": "threshold", "at_least": "1"}}
    graded = {**tree("min"), "id": "graded", "subject": INHERIT}
    number: Plain = {"name": "n", "type": "decimal"}
    document: Plain = {
        "prompt": "p",
        "environment": {"image_ref": IMAGE_ID},
        "verifiers": [
            {**leaf, "id": "code", "evaluator": CODE, "evidence": {"inputs": inputs}},
            {**leaf, "id": "judge", "evaluator": JUDGE},
            *(tree(kind) for kind in ("weighted_sum", "min", "all_of", "code")),
            graded,
            {"id": "measure", "type": "evaluator", "evaluator": CODE, "metrics": [number]},
        ],
    }
    document = copy.deepcopy(document)
    document["verifiers"][5]["id"] = "code-tree"
    return document


def rich() -> Plain:
    """Return the same with members that themselves have defaults."""
    document = task()
    document["environment"] |= {"network": {"mode": "allowlist"}}
    document["environment"] |= {"endpoints": [{"name": "e", "protocol": "tcp", "port": 1}]}
    document["seed_mounts"] = [{"artifact": ARTIFACTS[0], "path": "/data"}]
    document["captures"] = [
        {"id": "a", "kind": "fs-diff.v1", "path": "/a"},
        {"id": "b", "kind": "file.v1", "path": "/b"},
        {
            "id": "c",
            "kind": "fs-snapshot.v1",
            "path": "/c",
            "limits": {"max_files": 1, "max_bytes": 1},
        },
    ]
    document["roster"] = [{"seat": "agent", "role": "solver"}]
    document["verifiers"][0]["target_access"] = {"mode": "read_only"}
    return document


Base: TypeAlias = Callable[[], Plain]

V: Pointer = ("verifiers",)
PLAIN_DEFAULTS: list[tuple[Pointer, Any]] = [
    (("roster",), [{"seat": "agent", "role": "agent", "required": True}]),
    (("roster",), [{"seat": "agent", "role": "agent"}]),
    (("completion",), {"mode": "agent_submits"}),
    (("seed_mounts",), []),
    (("captures",), []),
    (("metadata",), {}),
    (("environment", "network"), {"mode": "none"}),
    (("environment", "env"), {}),
    (("environment", "endpoints"), []),
    (("environment", "native_tools"), []),
    (("environment", "platforms"), []),
    (("environment", "resources"), {}),
    ((*V, 0, "evidence", "inputs", 0, "required"), True),
    ((*V, 0, "evidence", "inputs", 0, "cardinality"), "one"),
    ((*V, 0, "evaluator", "args"), []),
    ((*V, 0, "target_access"), {"mode": "none"}),
    ((*V, 0, "target_access"), {"mode": "none", "bindings": []}),
    ((*V, 0, "subject"), {"kind": "attempt"}),
    ((*V, 0, "failure_policy"), {}),
    ((*V, 0, "metrics"), []),
    ((*V, 1, "evidence"), {}),
    ((*V, 1, "evidence"), {"inputs": []}),
    ((*V, 1, "evaluator", "params"), {}),
    ((*V, 2, "aggregation", "on_child_error"), "propagate"),
    ((*V, 3, "aggregation", "on_child_error"), "propagate"),
    ((*V, 4, "aggregation", "on_child_error"), "propagate"),
    ((*V, 5, "aggregation", "on_child_error"), "propagate"),
    ((*V, 5, "aggregation", "args"), []),
    ((*V, 2, "subject"), {"kind": "attempt"}),
    ((*V, 2, "failure_policy"), {}),
    ((*V, 2, "children", 0, "node", "subject"), {"kind": "attempt"}),
    ((*V, 2, "children", 0, "node", "failure_policy"), {}),
    ((*V, 6, "children", 0, "node", "subject"), INHERIT),
    ((*V, 7, "metrics", 0, "bounds"), {}),
]
RICH_DEFAULTS: list[tuple[Pointer, Any]] = [
    (("roster", 0, "required"), True),
    (("seed_mounts", 0, "read_only"), True),
    (("captures", 0, "when"), "final"),
    (("captures", 1, "when"), "final"),
    (("captures", 2, "when"), "final"),
    (("captures", 0, "limits"), {}),
    (("captures", 1, "limits"), {}),
    (("environment", "network", "allow"), []),
    ((*V, 0, "target_access", "bindings"), []),
]
CASES: list[tuple[Base, Pointer, Any]] = [
    *((task, pointer, value) for pointer, value in PLAIN_DEFAULTS),
    *((rich, pointer, value) for pointer, value in RICH_DEFAULTS),
]


def written(document: Plain, pointer: Pointer, value: Any) -> Plain:
    holder = at(document, pointer[:-1])
    assert pointer[-1] not in holder
    holder[pointer[-1]] = copy.deepcopy(value)
    return document


@pytest.mark.parametrize(
    ("make", "pointer", "value"),
    CASES,
    ids=["/".join(map(str, pointer)) + f"={value}" for _, pointer, value in CASES],
)
def test_a_default_may_be_written_out(
    workshop: Workshop, make: Base, pointer: Pointer, value: Any
) -> None:
    left_out = workshop.compile(one_task(make()))
    assert workshop.compile(one_task(written(make(), pointer, value))).digest == left_out.digest


@pytest.mark.parametrize("make", [task, rich])
def test_all_defaults_may_be_written_out_at_once(workshop: Workshop, make: Base) -> None:
    left_out = workshop.compile(one_task(make()))
    document = make()
    for pointer, value in PLAIN_DEFAULTS + (RICH_DEFAULTS if make is rich else []):
        holder = at(document, pointer[:-1])
        holder.setdefault(pointer[-1], copy.deepcopy(value))
    assert workshop.compile(one_task(document)).digest == left_out.digest


def test_a_default_of_the_taskset_may_be_one_of_the_language(workshop: Workshop) -> None:
    left_out = workshop.compile(one_task(task()))
    values = {
        "roster": [{"seat": "agent", "role": "agent"}],
        "completion": {"mode": "agent_submits"},
    }
    content = workshop.compile(
        one_task(task(), defaults={**values, "captures": [], "metadata": {}})
    )
    assert content.digest == left_out.digest


NOT_DEFAULTS: list[tuple[Pointer, Any]] = [
    (("tools",), []),
    (("roster",), [{"seat": "agent", "role": "agent", "required": False}]),
    (("roster",), [{"seat": "agent", "role": "solver"}]),
    (("metadata",), {"empty": ""}),
    (("environment", "env"), {"EMPTY": ""}),
    (("environment", "network"), {"mode": "allowlist", "allow": []}),
    (("environment", "network"), {"mode": "open"}),
    ((*V, 1, "evaluator", "params"), {"empty": {}}),
    ((*V, 1, "evaluator", "params"), {"empty": []}),
    ((*V, 1, "evaluator", "params"), {"null": None}),
    ((*V, 1, "evaluator", "params"), {"required": True}),
    ((*V, 0, "target_access"), {"mode": "read_only"}),
    ((*V, 0, "subject"), INHERIT),
    ((*V, 2, "subject"), INHERIT),
    ((*V, 7, "metrics", 0, "bounds"), {"minimum": "0"}),
]


@pytest.mark.parametrize(
    ("pointer", "value"),
    NOT_DEFAULTS,
    ids=["/".join(map(str, pointer)) + f"={value}" for pointer, value in NOT_DEFAULTS],
)
def test_what_looks_like_a_default_is_none(
    workshop: Workshop, pointer: Pointer, value: Any
) -> None:
    left_out = workshop.compile(one_task(task()))
    content = workshop.compile(one_task(written(task(), pointer, value)))
    assert content.digest != left_out.digest
