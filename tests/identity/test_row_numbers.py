"""Numbers of rows keep their text, and are exact where a decimal belongs (spec section 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from identity_base import IMAGE_ID, Plain
from identity_kit import Content, RefusedError, Workshop


def leaf(params: Plain, builtin_id: str = "answer-close") -> Plain:
    return {
        "id": "v",
        "type": "evaluator",
        "evaluator": {"kind": "builtin.v1", "builtin_id": builtin_id, "params": params},
        "decision": {"kind": "threshold", "at_least": 1},
    }


def compiled(
    workshop: Workshop, row: str, verifier: Plain, prompt: str = "p", name: str = "rows.jsonl"
) -> Content:
    """Compile the Task of one row, given as the text of its file."""
    task = {"prompt": prompt, "environment": {"image_ref": IMAGE_ID}, "verifiers": [verifier]}
    dataset = [{"rows": name, "key": "t${index}", "task": task}]
    document = {"authoring": "taskset/v1", "name": "identity", "dataset": dataset}
    return workshop.compile(document, {name: row})


def params_of(content: Content) -> Any:
    return content.task("t0")["verifiers"][0]["evaluator"]["params"]


EXACT = {
    "0.1000": "0.1",
    "1e2": "100",
    "1E+2": "100",
    "1.50e1": "15",
    "25e-2": "0.25",
    "-0.0": "0",
    "0e5": "0",
    "1.0": "1",
    "1e-17": "0." + "0" * 16 + "1",
    "0.1234567890123456789": "0.1234567890123456789",
    "12345678901234567890.5": "12345678901234567890.5",
    "9007199254740993": "9007199254740993",
    "1" * 64: "1" * 64,
    "1e63": "1" + "0" * 63,
}


@pytest.mark.parametrize("number", EXACT)
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json"])
def test_a_number_is_exact_where_a_decimal_belongs(
    workshop: Workshop, number: str, name: str
) -> None:
    row = f'{{"n": {number}}}'
    text = f"[{row}]" if name.endswith("json") else row + "\n"
    verifier = leaf({"expected": "${row.n}", "tolerance": "${row.n}"})
    content = compiled(workshop, text, verifier, name=name)
    assert params_of(content) == {"expected": EXACT[number], "tolerance": EXACT[number]}


@pytest.mark.parametrize("number", EXACT)
def test_a_number_inside_a_text_keeps_its_spelling(workshop: Workshop, number: str) -> None:
    verifier = leaf({"expected": "= ${row.n}"}, "answer-equals")
    content = compiled(workshop, f'{{"n": {number}}}\n', verifier, prompt="Is it ${row.n}?")
    assert content.task("t0")["prompt"] == f"Is it {number}?"
    assert params_of(content) == {"expected": f"= {number}"}


@pytest.mark.parametrize("number", ["1e64", "1e999999999", "1e-65", "9" * 65, "1e-999999999"])
def test_a_number_of_too_many_digits_is_refused(workshop: Workshop, number: str) -> None:
    verifier = leaf({"expected": "${row.n}", "tolerance": "0.1"})
    with pytest.raises(RefusedError):
        compiled(workshop, f'{{"n": {number}}}\n', verifier)


@pytest.mark.parametrize("text", ["1,234,567.50", "1e2", "0.1000", " 7 ", "007", "-0", "½"])
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv"])
def test_a_text_stays_as_it_is_written(workshop: Workshop, text: str, name: str) -> None:
    row = json.dumps({"n": text}) if name.endswith("jsonl") else f'n\n"{text}"'
    verifier = leaf({"expected": "${row.n}"}, "answer-equals")
    content = compiled(workshop, row + "\n", verifier, name=name, prompt="${row.n}")
    assert params_of(content) == {"expected": text}
    assert content.task("t0")["prompt"] == text


def test_thousands_commas_of_a_capture_stay(workshop: Workshop) -> None:
    row = json.dumps({"answer": "so it is\n#### 1,234.50"})
    pattern = "#### (-?[0-9.,]+)$"
    verifier = leaf({"expected": f"${{row.answer | capture:'{pattern}'}}"}, "answer-equals")
    assert params_of(compiled(workshop, row + "\n", verifier)) == {"expected": "1,234.50"}


def test_a_text_with_commas_is_no_decimal(workshop: Workshop) -> None:
    verifier = leaf({"expected": "${row.n}", "tolerance": "0.1"})
    with pytest.raises(RefusedError):
        compiled(workshop, '{"n": "1,234"}\n', verifier)


def test_one_row_is_one_task_however_its_number_is_spelled(workshop: Workshop) -> None:
    verifier = leaf({"expected": "${row.n}", "tolerance": "0.1"})
    rows = ["0.5", "0.50", "5e-1", "50E-2", '"0.5"', '"0.500"', "0.05e1"]
    digests = {compiled(workshop, f'{{"n": {n}}}\n', verifier).digest for n in rows}
    assert len(digests) == 1
    assert compiled(workshop, "n\n0.50\n", verifier, name="rows.csv").digest in digests


def test_whole_numbers_of_rows_are_integers(workshop: Workshop) -> None:
    task: Plain = {
        "prompt": "p",
        "environment": {"image_ref": IMAGE_ID},
        "completion": {"mode": "max_turns", "max_turns": "${row.n}"},
        "verifiers": [leaf({"value": 1}, "constant")],
    }
    dataset = [{"rows": "rows.jsonl", "key": "t", "task": task}]
    document = {"authoring": "taskset/v1", "name": "identity", "dataset": dataset}
    digests = {
        workshop.compile(document, {"rows.jsonl": f'{{"n": {number}}}\n'}).digest
        for number in ("30", "30.0", "3e1", "300e-1")
    }
    assert len(digests) == 1


@pytest.mark.parametrize(("number", "good"), [("1", True), ("1.0", True), ("0.5", False)])
def test_a_fraction_is_refused_in_a_free_form_value(
    workshop: Workshop, number: str, good: bool
) -> None:
    judge = {"kind": "judge.v1", "rubric": "r", "model_slot": "m", "params": {"n": "${row.n}"}}
    verifier = {**leaf({}), "evaluator": judge}
    row = f'{{"n": {number}}}\n'
    if good:
        assert params_of(compiled(workshop, row, verifier)) == {"n": 1}
        return
    with pytest.raises(RefusedError) as refused:
        compiled(workshop, row, verifier)
    assert refused.value.codes == ["FLT4012"]
