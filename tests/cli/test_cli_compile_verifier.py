"""`fleet compile-verifier`: a Verifier that stands alone, in a folder of its own (spec 3)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import jsonschema
import pytest
import rfc8785
from cli_kit import command, taskset, tree

from fleet_contracts.schemas import SCHEMA_FOLDER

RUBRIC = b"Is it right?\r\n"
TEXT = """\
authoring: verifier/v1
node:
  id: all
  type: composite
  children:
    - id: judged
      weight: 0.50
      node:
        id: judge
        type: evaluator
        evaluator: {kind: judge.v1, rubric: {file: rubric.md}, model_slot: judge}
        decision: {kind: threshold, at_least: 0.5}
    - id: answered
      weight: 0.50
      node:
        id: answer
        type: evaluator
        evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "2"}}
        decision: {kind: threshold, at_least: 1}
  aggregation: {kind: weighted_sum}
  decision: {kind: threshold, at_least: 0.75}
"""
REPORT = json.loads((SCHEMA_FOLDER / "report" / "report.v1.json").read_bytes())


def sha(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def written(folder: Path, text: str = TEXT) -> Path:
    """Write a Verifier of two leaves and its rubric."""
    (folder / "rubric.md").write_bytes(RUBRIC)
    path = folder / "right.verifier.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_it_writes_the_document_and_what_that_names(tmp_path: Path) -> None:
    said = command(tmp_path, "compile-verifier", written(tmp_path), "-o", "out/here")
    assert said.code == 0, said.out
    blob = f"blobs/sha256/{sha(RUBRIC)[7:]}"
    found = {name: data for name, data in tree(tmp_path / "out/here").items() if data is not None}
    assert found.keys() == {"verifier.json", blob}
    assert found[blob] == RUBRIC
    document = json.loads(found["verifier.json"])
    assert rfc8785.dumps(document) == found["verifier.json"]
    assert document["schema"] == "fleet.verifier.v1alpha1"
    assert document["node"]["children"][0]["weight"] == "0.5"
    line = said.out.split("  ")
    assert line[:3] == ["Verifier", "right", sha(found["verifier.json"])]
    node = sha(rfc8785.dumps(document["node"]))
    assert line[3] == f"fleet.verifier.v1alpha1, node {node}"
    assert line[4] == f"{len(RUBRIC) + len(found['verifier.json']):,} bytes written"


def test_the_report_names_every_node(tmp_path: Path) -> None:
    written(tmp_path)
    words = ("right.verifier.yaml", "--format", "json")
    said = command(tmp_path, "compile-verifier", *words, "-o", "out")
    jsonschema.validate(said.report, REPORT)
    assert command(tmp_path, "check", *words).report == said.report
    data = (tmp_path / "out/verifier.json").read_bytes()
    node = json.loads(data)["node"]
    first, second = (edge["node"] for edge in node["children"])
    (verifier,) = said.report["verifiers"]
    assert said.report["roots"] == []
    assert (verifier["name"], verifier["digest"]) == ("right", sha(data))
    assert [tuple(each.values()) for each in verifier["nodes"]] == [
        ("/node", "all", sha(rfc8785.dumps(node))),
        ("/node/children/0/node", "judge", sha(rfc8785.dumps(first))),
        ("/node/children/1/node", "answer", sha(rfc8785.dumps(second))),
    ]


def test_without_a_folder_it_is_one_in_the_project_root(tmp_path: Path) -> None:
    below = tmp_path / "below"
    below.mkdir()
    (tmp_path / "fleet.lock").write_text('{"schema": "fleet.lock.v2", "builtins": []}\n')
    assert command(below, "compile-verifier", written(below).name).code == 0
    assert (tmp_path / ".fleet-verifiers/right/verifier.json").is_file()
    assert command(tmp_path, "check", ".").code == 0
    assert not (tmp_path / ".fleet").exists()


def test_the_same_again_writes_nothing(tmp_path: Path) -> None:
    written(tmp_path)
    words = ("compile-verifier", "right.verifier.yaml", "-o", "out")
    command(tmp_path, *words)
    before = tree(tmp_path)
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.json")}
    said = command(tmp_path, *words)
    assert "  0 bytes written  " in said.out
    assert tree(tmp_path) == before
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_another_version_takes_the_place_of_the_first(tmp_path: Path) -> None:
    words = ("compile-verifier", "right.verifier.yaml", "-o", "out")
    written(tmp_path)
    first = command(tmp_path, *words).out.split()[2]
    written(tmp_path, TEXT.replace("at_least: 0.75", "at_least: 1"))
    second = command(tmp_path, *words).out.split()[2]
    assert first != second == sha((tmp_path / "out/verifier.json").read_bytes())


@pytest.mark.parametrize(
    ("old", "new", "codes", "code"),
    [
        ("answer-equals", "answer-equal", ["FLT2013"], 1),
        ("0.75", "0.1234567890123456789", ["FLT2021"], 1),
        ("model_slot: judge", "model_slot: judge, params: {a: 0.5}", ["FLT4012"], 1),
        ("rubric.md", "absent.md", ["FLT3001"], 4),
        ("verifier/v1", "taskset/v1", ["FLT2003"], 1),
        ("0.50", "0.40", ["FLT4032"], 1),
    ],
)
def test_nothing_is_written_if_anything_is_wrong(
    tmp_path: Path, old: str, new: str, codes: list[str], code: int
) -> None:
    written(tmp_path, TEXT.replace(old, new))
    words = ("compile-verifier", "right.verifier.yaml", "--format", "json")
    before = tree(tmp_path)
    said = command(tmp_path, *words, "-o", "out")
    assert (said.code, said.codes) == (code, codes)
    assert "verifiers" not in said.report
    assert tree(tmp_path) == before
    assert command(tmp_path, *words).code == code
    assert tree(tmp_path) == before


def test_warnings_fail_when_they_are_to(tmp_path: Path) -> None:
    text = "name: x\n" + TEXT
    written(
        tmp_path, text.replace("name: x\nauthoring: verifier/v1\n", "") + "authoring: verifier/v1\n"
    )
    words = ("compile-verifier", "right.verifier.yaml", "-o", "out")
    assert command(tmp_path, *words, "--strict").code == 1
    assert not (tmp_path / "out").exists()
    said = command(tmp_path, *words)
    assert said.code == 0
    assert "warning[FLT2004]" in said.out


def test_compile_says_which_command_takes_a_verifier(tmp_path: Path) -> None:
    written(tmp_path)
    said = command(tmp_path, "compile", "right.verifier.yaml")
    assert said.code == 1
    assert "or compile it with `fleet compile-verifier`" in said.out


def test_a_store_is_not_touched(tmp_path: Path) -> None:
    taskset(tmp_path / "a.taskset.yaml")
    assert command(tmp_path, "compile", "a.taskset.yaml").code == 0
    before = tree(tmp_path / ".fleet")
    written(tmp_path)
    said = command(tmp_path, "compile-verifier", "right.verifier.yaml", "-o", ".fleet")
    assert said.code == 2
    assert "holds a store, which a Verifier does not belong to" in said.err
    assert command(tmp_path, "compile-verifier", "right.verifier.yaml").code == 0
    assert tree(tmp_path / ".fleet") == before


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("notes.txt", "mine", "'notes.txt', which belongs to no standalone Verifier"),
        ("verifier.json", "{}", "a `verifier.json` that is no compiled Verifier"),
        ("verifier.json", "[" * 5000, "a `verifier.json` that is no compiled Verifier"),
        ("verifier.json", '{"schema": 1}', "a `verifier.json` that is no compiled Verifier"),
        ("blobs", "mine", "a `blobs` that is no folder"),
    ],
)
def test_a_folder_with_something_else_is_left(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    written(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text(text)
    before = tree(tmp_path)
    said = command(tmp_path, "compile-verifier", "right.verifier.yaml", "-o", "out")
    assert said.code == 2
    assert says in said.err
    assert tree(tmp_path) == before
