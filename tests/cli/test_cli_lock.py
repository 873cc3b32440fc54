"""What plain `fleet compile` does to the lock (spec section 5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_kit import IMAGE, command, environment, reported, taskset, tree

PYTHON = "builtin: python@v1"
CATALOG = """\
catalog: builtins/v1
builtins:
  terminal@v1:
    image_ref: {image}
    native_tools: [shell]
"""


def lock(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "fleet.lock").read_bytes())
    return document


def test_first_lock_is_added_and_later_kept(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    first = reported(tmp_path, file)
    assert first.report["lock"] == {
        "path": "fleet.lock",
        "added": ["terminal@v1"],
        "kept": [],
        "written": True,
    }
    before = tree(tmp_path)
    second = reported(tmp_path, file)
    assert second.report["lock"] == {
        "path": "fleet.lock",
        "added": [],
        "kept": ["terminal@v1"],
        "written": False,
    }
    assert second.report["roots"] == first.report["roots"]
    assert tree(tmp_path) == before


def test_diff_is_on_stderr(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    first = command(tmp_path, "compile", file)
    assert first.err.startswith("--- /dev/null\n+++ fleet.lock\n")
    assert '+      "ref": "terminal@v1",\n' in first.err
    assert "@@" not in first.out
    taskset(file, environment=PYTHON)
    second = command(tmp_path, "compile", file)
    assert second.err.startswith("--- fleet.lock\n+++ fleet.lock\n")
    added = [line for line in second.err.splitlines() if line.startswith("+ ")]
    assert any('"python@v1"' in line for line in added)
    assert not any(line.startswith("-  ") for line in second.err.splitlines())
    assert command(tmp_path, "compile", file).err == ""


def test_text_of_the_file(tmp_path: Path) -> None:
    taskset(tmp_path / "a.taskset.yaml")
    taskset(tmp_path / "b.taskset.yaml", environment=PYTHON)
    assert command(tmp_path, "compile", "a.taskset.yaml", "b.taskset.yaml").code == 0
    data = (tmp_path / "fleet.lock").read_bytes()
    assert b"\r" not in data
    assert data.endswith(b"}\n")
    assert not data.endswith(b"\n\n")
    lines = data.decode().splitlines()
    assert all(line.count('": ') <= 1 for line in lines)
    assert [entry["ref"] for entry in lock(tmp_path)["builtins"]] == ["python@v1", "terminal@v1"]
    assert set(lock(tmp_path)) == {"schema", "builtins"}


def test_other_entries_stay_as_they_are(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml", environment=PYTHON)
    assert command(tmp_path, "compile", file).code == 0
    python = lock(tmp_path)["builtins"]
    outcome = reported(tmp_path, taskset(file))
    assert outcome.report["lock"]["added"] == ["terminal@v1"]
    assert outcome.report["lock"]["kept"] == []
    assert lock(tmp_path)["builtins"][:1] == python


@pytest.mark.parametrize("good_first", [True, False])
def test_nothing_is_written_when_one_root_fails(tmp_path: Path, good_first: bool) -> None:
    good = taskset(tmp_path / "good.taskset.yaml")
    bad = taskset(tmp_path / "bad.taskset.yaml", key="UPPER")
    before = tree(tmp_path)
    files = [good, bad] if good_first else [bad, good]
    outcome = command(tmp_path, "compile", *files)
    assert (outcome.code, outcome.err) == (1, "")
    assert tree(tmp_path) == before
    assert command(tmp_path, "compile", *files, "-o", tmp_path / "store").code == 1
    assert tree(tmp_path) == before


def test_no_builtin_no_lock(tmp_path: Path) -> None:
    files = [
        taskset(tmp_path / "a.taskset.yaml", environment=f'image_ref: "{IMAGE}"'),
        environment(tmp_path / "b.environment.yaml"),
    ]
    outcome = reported(tmp_path, *files)
    assert outcome.code == 0
    assert outcome.report["lock"]["written"] is False
    assert outcome.err == ""
    assert not (tmp_path / "fleet.lock").exists()


def test_pin_that_differs_from_the_catalogue_is_kept(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    first = reported(tmp_path, file)
    before = (tmp_path / "fleet.lock").read_bytes()
    (tmp_path / "catalog.yaml").write_text(CATALOG.format(image=IMAGE))
    second = reported(tmp_path, file, "--catalog", "catalog.yaml")
    assert second.code == 0
    assert second.codes == ["FLT5010"]
    assert second.report["diagnostics"][0]["severity"] == "note"
    assert second.report["roots"] == first.report["roots"]
    assert second.report["lock"]["kept"] == ["terminal@v1"]
    assert (tmp_path / "fleet.lock").read_bytes() == before
    text = command(tmp_path, "compile", file, "--catalog", "catalog.yaml")
    assert "note[FLT5010]" in text.out
    assert "`fleet lock --catalog catalog.yaml --upgrade terminal@v1` moves it" in text.out
    assert text.err == ""


def test_locked_builtin_that_left_the_catalogue_is_used(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    first = reported(tmp_path, file)
    (tmp_path / "catalog.yaml").write_text("catalog: builtins/v1\nbuiltins: {}\n")
    second = reported(tmp_path, file, "--catalog", "catalog.yaml")
    assert (second.code, second.codes) == (0, [])
    assert second.report["roots"] == first.report["roots"]


def test_builtins_of_another_catalogue(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    (tmp_path / "catalog.yaml").write_text(CATALOG.format(image=IMAGE))
    assert reported(tmp_path, file, "--catalog", "catalog.yaml").code == 0
    pin = lock(tmp_path)["builtins"][0]
    assert pin["image"] == {"kind": "image_id", "value": IMAGE}
    assert pin["native_tools"] == ["shell"]


def first_generation(folder: Path) -> bytes:
    document = lock(folder)
    document["schema"] = "fleet.lock.v1"
    for entry in document["builtins"]:
        del entry["endpoints"], entry["native_tools"]
    data = json.dumps(document, indent=2).encode() + b"\n"
    (folder / "fleet.lock").write_bytes(data)
    return data


def test_first_generation_is_read_and_not_rewritten(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    first = reported(tmp_path, file)
    data = first_generation(tmp_path)
    second = reported(tmp_path, file)
    assert (second.code, second.codes) == (0, [])
    assert second.report["roots"] == first.report["roots"]
    assert (tmp_path / "fleet.lock").read_bytes() == data
    third = reported(tmp_path, taskset(file, environment=PYTHON))
    assert (third.code, third.codes) == (1, ["FLT5004"])
    assert (tmp_path / "fleet.lock").read_bytes() == data


def test_check_writes_nothing(tmp_path: Path) -> None:
    files = [taskset(tmp_path / "a.taskset.yaml"), environment(tmp_path / "b.environment.yaml")]
    before = tree(tmp_path)
    outcome = command(tmp_path, "check", "--format", "json", *files)
    assert outcome.code == 0
    assert outcome.report["lock"]["added"] == ["terminal@v1"]
    assert outcome.report["lock"]["written"] is False
    text = command(tmp_path, "check", *files)
    assert "+++ fleet.lock (not written)" in text.err
    assert text.out.count("sha256:") == len(files)
    assert "bytes written" not in text.out
    assert command(tmp_path, "check", *files, "-o", "elsewhere").code == 0
    assert tree(tmp_path) == before
    compiled = reported(tmp_path, *files)
    assert compiled.report["roots"] == outcome.report["roots"]
    before = tree(tmp_path)
    assert command(tmp_path, "check", *files).code == 0
    assert tree(tmp_path) == before


def test_lock_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    (tmp_path / "fleet.lock").mkdir()
    outcome = command(tmp_path, "compile", file)
    assert outcome.code == 1
    assert outcome.out.startswith("fleet.lock: error[FLT5001]: expected a file")
