"""One TaskSet that uses everything, as plain data; no field in it has its default value."""

from __future__ import annotations

import copy
from typing import Any, TypeAlias

Plain: TypeAlias = dict[str, Any]


class Dec(str):
    """A decimal: authors may write it in several ways, quoted or not."""

    __slots__ = ()


class Size(int):
    """A number of bytes: authors may write it with a unit."""

    __slots__ = ()


IMAGE_ID = "sha256:" + "1" * 64
NAMED_IMAGE = "docker.io/library/debian@sha256:" + "2" * 64

FILES = {
    "prompts/question.md": "How many trees are there?\n\nAnswer with a number.\n",
    "prompts/other.md": "How many leaves are there?\n",
    "prompts/größe.md": "Wie groß ist es? 🌳\n",
    "code/aggregate.py": "print(1)\n",
    "code/measure.py": "print(2)\n",
    "code/other.py": "print(3)\n",
    "code/rubric.md": "Is it right?\n",
    "code/expected.txt": "expected\n",
}

DECISION: Plain = {"kind": "threshold", "at_least": Dec("1")}
INPUTS = [
    {"name": "first", "select": {"source": "submission"}, "expose": {"as": "ctx"}},
    {"name": "second", "select": {"source": "trace"}, "expose": {"as": "ctx"}},
]


def builtin(name: str, builtin_id: str, params: Plain) -> Plain:
    """Return a leaf of a builtin that reads the first of two inputs."""
    params = {**params, "input": "first"}
    return {
        "id": name,
        "type": "evaluator",
        "evaluator": {"kind": "builtin.v1", "builtin_id": builtin_id, "params": params},
        "evidence": {"inputs": copy.deepcopy(INPUTS)},
        "decision": dict(DECISION),
    }


def constant(name: str) -> Plain:
    """Return the smallest leaf."""
    evaluator = {"kind": "builtin.v1", "builtin_id": "constant", "params": {"value": Dec("1")}}
    return {"id": name, "type": "evaluator", "evaluator": evaluator, "decision": dict(DECISION)}


def composite(name: str, aggregation: Plain, children: list[Plain], **more: Any) -> Plain:
    """Return a composite node."""
    node = {"id": name, "type": "composite", "aggregation": aggregation, "children": children}
    return {**node, "decision": dict(DECISION), **more}


def unit_leaf() -> Plain:
    """Return a code leaf that may stand inside a composite."""
    return {
        "id": "unit",
        "type": "evaluator",
        "evaluator": {
            "kind": "code.v1",
            "entrypoint": {"file": "code/measure.py"},
            "image_ref": NAMED_IMAGE,
            "args": ["one", "two"],
        },
        "metrics": [
            {
                "name": "part",
                "type": "decimal",
                "bounds": {"minimum": Dec("0.25"), "maximum": Dec("0.75")},
                "unit": "share",
            },
            {"name": "whole", "type": "boolean"},
        ],
        "objective": {"metric": "part", "reducer": "mean"},
        "decision": {"kind": "threshold", "at_least": Dec("0.5")},
        "failure_policy": {"timeout_seconds": 5, "max_attempts": 3},
    }


def judge_leaf() -> Plain:
    """Return a judge with free-form params."""
    params = {"scale": [1, 2, None, {"deep": True}], "ratio": "0.50", "note": "", "empty": {}}
    evaluator = {
        "kind": "judge.v1",
        "rubric": {"file": "code/rubric.md"},
        "model_slot": "grader",
        "params": params,
    }
    return {"id": "judge", "type": "evaluator", "evaluator": evaluator, "decision": dict(DECISION)}


def overall() -> Plain:
    """Return a tree of four levels with every aggregation."""
    all_of = composite(
        "all", {"kind": "all_of", "on_child_error": "zero"}, [edge("certain", constant("sure"))]
    )
    smallest = composite(
        "smallest",
        {"kind": "min", "on_child_error": "zero"},
        [edge("every", all_of), edge("one", constant("single"))],
    )
    code = {
        "kind": "code",
        "entrypoint": {"file": "code/aggregate.py"},
        "image_ref": IMAGE_ID,
        "args": ["--fast", "--deep"],
        "on_child_error": "zero",
    }
    own = composite("own", code, [edge("judged", judge_leaf()), edge("measured", unit_leaf())])
    return composite(
        "overall",
        {"kind": "weighted_sum", "on_child_error": "zero"},
        [edge("small", smallest, weight=Dec("0.25")), edge("large", own, weight=Dec("0.75"))],
        subject={"kind": "seat", "seat": "critic"},
        failure_policy={"timeout_seconds": 60, "max_attempts": 2},
    )


def edge(name: str, node: Plain, **more: Any) -> Plain:
    """Return an edge of a composite."""
    return {"id": name, "node": node, **more}


def measured() -> Plain:
    """Return a leaf with every kind of evidence and metric."""
    inputs = [
        {
            "name": "answer",
            "select": {"source": "submission", "path": "a.txt"},
            "expose": {"as": "ctx"},
        },
        {
            "name": "events",
            "select": {"source": "trace"},
            "expose": {"as": "file", "path": "trace.json"},
        },
        {
            "name": "kept",
            "select": {"source": "capture", "id": "tree", "path": "out"},
            "cardinality": "many",
            "required": False,
            "expose": {"as": "file", "path": "/in"},
        },
        {
            "name": "data",
            "select": {"source": "seed_mount", "path": "/data"},
            "expose": {"as": "ctx"},
        },
    ]
    metrics = [
        {
            "name": "seconds",
            "type": "decimal",
            "bounds": {"minimum": Dec("-0.5"), "maximum": Dec("1.5")},
            "unit": "s",
        },
        {
            "name": "lines",
            "type": "integer",
            "bounds": {"minimum": Dec("0"), "maximum": Dec("100")},
            "unit": "lines",
        },
        {"name": "done", "type": "boolean"},
        {"name": "grade", "type": "category", "categories": ["good", "bad"]},
    ]
    bindings = [
        {"name": "site", "endpoint": "web-port"},
        {"name": "base", "endpoint": "db-port"},
    ]
    return {
        "id": "measured",
        "type": "evaluator",
        "evaluator": {
            "kind": "code.v1",
            "entrypoint": {"file": "code/measure.py"},
            "image_ref": IMAGE_ID,
            "args": ["-v", "-v", "1.0"],
        },
        "evidence": {"inputs": inputs},
        "target_access": {"mode": "read_only", "bindings": bindings},
        "metrics": metrics,
        "objective": {"metric": "done", "reducer": "last"},
        "decision": dict(DECISION),
        "subject": {"kind": "seat", "seat": "critic"},
        "failure_policy": {"timeout_seconds": 61, "max_attempts": 4},
    }


def forest(artifacts: tuple[str, str]) -> Plain:
    """Return a Task with every field."""
    return {
        "prompt": [
            {"role": "system", "text": "Be brief: no more than 3 words. 🌲"},
            {"role": "user", "file": "prompts/question.md"},
            {"role": "user", "text": "  # not a comment\n\n'Why' is \"said\"?\n"},
        ],
        "environment": "desk",
        "seed_mounts": [
            {"artifact": artifacts[0], "path": "/data", "read_only": False},
            {"artifact": artifacts[1], "path": "/more", "read_only": False},
        ],
        "captures": [
            {
                "id": "diff",
                "kind": "fs-diff.v1",
                "path": "/work",
                "when": "checkpoint",
                "limits": {"max_files": 10, "max_bytes": Size(2**20)},
            },
            {
                "id": "tree",
                "kind": "fs-snapshot.v1",
                "path": "/srv",
                "limits": {"max_files": 11, "max_bytes": Size(3 * 2**20)},
            },
            {
                "id": "log",
                "kind": "file.v1",
                "path": "out.log",
                "when": "checkpoint",
                "limits": {"max_files": 1, "max_bytes": Size(64000)},
            },
        ],
        "roster": [
            {"seat": "agent", "role": "solver"},
            {"seat": "critic", "role": "reviewer", "required": False},
        ],
        "completion": {"mode": "max_turns", "max_turns": 30},
        "tools": ["shell", "browse"],
        "metadata": {"topic": "trees", "Größe": "ü\nö", "empty": "", "number": "1.0", "no": "no"},
        "verifiers": [overall(), measured()],
    }


def builtins() -> Plain:
    """Return a Task with every builtin evaluator."""
    return {
        "prompt": {"file": "prompts/größe.md"},
        "environment": "builtin",
        "completion": {"mode": "deadline", "deadline_seconds": 600},
        "verifiers": [
            builtin("equals", "answer-equals", {"expected": "1,234.50"}),
            builtin("matches", "answer-matches", {"pattern": "^[0-9]+$"}),
            builtin("close", "answer-close", {"expected": Dec("1.5"), "tolerance": Dec("0.01")}),
            builtin("json", "json-equals", {"expected": '{"a": [1.5]}', "path": "a.json"}),
            builtin("exists", "file-exists", {"path": "b.txt"}),
            builtin(
                "same", "file-equals", {"path": "c.txt", "content": {"file": "code/expected.txt"}}
            ),
            builtin("line", "file-matches", {"path": "d.txt", "pattern": "x|y"}),
            builtin("fixed", "constant", {"value": Dec("0.5")}),
            {
                "id": "inline",
                "type": "evaluator",
                "evaluator": {
                    "kind": "judge.v1",
                    "rubric": "Is it right?\nSay why.\n",
                    "model_slot": "grader",
                },
                "decision": dict(DECISION),
                "subject": {"kind": "attempt"},
            },
        ],
    }


def plain() -> Plain:
    """Return a Task with an inline Environment and nothing beside what is required."""
    return {
        "prompt": "Say: yes\tor no?\n\n- really\n",
        "environment": {"image_ref": IMAGE_ID, "network": {"mode": "open"}},
        "verifiers": [constant("only")],
    }


def desk() -> Plain:
    """Return an Environment with every field."""
    return {
        "image_ref": NAMED_IMAGE,
        "env": {"LANG": "C.UTF-8", "EMPTY": "", "PATH": "/bin:/usr/bin"},
        "workdir": "/work",
        "user": "1000:1000",
        "endpoints": [
            {"name": "web-port", "protocol": "http", "port": 8080},
            {"name": "db-port", "protocol": "tcp", "port": 5432},
        ],
        "native_tools": ["shell", "edit", "browse"],
        "resources": {
            "cpus": Dec("0.5"),
            "memory_bytes": Size(2 * 2**30),
            "disk_bytes": Size(10**9),
        },
        "network": {"mode": "allowlist", "allow": ["example.com:443", "*.example.org:80"]},
        "platforms": ["linux/amd64", "linux/arm64/v8"],
    }


def base(artifacts: tuple[str, str]) -> Plain:
    """Return a fresh copy of the TaskSet; the two Artifacts must be in the store."""
    document = {
        "authoring": "taskset/v1",
        "name": "identity",
        "description": "Every field and every branch.",
        "environments": {"desk": desk(), "builtin": {"builtin": "terminal@v1", "env": {"A": "b"}}},
        "tasks": {"a/forest": forest(artifacts), "b/builtins": builtins(), "plain": plain()},
    }
    return copy.deepcopy(document)
