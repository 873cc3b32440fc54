"""Compiles that are killed, and compiles at the same time (spec section 3)."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

from cli_kit import closure, command, process, start, taskset, tree

from fleet_contracts.store import Store
from fleet_contracts.verify import verify_store
from tools.bench_data import write_taskset

KILLS = int(os.environ.get("FLEET_KILLS", "16"))
"""How many compiles are killed; `.ci/run` asks for 200."""
TASKS = 300
RACES = 3
CROWD = 20
STORE_FILES = [".lock", "blobs", "index.json", "oci-layout"]


def change(file: Path, number: int) -> None:
    """Change every Task of a generated TaskSet, so that nothing of an older state is left."""
    text = file.read_text(encoding="utf-8")
    old, new = (f"edition {each}: a warehouse" for each in (number - 1, number))
    text = text.replace(old if number > 1 else "a warehouse", new)
    assert text.count(new) == TASKS
    file.write_text(text, encoding="utf-8")


def root_digest(store: Store) -> str:
    root = store.find("bench")
    assert root is not None
    return root.document.digest


def compiled_digest(folder: Path, file: Path) -> str:
    outcome = command(folder, "check", "--format", "json", file)
    assert outcome.code == 0
    digest = outcome.report["roots"][0]["digest"]
    assert isinstance(digest, str)
    return digest


def broken(store: Path) -> set[str]:
    """Return the codes of all that is wrong with a store; what no root reaches is not."""
    return {item.code for item in verify_store(store).diagnostics} - {"FLT6012"}


def begin(folder: Path, file: Path) -> subprocess.Popen[bytes]:
    return start(folder, "compile", file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill(compiling: subprocess.Popen[bytes]) -> bool:
    """Whether the compile had not come to its end before."""
    compiling.send_signal(signal.SIGKILL)
    return compiling.wait() == -signal.SIGKILL


def wait_for_commit(
    compiling: subprocess.Popen[bytes], work: Path, *, ended: bool = False
) -> float:
    """Wait until the commit has begun, or until it has `ended`; return when that was."""
    while work.exists() is ended and compiling.poll() is None:
        time.sleep(0.0002)
    return time.perf_counter()


def durations(folder: Path, file: Path) -> tuple[float, float]:
    """Compile undisturbed; return the seconds before the commit and in it."""
    work = folder / ".fleet" / ".tmp"
    began = time.perf_counter()
    compiling = begin(folder, file)
    commit = wait_for_commit(compiling, work)
    end = wait_for_commit(compiling, work, ended=True)
    assert compiling.wait(timeout=60) == 0
    return commit - began, end - commit


def test_killed_compile_leaves_the_old_state_or_the_new(tmp_path: Path) -> None:
    file = write_taskset(tmp_path, TASKS)
    assert process(tmp_path, "compile", file).code == 0
    change(file, 1)
    before, during = durations(tmp_path, file)
    work = tmp_path / ".fleet" / ".tmp"
    old = root_digest(Store.open(tmp_path / ".fleet"))
    moments = random.Random(6962)
    killed, edition, left_behind = 0, 1, 0
    while killed < KILLS:
        if edition == killed + 1:
            edition += 1
            change(file, edition)
        compiling = begin(tmp_path, file)
        if killed % 2:
            wait_for_commit(compiling, work)
            time.sleep(during * moments.random())
        else:
            time.sleep(before * moments.random())
        killed += kill(compiling)
        left_behind += work.exists() and any(work.iterdir())
        store = Store.open(tmp_path / ".fleet")
        found = root_digest(store)
        assert len(closure(store, found)) == 1 + TASKS + 1
        assert broken(tmp_path / ".fleet") == set()
        if found != old:
            assert found == compiled_digest(tmp_path, file)
            old = found
    assert left_behind > 0  # some were killed in the midst of a commit
    assert command(tmp_path, "gc").code == 0
    assert verify_store(tmp_path / ".fleet").diagnostics == []
    change(file, edition + 1)
    assert process(tmp_path, "compile", file).code == 0
    store = Store.open(tmp_path / ".fleet")
    assert root_digest(store) == compiled_digest(tmp_path, file) != old
    assert sorted(os.listdir(tmp_path / ".fleet")) == STORE_FILES
    assert sorted(os.listdir(tmp_path)) == [".fleet", file.name, "fleet.lock"]


def test_killed_first_compile_leaves_nothing_that_is_in_the_way(tmp_path: Path) -> None:
    file = write_taskset(tmp_path, TASKS)
    for moment in (0.0, 0.001, 0.002, 0.004):
        compiling = begin(tmp_path, file)
        wait_for_commit(compiling, tmp_path / ".fleet" / ".tmp")
        time.sleep(moment)
        kill(compiling)
    assert process(tmp_path, "compile", file).code == 0
    store = Store.open(tmp_path / ".fleet")
    assert root_digest(store) == compiled_digest(tmp_path, file)
    assert sorted(os.listdir(tmp_path / ".fleet")) == STORE_FILES


def test_two_compiles_at_once(tmp_path: Path) -> None:
    for number in range(RACES):
        folder = tmp_path / str(number)
        files = [
            taskset(folder / f"{name}.taskset.yaml", prompt=f"Question {name} {number}?")
            for name in ("left", "right")
        ]
        running = [
            start(folder, "compile", file, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for file in files
        ]
        for each in running:
            out, err = each.communicate(timeout=60)
            assert each.returncode == 0, (out, err)
        store = Store.open(folder / ".fleet")
        digests = {}
        for name in ("left", "right"):
            root = store.find(name)
            assert root is not None
            digests[name] = root.document.digest
            assert len(closure(store, root.document.digest)) == 3
        assert digests["left"] != digests["right"]
        assert len(store.roots) == 2
        assert sorted(os.listdir(folder / ".fleet")) == STORE_FILES
        before = tree(folder)
        assert command(folder, "compile", *files).code == 0
        assert tree(folder) == before


def test_many_compiles_at_once_while_what_nobody_needs_is_removed(tmp_path: Path) -> None:
    names = [f"set-{number:02d}" for number in range(CROWD)]
    files = [taskset(tmp_path / f"{name}.taskset.yaml", prompt="Old?") for name in names]
    assert command(tmp_path, "compile", *files).code == 0
    for name, file in zip(names, files, strict=True):
        taskset(file, prompt=f"New {name}?")
    running = [
        start(tmp_path, "compile", file, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for file in files
    ]
    while any(each.poll() is None for each in running):
        assert command(tmp_path, "gc").code in (0, 4)
        time.sleep(0.05)
    for each in running:
        out, err = each.communicate(timeout=60)
        assert each.returncode == 0, (out, err)
    assert command(tmp_path, "gc").code == 0
    found = verify_store(tmp_path / ".fleet")
    assert found.diagnostics == []
    assert [root.name for root in found.roots] == names
    before = tree(tmp_path)
    assert command(tmp_path, "compile", *files).code == 0
    assert tree(tmp_path) == before
