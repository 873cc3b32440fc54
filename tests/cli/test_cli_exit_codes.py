"""What the process says at its end (spec section 9)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_kit import ARTIFACT, command, environment, reported, taskset

from fleet_contracts.cli import compile as commands
from fleet_contracts.compiler import Compiler
from fleet_contracts.errors import InternalError

MOUNT = f"defaults: {{seed_mounts: [{{artifact: '{ARTIFACT}', path: /data}}]}}\n"
MISSING = "{file: nowhere.md}"


@pytest.mark.parametrize("name", ["compile", "check"])
def test_paths_that_are_no_files(tmp_path: Path, name: str) -> None:
    for words in ([], ["nowhere.yaml"], ["."], ["--no-such-option", "x"]):
        outcome = command(tmp_path, name, *words)
        assert outcome.code == 2
        assert outcome.out == ""
        assert "error: " in outcome.err.lower()
    assert list(tmp_path.iterdir()) == []


def test_unknown_command_and_bad_option_values(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    assert command(tmp_path, "compose").code == 2
    assert command(tmp_path, "compile", file, "--format", "xml").code == 2
    assert command(tmp_path, "compile", file, "--max-errors", "-1").code == 2
    assert command(tmp_path, "compile", file, "--max-input-bytes", "0").code == 2
    assert command(tmp_path, "compile", file, "--catalog", "nowhere").code == 2
    assert command(tmp_path, "compile", file, "--project", "nowhere").code == 2
    assert command(tmp_path, "compile", file, "-o", file).code == 2


@pytest.mark.parametrize("name", ["compile", "check"])
def test_clean(tmp_path: Path, name: str) -> None:
    assert command(tmp_path, name, taskset(tmp_path / "a.taskset.yaml")).code == 0


@pytest.mark.parametrize(
    ("file", "codes", "exit_code"),
    [
        ({"builtin": "answer-equal"}, {"FLT2013"}, 1),
        ({"environment": "builtin: terminus@v1"}, {"FLT3011"}, 1),
        ({"prompt": MISSING}, {"FLT3001"}, 4),
        ({"head": MOUNT}, {"FLT3040"}, 4),
        ({"head": "include: ['more/*.yaml']\n"}, {"FLT3021"}, 4),
        ({"prompt": MISSING, "head": MOUNT}, {"FLT3001", "FLT3040"}, 4),
        ({"prompt": MISSING, "key": "UPPER"}, {"FLT3001", "FLT4001"}, 1),
        ({"prompt": MISSING, "environment": "builtin: x@v1"}, {"FLT3001", "FLT3011"}, 1),
    ],
)
def test_diagnostics(tmp_path: Path, file: dict[str, str], codes: set[str], exit_code: int) -> None:
    taskset(tmp_path / "a.taskset.yaml", **file)
    outcome = reported(tmp_path, "a.taskset.yaml")
    assert (set(outcome.codes), outcome.code) == (codes, exit_code)
    assert outcome.report["roots"] == []
    assert not (tmp_path / ".fleet").exists()


def test_missing_file_of_one_root_and_an_error_of_another(tmp_path: Path) -> None:
    missing = taskset(tmp_path / "a.taskset.yaml", prompt=MISSING)
    wrong = taskset(tmp_path / "b.taskset.yaml", builtin="answer-equal")
    assert command(tmp_path, "compile", missing, wrong).code == 1


def lock_after_compile(folder: Path) -> str:
    assert command(folder, "compile", taskset(folder / "a.taskset.yaml")).code == 0
    return (folder / "fleet.lock").read_text(encoding="utf-8")


def conflict(lock: str) -> str:
    return f"<<<<<<< ours\n{lock}=======\n{lock}>>>>>>> theirs\n"


def newer(lock: str) -> str:
    return lock.replace("fleet.lock.v2", "fleet.lock.v3")


def edited(lock: str) -> str:
    return lock.replace('"bash"', '"sh"')


def duplicate_key(lock: str) -> str:
    return lock.replace('"ref":', '"ref": "terminal@v1",\n      "ref":')


def malformed_digest(lock: str) -> str:
    return lock.replace('"catalog_entry": "sha256:', '"catalog_entry": "sha256:0')


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (conflict, "FLT5002"),
        (newer, "FLT5003"),
        (edited, "FLT5001"),
        (duplicate_key, "FLT1020"),
        (malformed_digest, "FLT5001"),
        (lambda lock: lock[:-20], "FLT1050"),
        (lambda lock: "[]", "FLT5001"),
        (lambda lock: "", "FLT5001"),
    ],
)
def test_refused_lock_is_never_healed(tmp_path: Path, change: object, code: str) -> None:
    text = lock_after_compile(tmp_path)
    assert callable(change)
    bad = change(text)
    assert bad != text
    (tmp_path / "fleet.lock").write_text(bad, encoding="utf-8")
    for name in ("compile", "check"):
        outcome = command(tmp_path, name, "--format", "json", "a.taskset.yaml")
        assert (outcome.code, set(outcome.codes)) == (1, {code})
        place = outcome.report["diagnostics"][0]["place"]
        assert place["file"] == "fleet.lock"
        assert outcome.report["lock"]["written"] is False
    assert (tmp_path / "fleet.lock").read_text(encoding="utf-8") == bad


def test_corrupt_and_newer_store(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    assert command(tmp_path, "compile", file).code == 0
    index = tmp_path / ".fleet" / "index.json"
    good = index.read_bytes()
    index.write_bytes(good[:-1])
    outcome = reported(tmp_path, file)
    assert (outcome.code, set(outcome.codes)) == (1, {"FLT6001"})
    assert index.read_bytes() == good[:-1]
    index.write_bytes(good)
    (tmp_path / ".fleet" / "oci-layout").write_text('{"imageLayoutVersion":"2.0.0"}')
    outcome = reported(tmp_path, file)
    assert (outcome.code, set(outcome.codes)) == (1, {"FLT6002"})


def test_store_that_lacks_a_blob_is_mended_and_a_short_one_is_told(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    assert command(tmp_path, "compile", file).code == 0
    manifest = json.loads((tmp_path / ".fleet" / "index.json").read_bytes())["manifests"][0]
    blobs = tmp_path / ".fleet" / "blobs" / "sha256"
    layers = json.loads((blobs / manifest["digest"][7:]).read_bytes())["layers"]
    pack = blobs / layers[-1]["digest"][7:]
    data = pack.read_bytes()
    pack.unlink()
    assert command(tmp_path, "compile", file).code == 0
    assert pack.read_bytes() == data
    pack.write_bytes(data[:-1])
    outcome = reported(tmp_path, file)
    assert (outcome.code, set(outcome.codes)) == (1, {"FLT6001"})


def test_errors_of_documents_are_told_beside_those_of_the_store(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    assert command(tmp_path, "compile", file).code == 0
    (tmp_path / ".fleet" / "index.json").write_bytes(b"{")
    taskset(file, key="UPPER")
    outcome = reported(tmp_path, file)
    assert (outcome.code, set(outcome.codes)) == (1, {"FLT6001", "FLT4001"})


@pytest.mark.parametrize("name", ["compile", "check"])
def test_folder_that_is_no_store(tmp_path: Path, name: str) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    outcome = command(tmp_path, name, file, "-o", other)
    assert outcome.code == 2
    assert "is no store" in outcome.err
    assert [path.name for path in other.iterdir()] == ["mine.txt"]
    assert not (tmp_path / "fleet.lock").exists()


def test_store_that_cannot_be_written(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    outcome = command(tmp_path, "compile", file, "-o", "/proc/no-such-folder/store")
    assert outcome.code == 4
    assert outcome.err.startswith("error: cannot ")
    assert not (tmp_path / "fleet.lock").exists()


def test_project_options(tmp_path: Path) -> None:
    first = taskset(tmp_path / "one" / "a.taskset.yaml")
    second = taskset(tmp_path / "two" / "b.taskset.yaml")
    outside = command(tmp_path, "compile", second, "--project", "one")
    assert outside.code == 2
    assert "outside the project root" in outside.err
    several = command(tmp_path, "compile", first, second)
    assert several.code == 2
    assert "several projects" in several.err
    assert command(tmp_path, "compile", first, second, "--project", ".").code == 0
    assert (tmp_path / ".fleet").is_dir()
    assert (tmp_path / "fleet.lock").is_file()


@pytest.mark.parametrize("error", [RuntimeError("boom"), InternalError("boom"), KeyError("boom")])
def test_internal_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Compiler, "compile", fail)
    outcome = command(tmp_path, "compile", taskset(tmp_path / "a.taskset.yaml"))
    assert outcome.code == 70
    assert outcome.out == ""
    assert f"internal error: {type(error).__name__}" in outcome.err
    assert "test_cli_exit_codes.py" in outcome.err
    assert "please report" in outcome.err
    assert not (tmp_path / ".fleet").exists()


def test_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "build", stop)
    outcome = command(tmp_path, "compile", environment(tmp_path / "a.environment.yaml"))
    assert outcome.code == 130
    assert "interrupted; nothing was written" in outcome.err
