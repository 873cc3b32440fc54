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
from tools.bench_data import write_taskset

KILLS = 50
TASKS = 300
RACES = 10
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


def kill_after(folder: Path, file: Path, seconds: float) -> bool:
    """Whether a compile that is killed after so long did not come to its end before."""
    compiling = start(folder, "compile", file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    compiling.send_signal(signal.SIGKILL)
    return compiling.wait() == -signal.SIGKILL


def test_killed_compile_leaves_the_old_state_or_the_new(tmp_path: Path) -> None:
    file = write_taskset(tmp_path, TASKS)
    assert process(tmp_path, "compile", file).code == 0
    change(file, 1)
    started = time.perf_counter()
    assert process(tmp_path, "compile", file).code == 0
    whole = time.perf_counter() - started
    old = root_digest(Store.open(tmp_path / ".fleet"))
    moments = random.Random(6962)
    killed = edition = 1
    while killed <= KILLS:
        if edition == killed:
            edition += 1
            change(file, edition)
        # Spread evenly over the duration, which is measured again when a compile was faster.
        moment = whole * (killed - moments.random()) / KILLS
        began = time.perf_counter()
        if not kill_after(tmp_path, file, moment):
            whole = min(whole, time.perf_counter() - began)
        else:
            killed += 1
        store = Store.open(tmp_path / ".fleet")
        found = root_digest(store)
        assert len(closure(store, found)) == 1 + TASKS + 1
        if found != old:
            assert found == compiled_digest(tmp_path, file)
            old = found
    change(file, edition + 1)
    assert process(tmp_path, "compile", file).code == 0
    store = Store.open(tmp_path / ".fleet")
    assert root_digest(store) == compiled_digest(tmp_path, file) != old
    assert sorted(os.listdir(tmp_path / ".fleet")) == STORE_FILES
    assert sorted(os.listdir(tmp_path)) == [".fleet", file.name, "fleet.lock"]


def test_killed_first_compile_leaves_nothing_that_is_in_the_way(tmp_path: Path) -> None:
    file = write_taskset(tmp_path, TASKS)
    for moment in (0.15, 0.2, 0.25, 0.3):
        kill_after(tmp_path, file, moment)
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
