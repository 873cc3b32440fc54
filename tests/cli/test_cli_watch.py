"""`fleet check --watch`: told at once, told again after a change, and ended by Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_kit import command, start, taskset

WAITING = "watching for changes; Ctrl-C ends"


class Watching:
    """A running `fleet check --watch`; what it says is read piece by piece."""

    def __init__(self, running: subprocess.Popen[bytes]) -> None:
        self.running = running

    def until(self, words: str) -> str:
        """Return all that is said until a line with these words."""
        assert self.running.stdout is not None
        said: list[str] = []
        for line in self.running.stdout:
            said.append(line.decode())
            if words in said[-1]:
                return "".join(said)
        raise AssertionError(f"ended without {words!r}: {said}")

    def round(self) -> str:
        return self.until(WAITING)

    def interrupt(self) -> int:
        self.running.send_signal(signal.SIGINT)
        return self.running.wait(timeout=60)


@contextmanager
def watching(folder: Path, *words: str) -> Iterator[Watching]:
    running = start(
        folder,
        "check",
        "--watch",
        *words,
        env={"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        yield Watching(running)
    finally:
        running.kill()
        running.communicate()


def written(path: Path, text: str) -> None:
    """Put a text in place at once, as editors do."""
    new = path.with_name(path.name + "~")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def test_each_change_is_checked_until_it_is_right(tmp_path: Path) -> None:
    path = taskset(tmp_path / "a.taskset.yaml", builtin="answer-equal")
    good = path.read_text().replace("answer-equal", "answer-equals")
    with watching(tmp_path, "a.taskset.yaml") as editor:
        assert "error[FLT2013]" in editor.round()
        written(path, good)
        assert "changed: a.taskset.yaml\n" in (said := editor.round())
        assert "TaskSet  a  sha256:" in said
        assert editor.interrupt() == 0


def test_the_lock_is_watched_too(tmp_path: Path) -> None:
    taskset(tmp_path / "a.taskset.yaml")
    with watching(tmp_path, "--locked", "a.taskset.yaml") as editor:
        assert "error[FLT5006]" in editor.round()
        assert command(tmp_path, "lock").code == 0
        assert "changed: fleet.lock\n" in (said := editor.round())
        assert "TaskSet  a  sha256:" in said
        assert editor.interrupt() == 0


def test_what_a_root_names_is_watched_too(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.md"
    taskset(tmp_path / "a.taskset.yaml", prompt="{file: prompt.md}")
    with watching(tmp_path, "a.taskset.yaml") as editor:
        assert "error[FLT3001]" in editor.round()
        prompt.write_text("How many?", encoding="utf-8")
        assert "changed: prompt.md\n" in (said := editor.round())
        assert "TaskSet  a  sha256:" in said
        prompt.unlink()
        assert "error[FLT3001]" in editor.round()
        assert editor.interrupt() == 4


def test_a_folder_may_get_another_file(tmp_path: Path) -> None:
    taskset(tmp_path / "a.taskset.yaml")
    with watching(tmp_path, ".") as editor:
        editor.round()
        taskset(tmp_path / "b.taskset.yaml")
        said = editor.round()
        assert "changed: b.taskset.yaml\n" in said
        assert "TaskSet  a  " in said
        assert "TaskSet  b  " in said
        (tmp_path / "a.taskset.yaml").unlink()
        assert "TaskSet  a  " not in editor.round()


def test_a_file_that_goes_away_is_told_and_waited_for(tmp_path: Path) -> None:
    path = taskset(tmp_path / "a.taskset.yaml")
    text = path.read_text()
    with watching(tmp_path, "a.taskset.yaml") as editor:
        editor.round()
        path.unlink()
        assert "a.taskset.yaml" in editor.round()
        written(path, text)
        assert "TaskSet  a  sha256:" in editor.round()


@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit"])
def test_only_text_can_be_watched(tmp_path: Path, form: str) -> None:
    said = command(tmp_path, "check", taskset(tmp_path / "a.yaml"), "--watch", "--format", form)
    assert (said.code, said.out) == (2, "")
    assert "--watch" in said.err
