from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from lsp_kit import INCLUDED, TASKS, session

from fleet_contracts.compiler import Compiler
from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.lsp.board import Board
from fleet_contracts.lsp.checking import Checked, Settings, Stale, check
from fleet_contracts.lsp.documents import OpenTexts
from fleet_contracts.lsp.including import including_roots
from fleet_contracts.lsp.rounds import Rounds, Texts
from fleet_contracts.lsp.uris import path_of, untitled_name
from fleet_contracts.project import Project


def checked(path: Path, **texts: str) -> Checked:
    opened = OpenTexts(path.parent)
    for name, text in texts.items():
        opened.put((path.parent / f"{name.replace('_', '.')}.yaml").as_uri(), 1, text)
    return check(path, opened.overlay(), lambda: False, Settings())


def codes(items: list[Diagnostic]) -> list[str]:
    return [item.code for item in items]


def test_what_goes_wrong_inside_is_told_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def compile_it(self: Compiler, path: Path) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(Compiler, "compile", compile_it)
    with caplog.at_level(logging.ERROR):
        found = checked(tmp_path.resolve() / "a.taskset.yaml", a_taskset=TASKS)
    assert found.failures == ("internal error: ZeroDivisionError: oh; please report it",)
    assert "ZeroDivisionError" in caplog.text


def test_a_stale_check_of_many_tasks_is_given_up(tmp_path: Path) -> None:
    path = tmp_path.resolve() / "a.taskset.yaml"
    task = TASKS[TASKS.index("  one:") :]
    tasks = "".join(task.replace("one:", f"t{index}:") for index in range(300))
    overlay = {path: (TASKS[: TASKS.index("  one:")] + tasks).encode()}
    with pytest.raises(Stale):
        check(path, overlay, lambda: True, Settings())


def test_a_bad_store_is_told_at_the_top_of_the_file(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / ".fleet").mkdir()
    (folder / ".fleet" / "oci-layout").write_text("{}", encoding="utf-8")
    path = folder / "a.taskset.yaml"
    found = checked(path, a_taskset=TASKS)
    assert [item.code[:4] for item in found.found[path]] == ["FLT6"]


def test_a_folder_of_something_else_in_place_of_the_store_is_a_failure(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / ".fleet").write_text("x", encoding="utf-8")
    found = checked(folder / "a.taskset.yaml", a_taskset=TASKS)
    assert "is not a folder" in found.failures[0]


def test_files_behind_links_are_told_by_their_real_names(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / "real").mkdir()
    real = folder / "real" / "b.tasks.yaml"
    real.write_text(INCLUDED, encoding="utf-8")
    (folder / "link.tasks.yaml").symlink_to(real)
    root = folder / "a.taskset.yaml"
    overlay = {
        root: TASKS.replace("environments:", "include: [link.tasks.yaml]\nenvironments:").encode(),
        real: INCLUDED.replace("environment: shell", "environment: shel").encode(),
    }
    texts = OpenTexts(folder)
    for path, data in overlay.items():
        texts.put(path.as_uri(), 1, data.decode())
    found = check(root, texts.overlay(), lambda: False, Settings())
    assert codes(found.found[real]) == ["FLT3010"]
    assert real in found.sources
    assert real in found.seen


def test_unused_suppressions_are_not_told_of_files_that_are_looked_at_alone(
    tmp_path: Path,
) -> None:
    comment = "# fleet: ignore FLT4082\n"
    path = tmp_path.resolve() / "b.tasks.yaml"
    assert not checked(path, b_tasks=INCLUDED + comment).found
    path = tmp_path.resolve() / "a.taskset.yaml"
    assert codes(checked(path, a_taskset=TASKS + comment).found[path]) == ["FLT1060"]


def test_a_board_tells_what_two_roots_find_in_one_file_once(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    other = folder / "b.tasks.yaml"
    other.write_text(INCLUDED.replace("shell", "shel"), encoding="utf-8")
    root = TASKS.replace("environments:", "include: [b.tasks.yaml]\nenvironments:")
    board = Board()
    for name in ("a", "c"):
        path = folder / f"{name}.taskset.yaml"
        path.write_text(root, encoding="utf-8")
        assert board.put(checked(path)) == {other}
    assert codes(board.about(other)) == ["FLT3010"]
    assert board.depending(other) == [folder / "a.taskset.yaml", folder / "c.taskset.yaml"]
    assert board.keep([folder / "c.taskset.yaml"]) == {other}
    assert codes(board.about(other)) == ["FLT3010"]
    assert board.keep([]) == {other}
    assert board.about(other) == []
    assert board.source(other) is None


@pytest.mark.parametrize(
    "include",
    [
        "include: [b.tasks.yaml]",
        "include:\n- b.tasks.yaml",
        "include:\n  # these\n\n  - '*.tasks.yaml'",
        '"include": [\n  "*.tasks.yaml"\n]',
    ],
)
def test_who_includes_a_file_is_found(tmp_path: Path, include: str) -> None:
    folder = tmp_path.resolve()
    other = folder / "b.tasks.yaml"
    text = f"authoring: taskset/v1\n{include}\ntasks:\n  include: b.tasks.yaml\n"
    opened = session(folder, a_taskset=text, b_tasks=INCLUDED, c_taskset=TASKS)
    found = including_roots(other, Project(folder), opened.texts.overlay())
    assert found == [folder / "a.taskset.yaml"]
    for tasks in opened.texts.of(other):
        assert opened.targets_of(tasks) == [folder / "a.taskset.yaml"]


def test_who_includes_a_file_is_found_in_json_and_on_disk(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    other = folder / "b.tasks.yaml"
    other.write_text(INCLUDED, encoding="utf-8")
    for name in ("sub", "node_modules", ".hidden"):
        (folder / name).mkdir()
        root = folder / name / "a.taskset.json"
        root.write_text('{"authoring": "taskset/v1", "include": ["../b.tasks.yaml"]}', "utf-8")
    broken = folder / "broken.taskset.yaml"
    broken.write_bytes(b"include: [\xff\x00")
    assert including_roots(other, Project(folder), {}) == [folder / "sub" / "a.taskset.json"]


def test_a_round_that_something_overtakes_is_given_up(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    begun, go_on = threading.Event(), threading.Event()
    looked_at: list[tuple[Path, bytes]] = []
    shown: list[Path] = []
    texts = {first: b"old"}

    def check_it(target: Path, seen: Texts, is_stale: Callable[[], bool]) -> Checked:
        looked_at.append((target, seen[first]))
        begun.set()
        assert go_on.wait(30)
        if is_stale():
            raise Stale
        if target == second:
            raise ValueError("a mistake of ours")
        return Checked(target, {})

    async def play() -> None:
        rounds = Rounds(check_it, lambda: dict(texts), lambda done: shown.append(done.target))
        rounds.ask([first])
        while not begun.is_set():
            await asyncio.sleep(0)
        texts[first] = b"new"
        rounds.ask([second])
        go_on.set()
        while not shown:
            await asyncio.sleep(0)
        rounds.end()

    asyncio.run(play())
    assert looked_at == [(first, b"old"), (second, b"new"), (first, b"new")]
    assert shown == [first]


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///no/a%20b.yaml", "/no/a b.yaml"),
        ("file://localhost/no/x.yaml", "/no/x.yaml"),
        ("file:///c%3A/x.yaml", "/c:/x.yaml"),
        ("untitled:Untitled-1", "/folder/untitled-1.yaml"),
        ("untitled:/home/me/New%20File.tasks.yaml", "/folder/new-file.tasks.yaml"),
        ("untitled:", "/folder/untitled.yaml"),
        ("file://server/x.yaml", None),
        ("git:/x.yaml?HEAD", None),
        ("file:x.yaml", None),
        ("file:///a%00b", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_what_a_uri_names(uri: str, path: str | None) -> None:
    assert path_of(uri, Path("/folder")) == (None if path is None else Path(path))


def test_names_of_texts_without_a_file_can_name_a_root() -> None:
    assert untitled_name("Über Test.json") == "ber-test.json"
