"""What Verifiers and Tasks name: captures, mounts, endpoints, tools, Environments."""

from __future__ import annotations

from pathlib import Path

import pytest
from rules_kit import DECISION, LEAF, found, found_below, indented, related, told

from fleet_contracts import rules
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.scope import Location, Scope

TOP = "/verifiers/0"
INPUTS = f"{TOP}/evidence/inputs"
DIGEST = "sha256:" + "0" * 64


def selecting(*selects: str, task: str = "", expose: str = "{as: ctx}") -> str:
    """Return a Task whose leaf has an evidence input for each selection."""
    lines = "".join(
        f"    - {{name: i{index}, select: {select}, expose: {expose}}}\n"
        for index, select in enumerate(selects)
    )
    leaf = f"{LEAF}{DECISION}evidence:\n  inputs:\n{lines}"
    return f"{task}verifiers:\n  - id: a\n{indented(leaf, 4)}"


CAPTURES = """\
captures:
  - {id: diff, kind: fs-diff.v1, path: /work}
  - {id: report, kind: file.v1, path: report.txt}
"""


def mounts(*paths: str) -> str:
    listed = "".join(f"  - {{artifact: '{DIGEST}', path: {path}}}\n" for path in paths)
    return f"seed_mounts:\n{listed}"


def test_evidence_selects_captures_that_the_task_declares() -> None:
    good = ("{source: capture, id: diff}", "{source: capture, id: report, path: a/b}")
    assert found(selecting(*good, "{source: submission}", "{source: trace}", task=CAPTURES)) == []
    assert told(found(selecting("{source: capture, id: reports}", task=CAPTURES))) == [
        (
            "FLT4060",
            f"{INPUTS}/0/select/id",
            "no capture 'reports' in this Task, only 'diff' and 'report'",
            "did you mean 'report'?",
        )
    ]
    assert told(found(selecting("{source: trace}", "{source: capture, id: diff}"))) == [
        (
            "FLT4060",
            f"{INPUTS}/1/select/id",
            "no capture 'diff' in this Task, which has none",
            "declare it under `captures`",
        )
    ]


@pytest.mark.parametrize("path", ["/data", "/data/a/b.txt", "/other/deep"])
def test_evidence_selects_paths_in_seed_mounts(path: str) -> None:
    task = mounts("/data", "/other/deep")
    assert found(selecting(f"{{source: seed_mount, path: {path}}}", task=task)) == []
    assert found(selecting(f"{{source: seed_mount, path: {path}}}", task=mounts("/"))) == []


@pytest.mark.parametrize("path", ["/dat", "/database", "/other", "/"])
def test_evidence_selects_a_path_in_no_seed_mount(path: str) -> None:
    task = mounts("/data", "/other/deep")
    (item,) = found(selecting(f"{{source: seed_mount, path: {path}}}", task=task))
    message = f"no seed mount '{path}' in this Task, only '/data' and '/other/deep'"
    assert (item.code, item.message) == ("FLT4061", message)
    assert item.place.pointer[-3:] == (0, "select", "path")


def test_a_task_without_seed_mounts() -> None:
    assert told(found(selecting("{source: seed_mount, path: /data}"))) == [
        (
            "FLT4061",
            f"{INPUTS}/0/select/path",
            "no seed mount '/data' in this Task, which has none",
            "declare it under `seed_mounts`",
        )
    ]


def test_each_input_is_exposed_at_its_own_path() -> None:
    both = ("{source: submission}", "{source: trace}")
    items = found(selecting(*both, expose="{as: file, path: /in/x}"))
    assert told(items) == [
        (
            "FLT4010",
            f"{INPUTS}/1/expose/path",
            "path '/in/x' exposes two evidence inputs",
            "give each input a path of its own",
        )
    ]
    assert related(items) == [[("the first input", f"{INPUTS}/0/expose/path")]]
    text = selecting(*both, expose="{as: file, path: /in/x}")
    assert found(text.replace("/in/x", "/in/y", 1)) == []
    assert found(selecting(*both)) == []


def binding(mode: str, *endpoints: str) -> str:
    listed = ", ".join(f"{{name: b{i}, endpoint: {name}}}" for i, name in enumerate(endpoints))
    access = f"target_access: {{mode: {mode}, bindings: [{listed}]}}\n"
    return f"verifiers:\n  - id: a\n{indented(LEAF + DECISION + access, 4)}"


def test_bindings_name_endpoints_of_the_environment() -> None:
    names = ("api", "db")
    assert found(binding("read_only", "api", "db", "api"), endpoints=names) == []
    assert told(found(binding("read_write", "api", "dbs"), endpoints=names)) == [
        (
            "FLT4063",
            f"{TOP}/target_access/bindings/1/endpoint",
            "no endpoint 'dbs' in the Environment, only 'api' and 'db'",
            "did you mean 'db'?",
        )
    ]
    assert told(found(binding("read_only", "api"))) == [
        (
            "FLT4063",
            f"{TOP}/target_access/bindings/0/endpoint",
            "no endpoint 'api' in the Environment, which has none",
            "name an endpoint of the Environment",
        )
    ]


def test_mode_none_forbids_bindings() -> None:
    assert found(binding("none"), endpoints=("api",)) == []
    assert told(found(binding("none", "api"), endpoints=("api",))) == [
        (
            "FLT4064",
            f"{TOP}/target_access/bindings~",
            "`mode: none` reaches no endpoint, but there are bindings",
            "remove `bindings`, or write `mode: read_only` or `mode: read_write`",
        )
    ]


def tools(*names: str) -> str:
    head = f"tools: [{', '.join(names)}]\n"
    return f"{head}verifiers:\n  - id: a\n{indented(LEAF + DECISION, 4)}"


def test_granted_tools_are_those_of_the_environment() -> None:
    assert found(tools()) == []
    assert found(tools("bash"), native_tools=("bash", "file_read")) == []
    assert told(found(tools("bash", "fileread"), native_tools=("bash", "file_read"))) == [
        (
            "FLT4070",
            "/tools/1",
            "no native tool 'fileread' in the Environment, only 'bash' and 'file_read'",
            "did you mean 'file_read'?",
        )
    ]
    assert told(found(tools("bash"))) == [
        (
            "FLT4070",
            "/tools/0",
            "no native tool 'bash' in the Environment, which has none",
            "remove it, or choose an Environment that has it",
        )
    ]


@pytest.mark.parametrize(
    ("choice", "known", "message", "help"),
    [
        (
            "terminl",
            ["terminal", "python"],
            "no Environment 'terminl' in `environments`, only 'python' and 'terminal'",
            "did you mean 'terminal'?",
        ),
        (
            "shell",
            [],
            "no Environment 'shell' in `environments`, which has none",
            "declare it under `environments`",
        ),
        (
            "box.yaml",
            ["shell"],
            "no Environment 'box.yaml' in `environments`, only 'shell'",
            "write `{file: box.yaml}`",
        ),
        (
            "zzzzz",
            [f"e{index:02}" for index in range(12)],
            "no Environment 'zzzzz' in `environments`, only 'e00', 'e01', 'e02', 'e03', 'e04', "
            "'e05', 'e06', 'e07' and 4 more",
            "declare it under `environments`",
        ),
    ],
)
def test_an_unknown_environment(choice: str, known: list[str], message: str, help: str) -> None:
    bag = Bag()
    scope = Scope(bag, Location(Path("t"), "t", ("tasks", "k")))
    rules.unknown_environment(scope, choice, dict.fromkeys(known), ("environment",))
    assert told(list(bag)) == [("FLT3010", "/tasks/k/environment", message, help)]


PARTS = {
    "evidence": "evidence: {inputs: [{name: i, select: {source: trace}, expose: {as: ctx}}]}\n",
    "subject": "subject: {kind: seat, seat: agent}\n",
    "target_access": "target_access: {mode: read_write}\n",
    "bindings": "target_access: {mode: read_only, bindings: [{name: b, endpoint: api}]}\n",
    "failure_policy": "failure_policy: {timeout_seconds: 5, max_attempts: 2}\n",
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_of_a_leaf_implies_another(part: str) -> None:
    leaf = indented(LEAF + DECISION + PARTS[part], 4)
    assert found(f"verifiers:\n  - id: a\n{leaf}", endpoints=("api",)) == []
    if part != "subject":
        assert found_below(LEAF + DECISION + PARTS[part], endpoints=("api",)) == []


@pytest.mark.parametrize("left_out", ["", *PARTS])
def test_all_parts_but_one_stand_together(left_out: str) -> None:
    named = {name: text for name, text in PARTS.items() if name not in (left_out, "target_access")}
    leaf = indented(LEAF + DECISION + "".join(named.values()), 4)
    assert found(f"verifiers:\n  - id: a\n{leaf}", endpoints=("api",)) == []


SOURCE_EXAMPLE = """\
verifiers:
  - id: overall
    type: composite
    children:
      - id: answer
        node:
          id: answer
          type: evaluator
          evaluator:
            kind: builtin.v1
            builtin_id: answer-equals
            params: {expected: "42"}
          evidence:
            inputs:
              - name: submission
                select: {source: submission}
                cardinality: one
                required: true
                expose: {as: ctx}
          target_access: {mode: none, bindings: []}
          metrics:
            - name: answer
              type: decimal
              bounds: {minimum: "0", maximum: "1"}
          objective: {metric: answer, reducer: last}
          decision: {kind: threshold, at_least: "1"}
    aggregation: {kind: all_of, on_child_error: propagate}
    decision: {kind: threshold, at_least: "1"}
"""


def test_the_example_of_the_contract_is_right() -> None:
    assert found(SOURCE_EXAMPLE) == []


def test_all_mistakes_of_a_task_are_told_at_once() -> None:
    text = (
        SOURCE_EXAMPLE.replace("reducer: last", "reducer: sum")
        .replace("mode: none, bindings: []", "mode: read_only, bindings: [{name: b, endpoint: x}]")
        .replace("source: submission", "source: capture, id: c")
        .replace(
            'at_least: "1"}\n    agg',
            'at_least: "1"}\n          subject: {kind: seat, seat: s}\n    agg',
        )
        .replace(
            '    decision: {kind: threshold, at_least: "1"}',
            "    decision: {kind: threshold, at_least: 0.9}",
        )
    )
    codes = [item.code for item in found(text + "tools: [bash]\n")]
    assert codes == ["FLT4034", "FLT4024", "FLT4053", "FLT4060", "FLT4063", "FLT4070"]
