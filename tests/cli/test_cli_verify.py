"""`fleet verify` and `fleet gc`: arguments, what they print, and how they end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema_rs
import pytest
from cli_kit import Outcome, command, environment, on_terminal, process, taskset, tree

from fleet_contracts import schemas
from fleet_contracts.diagnostics.codes import CODES


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A compiled project whose store holds something of an older state, too."""
    file = taskset(tmp_path / "a.taskset.yaml", prompt="Old?")
    assert command(tmp_path, "compile", file).code == 0
    taskset(file)
    assert (
        command(tmp_path, "compile", file, environment(tmp_path / "b.environment.yaml")).code == 0
    )
    return tmp_path


def manifest_file(folder: Path) -> Path:
    found = json.loads((folder / ".fleet" / "index.json").read_bytes())["manifests"][0]
    return folder / ".fleet" / "blobs" / "sha256" / str(found["digest"][7:])


def a_layer(folder: Path) -> Path:
    layers = json.loads(manifest_file(folder).read_bytes())["layers"]
    return manifest_file(folder).with_name(str(layers[-1]["digest"][7:]))


def valid(outcome: Outcome, name: str) -> None:
    """Assert that a report is as its schema says, read by a validator that we did not write."""
    schemas.validator(f"report/{name}.v1.json").validate(outcome.report)


def test_a_sound_store(project: Path) -> None:
    outcome = command(project, "verify", "--max-errors", "1")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].startswith(".fleet/blobs/sha256/")
    assert "note[FLT6012]" in lines[0]
    assert "error" not in outcome.out.replace("--max-errors", "")
    assert lines[-3].startswith("TaskSet  a  sha256:")
    assert lines[-3].endswith("  1 Task  fleet.taskset.v1alpha1, Tasks v1alpha1  sound")
    assert lines[-2].startswith("Environment  b  sha256:")
    assert lines[-1].startswith(".fleet  ")
    assert command(project, "gc").code == 0
    assert len(command(project, "verify").out.splitlines()) == 3


def test_damage_is_exit_1_and_a_root_line_says_which(project: Path) -> None:
    a_layer(project).unlink()
    outcome = command(project, "verify", ".fleet")
    assert outcome.code == 1
    assert f".fleet/blobs/sha256/{a_layer(project).name}: error[FLT6010]:" in outcome.out
    assert "1 error" in outcome.out.splitlines()
    assert [line.rpartition("  ")[2] for line in outcome.out.splitlines()[-3:-1]] == [
        "damaged",
        "sound",
    ]


def test_what_the_help_says_mends_it(project: Path) -> None:
    good = tree(project / ".fleet")
    for harm in (Path.unlink, lambda path: path.write_bytes(b"other bytes")):
        path = a_layer(project)
        harm(path)
        assert command(project, "verify").code == 1
        path.unlink(missing_ok=True)
        assert command(project, "compile", "a.taskset.yaml").code == 0
        assert tree(project / ".fleet") == good
        assert command(project, "verify").code == 0


def test_reports_for_programs(project: Path) -> None:
    a_layer(project).unlink()
    (project / ".fleet" / "note").touch()
    outcome = command(project, "verify", "--format", "json")
    assert outcome.code == 1
    valid(outcome, "verify")
    assert set(outcome.codes) == {"FLT6010", "FLT6012", "FLT6013"}
    store = outcome.report["stores"][0]
    assert store["path"] == ".fleet"
    assert [(root["name"], root["sound"]) for root in store["roots"]] == [("a", False), ("b", True)]
    for item in outcome.report["diagnostics"]:
        assert item["severity"] == CODES[item["code"]].severity
        assert item["help"]
        assert item["place"]["file"].startswith(".fleet/")
    for words in ([], ["--dry-run"]):
        outcome = command(project, "gc", "--format", "json", *words)
        assert outcome.code == 0
        valid(outcome, "gc")
        assert outcome.report["dry_run"] is bool(words)
    assert outcome.report["blobs"] == []


def test_a_schema_refuses_what_is_no_report(project: Path) -> None:
    report = command(project, "gc", "--format", "json").report
    with pytest.raises(jsonschema_rs.ValidationError):
        schemas.validator("report/gc.v1.json").validate({**report, "bytes": -1})


def test_warnings_fail_only_when_they_are_to(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".fleet" / "note").touch()
    assert command(project, "verify").code == 0
    outcome = command(project, "verify", "--strict")
    assert outcome.code == 1
    assert "1 warning; warnings fail because of --strict" in outcome.out
    monkeypatch.setenv("FLEET_STRICT", "1")
    assert "because of FLEET_STRICT" in command(project, "verify").out


def test_digests_and_folders_are_told_apart(project: Path) -> None:
    index = json.loads((project / ".fleet" / "index.json").read_bytes())
    digest = index["manifests"][1]["digest"]
    a_layer(project).unlink()
    outcome = command(project, "verify", digest)
    assert outcome.code == 0
    assert outcome.out.startswith("Environment  b  ")
    assert command(project, "verify", ".fleet", digest).code == 0
    assert command(project, "verify", "sha256:" + "0" * 64).code == 4
    for words, told in (
        (["sha256:12"], "is no digest"),
        (["nowhere"], "there is no folder nowhere"),
        (["a.taskset.yaml"], "a.taskset.yaml is not a folder"),
        (["."], "is no store"),
    ):
        outcome = command(project, "verify", *words)
        assert outcome.code == 2
        assert told in outcome.err


def test_several_stores(project: Path) -> None:
    assert command(project, "compile", "a.taskset.yaml", "-o", "other").code == 0
    outcome = command(project, "verify", "--format", "json", ".fleet", "other")
    assert [store["path"] for store in outcome.report["stores"]] == [".fleet", "other"]


def test_the_store_of_the_project_is_found_from_below(project: Path) -> None:
    (project / "below").mkdir()
    outcome = command(project / "below", "gc", "--dry-run")
    assert outcome.code == 0
    assert "../.fleet" in outcome.out


@pytest.mark.parametrize("name", ["verify", "gc"])
def test_no_store_and_a_newer_one(tmp_path: Path, name: str) -> None:
    outcome = command(tmp_path, name)
    assert outcome.code == 4
    assert "there is no store at .fleet" in outcome.err
    taskset(tmp_path / "a.taskset.yaml")
    assert command(tmp_path, "compile", "a.taskset.yaml").code == 0
    (tmp_path / ".fleet" / "oci-layout").write_text('{"imageLayoutVersion":"2.0.0"}')
    outcome = command(tmp_path, name)
    assert outcome.code == 1
    assert ".fleet/oci-layout: error[FLT6002]" in outcome.out
    assert "= help: use a release that knows it" in outcome.out


def test_gc_says_what_went_and_how_much(project: Path) -> None:
    before = tree(project / ".fleet")
    looked = command(project, "gc", "--dry-run")
    assert tree(project / ".fleet") == before
    outcome = command(project, "gc")
    assert (outcome.code, looked.code) == (0, 0)
    gone = {name: data for name, data in before.items() if name not in tree(project / ".fleet")}
    sizes = {Path(name).name: len(data) for name, data in gone.items() if data is not None}
    assert sizes
    told, would = (each.out.splitlines() for each in (outcome, looked))
    assert told[:-1] == [
        f"removed sha256:{name}  {size:,} bytes" for name, size in sorted(sizes.items())
    ]
    assert would[:-1] == [line.replace("removed", "would remove") for line in told[:-1]]
    assert told[-1].startswith(
        f".fleet  {len(sizes)} blobs, {sum(sizes.values()):,} bytes removed;"
    )
    assert f"{sum(sizes.values()):,} bytes to remove;" in would[-1]
    assert command(project, "gc").out.startswith(".fleet  0 blobs, 0 bytes removed;")


def test_gc_removes_nothing_from_a_store_that_it_cannot_read_whole(project: Path) -> None:
    manifest_file(project).unlink()
    before = tree(project / ".fleet")
    outcome = command(project, "gc")
    assert outcome.code == 1
    assert "error[FLT6010]" in outcome.out
    assert "nothing removed" in outcome.out
    assert tree(project / ".fleet") == before


def test_a_progress_bar_for_people_only(project: Path) -> None:
    outcome = on_terminal(project, "verify", stderr=True)
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize("name", ["verify", "gc"])
def test_help(tmp_path: Path, name: str) -> None:
    outcome = process(tmp_path, name, "--help")
    assert outcome.code == 0
    assert "store" in outcome.out
    assert os.listdir(tmp_path) == []
