"""`fleet diff`: what A and B may be, what is printed, and what the command leaves alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_kit import (
    DECIDING,
    ESCAPE,
    IMAGE,
    OTHER_IMAGE,
    Outcome,
    command,
    environment,
    process,
    taskset,
    tree,
)
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from fleet_contracts.schemas import SCHEMA_FOLDER, schema_paths
from git_kit import SETTINGS, Git

TASKSET = "small.taskset.yaml"
PARTS = """\
authoring: taskset/v1
environments:
  shell: {file: ../shell.environment.yaml}
include: ["more/*.tasks.yaml"]
dataset:
  - rows: rows.csv
    key: row/${index}
    task:
      environment: shell
      prompt: ${row.question}
      verifiers: [&leaf
        {id: answer, type: evaluator,
         evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "1"}},
         decision: {kind: threshold, at_least: 1}}]
tasks:
  filed:
    environment: shell
    prompt: {file: prompts/one.md}
    verifiers: [*leaf]
"""
MORE = """\
authoring: tasks/v1
tasks:
  {key}:
    environment: shell
    prompt: And this?
    verifiers:
      - id: answer
        type: evaluator
        evaluator: {{kind: builtin.v1, builtin_id: answer-equals, params: {{expected: "3"}}}}
        decision: {{kind: threshold, at_least: 1}}
"""


def _resource(path: str) -> tuple[str, Resource[Any]]:
    contents = json.loads((SCHEMA_FOLDER / path).read_bytes())
    return contents["$id"], Resource.from_contents(contents)


SCHEMAS = Registry().with_resources(
    [_resource(path) for path in schema_paths() if path.startswith("report/")]
)
REPORT = Draft202012Validator(
    json.loads((SCHEMA_FOLDER / "report" / "diff.v1.json").read_bytes()), registry=SCHEMAS
)


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing that is set where the tests run decide on colours or on what git does."""
    for name in DECIDING:
        monkeypatch.delenv(name, raising=False)
    for name, text in SETTINGS.items():
        monkeypatch.setenv(name, text)


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """A repository with one TaskSet, which is committed."""
    git = Git.begin(tmp_path.resolve() / "repository")
    taskset(git.top / TASKSET, environment=f"image_ref: '{IMAGE}'")
    git.commit()
    return git


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def diff(folder: Path, *words: object) -> dict[str, Any]:
    """Return the JSON of `fleet diff`, which must be valid and tell of no error."""
    outcome = command(folder, "diff", "--format", "json", *words)
    assert outcome.code == 0, outcome
    return checked(outcome)


def checked(outcome: Outcome) -> dict[str, Any]:
    REPORT.validate(outcome.report)
    return outcome.report


def fields(found: dict[str, Any]) -> list[str]:
    """Return the places of all that differs."""
    tasks = [each for task in found["tasks"] for each in task["changes"]]
    return [each["pointer"] for each in [*found["changes"], *tasks]]


def two(folder: Path) -> tuple[Path, Path]:
    """Write two TaskSets that differ in a prompt."""
    old, new = (folder / name / TASKSET for name in ("old", "new"))
    return taskset(old), taskset(new, prompt="Why?")


def test_two_files_are_compared_by_content(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    outcome = command(tmp_path, "diff", old, new)
    head, *rest = outcome.out.splitlines()
    assert head.startswith(f"--- {old}  TaskSet  small  sha256:")
    assert rest[0].startswith(f"+++ {new}  TaskSet  small  sha256:")
    assert rest[1:] == [
        "",
        "rerun    one",
        "  /prompt  (rerun)",
        '    -"How many?"',
        '    +"Why?"',
        "",
        "1 Task: 1 to rerun",
    ]
    assert (outcome.code, outcome.err) == (0, "")


def test_layout_and_comments_make_no_difference(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    new.write_text(old.read_text().replace("prompt: How many?", "prompt: 'How many?'  # so"))
    outcome = command(tmp_path, "diff", "--exit-code", old, new)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")


def test_the_exit_code_tells_of_a_difference_if_asked_for(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    assert command(tmp_path, "diff", old, new).code == 0
    assert command(tmp_path, "diff", "--exit-code", old, new).code == 1
    quiet = command(tmp_path, "diff", "--quiet", old, new)
    assert (quiet.code, quiet.out) == (1, "")
    assert command(tmp_path, "diff", "-q", old, old).code == 0


def test_stat_leaves_fields_out(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    lines = command(tmp_path, "diff", "--stat", old, new).out.splitlines()
    assert lines[2:] == ["", "rerun    one", "", "1 Task: 1 to rerun"]


def test_colours_are_for_terminals(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    assert ESCAPE not in command(tmp_path, "diff", old, new).out
    out = command(tmp_path, "diff", "--color", "always", old, new).out
    assert f"{ESCAPE}[31m-" in out
    assert f"{ESCAPE}[32m+" in out


def test_json_tells_every_field(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    found = diff(tmp_path, old, new)
    (task,) = found["tasks"]
    assert task["changes"] == [
        {
            "pointer": "/prompt",
            "change": "changed",
            "consequence": "rerun",
            "old": "How many?",
            "new": "Why?",
        }
    ]
    assert (found["differs"], found["consequence"]) == (True, "rerun")
    assert found["summary"] == {
        "old_tasks": 1,
        "new_tasks": 1,
        "added": 0,
        "removed": 0,
        "renamed": 0,
        "changed": 1,
        "unchanged": 0,
        "rerun": 1,
        "regrade": 0,
        "reuse": 0,
    }
    assert diff(tmp_path, old, old)["differs"] is False


def test_a_renaming_is_called_one(tmp_path: Path) -> None:
    old, new = taskset(tmp_path / TASKSET), taskset(tmp_path / "b.taskset.yaml", key="two")
    assert command(tmp_path, "diff", old, new).out.splitlines()[2:] == [
        "",
        "reuse    two  (renamed from one)",
        "",
        "1 Task: 1 renamed",
    ]


def test_a_store_is_compared_with_what_it_was_compiled_from(tmp_path: Path) -> None:
    files = [taskset(tmp_path / f"{name}.taskset.yaml") for name in ("a", "b")]
    environment(tmp_path / "e.environment.yaml")
    assert command(tmp_path, "compile", *files, "e.environment.yaml").code == 0
    edit(files[1], "at_least: 1", "at_least: 0.5")
    environment(tmp_path / "e.environment.yaml", image=OTHER_IMAGE)
    for words in ((".fleet", "b.taskset.yaml"), (".fleet#b", "b.taskset.yaml")):
        found = diff(tmp_path, *words)
        assert fields(found) == ["/verifiers/answer/decision/at_least"]
        assert found["consequence"] == "regrade"
    assert diff(tmp_path, "a.taskset.yaml", ".fleet")["differs"] is False
    assert fields(diff(tmp_path, ".fleet", "e.environment.yaml")) == ["/image/value"]
    assert diff(tmp_path, ".fleet#a", ".fleet#b")["differs"] is False
    assert fields(diff(tmp_path, "b.taskset.yaml#one", ".fleet#b#one")) == [
        "/verifiers/answer/decision/at_least"
    ]


def test_digests_are_found_in_the_store_of_the_project(tmp_path: Path) -> None:
    file = taskset(tmp_path / TASKSET)
    assert command(tmp_path, "compile", file).code == 0
    (tmp_path / "deep").mkdir()
    edit(file, "How many?", "Why?")
    found = diff(tmp_path, ".fleet", file)
    for word in ("small", ".fleet#small", found["old"]["digest"][:15]):
        assert diff(tmp_path, word, file) == {**found, "old": {**found["old"], "source": word}}
    assert fields(diff(tmp_path, "small#one", f"{file}#one")) == ["/prompt"]
    digest, task = found["old"]["digest"], found["tasks"][0]["old_digest"]
    assert found == {**diff(tmp_path, digest, file), "old": found["old"]}
    assert fields(diff(tmp_path / "deep", f"{digest}#one", f"{file}#one")) == ["/prompt"]
    assert diff(tmp_path, task, f"{digest}#one")["differs"] is False
    assert fields(diff(tmp_path, f".fleet#{digest}", file)) == ["/prompt"]
    other = command(tmp_path, "diff", "-o", tmp_path / "other", digest, file)
    assert (other.code, "there is no store at" in other.err) == (4, True)
    for word in ("smal", "12345678", "small#two"):
        missing = command(tmp_path, "diff", word, file)
        assert (missing.code, f"'{word}' is no file" in missing.err) == (4, True)
    assert "did you mean small?" in command(tmp_path, "diff", "smal", file).err


def test_a_file_alone_is_compared_with_the_last_commit(git: Git) -> None:
    assert diff(git.top, TASKSET)["differs"] is False
    edit(git.top / TASKSET, "How many?", "Why?")
    git.run("add", TASKSET)
    found = diff(git.top, TASKSET)
    assert (found["old"]["source"], found["new"]["source"]) == (f"HEAD:{TASKSET}", TASKSET)
    assert fields(found) == ["/prompt"]


def test_revisions_are_written_as_in_git(git: Git) -> None:
    git.run("tag", "v1")
    git.run("checkout", "--quiet", "-b", "other")
    edit(git.top / TASKSET, "How many?", "There?")
    git.commit("there")
    git.run("checkout", "--quiet", "main")
    edit(git.top / TASKSET, "How many?", "Here?")
    git.commit("here")
    edit(git.top / TASKSET, "Here?", "Staged?")
    git.run("add", TASKSET)
    edit(git.top / TASKSET, "Staged?", "Now?")
    (git.top / "deep").mkdir()
    for words, old, new in (
        (("--", TASKSET), "Here?", "Now?"),
        (("v1", "--", TASKSET), "How many?", "Now?"),
        (("v1", TASKSET), "How many?", "Now?"),
        (("v1", "other", "--", TASKSET), "How many?", "There?"),
        (("v1", "other", TASKSET), "How many?", "There?"),
        (("other..main", "--", TASKSET), "There?", "Here?"),
        (("other..", TASKSET), "There?", "Here?"),
        (("other...main", TASKSET), "How many?", "Here?"),
        (("...other", "--", TASKSET), "How many?", "There?"),
        (("HEAD~1", "--", TASKSET), "How many?", "Now?"),
        (("--staged", TASKSET), "Here?", "Staged?"),
        (("--cached", "v1", "--", TASKSET), "How many?", "Staged?"),
        ((f"v1:{TASKSET}", f"other:{TASKSET}"), "How many?", "There?"),
        ((f":{TASKSET}", TASKSET), "Staged?", "Now?"),
        ((TASKSET, f"other:{TASKSET}"), "Now?", "There?"),
    ):
        ((change,),) = [task["changes"] for task in diff(git.top, *words)["tasks"]]
        assert (change["old"], change["new"]) == (old, new), words
    deep = git.top / "deep"
    for words in (
        (f"v1:{TASKSET}", f"../{TASKSET}"),
        (f"v1:../{TASKSET}", f"../{TASKSET}"),
        ("v1", "--", f"../{TASKSET}"),
        (f"v1:{TASKSET}#one", f"../{TASKSET}#one"),
    ):
        assert fields(diff(deep, *words)) == ["/prompt"]


def test_all_that_a_file_includes_is_of_its_revision(git: Git) -> None:
    parts = {
        "deep/parts.taskset.yaml": PARTS,
        "deep/rows.csv": "question\nOne?\nTwo?\n",
        "deep/prompts/one.md": "Filed.\n",
        "deep/more/a.tasks.yaml": MORE.format(key="a"),
        "shell.environment.yaml": f"authoring: environment/v1\nimage_ref: '{IMAGE}'\n",
    }
    for path, text in parts.items():
        git.write(path, text)
    git.commit("all")
    file = "deep/parts.taskset.yaml"
    assert diff(git.top, file)["summary"]["unchanged"] == 4
    git.write("deep/rows.csv", "question\nOne?\nZwei?\nThree?\n")
    git.write("deep/prompts/one.md", "Filed anew.\n")
    git.write("deep/more/b.tasks.yaml", MORE.format(key="b"))
    (git.top / "deep/more/a.tasks.yaml").unlink()
    found = diff(git.top, "HEAD", "--", file)
    assert [(task["key"], task["change"], task["old_key"]) for task in found["tasks"]] == [
        ("b", "renamed", "a"),
        ("filed", "changed", None),
        ("row/1", "changed", None),
        ("row/2", "added", None),
    ]
    assert found["tasks"][1]["changes"][0]["lines"] == ["@@ -1 +1 @@", "-Filed.", "+Filed anew."]
    edit(git.top / "shell.environment.yaml", IMAGE, OTHER_IMAGE)
    edits = diff(git.top, f"HEAD:{file}#filed", f"{file}#filed")
    assert fields(edits) == ["/prompt", "/environment/image/value"]


def test_a_revision_is_read_with_its_own_lock(git: Git, tmp_path: Path) -> None:
    file = taskset(git.top / "b.taskset.yaml")
    assert command(git.top, "compile", file).code == 0
    git.commit("lock")
    (git.top / "fleet.lock").unlink()
    catalog = tmp_path / "catalog.yaml"
    builtins = f"builtins:\n  terminal@v1: {{image_ref: '{OTHER_IMAGE}'}}\n"
    catalog.write_text(f"catalog: builtins/v1\n{builtins}", encoding="utf-8")
    assert command(git.top, "compile", "--catalog", catalog, file).code == 0
    found = diff(git.top, file)
    assert (found["consequence"], fields(found)[0]) == ("rerun", "/environment/image/kind")
    assert found["tasks"][0]["changes"][1]["new"] == OTHER_IMAGE


def test_nothing_is_written_to_the_checkout(git: Git) -> None:
    taskset(git.top / "b.taskset.yaml")  # uses a builtin, and there is no lock
    git.commit("builtin")
    edit(git.top / "b.taskset.yaml", "How many?", "Why?")
    before = tree(git.top)
    assert command(git.top, "diff", "b.taskset.yaml").code == 0
    assert command(git.top, "diff", "--staged", "b.taskset.yaml").code == 0
    assert tree(git.top) == before


def test_a_file_that_came_or_went_has_all_its_tasks_added_or_removed(git: Git) -> None:
    taskset(git.top / "new.taskset.yaml")
    (git.top / TASKSET).unlink()
    came = diff(git.top, "HEAD", "--", "new.taskset.yaml")
    went = diff(git.top, "HEAD", "--", TASKSET)
    assert [task["change"] for task in came["tasks"]] == ["added"]
    assert [task["change"] for task in went["tasks"]] == ["removed"]
    assert (came["old"]["digest"], went["new"]["digest"]) == (None, None)
    text = command(git.top, "diff", "--", TASKSET).out.splitlines()
    assert text[1:] == [f"+++ {TASKSET}  (not there)", "", "removed  one", "", "1 Task: 1 removed"]


def test_one_task_of_a_file_may_be_new(git: Git) -> None:
    edit(git.top / TASKSET, "  one:", "  two:")
    found = diff(git.top, f"{TASKSET}#two")
    assert (found["old"]["kind"], found["new"]["kind"], found["differs"]) == (None, "task", True)
    assert command(git.top, "diff", f"{TASKSET}#one").out.endswith("\n\nnot there\n")
    assert command(git.top, "diff", f"{TASKSET}#two").out.endswith("\n\nnew\n")
    missing = command(git.top, "diff", f"{TASKSET}#three")
    assert (missing.code, "there is neither" in missing.err) == (2, True)


def test_an_environment_may_be_new(git: Git) -> None:
    file = environment(git.top / "e.environment.yaml")
    assert command(git.top, "diff", "--exit-code", file).code == 1
    git.commit("environment")
    environment(file, image=OTHER_IMAGE)
    assert fields(diff(git.top, file)) == ["/image/value"]
    assert diff(git.top, file)["consequence"] == "rerun"


def test_a_hash_in_a_file_name_is_no_key(git: Git) -> None:
    file = taskset(git.top / "c#.taskset.yaml", head="name: c\n")
    assert diff(git.top, f"{file.name}#one", file.name + "#one")["differs"] is False
    git.commit("hash")
    assert diff(git.top, file.name)["differs"] is False
    assert diff(git.top, f"{file.name}#one")["differs"] is False


def test_another_name_of_the_root_is_presentation(git: Git) -> None:
    edit(git.top / TASKSET, "tasks:", "name: other\ndescription: New.\ntasks:")
    found = diff(git.top, TASKSET)
    assert fields(found) == ["/name", "/description"]
    assert (found["consequence"], found["differs"]) == ("reuse", True)
    copied = taskset(git.top / "copy.taskset.yaml", environment=f"image_ref: '{IMAGE}'")
    assert diff(git.top, f"HEAD:{TASKSET}", copied)["differs"] is False


def test_errors_name_the_side_they_are_in(git: Git) -> None:
    edit(git.top / TASKSET, "answer-equals", "answer-equal")
    git.commit("broken")
    edit(git.top / TASKSET, "answer-equal", "answer-equals")
    edit(git.top / TASKSET, "prompt: How", "prompt: {file: gone.md} # How")
    outcome = command(git.top, "diff", TASKSET)
    assert outcome.code == 1
    assert f"HEAD:{TASKSET}:9:" in outcome.out
    assert f"\n{TASKSET}:5:" in outcome.out
    assert outcome.out.endswith("2 errors\n")
    report = checked(command(git.top, "diff", "--format", "json", TASKSET))
    assert [item["place"]["file"] for item in report["diagnostics"]] == [
        f"HEAD:{TASKSET}",
        TASKSET,
    ]
    assert (report["differs"], report["summary"], report["tasks"]) == (None, None, [])


def test_a_missing_file_of_a_revision_is_told_without_our_folders(git: Git) -> None:
    edit(git.top / TASKSET, "prompt: How", "prompt: {file: gone.md} # How")
    git.commit("broken")
    git.write("gone.md", "There now.\n")
    outcome = command(git.top, "diff", "-q", TASKSET)
    assert outcome.code == 4
    assert "looked for HEAD:gone.md" in outcome.out
    assert "/fleet-" not in outcome.out


def test_a_corrupt_store_is_told_as_such(tmp_path: Path) -> None:
    file = taskset(tmp_path / TASKSET)
    assert command(tmp_path, "compile", "-o", "store", file).code == 0
    for blob in (tmp_path / "store/blobs/sha256").iterdir():
        blob.unlink()
    outcome = command(tmp_path, "diff", "store", file)
    assert outcome.code == 1
    assert "error[FLT6001]" in outcome.out
    report = checked(command(tmp_path, "diff", "--format", "json", "store", file))
    assert [item["code"] for item in report["diagnostics"]] == ["FLT6001"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected A and B, or a FILE"),
        (("--", "a", "b"), "expected one FILE behind `--`"),
        (("nowhere",), "expected something to compare 'nowhere' with"),
        (
            (TASKSET, "nowhere"),
            "'nowhere' is no file, and no revision of one, and there is no store",
        ),
        (
            ("nowhere", TASKSET),
            "'nowhere' is no file, and no revision of one, and there is no store",
        ),
        (("nowhere..main", TASKSET), "git knows no revision 'nowhere'"),
        ((f"nowhere:{TASKSET}", TASKSET), "git knows no revision 'nowhere'"),
        ((f"HEAD:nowhere/{TASKSET}", TASKSET), "HEAD has no file"),
        (("HEAD:", TASKSET), "names no file of a revision"),
        (("HEAD", "nowhere"), "'HEAD' is no file"),
        (("HEAD", "main", "nowhere"), "'nowhere' is no file"),
        (("HEAD", "--", "nowhere"), "there is neither HEAD:nowhere nor nowhere"),
        (("HEAD", "--"), "expected one FILE behind `--`"),
        (("a", "b", "c", "--", TASKSET), "expected fewer revisions"),
        (("--staged", "a", "b", "--", TASKSET), "expected fewer revisions"),
        ((f"{TASKSET}#two", f"{TASKSET}#one"), "has no Task 'two'"),
        ((f"{TASKSET}#one", TASKSET), "a Task cannot be compared with a TaskSet"),
        ((".", TASKSET), "is no store"),
        (("--format", "text", "--project", "..", "--", TASKSET), "outside the repository"),
    ],
)
def test_a_wrong_command_line_is_refused(git: Git, words: tuple[str, ...], said: str) -> None:
    before = tree(git.top)
    outcome = command(git.top, "diff", *words)
    assert outcome.code == 2, outcome
    assert said in outcome.err
    assert outcome.out == ""
    assert tree(git.top) == before


def test_files_that_are_no_roots_are_refused(git: Git) -> None:
    git.write("a.tasks.yaml", MORE.format(key="a"))
    outcome = command(git.top, "diff", "a.tasks.yaml", TASKSET)
    assert outcome.code == 1
    assert "a.tasks.yaml:1:" in outcome.out


def test_without_a_repository_two_files_are_compared_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.resolve().parent))
    old, new = two(tmp_path)
    outcome = command(tmp_path, "diff", old)
    assert (outcome.code, "not a git repository" in outcome.err) == (4, True)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command(tmp_path, "diff", "-q", old, new).code == 1


def test_the_program_removes_what_it_wrote_on_the_way(git: Git, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    edit(git.top / TASKSET, "How many?", "Why?")
    outcome = process(git.top, "diff", "--exit-code", TASKSET, env={"TMPDIR": str(folder)})
    assert outcome.code == 1
    assert list(folder.iterdir()) == []


def test_two_tasks_of_files_are_compared_without_their_keys(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    text = new.read_text()
    new.write_text(text.replace("\n  one:", "\n  two:"))
    assert text != new.read_text()
    assert fields(diff(tmp_path, f"{old}#one", f"{new}#two")) == ["/prompt"]
