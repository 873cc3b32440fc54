"""What other repositories use of this one: hooks for pre-commit and a step for workflows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

CHECKOUT = Path(__file__).resolve().parents[2]
EXAMPLES = CHECKOUT / "examples"
FLEET = Path(sys.executable).parent / "fleet"


def load(name: str) -> Any:
    return YAML(typ="safe").load(CHECKOUT / name)


HOOKS = {hook["id"]: hook for hook in load(".pre-commit-hooks.yaml")}
STEPS = {step["id"]: step for step in load("action.yml")["runs"]["steps"] if "id" in step}
INPUTS = load("action.yml")["inputs"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with the examples, one of which has a mistake."""
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLES, folder)
    broken = folder / "broken.taskset.yaml"
    broken.write_text("authoring: taskset/v1\ntasks:\n  a: {promt: x}\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("hook", "name", "is_for"),
    [
        ("fleet-check", "a/b.taskset.yaml", True),
        ("fleet-check", "b.tasks.yml", True),
        ("fleet-check", "b.verifier.json", True),
        ("fleet-check", "taskset.yaml", False),
        ("fleet-check", "b.taskset.yaml.orig", False),
        ("fleet-check-all", "prompts/a.md", True),
        ("fleet-check-all", "fleet.lock", True),
        ("fleet-check-all", "a.py", False),
    ],
)
def test_a_hook_is_for_files(hook: str, name: str, is_for: bool) -> None:
    assert bool(re.search(HOOKS[hook]["files"], name)) is is_for


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_runs(hook: str, repository: Path) -> None:
    entry = [str(FLEET), *HOOKS[hook]["entry"].split()[1:], *HOOKS[hook].get("args", [])]
    for broken in (True, False):
        names = sorted(
            path.relative_to(repository).as_posix()
            for path in repository.rglob("*")
            if path.is_file() and re.search(HOOKS[hook]["files"], path.name)
        )
        given = names if HOOKS[hook].get("pass_filenames", True) else []
        done = subprocess.run(
            [*entry, *given], cwd=repository, capture_output=True, text=True, check=False
        )
        assert done.returncode == (1 if broken else 0), done.stdout + done.stderr
        assert ("broken.taskset.yaml:3:7: error[FLT2010]" in done.stdout) is broken
        (repository / "broken.taskset.yaml").unlink(missing_ok=True)


def run_step(step: str, folder: Path, temporary: Path, **given: str) -> tuple[int, str, str]:
    """Run a step of the action as a workflow does; return its code, stdout and outputs."""
    values = {name: each["default"] for name, each in INPUTS.items()} | given
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: values[found[1]], text)
        for name, text in STEPS[step]["env"].items()
    }
    outputs = temporary / "outputs"
    outputs.write_text("")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]["run"]],
        cwd=folder,
        env=os.environ
        | environment
        | {"RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(outputs)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, outputs.read_text()


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """A folder in which the program is already installed."""
    binaries = tmp_path / "runner" / "fleet" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "fleet").symlink_to(FLEET)
    return tmp_path / "runner"


def test_the_action_annotates_and_writes_sarif(repository: Path, temporary: Path) -> None:
    code, out, outputs = run_step("check", repository, temporary)
    assert code == 1
    assert "::error file=broken.taskset.yaml,line=3" in out
    assert outputs == "sarif=fleet.sarif\n"
    report = json.loads((repository / "fleet.sarif").read_text("utf-8"))
    assert [result["ruleId"] for result in report["runs"][0]["results"]] == ["FLT2010"] * 1


def test_the_action_passes_what_is_right(repository: Path, temporary: Path) -> None:
    (repository / "broken.taskset.yaml").unlink()
    code, _, outputs = run_step("check", repository, temporary, strict="true", sarif="")
    assert code == 0
    assert outputs == ""
    assert not (repository / "fleet.sarif").exists()


def test_the_action_checks_only_what_it_is_told(repository: Path, temporary: Path) -> None:
    code, _, _ = run_step("check", repository, temporary, paths="small environment", project=".")
    assert code == 0


def test_no_input_reaches_a_script_but_by_its_environment() -> None:
    for step in STEPS.values():
        assert "${{" not in step["run"]
