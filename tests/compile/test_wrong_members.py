"""A member of a Task whose shape is wrong hides nothing that is wrong in the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from fleet_contracts.compiler import ANY, Compiler
from fleet_contracts.diagnostics.model import distinct
from fleet_contracts.pointer import format_pointer
from fleet_contracts.project import Project
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.store.hashing import HashSink

LEAF = """\
{id: answer, type: evaluator, decision: {kind: threshold, at_least: 1},
 evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "2"}},
 evidence: {inputs: [{name: x, select: {source: capture, id: out}, expose: {as: ctx}}]}}"""


def compiled(folder: Path, text: str) -> Compiler:
    (folder / "a.taskset.yaml").write_text(f"authoring: taskset/v1\n{text}", "utf-8")
    compiler = Compiler(project=Project(folder.resolve()), sink=HashSink(), accepts=ANY)
    assert compiler.compile(folder.resolve() / "a.taskset.yaml") is None
    return compiler


def told(folder: Path, text: str) -> list[tuple[str, str]]:
    found = compiled(folder, text).bag
    return sorted((item.code, format_pointer(item.place.pointer)) for item in found)


def test_an_unknown_environment_is_told_beside_an_empty_list(tmp_path: Path) -> None:
    text = "tasks: {a: {prompt: p, environment: nope, verifiers: []}}"
    assert told(tmp_path, text) == [
        ("FLT2015", "/tasks/a/verifiers"),
        ("FLT3010", "/tasks/a/environment"),
    ]


def test_a_task_with_a_wrong_member_is_named_where_it_takes_a_default(tmp_path: Path) -> None:
    text = "defaults: {environment: nope}\ntasks: {a: {prompt: p, verifiers: []}, b: {prompt: 1}}"
    found = compiled(tmp_path, text).bag
    (item,) = [each for each in found if each.code == "FLT3010"]
    assert item.place.pointer == ("defaults", "environment")
    assert [each.place.pointer for each in item.cases] == [("tasks", "a"), ("tasks", "b")]


def test_tasks_of_included_files_are_looked_at_as_well(tmp_path: Path) -> None:
    task = "{prompt: p, environment: nope, verifiers: []}"
    (tmp_path / "b.yaml").write_text(f"authoring: tasks/v1\ntasks: {{a: {task}}}", "utf-8")
    found = compiled(tmp_path, "include: [b.yaml]").bag
    assert sorted((item.code, item.place.file) for item in found) == [
        ("FLT2015", "b.yaml"),
        ("FLT3010", "b.yaml"),
    ]
    assert {item.related[0].message for item in found} == {"included here"}


def test_tasks_made_from_rows_are_looked_at_as_well(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("id\n1\n2\n", "utf-8")
    text = 'dataset: [{rows: r.csv, key: "${row.id}", task: {environment: nope, verifiers: []}}]'
    assert told(tmp_path, text) == [
        ("FLT2015", "/dataset/0/task/verifiers"),
        ("FLT3010", "/dataset/0/task/environment"),
        ("FLT4003", "/dataset/0/task"),
    ]


@pytest.mark.parametrize(
    ("member", "others"),
    [
        ("environment: 1", [("FLT3001", "/tasks/a/prompt/file"), ("FLT4003", "/tasks/a")]),
        ("verifiers: {}", [("FLT3001", "/tasks/a/prompt/file"), ("FLT4003", "/tasks/a")]),
        # The key that nobody knows may be a required one, misspelled.
        ("verifier: []", [("FLT3001", "/tasks/a/prompt/file")]),
    ],
)
def test_only_what_was_not_written_is_called_missing(
    tmp_path: Path, member: str, others: list[tuple[str, str]]
) -> None:
    found = told(tmp_path, f"tasks: {{a: {{prompt: {{file: nope.md}}, {member}}}}}")
    assert [item for item in found if item[0] > "FLT3"] == others


def test_a_missing_member_hides_nothing_in_the_others(tmp_path: Path) -> None:
    text = f"tasks: {{a: {{prompt: {{file: nope.md}}, verifiers: [{LEAF}]}}}}"
    assert told(tmp_path, text) == [
        ("FLT3001", "/tasks/a/prompt/file"),
        ("FLT4003", "/tasks/a"),
        ("FLT4060", "/tasks/a/verifiers/0/evidence/inputs/0/select/id"),
    ]


@pytest.mark.parametrize("member", ["captures: 1", "capture: []", "captures: [{id: out}]"])
def test_nothing_is_said_of_names_that_a_wrong_member_may_declare(
    tmp_path: Path, member: str
) -> None:
    rest = "prompt: p, environment: {builtin: terminal@v1}"
    found = told(tmp_path, f"tasks: {{a: {{{rest}, {member}, verifiers: [{LEAF}]}}}}")
    assert found
    assert all(code < "FLT3" for code, _ in found)


def test_wrong_defaults_and_environments_hide_nothing_in_tasks(tmp_path: Path) -> None:
    text = """\
environments: {bad: {image_ref: 1}}
defaults: {verifiers: []}
tasks: {a: {prompt: p, environment: bad}, b: {prompt: p, environment: nope}}"""
    assert told(tmp_path, text) == [
        ("FLT2012", "/environments/bad/image_ref"),
        ("FLT2015", "/defaults/verifiers"),
        ("FLT3010", "/tasks/b/environment"),
    ]


@pytest.mark.parametrize("value", ["1e400", '"1e400"', "1e999999999"])
def test_a_number_that_is_no_decimal_is_told_once(tmp_path: Path, value: str) -> None:
    (tmp_path / "r.jsonl").write_text(f'{{"x": {value}}}\n', "utf-8")
    leaf = """\
{id: answer, type: evaluator, decision: {kind: threshold, at_least: 1e999999999},
 evaluator: {kind: builtin.v1, builtin_id: answer-close,
             params: {expected: "${row.x}", tolerance: 1}}}"""
    task = f"{{prompt: p, environment: {{builtin: terminal@v1}}, verifiers: [{leaf}]}}"
    text = f'dataset: [{{rows: r.jsonl, key: "k${{index}}", task: {task}}}]'
    compiler = compiled(tmp_path, text)
    found = distinct(resolve_places(compiler.bag, compiler.reader.sources))
    at = "/dataset/0/task/verifiers/0"
    assert sorted((format_pointer(item.place.pointer), item.code) for item in found) == [
        (f"{at}/decision/at_least", "FLT2020"),
        (f"{at}/evaluator/params/expected", "FLT2020" if '"' in value else "FLT2021"),
    ]


@pytest.mark.parametrize("rows", [100, 101])
def test_rows_that_are_not_explained_are_counted_in_a_note(tmp_path: Path, rows: int) -> None:
    (tmp_path / "r.csv").write_text("id\n" + "".join(f"{i}\n" for i in range(rows)), "utf-8")
    task = '{environment: {builtin: terminal@v1}, prompt: "${row.id}", verifiers: []}'
    text = f'dataset: [{{rows: r.csv, key: "k${{row.id}}", task: {task}}}]'
    wrong, *notes = compiled(tmp_path, text).bag
    assert (wrong.code, len(wrong.cases) + wrong.more_cases) == ("FLT2015", 100)
    assert [(note.code, note.severity) for note in notes] == [("FLT2018", "note")] * (rows > 100)
