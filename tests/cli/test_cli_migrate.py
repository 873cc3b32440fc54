"""`fleet migrate`: what it prints, what it writes, and when it fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

from cli_kit import IMAGE, command

TASK = """\
  one:
    environment: terminal@v1  # a shell
    prompt: What is 1 + 1?
    verifiers:
      - id: answer
        type: evaluator
        evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "2"}}
        decision: {kind: threshold, at_least: 1}
"""
OLD = f"authoring: taskset/v0\ntasks:\n{TASK}"
NEW = OLD.replace("v0", "v1").replace("terminal@v1", "{builtin: terminal@v1}")
DIFF = """\
--- some.taskset.yaml
+++ some.taskset.yaml
@@ -1,7 +1,7 @@
-authoring: taskset/v0
+authoring: taskset/v1
 tasks:
   one:
-    environment: terminal@v1  # a shell
+    environment: {builtin: terminal@v1}  # a shell
     prompt: What is 1 + 1?
     verifiers:
       - id: answer
"""
TOLD = """\
some.taskset.yaml:1:12: mapped: /authoring: taskset/v0 becomes taskset/v1
some.taskset.yaml:4:18: mapped: /tasks/one/environment: a string becomes {builtin: …}
some.taskset.yaml: taskset/v0 to taskset/v1: 2 mapped, 0 approximated, 0 dropped
"""


def write(folder: Path, text: str, name: str = "some.taskset.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_it_prints_a_diff_and_what_became_of_each_field_and_writes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    ended = command(tmp_path, "migrate", path.name)
    assert (ended.code, ended.out, ended.err) == (0, DIFF, TOLD)
    assert path.read_text() == OLD
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_the_diff_is_one_that_git_applies(tmp_path: Path) -> None:
    for text in (OLD, OLD.replace("\n", "\r\n"), OLD.rstrip("\n"), "\ufeff" + OLD):
        path = write(tmp_path, text)
        diff = command(tmp_path, "migrate", path.name).out
        done = subprocess.run(
            ["git", "apply", "-p0", "-"], input=diff.encode(), cwd=tmp_path, check=False
        )
        assert done.returncode == 0
        ended = command(tmp_path, "migrate", "--check", path.name)
        assert (ended.code, ended.out) == (0, "")


def test_write_replaces_the_file_and_a_second_time_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    path.chmod(0o640)
    ended = command(tmp_path, "migrate", "--write", path.name)
    assert (ended.code, ended.out, ended.err) == (0, "wrote some.taskset.yaml\n", TOLD)
    assert path.read_text() == NEW
    assert path.stat().st_mode & 0o777 == 0o640
    before = path.stat()
    ended = command(tmp_path, "migrate", "--write", path.name)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == "some.taskset.yaml: taskset/v1, nothing to migrate\n"
    assert path.stat() == before
    assert command(tmp_path, "check", path.name).code == 0


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target = write(tmp_path, OLD, "target.yaml")
    link = tmp_path / "some.taskset.yaml"
    link.symlink_to(target.name)
    assert command(tmp_path, "migrate", "--write", link.name).code == 0
    assert link.is_symlink()
    assert target.read_text() == NEW


def test_check_fails_while_there_is_something_to_migrate(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    ended = command(tmp_path, "migrate", "--check", path.name)
    assert (ended.code, ended.out, ended.err) == (1, "", TOLD)
    assert path.read_text() == OLD
    write(tmp_path, NEW)
    assert command(tmp_path, "migrate", "--check", path.name).code == 0


def test_a_folder_stands_for_its_authored_files(tmp_path: Path) -> None:
    write(tmp_path, OLD)
    write(tmp_path, f"authoring: environment/v1\nimage_ref: {IMAGE}\n", "a.environment.yaml")
    (tmp_path / "in").mkdir()
    write(tmp_path / "in", OLD, "other.taskset.yaml")
    ended = command(tmp_path, "migrate", "--write", ".")
    assert ended.out == "wrote some.taskset.yaml\nwrote in/other.taskset.yaml\n"
    assert "a.environment.yaml: environment/v1, nothing to migrate\n" in ended.err


def test_if_one_file_is_refused_none_is_written(tmp_path: Path) -> None:
    good = write(tmp_path, OLD)
    bad = write(tmp_path, OLD.replace("terminal@v1", "shell"), "bad.taskset.yaml")
    ended = command(tmp_path, "migrate", "--write", good.name, bad.name)
    assert ended.code == 1
    assert "bad.taskset.yaml:4:18: error[FLT2014]: " in ended.out
    assert ended.out.endswith("\n1 error\n")
    assert good.read_text() == OLD
    assert command(tmp_path, "migrate", good.name, bad.name).out == ended.out


def test_wrong_usage(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    assert command(tmp_path, "migrate").code == 2
    assert command(tmp_path, "migrate", "nowhere.taskset.yaml").code == 2
    both = command(tmp_path, "migrate", "--write", "--check", path.name)
    assert (both.code, both.out) == (2, "")
    assert "exclude each other" in both.err


def test_a_file_that_cannot_be_replaced_is_left_whole(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    (tmp_path / f".{path.name}.stale").write_text("")
    large = command(tmp_path, "migrate", "--max-input-bytes", 10, path.name)
    assert large.code == 1
    assert "FLT1004" in large.out
    assert path.read_text() == OLD


def test_check_says_how_to_bring_an_old_file_up_to_date(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    ended = command(tmp_path, "check", path.name)
    assert ended.code == 1
    assert "help: run `fleet migrate --write` on this file: it becomes `taskset/v1`" in ended.out
