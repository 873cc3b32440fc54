"""Terminals, pipes that close and narrow encodings."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_kit import ESCAPE, on_terminal, process, start, taskset, tree

from tools.bench_data import write_taskset

PATIENT = """\
import sys
from fleet_contracts.cli import progress
progress.PATIENCE_SECONDS = 0.0
progress.STEP_SECONDS = 0.005
from fleet_contracts.cli.main import main
main()
"""
CLEAR = "\r\x1b[2K"


def without_escapes(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n")


def test_colours_on_a_terminal(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml", key="UPPER")
    plain = process(tmp_path, "compile", file)
    assert plain.code == 1
    assert ESCAPE not in plain.out + plain.err
    coloured = on_terminal(tmp_path, "compile", file, stdout=True)
    assert coloured.code == 1
    assert "\x1b[1;31merror[FLT4001]\x1b[0m" in coloured.out
    assert without_escapes(coloured.out) == plain.out
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        bare = on_terminal(tmp_path, "compile", file, stdout=True, env=env)
        assert bare.out.replace("\r\n", "\n") == plain.out
    empty = on_terminal(tmp_path, "compile", file, stdout=True, env={"NO_COLOR": ""})
    assert ESCAPE in empty.out
    as_json = on_terminal(tmp_path, "compile", file, "--format", "json", stdout=True)
    assert ESCAPE not in as_json.out


def test_progress_bar(tmp_path: Path) -> None:
    file = write_taskset(tmp_path, 1_200)
    program = ("-c", PATIENT)
    seen = on_terminal(tmp_path, "check", file, stderr=True, program=program)
    assert seen.code == 0
    assert "reading bench.taskset.yaml" in seen.err
    assert re.search(r"\[#+-*\] compiling bench\.taskset\.yaml  [0-9,]+ of 1,200", seen.err)
    assert "+++ fleet.lock (not written)" in seen.err.rpartition(CLEAR)[2]
    assert seen.out.startswith("TaskSet  bench  ")
    assert ESCAPE not in seen.out
    unseen = process(tmp_path, "check", file, program=program)
    assert ESCAPE not in unseen.err + unseen.out
    assert "compiling" not in unseen.err
    beside = on_terminal(tmp_path, "check", file, stdout=True, program=program)
    assert "compiling" not in beside.err + beside.out
    dumb = on_terminal(tmp_path, "check", file, stderr=True, program=program, env={"TERM": "dumb"})
    assert ESCAPE not in dumb.err


def test_progress_bar_is_for_long_work(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml", environment=f'image_ref: "sha256:{"1" * 64}"')
    seen = on_terminal(tmp_path, "compile", file, stderr=True)
    assert (seen.code, seen.err) == (0, "")


def many_errors(folder: Path) -> Path:
    tasks = "".join(f"  KEY{index}: {{prompt: 'é 键 😀', x: 1}}\n" for index in range(600))
    path = folder / "many.taskset.yaml"
    path.write_text(f"authoring: taskset/v1\ntasks:\n{tasks}", encoding="utf-8")
    return path


def test_reader_of_the_help_that_goes_away(tmp_path: Path) -> None:
    started = start(tmp_path, "--help", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert started.stdout is not None
    assert started.stderr is not None
    started.stdout.close()
    with started.stderr:
        said = started.stderr.read()
    assert (started.wait(timeout=60), said) == (141, b"")


def test_stdout_that_is_full_or_closed(tmp_path: Path) -> None:
    file = many_errors(tmp_path)
    with Path("/dev/full").open("wb") as full:
        started = start(tmp_path, "compile", file, stdout=full, stderr=subprocess.PIPE)
        said = started.communicate(timeout=60)[1].decode()
    assert started.returncode == 4
    assert said == "error: cannot write the report: No space left on device\n"
    words = [sys.executable, "-m", "fleet_contracts", "compile", str(file)]
    closed = f"import os, sys; os.close(1); os.execv(sys.executable, {words})"
    outcome = process(tmp_path, program=("-c", closed))
    assert (outcome.code, outcome.err) == (1, "")


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_narrow_encodings(tmp_path: Path, env: dict[str, str]) -> None:
    file = many_errors(tmp_path)
    file = file.rename(tmp_path / "é键😀.taskset.yaml")
    for name in ("text", "json"):
        started = start(
            tmp_path,
            *("check", file, "--format", name),
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = started.communicate(timeout=60)
        assert (started.returncode, err) == (1, b"")
        if name == "json":
            report = json.loads(out.decode("latin-1"))
            assert report["diagnostics"][0]["code"].startswith("FLT")
            if "PYTHONIOENCODING" in env:
                assert report["diagnostics"][0]["place"]["file"] == file.name


def test_python_options_change_nothing(tmp_path: Path) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    outcome = process(
        tmp_path, "compile", file, program=("-W", "error", "-X", "dev", "-m", "fleet_contracts")
    )
    assert outcome.code == 0
    assert "Warning" not in outcome.err
    before = tree(tmp_path)
    assert process(tmp_path, "compile", file, program=("-OO", "-m", "fleet_contracts")).code == 0
    assert tree(tmp_path) == before
