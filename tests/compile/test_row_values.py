"""Help about a value of a row says what to change in the data, and that change mends it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from fleet_contracts.compiler import Compiler
from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.diagnostics.notation import CSV_ROW, INDEX, JSON_ROW, PIECED, YAML, Mend
from fleet_contracts.project import Project
from fleet_contracts.store.hashing import HashSink

EXPECTED = "verifiers/0/evaluator/params/expected"
TURNS = "completion/max_turns"
MEMORY = "environment/resources/memory_bytes"

TASK: dict[str, Any] = {
    "prompt": "What is it?",
    "environment": {"image_ref": "sha256:" + "a" * 64, "native_tools": ["1", "a"]},
    "verifiers": [
        {
            "id": "answer",
            "type": "evaluator",
            "evaluator": {
                "kind": "builtin.v1",
                "builtin_id": "answer-equals",
                "params": {"expected": "42"},
            },
            "decision": {"kind": "threshold", "at_least": "1"},
        }
    ],
}


def task(at: str, text: Any) -> dict[str, Any]:
    """Return a Task with a text put in place of what stands at a path."""
    made = json.loads(json.dumps(TASK))
    *path, last = at.split("/")
    inside = made
    if at == TURNS:
        made["completion"] = {"mode": "max_turns"}
    for token in path:
        inside = inside[int(token)] if isinstance(inside, list) else inside.setdefault(token, {})
    inside[last] = text
    return dict(made)


def checked(folder: Path, made: dict[str, Any], rows: str, name: str) -> list[Diagnostic]:
    """Return what is wrong with the Tasks made from some rows."""
    (folder / name).write_text(rows, encoding="utf-8")
    dataset = {"rows": name, "key": "k/${index}", "task": made}
    root = folder / "a.taskset.yaml"
    root.write_text(json.dumps({"authoring": "taskset/v1", "dataset": [dataset]}))
    compiler = Compiler(project=Project(folder), sink=HashSink())
    compiler.compile(root)
    return [item for item in compiler.bag if item.severity == "error"]


def helped(folder: Path, made: dict[str, Any], rows: str, name: str = "rows.jsonl") -> str:
    """Return the help of the only mistake; it must name the row."""
    (item,) = checked(folder, made, rows, name)
    (case,) = item.cases
    assert case.message == "with this row"
    assert case.place.file == name
    assert case.place.span is not None
    assert item.place.file == "a.taskset.yaml"
    return item.help


@pytest.mark.parametrize(
    ("at", "value", "help", "mended"),
    [
        ("prompt", "1", 'write it as text in the data: "1"', '"1"'),
        ("prompt", "0.50", 'write it as text in the data: "0.50"', '"0.50"'),
        ("prompt", "true", 'write it as text in the data: "true"', '"true"'),
        ("prompt", "null", "write a value in the data, or keep rows without one", '"x"'),
        (EXPECTED, "1e3", 'write it as text in the data: "1000"', '"1000"'),
        (EXPECTED, "null", "write a value in the data", '"x"'),
        (EXPECTED, "[1]", "", '"x"'),
        (EXPECTED, '{"a": 1}', "", '"x"'),
        ("metadata", "[1]", 'make it a map in the data: {"key": ...}', '{"key": "1"}'),
        ("metadata", '{"a": 1}', 'write it as text in the data: "1"', '{"a": "1"}'),
        ("tools", '{"a": 1}', "make it a list in the data: [...]", "[]"),
        ("tools", '["a", 1]', 'write it as text in the data: "1"', '["a", "1"]'),
        ("tools", '"a"', "make it a list in the template: put `- ` before the plac", '["a"]'),
        ("captures", '"a"', "", "[]"),
        (TURNS, '"5"', "write it as a number in the data: 5 without quotes", "5"),
        (TURNS, "true", "", "5"),
        (MEMORY, '"1024"', "write `1024B` in the data", '"1024B"'),
        ("verifiers/0/id", '"a\\n"', "ends in a line break: remove that from the data", '"a"'),
        ("verifiers/0/decision/at_least", '"1e-1"', "write `0.1`", '"0.1"'),
        ("environment", '"a@v1"', "write a map in the template, like `{builtin: a@v1}`", None),
        ("verifiers/0/evaluator/builtin_id", '"answer-equal"', "did you mean", '"answer-equals"'),
    ],
)
def test_values_of_json_rows(
    at: str, value: str, help: str, mended: str | None, tmp_path: Path
) -> None:
    made = task(at, "${row.x}")
    assert help in helped(tmp_path, made, f'{{"x": {value}}}\n')
    if not help:
        assert "quotes" not in helped(tmp_path, made, f'{{"x": {value}}}\n')
    if mended is not None:
        assert not checked(tmp_path, made, f'{{"x": {mended}}}\n', "rows.jsonl")


@pytest.mark.parametrize(
    ("at", "cell", "help"),
    [
        (TURNS, "5", "keep the rows as JSON, with 5 as a number: all cells of a CSV file are text"),
        ("tools", "a", "make it a list in the template: put `- ` before the placeholder"),
        (MEMORY, "1024", "write `1024B` in the data"),
        ("verifiers/0/id", '"a\n"', "it ends in a line break: remove that from the data"),
    ],
)
def test_cells_of_csv_rows(at: str, cell: str, help: str, tmp_path: Path) -> None:
    made = task(at, "${row.x}")
    assert helped(tmp_path, made, f"x\n{cell}\n", "rows.csv") == help


@pytest.mark.parametrize("text", ["1${row.x}", "${row.x | capture:'([0-9])'}"])
def test_what_is_put_together_or_captured_is_text(text: str, tmp_path: Path) -> None:
    made = task(TURNS, text)
    help = helped(tmp_path, made, '{"x": 5}\n')
    assert help.startswith("let one field hold the number, and name nothing but that")


def test_the_index_is_a_number(tmp_path: Path) -> None:
    help = helped(tmp_path, task("prompt", "${index}"), '{"x": 5}\n')
    assert help == "write some text beside the placeholder: alone, the index is a number"
    assert not checked(tmp_path, task("prompt", "no. ${index}"), '{"x": 5}\n', "rows.jsonl")


def test_what_the_template_writes_itself_is_still_mended_there(tmp_path: Path) -> None:
    made = {**task("prompt", "${row.x}"), "metadata": {"a": 1}}
    assert helped(tmp_path, made, '{"x": "y"}\n') == "put quotes around it"


@pytest.mark.parametrize("notation", [YAML, JSON_ROW, CSV_ROW, PIECED, INDEX])
def test_every_notation_has_words_for_every_remedy(notation: dict[Mend, str]) -> None:
    assert set(notation) == set(get_args(Mend))
    for words in notation.values():
        assert words.format(new="NEW")


@pytest.mark.parametrize("notation", [JSON_ROW, CSV_ROW, INDEX])
def test_no_help_for_a_value_of_a_row_asks_for_quotes_in_the_template(
    notation: dict[Mend, str],
) -> None:
    for words in notation.values():
        assert "put quotes" not in words
        assert "remove the quotes" not in words
        assert "indent" not in words
