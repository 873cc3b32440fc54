"""What a command prints (spec section 9, `schemas/report/report.v1.json`)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_kit import TASK, Outcome, command, environment, reported, taskset
from jsonschema import Draft202012Validator

from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import MOST_CASES
from fleet_contracts.schemas import SCHEMA_FOLDER

REPORT = Draft202012Validator(
    json.loads((SCHEMA_FOLDER / "report" / "report.v1.json").read_bytes())
)
DIGEST = r"sha256:[0-9a-f]{64}"
COST = r"[0-9,]+ bytes written  [0-9]+\.[0-9]{2} s"


def valid(outcome: Outcome) -> Outcome:
    REPORT.validate(outcome.report)
    for item in outcome.report["diagnostics"]:
        code = CODES[item["code"]]
        assert (item["name"], item["severity"]) == (code.name, code.severity)
    return outcome


def many_errors(folder: Path) -> list[Path]:
    """Write two files with two errors and a warning each."""
    paths = []
    for name in ("b", "a"):
        path = taskset(folder / f"{name}.taskset.yaml", builtin="answer-equal", key="UPPER")
        text = path.read_text(encoding="utf-8").replace("    prompt: How many?\n", "    promt: x\n")
        first, _, rest = text.partition("\n")
        path.write_text(f"name: {name}\n{first}\n{rest}", encoding="utf-8")
        paths.append(path)
    return paths


def test_report_of_good_runs(tmp_path: Path) -> None:
    files = [taskset(tmp_path / "a.taskset.yaml"), environment(tmp_path / "b.environment.yaml")]
    first = valid(reported(tmp_path, *files))
    second = valid(reported(tmp_path, *files))
    assert first.report["roots"] == second.report["roots"]
    assert [root["name"] for root in first.report["roots"]] == ["a", "b"]
    assert first.report["roots"][0]["tasks"] == 1
    assert first.report["roots"][0]["task_generation"] == "v1alpha1"
    assert first.report["roots"][1]["tasks"] is None
    assert first.report["roots"][1]["generation"] == "fleet.environment.v1alpha1"
    backwards = valid(reported(tmp_path, *reversed(files)))
    assert [root["name"] for root in backwards.report["roots"]] == ["b", "a"]


def test_report_of_bad_runs(tmp_path: Path) -> None:
    outcome = valid(reported(tmp_path, *many_errors(tmp_path)))
    assert outcome.code == 1
    assert outcome.report["roots"] == []
    assert outcome.err == ""
    for item in outcome.report["diagnostics"]:
        assert item["place"]["line"] >= 1
        assert item["place"]["column"] >= 1
    (tmp_path / "c.taskset.yaml").write_bytes(b"\xff")
    valid(reported(tmp_path, "c.taskset.yaml"))
    (tmp_path / "c.taskset.yaml").write_bytes(b"a: [")
    valid(reported(tmp_path, "c.taskset.yaml"))
    (tmp_path / "fleet.lock").write_text("{")
    valid(reported(tmp_path, environment(tmp_path / "d.environment.yaml")))


def test_last_lines_of_the_text_are_the_roots(tmp_path: Path) -> None:
    captures = "defaults: {captures: [{id: c, kind: file.v1, path: a, limits: {max_bytes: 1}}]}\n"
    files = [
        taskset(tmp_path / "a.taskset.yaml"),
        taskset(tmp_path / "b.taskset.yaml", head=captures),
        environment(tmp_path / "c.environment.yaml"),
    ]
    lines = command(tmp_path, "compile", *files).out.splitlines()
    expected = [
        rf"TaskSet  a  {DIGEST}  1 Task  fleet\.taskset\.v1alpha1, Tasks v1alpha1  {COST}",
        rf"TaskSet  b  {DIGEST}  1 Task  fleet\.taskset\.v1alpha1, Tasks v1alpha9"
        rf" \(captures at /captures of Task 'one'\)  {COST}",
        rf"Environment  c  {DIGEST}  fleet\.environment\.v1alpha1  {COST}",
    ]
    assert len(lines) == len(expected)
    for line, pattern in zip(lines, expected, strict=True):
        assert re.fullmatch(pattern, line), line


def test_second_compile_writes_nothing(tmp_path: Path) -> None:
    files = [taskset(tmp_path / "a.taskset.yaml"), environment(tmp_path / "b.environment.yaml")]
    first = command(tmp_path, "compile", *files).out
    assert "  0 bytes written" not in first
    second = command(tmp_path, "compile", *files).out
    assert second.count("  0 bytes written") == len(files)


def test_warnings_and_roots(tmp_path: Path) -> None:
    path = environment(tmp_path / "a.environment.yaml")
    path.write_text("name: a\n" + path.read_text())
    outcome = command(tmp_path, "compile", path)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].startswith("a.environment.yaml:2:1: warning[FLT2004]: ")
    assert "1 warning" in lines
    assert lines[-1].startswith("Environment  a  ")


def test_all_errors_of_all_files_in_the_order_of_the_paths(tmp_path: Path) -> None:
    paths = many_errors(tmp_path)
    outcome = reported(tmp_path, *paths)
    places = [
        (item["place"]["file"], item["place"]["line"], item["place"]["column"])
        for item in outcome.report["diagnostics"]
    ]
    by_file = {name: [place[1:] for place in places if place[0] == name] for name, *_ in places}
    assert list(by_file) == [path.name for path in paths]
    for lines in by_file.values():
        assert len(lines) >= 3
        assert lines == sorted(lines)
    assert len({item["code"] for item in outcome.report["diagnostics"]}) >= 3


@pytest.mark.parametrize("most", [0, 1, 3, 50])
def test_max_errors(tmp_path: Path, most: int) -> None:
    paths = many_errors(tmp_path)
    diagnostics = reported(tmp_path, *paths, "--max-errors", most).report["diagnostics"]
    outcome = command(tmp_path, "compile", *paths, "--max-errors", most)
    shown = re.findall(r"(?m)^\S+: (?:error|warning)\[FLT\d{4}\]: ", outcome.out)
    assert len(shown) == (min(most, len(diagnostics)) if most else len(diagnostics))
    errors = sum(item["severity"] == "error" for item in diagnostics)
    last = outcome.out.splitlines()[-1]
    assert last.startswith(f"{errors} errors, {len(diagnostics) - errors} warnings")
    hidden = len(diagnostics) - len(shown)
    assert (f"({hidden} not shown; --max-errors 0 shows all)" in last) is (hidden > 0)
    assert outcome.code == 1


def test_report_of_one_mistake_through_many_rows_and_its_fix(tmp_path: Path) -> None:
    rows = "".join(f"{number},x\n" for number in range(6))
    (tmp_path / "rows.csv").write_text("question,answer\n" + rows, encoding="utf-8")
    template = TASK.format(
        key="task", environment="builtin: terminal@v1", prompt="${row.nobody}", builtin="constant"
    )
    path = tmp_path / "a.taskset.yaml"
    head = "authoring: taskset/v1\ndataset:\n- rows: rows.csv\n  key: t/${index}\n"
    path.write_text(head + template, encoding="utf-8")
    first, *_ = valid(reported(tmp_path, path)).report["diagnostics"]
    assert first["code"] == "FLT3031"
    assert len(first["cases"]) == MOST_CASES
    assert first["more_cases"] == 6 - MOST_CASES
    assert [case["place"]["file"] for case in first["cases"]] == ["rows.csv"] * MOST_CASES
    assert [case["place"]["line"] for case in first["cases"]] == [2, 3, 4]

    (misspelled,) = valid(
        reported(tmp_path, taskset(tmp_path / "b.taskset.yaml", builtin="answer-equal"))
    ).report["diagnostics"]
    fix = misspelled["fix"]
    assert (fix["old"], fix["new"]) == ("answer-equal", "answer-equals")
    assert fix["place"] == misspelled["place"]


def test_files_are_named_from_the_working_directory(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "other").mkdir()
    path = taskset(tmp_path / "sub" / "a.taskset.yaml", key="UPPER")
    for folder, name in (
        (tmp_path, "sub/a.taskset.yaml"),
        (tmp_path / "sub", "a.taskset.yaml"),
        (tmp_path / "other", "../sub/a.taskset.yaml"),
    ):
        outcome = command(folder, "compile", path)
        assert outcome.out.startswith(f"{name}:3:3: error[FLT4001]: ")
        report = reported(folder, path).report
        assert report["diagnostics"][0]["place"]["file"] == name
