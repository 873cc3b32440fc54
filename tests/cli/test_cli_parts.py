"""`fleet check` of folders, and of files that are no roots: Tasks and standalone Verifiers."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_kit import command, environment, taskset

LEAF = """\
id: answer
type: evaluator
evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "2"}}
decision: {kind: threshold, at_least: 1}
"""


def indented(text: str, width: int) -> str:
    return "".join(f"{' ' * width}{line}\n" for line in text.splitlines())


def verifier(path: Path, node: str = LEAF) -> Path:
    path.write_text(f"authoring: verifier/v1\nnode:\n{indented(node, 2)}", encoding="utf-8")
    return path


def tasks(path: Path, more: str = "") -> Path:
    path.write_text(
        f"authoring: tasks/v1\ntasks:\n  two:\n    prompt: How many?\n{indented(more, 4)}",
        encoding="utf-8",
    )
    return path


def test_a_folder_stands_for_its_authored_files(tmp_path: Path) -> None:
    (tmp_path / "below" / ".hidden").mkdir(parents=True)
    (tmp_path / "node_modules").mkdir()
    taskset(tmp_path / "below" / "a.taskset.yaml")
    environment(tmp_path / "b.environment.json")
    (tmp_path / "b.environment.json").write_text(
        f'{{"authoring": "environment/v1", "image_ref": "sha256:{"1" * 64}"}}'
    )
    taskset(tmp_path / "below" / ".hidden" / "c.taskset.yaml", builtin="bad")
    taskset(tmp_path / "node_modules" / "d.taskset.yaml", builtin="bad")
    tasks(tmp_path / "e.tasks.yaml", "verifiers: 1")
    (tmp_path / "f.yaml").write_text("a: [")
    said = command(tmp_path, "compile", ".", "-o", "store")
    assert said.code == 0
    assert [line.split()[1] for line in said.out.splitlines()] == ["b", "a"]


def test_only_checking_looks_at_verifiers(tmp_path: Path) -> None:
    taskset(tmp_path / "a.taskset.yaml")
    verifier(tmp_path / "b.verifier.yaml", LEAF.replace("answer-equals", "answer-equal"))
    assert command(tmp_path, "compile", ".", "-o", "store").code == 0
    said = command(tmp_path, "check", ".")
    assert said.code == 1
    assert "b.verifier.yaml:5:45: error[FLT2013]" in said.out


def test_a_folder_without_authored_files(tmp_path: Path) -> None:
    said = command(tmp_path, "check", ".")
    assert said.code == 2
    assert "holds no *.taskset.yaml or *.environment.yaml or *.verifier.yaml" in said.err


def test_checking_without_a_path_looks_at_the_working_directory(tmp_path: Path) -> None:
    taskset(tmp_path / "below" / "a.taskset.yaml")
    said = command(tmp_path, "check")
    assert (said.code, said.out) == (0, command(tmp_path, "check", ".").out)
    assert command(tmp_path, "compile").code == 2
    assert not (tmp_path / ".fleet").exists()


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit"])
@pytest.mark.parametrize("name", ["rows.csv", "ROWS.JSONL"])
def test_a_data_file_is_no_document(tmp_path: Path, name: str, form: str) -> None:
    (tmp_path / name).write_text("id\n1\n")
    said = command(tmp_path, "check", name, "--format", form)
    assert (said.code, said.out) == (2, "")
    assert f"{name} is a data file, not an authored document" in said.err


def test_a_verifier_that_is_right_is_told_with_its_digest(tmp_path: Path) -> None:
    verifier(tmp_path / "b.verifier.yaml")
    said = command(tmp_path, "check", "b.verifier.yaml")
    assert said.code == 0
    words = said.out.split()
    assert words[:2] == ["Verifier", "b"]
    compiled = command(tmp_path, "compile-verifier", "b.verifier.yaml", "-o", "b")
    assert compiled.out.split()[:6] == words[:6]
    assert not (tmp_path / ".fleet").exists()


@pytest.mark.parametrize(
    ("more", "codes"),
    [
        ("", []),
        ("environment: not-defined-here", []),
        ("captures: [{id: out, kind: text}]", ["FLT2013"]),
        (f"verifiers:\n{indented('- ' + indented(LEAF, 2).strip(), 0)}", []),
    ],
)
def test_tasks_are_checked_for_what_they_say(tmp_path: Path, more: str, codes: list[str]) -> None:
    tasks(tmp_path / "b.tasks.yaml", more)
    said = command(tmp_path, "check", "--format", "json", "b.tasks.yaml")
    assert said.codes == codes


def test_a_comment_is_not_called_unused_where_a_root_may_need_it(tmp_path: Path) -> None:
    comment = "# fleet: ignore FLT4084"
    tasks(tmp_path / "b.tasks.yaml", comment)
    assert command(tmp_path, "check", "--format", "json", "b.tasks.yaml").codes == []
    taskset(tmp_path / "a.taskset.yaml", head=f"name: a {comment}\n")
    said = command(tmp_path, "check", "--format", "json", "a.taskset.yaml", "b.tasks.yaml")
    assert [(each["code"], each["place"]["file"]) for each in said.report["diagnostics"]] == [
        ("FLT1060", "a.taskset.yaml")
    ]


def test_parts_cannot_be_compiled(tmp_path: Path) -> None:
    tasks(tmp_path / "b.tasks.yaml")
    said = command(tmp_path, "compile", "b.tasks.yaml", "--format", "json")
    assert said.code == 1
    assert said.codes == ["FLT2003"]
