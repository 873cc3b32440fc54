"""What builtin evaluators need of their params and metrics."""

from __future__ import annotations

import pytest
from rules_kit import CODE_LEAF, DECISION, found_below, found_in, told

TOP = "/verifiers/0"
PARAMS = f"{TOP}/evaluator/params"


def builtin(name: str, params: str, rest: str = "") -> str:
    evaluator = f"evaluator: {{kind: builtin.v1, builtin_id: {name}, params: {params}}}\n"
    return f"type: evaluator\n{evaluator}{rest}{DECISION}"


def test_a_category_is_no_verdict() -> None:
    rest = (
        "metrics: [{name: m, type: category, categories: [a]}]\n"
        "objective: {metric: m, reducer: count}\n"
    )
    assert told(found_in(builtin("answer-equals", "{expected: a}", rest))) == [
        (
            "FLT4054",
            f"{TOP}/metrics/0/type",
            "`answer-equals` reports a number, but metric 'm' is a category",
            "write `type: boolean`, or use a `code.v1` or `judge.v1` evaluator",
        )
    ]
    assert found_in(CODE_LEAF + rest + DECISION) == []


def test_the_verdict_is_one_reading_of_the_only_metric() -> None:
    objective = "objective: {metric: m, reducer: last}\n"
    two = "metrics: [{name: m, type: boolean}, {name: n, type: boolean}]\n" + objective
    assert told(found_in(builtin("file-exists", "{path: a}", two))) == [
        (
            "FLT4055",
            f"{TOP}/metrics~",
            "`file-exists` reports one reading of its only metric, found 2 metrics",
            "keep one metric; grade the others in leaves of their own",
        )
    ]
    one = "metrics: [{name: m, type: boolean}]\n" + objective
    assert found_in(builtin("file-exists", "{path: a}", one)) == []
    assert found_in(CODE_LEAF + two + DECISION) == []


@pytest.mark.parametrize(("written", "shown"), [("2", "2"), ("-0.10", "-0.1"), ("'1.01'", "1.01")])
def test_a_constant_score_lies_from_0_to_1(written: str, shown: str) -> None:
    text = builtin("constant", f"{{value: {written}}}")
    expected = (
        "FLT4056",
        f"a score without a metric lies from 0 to 1, found {shown}",
        "write a value from 0 to 1, or declare a metric and an objective",
    )
    for items in (found_in(text), found_below(text)):
        assert [(item.code, item.message, item.help) for item in items] == [expected]
        assert items[0].place.pointer[-3:] == ("evaluator", "params", "value")


@pytest.mark.parametrize("written", ["0", "1.0", "0.5", "'-0.0'"])
def test_constants_within(written: str) -> None:
    assert found_in(builtin("constant", f"{{value: {written}}}")) == []


def test_a_constant_reading_may_have_any_value() -> None:
    rest = "metrics: [{name: m, type: decimal}]\nobjective: {metric: m, reducer: last}\n"
    assert found_in(builtin("constant", "{value: 2}", rest)) == []


@pytest.mark.parametrize(
    ("name", "path"), [("answer-matches", ""), ("file-matches", "path: out.txt, ")]
)
def test_patterns_are_of_the_shared_dialect(name: str, path: str) -> None:
    for good in ("'#### (-?[0-9.,]+)$'", "a", r"'\d+'"):
        assert found_in(builtin(name, f"{{{path}pattern: {good}}}")) == []
    assert told(found_in(builtin(name, f"{{{path}pattern: 'a(?=b)'}}"))) == [
        (
            "FLT4011",
            f"{PARAMS}/pattern",
            "found the look-ahead `(?=` at character 2 of the pattern, which RE2 does not have",
            "write a pattern that RE2 and Python read alike",
        )
    ]


@pytest.mark.parametrize("good", ["1", '{"a": [1.5, null]}', '"word"', " [ ] ", "1e2"])
def test_json_equals_expects_json(good: str) -> None:
    assert found_in(builtin("json-equals", f"{{expected: '{good}'}}")) == []


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("word", "found 'word' at character 1"),
        ("[1, 2", "it ends too early"),
        ("[1] 2", "found '2' at character 5"),
        ('{"a": 1, "a": 1}', "found the key 'a' twice in one object"),
        ("[NaN]", "found NaN, which is not JSON"),
    ],
)
def test_json_equals_with_something_else(written: str, problem: str) -> None:
    assert told(found_in(builtin("json-equals", f"{{expected: '{written}'}}"))) == [
        (
            "FLT4014",
            f"{PARAMS}/expected",
            f"`expected` is not JSON text: {problem}",
            """write JSON in a string, e.g. '{"a": 1}', or '"word"' for a string""",
        )
    ]
    assert found_in(builtin("answer-equals", f"{{expected: '{written}'}}")) == []


@pytest.mark.parametrize("written", ["", "[1e999]", r'["\ud800"]', "[" * 100_000])
def test_json_without_canonical_bytes(written: str) -> None:
    items = found_in(builtin("json-equals", f"{{expected: '{written}'}}"))
    assert [item.code for item in items] == ["FLT4014"]


def test_an_input_is_one_of_the_evidence() -> None:
    evidence = (
        "evidence:\n  inputs:\n"
        "    - {name: report, select: {source: submission}, expose: {as: ctx}}\n"
    )
    params = "{expected: a, input: report}"
    assert found_in(builtin("answer-equals", params, evidence)) == []
    assert told(found_in(builtin("answer-equals", "{expected: a, input: reprt}", evidence))) == [
        (
            "FLT4062",
            f"{PARAMS}/input",
            "no evidence input 'reprt' in this leaf, only 'report'",
            "did you mean 'report'?",
        )
    ]
    for nothing in ("", "evidence: {}\n", "evidence: {inputs: []}\n"):
        assert told(found_in(builtin("answer-equals", params, nothing))) == [
            (
                "FLT4062",
                f"{PARAMS}/input",
                "no evidence input 'report' in this leaf, which has none",
                "declare it under `evidence.inputs`",
            )
        ]


def test_the_free_form_params_of_a_judge_are_left_alone() -> None:
    judge = "{kind: judge.v1, rubric: r, model_slot: s, params: {input: x, pattern: '(', value: 7}}"
    assert found_in(f"type: evaluator\nevaluator: {judge}\n{DECISION}") == []
