from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fleet_contracts.models.since import NEWEST
from tools import check_generations
from tools.check_generations import compiled_tasks, problems

TASKSET = """\
authoring: taskset/v1
tasks:
  one:
    prompt: What is 6 times 7?
    environment: {image_ref: "sha256:%s"}
    verifiers:
      - id: answer
        type: evaluator
        evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "42"}}
        decision: {kind: threshold, at_least: 1}
""" % ("0" * 64)
MOUNT = "    seed_mounts: [{artifact: 'sha256:%s', path: /data}]\n" % ("1" * 64)


def tasks(folder: Path, text: str) -> list[dict[str, Any]]:
    path = folder / "some.taskset.yaml"
    path.write_text(text, encoding="utf-8")
    return compiled_tasks(path)


def test_a_compiled_task_is_valid_from_its_generation_on(tmp_path: Path) -> None:
    (first,) = tasks(tmp_path, TASKSET)
    assert first["schema"] == "fleet.task.v1alpha1"
    assert list(problems(first)) == []
    (mounting,) = tasks(tmp_path, TASKSET + MOUNT)
    assert mounting["schema"] == "fleet.task.v1alpha5"
    assert list(problems(mounting)) == []


def test_a_task_of_a_newer_generation_than_it_needs_is_a_problem(tmp_path: Path) -> None:
    (task,) = tasks(tmp_path, TASKSET)
    found = list(problems({**task, "schema": "fleet.task.v1alpha3"}))
    assert found == [
        "a Task of v1alpha3 is valid under v1alpha1 already",
        "a Task of v1alpha3 is valid under v1alpha2 already",
    ]


def test_a_task_that_a_generation_refuses_is_a_problem(tmp_path: Path) -> None:
    (task,) = tasks(tmp_path, TASKSET + MOUNT)
    found = list(problems({**task, "schema": "fleet.task.v1alpha4"}))
    assert found == ["a Task of v1alpha4 is not valid under v1alpha4"]
    assert len(list(problems({**task, "extra": 1}))) == NEWEST - 4


def test_files_that_do_not_compile_and_none_at_all_are_failures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="FLT4003"):
        tasks(tmp_path, TASKSET.replace("    prompt: What is 6 times 7?\n", ""))
    monkeypatch.setattr(check_generations, "ROOT", tmp_path)
    assert check_generations.main() == 1


def test_the_examples_and_fixtures_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_generations.main() == 0
    assert "only ever add" in capsys.readouterr().out
