"""`--locked`, `--frozen` and `--offline`, and the variables that mean them (spec section 5)."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from cli_kit import IMAGE, command, environment, reported, taskset, tree

from fleet_contracts.cli.offline import without_network
from fleet_contracts.compiler import Compiler
from fleet_contracts.errors import UnresolvedError

PYTHON = "builtin: python@v1"
MISSING = "{file: nowhere.md}"
COMMANDS = pytest.mark.parametrize("name", ["compile", "check"])
BOTH = pytest.mark.parametrize(
    ("option", "code"), [("--locked", "FLT5006"), ("--frozen", "FLT5005")]
)


def first_generation(folder: Path) -> None:
    """Make the lock of a project a fleet.lock.v1."""
    document = json.loads((folder / "fleet.lock").read_bytes())
    document["schema"] = "fleet.lock.v1"
    for entry in document["builtins"]:
        del entry["endpoints"], entry["native_tools"]
    (folder / "fleet.lock").write_text(json.dumps(document), encoding="utf-8")


@COMMANDS
@BOTH
def test_a_missing_lock_is_drift_and_nothing_is_written(
    tmp_path: Path, name: str, option: str, code: str
) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    before = tree(tmp_path)
    outcome = command(tmp_path, name, option, "--format", "json", file)
    assert (outcome.code, outcome.codes) == (3, [code])
    assert outcome.report["roots"] == []
    assert outcome.report["lock"]["written"] is False
    assert tree(tmp_path) == before


@COMMANDS
@BOTH
def test_a_builtin_that_is_new_is_drift(tmp_path: Path, name: str, option: str, code: str) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    assert command(tmp_path, "compile", file).code == 0
    assert command(tmp_path, name, option, file).code == 0
    taskset(file, environment=PYTHON)
    before = tree(tmp_path)
    outcome = command(tmp_path, name, option, "--format", "json", file)
    assert (outcome.code, outcome.codes) == (3, [code])
    assert tree(tmp_path) == before


@BOTH
def test_no_builtin_no_lock_is_missed(tmp_path: Path, option: str, code: str) -> None:
    files = [
        taskset(tmp_path / "a.taskset.yaml", environment=f'image_ref: "{IMAGE}"'),
        environment(tmp_path / "b.environment.yaml"),
    ]
    assert command(tmp_path, "compile", option, *files).code == 0
    assert not (tmp_path / "fleet.lock").exists()


def test_locked_tells_the_file_a_diff_the_command_and_the_place(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    outcome = command(tmp_path, "compile", "--locked", file)
    assert "fleet.lock: error[FLT5006]: fleet.lock is missing, and --locked lets" in outcome.out
    assert "terminal@v1 would be added" in outcome.out
    assert "= help: run `fleet lock` and commit fleet.lock\n" in outcome.out
    assert "= terminal@v1 is used here: a.taskset.yaml:4:28\n" in outcome.out
    assert outcome.err.startswith("--- /dev/null\n+++ fleet.lock (not written)\n")
    github = command(tmp_path, "check", "--locked", "--format", "github", file)
    assert github.err == outcome.err
    assert command(tmp_path, "check", "--locked", "--format", "sarif", file).err == ""


def test_the_command_in_the_help_mends_it_from_anywhere(tmp_path: Path) -> None:
    project = tmp_path / "my project"
    file = taskset(project / "a.taskset.yaml", environment="builtin: shell@v1")
    (tmp_path / "own.yaml").write_text(
        f"catalog: builtins/v1\nbuiltins: {{shell@v1: {{image_ref: '{IMAGE}'}}}}\n"
    )
    outcome = reported(tmp_path, "--locked", "--catalog", "own.yaml", file)
    assert outcome.code == 3
    help = outcome.report["diagnostics"][0]["help"]
    assert "`fleet lock --project 'my project' --catalog own.yaml`" in help
    words = ["lock", "--project", "my project", "--catalog", "own.yaml"]
    assert command(tmp_path, *words).code == 0
    assert reported(tmp_path, "--locked", "--catalog", "own.yaml", file).code == 0


def test_a_wrong_document_comes_before_drift_and_drift_before_what_is_missing(
    tmp_path: Path,
) -> None:
    drift = taskset(tmp_path / "a.taskset.yaml")
    wrong = taskset(tmp_path / "b.taskset.yaml", builtin="answer-equal")
    missing = taskset(tmp_path / "c.taskset.yaml", prompt=MISSING)
    for option in ("--locked", "--frozen"):
        assert reported(tmp_path, option, drift, missing).code == 3
        assert reported(tmp_path, option, drift, wrong, missing).code == 1
    outcome = command(tmp_path, "compile", "--locked", drift, wrong)
    assert "FLT5006" in outcome.out
    assert "+++ fleet.lock (not written)" in outcome.err


def test_frozen_tells_each_place_and_compares_nothing(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    outcome = command(tmp_path, "compile", "--frozen", file)
    assert (
        "a.taskset.yaml:4:28: error[FLT5005]: terminal@v1 is not locked, and --fro" in outcome.out
    )
    assert outcome.err == ""
    assert command(tmp_path, "compile", file).code == 0
    (tmp_path / "catalog.yaml").write_text(
        f"catalog: builtins/v1\nbuiltins: {{terminal@v1: {{image_ref: '{IMAGE}'}}}}\n"
    )
    newer = ["--catalog", "catalog.yaml"]
    assert reported(tmp_path, file, *newer).codes == ["FLT5010"]
    assert reported(tmp_path, file, *newer, "--locked").codes == ["FLT5010"]
    frozen = reported(tmp_path, file, *newer, "--frozen")
    assert (frozen.code, frozen.codes) == (0, [])


def test_a_builtin_that_nobody_knows_is_no_drift(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml", environment="builtin: terminus@v1")
    for option in ("--locked", "--frozen"):
        outcome = reported(tmp_path, option, file)
        assert (outcome.code, outcome.codes) == (1, ["FLT3011"])


def test_a_refused_lock_is_refused_whatever_is_asked(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    (tmp_path / "fleet.lock").write_text('{"schema": "fleet.lock.v3"}')
    for option in ("--locked", "--frozen", "--offline"):
        outcome = reported(tmp_path, option, file)
        assert (outcome.code, outcome.codes) == (1, ["FLT5003"])


@BOTH
def test_a_first_generation_lock_is_up_to_date_until_something_is_missing(
    tmp_path: Path, option: str, code: str
) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    first = reported(tmp_path, file)
    first_generation(tmp_path)
    before = (tmp_path / "fleet.lock").read_bytes()
    second = reported(tmp_path, option, file)
    assert (second.code, second.report["roots"]) == (0, first.report["roots"])
    taskset(file, environment=PYTHON)
    third = reported(tmp_path, option, file)
    assert (third.code, third.codes) == (3, [code])
    assert (tmp_path / "fleet.lock").read_bytes() == before


def test_locked_leaves_text_that_is_written_in_another_way(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    assert command(tmp_path, "compile", file).code == 0
    path = tmp_path / "fleet.lock"
    path.write_text(json.dumps(json.loads(path.read_bytes())), encoding="utf-8")
    assert command(tmp_path, "compile", "--locked", file).code == 0


def test_both_exclude_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    outcome = command(tmp_path, "compile", "--locked", "--frozen", file)
    assert outcome.code == 2
    assert "error: --locked and --frozen exclude each other" in outcome.err
    monkeypatch.setenv("FLEET_LOCKED", "1")
    outcome = command(tmp_path, "check", "--frozen", file)
    assert outcome.code == 2
    assert "error: FLEET_LOCKED and --frozen exclude each other" in outcome.err
    monkeypatch.setenv("FLEET_FROZEN", "1")
    assert "FLEET_LOCKED and FLEET_FROZEN" in command(tmp_path, "check", file).err


@pytest.mark.parametrize("variable", ["FLEET_LOCKED", "FLEET_FROZEN"])
def test_a_variable_is_named_where_it_is_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    for value, code in (("1", 3), ("true", 3), ("0", 0), ("", 0)):
        monkeypatch.setenv(variable, value)
        outcome = command(tmp_path, "check", file)
        assert outcome.code == code
        assert (f"and {variable} lets nothing be" in outcome.out) is (code == 3)
    option = f"--{variable.removeprefix('FLEET_').lower()}"
    assert f"and {option} lets nothing" in command(tmp_path, "check", option, file).out
    monkeypatch.setenv(variable, "perhaps")
    outcome = command(tmp_path, "check", file)
    assert outcome.code == 2
    assert option in outcome.err
    assert variable in command(tmp_path, "compile", "--help").out


def test_offline_runs_without_a_network(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    for name in ("compile", "check"):
        assert command(tmp_path, name, "--offline", file).code == 0
    assert command(tmp_path, "lock", "--offline").code == 0


def test_offline_fails_when_something_asks_for_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(*_: object) -> None:
        with socket.socket() as asking:
            asking.settimeout(0.1)
            asking.connect(("127.0.0.1", 9))

    file = taskset(tmp_path / "a.taskset.yaml")
    before = tree(tmp_path)
    monkeypatch.setattr(Compiler, "compile", ask)
    for words in (["compile", file], ["check", file], ["lock"]):
        outcome = command(tmp_path, *words, "--offline")
        assert outcome.code == 4
        assert "asked for the network (socket.connect), which --offline forbids" in outcome.err
        monkeypatch.setenv("FLEET_OFFLINE", "1")
        assert "which FLEET_OFFLINE forbids" in command(tmp_path, *words).err
        monkeypatch.delenv("FLEET_OFFLINE")
    assert tree(tmp_path) == before


def test_offline_forbids_names_too_and_ends_with_its_block() -> None:
    with without_network("--offline"):
        with pytest.raises(UnresolvedError, match=r"socket\.getaddrinfo"):
            socket.getaddrinfo("localhost", 80)
        asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with asking, pytest.raises(UnresolvedError, match=r"socket\.sendto"):
            asking.sendto(b"x", ("127.0.0.1", 9))
        with socket.socket(socket.AF_UNIX) as inside, pytest.raises(FileNotFoundError):
            inside.connect("/nowhere/socket")
    for by in ("", "--offline"):
        with without_network(by):
            pass
        assert socket.getaddrinfo("127.0.0.1", 80)
