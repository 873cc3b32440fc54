"""What belongs to a project, and what roots may be called (spec section 1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_kit import IMAGE, OTHER_IMAGE, command, environment, reported, taskset

from fleet_contracts.store import Store

MORE = """\
authoring: tasks/v1
tasks:
  two:
    environment: {builtin: terminal@v1}
    prompt: And this?
    verifiers:
      - id: answer
        type: evaluator
        evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "3"}}
        decision: {kind: threshold, at_least: 1}
"""


@pytest.mark.parametrize("marker", ["fleet.lock", ".git"])
def test_nearest_ancestor_with_a_marker_is_the_root(tmp_path: Path, marker: str) -> None:
    for folder in (tmp_path, tmp_path / "project"):
        folder.mkdir(exist_ok=True)
        (folder / ".git").mkdir()
    inner = tmp_path / "project" / "deep"
    inner.mkdir()
    if marker == ".git":
        (inner / marker).write_text("gitdir: elsewhere")
    else:
        (inner / marker).write_text('{"schema": "fleet.lock.v2", "builtins": []}')
    file = taskset(inner / "deeper" / "still" / "a.taskset.yaml")
    outcome = reported(tmp_path, file)
    assert outcome.code == 0
    assert outcome.report["lock"]["path"] == "project/deep/fleet.lock"
    assert (inner / ".fleet").is_dir()
    assert not (tmp_path / "project" / ".fleet").exists()


def test_without_a_marker_the_files_folder_is_the_root(tmp_path: Path) -> None:
    file = taskset(tmp_path / "sub" / "a.taskset.yaml")
    assert command(tmp_path, "compile", file).code == 0
    assert (tmp_path / "sub" / ".fleet").is_dir()
    assert (tmp_path / "sub" / "fleet.lock").is_file()


def test_project_option_comes_first(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    file = taskset(inner / "a.taskset.yaml", prompt="{file: ../prompt.md}")
    (inner / ".git").mkdir()
    (tmp_path / "prompt.md").write_text("How many?")
    outcome = reported(tmp_path, file)
    assert (outcome.code, outcome.codes) == (1, ["FLT3002"])
    outcome = reported(tmp_path, file, "--project", tmp_path)
    assert (outcome.code, outcome.codes) == (0, [])
    assert (tmp_path / ".fleet").is_dir()
    assert not (inner / ".fleet").exists()


@pytest.mark.parametrize(
    "path", ["../out.md", "/etc/hosts", "~/out.md", "C:/out.md", "a/../../out.md"]
)
def test_paths_that_leave_the_root(tmp_path: Path, path: str) -> None:
    (tmp_path / "out.md").write_text("out")
    file = taskset(tmp_path / "project" / "a.taskset.yaml", prompt=f"{{file: '{path}'}}")
    outcome = reported(tmp_path, file)
    assert (outcome.code, outcome.codes) == (1, ["FLT3002"])
    assert outcome.report["diagnostics"][0]["place"]["pointer"].startswith("/tasks/one/prompt")


def test_symbolic_links(tmp_path: Path) -> None:
    project = tmp_path / "project"
    file = taskset(project / "a.taskset.yaml", prompt="{file: link.md}")
    (tmp_path / "out.md").write_text("How many?")
    (project / "in.md").write_text("How many?")
    link = project / "link.md"
    link.symlink_to(tmp_path / "out.md")
    outcome = reported(tmp_path, file)
    assert (outcome.code, outcome.codes) == (1, ["FLT3002"])
    link.unlink()
    link.symlink_to("in.md")
    assert reported(tmp_path, file).code == 0
    link.unlink()
    link.symlink_to("link.md")
    outcome = reported(tmp_path, file)
    assert (outcome.code, outcome.codes) == (4, ["FLT3001"])
    link.unlink()
    (project / "folder").symlink_to(tmp_path)
    taskset(file, prompt="{file: folder/out.md}")
    assert reported(tmp_path, file).codes == ["FLT3002"]


def test_project_reached_through_a_link(tmp_path: Path) -> None:
    project = tmp_path / "project"
    taskset(project / "a.taskset.yaml", prompt="{file: prompt.md}")
    (project / "prompt.md").write_text("How many?")
    (tmp_path / "door").symlink_to(project)
    direct = reported(tmp_path, "project/a.taskset.yaml")
    linked = reported(tmp_path, "door/a.taskset.yaml")
    assert linked.report["roots"] == direct.report["roots"]
    both = reported(tmp_path, "door/a.taskset.yaml", "project/a.taskset.yaml")
    assert len(both.report["roots"]) == 1


def test_include_by_glob(tmp_path: Path) -> None:
    for path in ("more/b.tasks.yaml", "more/deep/c.tasks.yaml"):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(MORE.replace("two", f"two-{target.stem[0]}"))
    file = taskset(tmp_path / "a.taskset.yaml", head="include: ['more/*.tasks.yaml']\n")
    assert reported(tmp_path, file).report["roots"][0]["tasks"] == 2
    taskset(file, head="include: ['more/**/*.tasks.yaml']\n")
    assert reported(tmp_path, file).report["roots"][0]["tasks"] == 3
    (tmp_path / "more" / "out.tasks.yaml").symlink_to("/etc/hosts")
    assert reported(tmp_path, file).codes == ["FLT3002"]


def test_two_files_with_one_name(tmp_path: Path) -> None:
    first = taskset(tmp_path / "a.taskset.yaml", head="name: same\n")
    second = taskset(tmp_path / "b.taskset.yaml", head="name: same\n")
    outcome = reported(tmp_path, first, second)
    assert (outcome.code, outcome.codes) == (1, ["FLT4006"])
    item = outcome.report["diagnostics"][0]
    assert item["place"]["file"] == "b.taskset.yaml"
    assert item["place"]["pointer"] == "/name"
    assert item["related"][0]["place"]["file"] == "a.taskset.yaml"
    assert not (tmp_path / ".fleet").exists()


def test_one_name_for_two_kinds(tmp_path: Path) -> None:
    file = taskset(tmp_path / "same.taskset.yaml")
    other = environment(tmp_path / "same.environment.yaml")
    outcome = reported(tmp_path, file, other)
    assert (outcome.code, outcome.codes[0]) == (1, "FLT4006")
    assert reported(tmp_path, file).code == 0
    outcome = reported(tmp_path, other)
    assert (outcome.code, outcome.codes) == (1, ["FLT6004"])
    (root,) = Store.open(tmp_path / ".fleet").roots
    assert (root.kind, root.name) == ("taskset", "same")


def test_file_name_that_gives_no_name(tmp_path: Path) -> None:
    file = environment(tmp_path / "My Shell.environment.yaml")
    assert reported(tmp_path, file).codes == ["FLT4005"]
    environment(file, head="name: shell\n")
    assert reported(tmp_path, file).report["roots"][0]["name"] == "shell"


def test_compiling_again_replaces_a_root_and_keeps_others(tmp_path: Path) -> None:
    file = environment(tmp_path / "a.environment.yaml")
    other = environment(tmp_path / "b.environment.yaml", image=OTHER_IMAGE)
    assert command(tmp_path, "compile", file, other).code == 0
    assert command(tmp_path, "compile", environment(file, head="workdir: /w\n")).code == 0
    store = Store.open(tmp_path / ".fleet")
    assert sorted(str(root.name) for root in store.roots) == ["a", "b"]
    root = store.find("a")
    assert root is not None
    data = store.read(root.document.digest)
    assert data is not None
    assert b'"workdir":"/w"' in data
    assert IMAGE.encode() in data


def test_same_file_twice_is_one_root(tmp_path: Path) -> None:
    file = environment(tmp_path / "a.environment.yaml")
    outcome = reported(tmp_path, file, file, "./a.environment.yaml")
    assert len(outcome.report["roots"]) == 1
