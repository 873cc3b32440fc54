"""What is allowed in a Verifier, but can hardly be meant: composites, metrics, evidence."""

from __future__ import annotations

import pytest
from doubts_kit import (
    AT_LEAST,
    CODE,
    SUM,
    TOP,
    builtin,
    codes,
    decision,
    joined,
    measured,
    right,
    task,
)
from rules_kit import CODE_LEAF, DECISION, LEAF, composite, doubts, found, related, told

# One child (FLT4082)


@pytest.mark.parametrize(
    ("kind", "unless"),
    [
        (SUM, ""),
        ("{kind: min}", ""),
        ("{kind: all_of}", ", unless its score is to become 1 or 0"),
        (CODE, ", unless the program is there to change its score"),
    ],
)
def test_a_composite_with_one_child(kind: str, unless: str) -> None:
    node = joined(kind, right(), weights="1" if kind == SUM else "")
    expected = (
        "FLT4082",
        f"{TOP}/children~",
        "composite 'v0' has one child, so there is nothing to join",
        f"use the child itself{unless}",
    )
    assert told(doubts(task(node))) == [expected]
    assert doubts(task(joined(kind, right(), right(), weights="0.5 0.5" if unless == "" and
                              kind == SUM else ""))) == []  # fmt: skip


def test_every_composite_with_one_child_is_told() -> None:
    inner = joined("{kind: min}", joined("{kind: min}", right()))
    assert codes(task(inner, right())) == ["FLT4082", "FLT4082"]


# Metrics (FLT4083)


def test_metrics_beside_the_objective() -> None:
    metrics = (
        "metrics: [{name: m, type: boolean}, {name: n, type: integer}, "
        "{name: o, type: category, categories: [a]}]\n"
    )
    objective = "objective: {metric: n, reducer: last}\n"
    assert told(doubts(task(CODE_LEAF + metrics + objective + decision("5")))) == [
        (
            "FLT4083",
            f"{TOP}/metrics/{index}/name",
            f"nothing reads metric {name!r}, the objective is 'n'",
            "remove it, or record it in a top-level leaf without an `objective`",
        )
        for index, name in ((0, "m"), (2, "o"))
    ]
    assert doubts(task(CODE_LEAF + metrics)) == []
    assert doubts(task(CODE_LEAF + metrics + objective.replace("n,", "x,") + decision("5"))) == []
    wrong = builtin("file-exists", "{path: a}", rest=metrics + objective)
    assert doubts(task(wrong)) == []
    assert doubts(task(measured("type: boolean", "last", "1"))) == []


# Evidence that the agent can write (FLT4084)

JUDGE_LEAF = "type: evaluator\nevaluator: {kind: judge.v1, rubric: r, model_slot: m}\n"
ARTIFACT = f"artifact: 'sha256:{'a' * 64}'"
MOUNTS = f"""\
seed_mounts:
  - {{{ARTIFACT}, path: /reference}}
  - {{{ARTIFACT}, path: /repo, read_only: false}}
  - {{{ARTIFACT}, path: /repo/tests, read_only: true}}
"""


def selecting(path: str, leaf: str = CODE_LEAF) -> str:
    select = f"select: {{source: seed_mount, path: {path}}}, expose: {{as: ctx}}"
    return f"{leaf}evidence: {{inputs: [{{name: wanted, {select}}}]}}\n{DECISION}"


def called(*args: str, mode: str = "read_only") -> str:
    evaluator = CODE_LEAF + "".join(["  args:\n", *(f"    - {each}\n" for each in args)])
    return f"{evaluator}target_access: {{mode: {mode}}}\n{DECISION}"


@pytest.mark.parametrize("path", ["/repo", "/repo/expected.json"])
def test_a_program_that_grades_by_what_the_agent_can_write(path: str) -> None:
    items = doubts(task(selecting(path), rest=MOUNTS))
    assert told(items) == [
        (
            "FLT4084",
            f"{TOP}/evidence/inputs/0/select/path",
            f"this program grades by {path!r}, but the agent can write to seed mount '/repo'",
            "mount what it grades by with `read_only: true`, or grade a capture",
        )
    ]
    assert related(items) == [[("where it is mounted", "/seed_mounts/1/read_only")]]


@pytest.mark.parametrize("mode", ["read_only", "read_write"])
@pytest.mark.parametrize("arg", ["/repo/expected.json", "--wanted=/repo/expected.json"])
def test_a_program_that_is_told_to_read_what_the_agent_can_write(mode: str, arg: str) -> None:
    (item,) = doubts(task(called("--strict", arg, mode=mode), rest=MOUNTS))
    assert (item.code, item.place.pointer[2:]) == ("FLT4084", ("evaluator", "args", 1))
    assert "grades by '/repo/expected.json'" in item.message


@pytest.mark.parametrize(
    "node",
    [
        selecting("/reference/expected.json"),
        selecting("/repo/tests/expected.json"),
        selecting("/repo", JUDGE_LEAF),
        selecting("/repo", LEAF),
        called("/reference/expected.json"),
        called("/repo/tests"),
        called("/repo"),
        called("/repository/a"),
        called("--in=/home/answer.txt", "repo/a"),
        called("/repo/expected.json", mode="none"),
    ],
)  # fmt: skip
def test_programs_that_can_trust_what_they_read(node: str) -> None:
    assert doubts(task(node, rest=MOUNTS)) == []


def test_what_a_task_captures_is_the_work_of_the_agent() -> None:
    for path, expected in (
        ("/repo/out", []),
        ("out", []),
        ("/repo/out/a.txt", []),
        ("/repo/other", ["FLT4084"]),
        ("ut", ["FLT4084"]),
    ):
        rest = f"captures: [{{id: c, kind: fs-diff.v1, path: {path}}}]\n{MOUNTS}"
        assert codes(task(called("/repo/out/a.txt"), rest=rest)) == expected


def test_evidence_exposed_as_a_file_hides_what_is_there() -> None:
    node = called("/repo/wanted").removesuffix(DECISION)
    inputs = "evidence:\n  inputs:\n    - name: wanted\n      select: {source: trace}\n"
    hidden = f"{node}{inputs}      expose: {{as: file, path: /repo/wanted}}\n{DECISION}"
    assert doubts(task(hidden, rest=MOUNTS)) == []
    assert codes(task(hidden.replace("path: /repo/wanted", "path: /in"), rest=MOUNTS)) == [
        "FLT4084"
    ]


# Gates (FLT4085)


def gate(at_least: str = "1") -> str:
    return joined("{kind: all_of}", right(), right(), at_least=at_least)


def test_a_gate_that_a_sum_does_not_need() -> None:
    items = doubts(task(joined(SUM, gate(), right(), weights="0.2 0.8", at_least="0.70")))
    assert told(items) == [
        (
            "FLT4085",
            f"{TOP}/children/0/node/aggregation/kind",
            "`all_of` 'n0' is no gate here: when it fails, 'v0' can still pass",
            "join it with the rest by an `all_of` at the top, or raise the threshold",
        )
    ]
    assert related(items) == [[("'v0' passes from 0.7 on", AT_LEAST)]]


@pytest.mark.parametrize(
    ("at_least", "expected"), [("0.8", ["FLT4085"]), ("0.800000000000000001", []), ("1", [])]
)
def test_a_gate_that_a_sum_needs_to_pass(at_least: str, expected: list[str]) -> None:
    node = joined(SUM, gate(), right(), weights="0.2 0.8", at_least=at_least)
    assert codes(task(node)) == expected


def test_gates_where_all_is_read() -> None:
    assert doubts(task(joined("{kind: all_of}", gate(), right()))) == []
    assert doubts(task(joined("{kind: min}", gate(), right(), at_least="0.1"))) == []
    assert doubts(task(joined(CODE, gate(), right(), at_least="0.1"))) == []
    plain = joined("{kind: min}", right(), right())
    assert doubts(task(joined(SUM, plain, right(), weights="0.2 0.8", at_least="0.5"))) == []


@pytest.mark.parametrize("kind", [SUM, "{kind: min}"])
def test_a_gate_further_down(kind: str) -> None:
    weights = "0.5 0.5" if kind == SUM else ""
    inner = joined(kind, gate(), right(), weights=weights, at_least="0")
    for at_least, expected in (("0.4", ["FLT4085"]), ("0.9", [])):
        node = joined(SUM, right(), inner, weights="0.4 0.6", at_least=at_least)
        assert codes(task(node)) == expected


def test_a_gate_below_another_reader_has_its_own_threshold() -> None:
    inner = joined(SUM, gate(), right(), weights="0.2 0.8", at_least="0.5")
    (item,) = doubts(task(joined("{kind: all_of}", inner, right())))
    assert item.code == "FLT4085"
    assert "'n0' can still pass" in item.message


def test_a_sum_that_always_passes_is_told_alone() -> None:
    node = joined(SUM, gate(), right(), weights="0.2 0.8", at_least="0")
    assert codes(task(node)) == ["FLT4080"]


@pytest.mark.parametrize("weight", ["0", "-0.5"])
def test_a_weight_that_is_not_positive_is_told_alone(weight: str) -> None:
    node = joined(SUM, gate(), right(), weights=f"{weight} 1", at_least="1")
    assert [item.code for item in found(task(node))] == ["FLT4033"]


def test_usual_trees_are_not_doubted() -> None:
    assert doubts(composite(SUM, "0.5", "0.5", at_least="0.75")) == []
    assert doubts(composite("{kind: all_of}", "", "", "")) == []
    assert doubts(task(right(), CODE_LEAF + decision("0.5"), CODE_LEAF +
                       "metrics: [{name: m, type: decimal}]\n")) == []  # fmt: skip
