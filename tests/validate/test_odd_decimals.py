from __future__ import annotations

import pytest
from validate_kit import FILE, read, reference, render

from fleet_contracts import validate
from fleet_contracts.diagnostics.model import Bag, Place


def odd(name: str, text: str) -> str:
    document = read(text)
    assert document.odd_numbers
    bag = Bag()
    validate.odd_decimals(
        reference(name), document.value, document.odd_numbers, Place(FILE, ("base",)), bag
    )
    return render(bag)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("1e-3", "0.001"),
        ("25E-2", "0.25"),
        (".5", "0.5"),
        ("5.", "5"),
        ("0x10", "16"),
        ("0o17", "15"),
        ("+1", "1"),
        ("-.50", "-0.5"),
        ("+0.0", "0"),
    ],
)
def test_the_plain_spelling_is_offered(written: str, plain: str) -> None:
    form = "a plain decimal without exponent" if "e" in written.lower() else "a plain decimal"
    assert odd("ConstantParams", f"value: {written}") == (
        f"  FLT2020 /base/value: expected {form}, found `{written}`\n    help: write `{plain}`"
    )


def test_a_number_that_is_too_long_when_written_out_has_no_plain_spelling() -> None:
    assert odd("ConstantParams", "value: 1e400") == (
        "  FLT2020 /base/value: expected a plain decimal without exponent, found `1e400`\n"
        "    help: write digits with an optional fraction, e.g. `0.5` or `-2`"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("FailurePolicy", "timeout_seconds: 1e3"),
        ("Resources", "memory_bytes: 0x100000"),
        ("Evaluator", "{kind: judge.v1, rubric: a, model_slot: b, params: {depth: 0x10}}"),
        ("Evaluator", "{kind: never, params: {value: .5}}"),
        ("Prompt", "1e3"),
        ("Task", "{zzz: 1e3}"),
        ("Task", "{metadata: [1e3]}"),
    ],
)
def test_other_positions_are_left_alone(name: str, text: str) -> None:
    assert odd(name, text) == ""


LEAF = "{id: a, type: evaluator, evaluator: {kind: builtin.v1, builtin_id: %s, params: %s}}"


@pytest.mark.parametrize(
    ("builtin", "params", "found"),
    [
        ("constant", "{value: .5}", ["value"]),
        ("answer-close", "{expected: 1e3, tolerance: .1}", ["expected", "tolerance"]),
        ("answer-equals", "{expected: 1e3}", []),
        ("unknown", "{value: .5}", []),
    ],
)
def test_params_follow_the_builtin(builtin: str, params: str, found: list[str]) -> None:
    said = odd("VerifierNode", LEAF % (builtin, params))
    lines = [line for line in said.split("\n") if "FLT2020" in line]
    assert [line.split(":")[0] for line in lines] == [
        f"  FLT2020 /base/evaluator/params/{name}" for name in found
    ]


def test_decimals_everywhere_in_a_taskset() -> None:
    leaf = LEAF % ("constant", "{value: .5}")
    text = f"""
        authoring: taskset/v1
        environments: {{a: {{builtin: a@v1, resources: {{cpus: 2., memory_bytes: 1e9}}}}}}
        defaults: {{verifiers: [{leaf}]}}
        tasks:
          a:
            environment: {{builtin: a@v1, resources: {{cpus: +2}}}}
            verifiers:
              - id: b
                type: composite
                children: [{{id: c, weight: 1e0, node: {leaf}}}]
                aggregation: {{kind: weighted_sum}}
                decision: &d {{kind: threshold, at_least: 0x1}}
              - {{id: d, type: evaluator, evaluator: {{}}, decision: *d}}
        dataset:
          - rows: {{file: a.json}}
            key: ${{index}}
            task:
              metadata: {{a: 1e3}}
              verifiers: [{leaf}]
        """
    value = "evaluator/params/value"
    expected = [
        "environments/a/resources/cpus",
        f"defaults/verifiers/0/{value}",
        "tasks/a/environment/resources/cpus",
        "tasks/a/verifiers/0/children/0/weight",
        f"tasks/a/verifiers/0/children/0/node/{value}",
        "tasks/a/verifiers/0/decision/at_least",
        "tasks/a/verifiers/1/decision/at_least",
        f"dataset/0/task/verifiers/0/{value}",
    ]
    lines = [line for line in odd("taskset/v1", text).split("\n") if "FLT2020" in line]
    assert [line.split(":")[0] for line in lines] == [
        f"  FLT2020 /base/{each}" for each in expected
    ]
