"""What the YAML language server offers and explains while a file is written."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from yaml_server_kit import BUILTIN_IDS, CURSOR, LEAF, TREE, described, edited

from fleet_contracts.pointer import Pointer
from stdio_kit import LspClient, position

pytestmark = pytest.mark.node

GENERATIONS = [f"v1alpha{number}" for number in range(1, 11)]


class Completion(NamedTuple):
    """A text that ends or is changed at the cursor, and what is offered there."""

    text: str
    offered: list[str]


START = "authoring: taskset/v1\ntasks:\n  one:\n    "
NODE = START + "verifiers:\n      - id: answer\n        "
EVALUATOR = NODE + "type: evaluator\n        evaluator:\n          "
TEMPLATE = (
    "authoring: taskset/v1\ndataset:\n  - rows: rows.jsonl\n    key: ${index}\n    task:\n"
    "      verifiers:\n        - id: answer\n          "
)
LEAF_KEYS = [
    "evaluator", "evidence", "target_access", "metrics", "objective", "decision", "subject",
    "failure_policy",
]  # fmt: skip
TASK_KEYS = [
    "prompt", "environment", "seed_mounts", "captures", "verifiers", "roster", "completion",
    "tools", "metadata",
]  # fmt: skip

VALUES = {
    "version": Completion(CURSOR.join(("authoring: ", "\n")), ["taskset/v1"]),
    "generation": Completion(
        f"authoring: taskset/v1\nminimum_task_generation: {CURSOR}\n", GENERATIONS
    ),
    "type": Completion(f"{NODE}type: {CURSOR}\n", ["evaluator", "composite"]),
    "type-of-a-whole-node": Completion(
        edited(TREE, "type: evaluator", f"type: {CURSOR}"), ["evaluator", "composite"]
    ),
    "kind": Completion(f"{EVALUATOR}kind: {CURSOR}\n", ["builtin.v1", "code.v1", "judge.v1"]),
    "kind-of-a-whole-evaluator": Completion(
        edited(LEAF, "builtin.v1", CURSOR), ["builtin.v1", "code.v1", "judge.v1"]
    ),
    "builtin": Completion(
        f"{EVALUATOR}kind: builtin.v1\n          builtin_id: {CURSOR}\n", BUILTIN_IDS
    ),
    "builtin-begun": Completion(edited(LEAF, "answer-equals", f"ans{CURSOR}"), BUILTIN_IDS),
    "builtin-deep-inside": Completion(edited(TREE, "file-matches", CURSOR), BUILTIN_IDS),
    "metric": Completion(
        edited(TREE, "decimal, bounds: {minimum: 0, maximum: 1}", CURSOR),
        ["decimal", "integer", "boolean", "category"],
    ),
    "reducer": Completion(
        edited(TREE, "mean", CURSOR), ["first", "last", "min", "max", "mean", "sum", "count"]
    ),
    "aggregation": Completion(
        edited(TREE, "weighted_sum", CURSOR), ["weighted_sum", "min", "all_of", "code"]
    ),
    "completion": Completion(
        edited(TREE, "max_turns, max_turns: 20", CURSOR),
        ["agent_submits", "max_turns", "deadline"],
    ),
    "network": Completion(
        edited(TREE, "mode: open", f"mode: {CURSOR}"), ["none", "allowlist", "open"]
    ),
    "capture": Completion(
        edited(TREE, "kind: file.v1", f"kind: {CURSOR}"),
        ["fs-diff.v1", "fs-snapshot.v1", "file.v1"],
    ),
    "type-in-a-template": Completion(f"{TEMPLATE}type: {CURSOR}\n", ["evaluator", "composite"]),
    "builtin-in-a-template": Completion(
        f"{TEMPLATE}type: evaluator\n          evaluator:\n            kind: builtin.v1\n"
        f"            builtin_id: {CURSOR}\n",
        BUILTIN_IDS,
    ),
    "evidence": Completion(
        edited(TREE, "source: capture, id: report", f"source: {CURSOR}"),
        ["submission", "trace", "capture", "seed_mount"],
    ),
}  # fmt: skip

KEYS = {
    "task": Completion(START + CURSOR + "\n", TASK_KEYS),
    "task-begun": Completion(
        edited(LEAF, "    verifiers:", f"    {CURSOR}\n    verifiers:"),
        [key for key in TASK_KEYS if key not in ("prompt", "environment", "verifiers")],
    ),
    "node": Completion(NODE + CURSOR + "\n", ["type", *LEAF_KEYS, "children", "aggregation"]),
    "evaluator-leaf": Completion(f"{NODE}type: evaluator\n        {CURSOR}\n", LEAF_KEYS),
    "composite": Completion(
        f"{NODE}type: composite\n        {CURSOR}\n",
        ["children", "aggregation", "decision", "subject", "failure_policy"],
    ),
    "evaluator": Completion(
        EVALUATOR + CURSOR + "\n",
        ["kind", "builtin_id", "params", "entrypoint", "image_ref", "args", "rubric", "model_slot"],
    ),
    "code": Completion(
        f"{EVALUATOR}kind: code.v1\n          {CURSOR}\n", ["entrypoint", "image_ref", "args"]
    ),
    "params": Completion(
        f"{EVALUATOR}kind: builtin.v1\n          builtin_id: file-matches\n          params:\n"
        f"            {CURSOR}\n",
        ["path", "pattern", "input"],
    ),
    "prompt": Completion(f"{START}prompt:\n      {CURSOR}\n", ["file"]),
}  # fmt: skip

# Which description of the shared definitions is shown over a piece of TREE.
HOVERS: dict[str, tuple[str, Pointer]] = {
    "prompt": ("prompt", ("Task", "properties", "prompt")),
    "verifiers": ("verifiers", ("Task", "properties", "verifiers")),
    "environment": ("environment", ("Task", "properties", "environment")),
    "max_turns": ("max_turns:", ("MaxTurns", "properties", "max_turns")),
    "type": ("composite", ("Composite",)),
    "children": ("children", ("Composite", "properties", "children")),
    "weight": ("weight", ("Edge", "properties", "weight")),
    "builtin_id": ("builtin_id", ("BuiltinEvaluator", "properties", "builtin_id")),
    "builtin": ("file-matches", ("FileMatchesParams",)),
    "param": ("pattern", ("FileMatchesParams", "properties", "pattern")),
    "select": ("select", ("EvidenceInput", "properties", "select")),
    "image_ref": (
        f"image_ref: sha256:{'0' * 64}\n", ("CodeEvaluator", "properties", "image_ref")
    ),
    "reducer": ("reducer", ("Objective", "properties", "reducer")),
    "aggregation": ("aggregation", ("Composite", "properties", "aggregation")),
    "kind": ("weighted_sum", ("WeightedSum",)),
    "at_least": ("at_least", ("Decision", "properties", "at_least")),
}  # fmt: skip


def _at_cursor(yaml_server: LspClient, method: str, name: str, text: str) -> Any:
    """Open a text without its cursor, and request something about where it was."""
    path = yaml_server.folder / f"{name}.taskset.yaml"
    yaml_server.open(path, text.replace(CURSOR, ""))
    return yaml_server.at(f"textDocument/{method}", path, position(text, CURSOR))


def _offered(yaml_server: LspClient, name: str, text: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = _at_cursor(yaml_server, "completion", name, text)["items"]
    return items


@pytest.mark.parametrize("name", VALUES)
def test_exactly_the_values_are_offered(yaml_server: LspClient, name: str) -> None:
    items = _offered(yaml_server, f"value-{name}", VALUES[name].text)
    assert sorted(item["label"] for item in items) == sorted(VALUES[name].offered)


@pytest.mark.parametrize("name", KEYS)
def test_exactly_the_keys_are_offered(yaml_server: LspClient, name: str) -> None:
    items = _offered(yaml_server, f"key-{name}", KEYS[name].text)
    keys = [item for item in items if item["insertText"].startswith(f"{item['label']}:")]
    assert sorted(item["label"] for item in keys) == sorted(KEYS[name].offered)
    assert all(item["documentation"] for item in keys)


@pytest.mark.parametrize("name", HOVERS)
def test_hovering_shows_the_description(yaml_server: LspClient, name: str) -> None:
    piece, pointer = HOVERS[name]
    text = edited(TREE, piece, CURSOR + piece)
    shown = _at_cursor(yaml_server, "hover", f"hover-{name}", text)
    assert described(*pointer) in shown["contents"]["value"]
