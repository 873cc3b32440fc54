"""Kill writers, look at what they leave; run as a script, it fails with a traceback.

`store_crash.py sweep|random|race|gc DIR`. Forking from a small process of its own keeps the
tests' process out of it and costs one start of the interpreter for many kills.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from store_kit import objects, sha

from fleet_contracts.errors import UnresolvedError
from fleet_contracts.store import Root, Store, TaskPack, Transaction
from fleet_contracts.store.gc import collect

STEPS = {"open", "os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.listdir", "fcntl.flock"}


def content(number: int) -> tuple[bytes, list[bytes]]:
    tasks = [b"task %d of state %d" % (task, number // (1 + task % 3)) for task in range(40)]
    return b"state %d" % number, tasks


def commit(directory: Path, name: str, number: int) -> None:
    document, tasks = content(number)
    with Transaction.begin(directory, memory_limit=300) as transaction:
        refs = [transaction.put(task) for task in tasks]
        pack = TaskPack(None, refs[:30])
        first = transaction.put(document)
        big = transaction.put(document * 150_000)
        transaction.add_root(
            Root("taskset", "v1alpha1", name, None, first, [pack], [*refs[30:], big])
        )
        transaction.commit()


def state(directory: Path, name: str) -> int:
    """Return the number of the state a store holds, whole and sound, or -1 for no root."""
    try:
        store = Store.open(directory)
    except UnresolvedError:
        return -1
    found = objects(directory)
    root = store.find(name)
    if root is None:
        return -1
    number = int(found[root.document.digest].split()[1])
    document, tasks = content(number)
    for data in (document, *tasks, document * 150_000):
        assert found[sha(data)] == data
        assert store.read(sha(data)) == data
    return number


def in_child(work: Callable[[], None]) -> int:
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def exit_code(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def die_at(step: int) -> None:
    """Kill this process when it is about to take its n-th step in the file system."""
    taken = count(1)

    def hook(event: str, _: object) -> None:
        if event in STEPS and next(taken) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def sweep(directory: Path) -> int:
    """Kill a first, a second and an unchanged commit at each of its steps."""
    kills = 0
    for old, new in ((-1, 0), (0, 1), (1, 1)):
        for step in count(1):
            store = directory / f"{old}-{new}-{step}"
            if old >= 0:
                commit(store, "x", old)

            def work(store: Path = store, new: int = new, step: int = step) -> None:
                die_at(step)
                commit(store, "x", new)

            code = exit_code(in_child(work))
            assert state(store, "x") in (old, new)
            commit(store, "x", new + 1)
            assert state(store, "x") == new + 1
            assert sorted(os.listdir(store)) == [".lock", "blobs", "index.json", "oci-layout"]
            if code == 0:
                break
            assert code == -signal.SIGKILL
            kills += 1
    return kills


def at_random(directory: Path) -> int:
    """Kill a writer that commits again and again, 60 times at moments nobody chose."""
    store = directory / "store"
    commit(store, "x", 0)
    last = 0
    moments = random.Random(8785)
    for _ in range(60):
        reader, writer = os.pipe()

        def work(writer: int = writer, last: int = last) -> None:
            for number in count(last + 1):
                commit(store, "x", number)
                os.write(writer, b"%d\n" % number)

        process = in_child(work)
        os.close(writer)
        time.sleep(moments.uniform(0, 0.06))
        os.kill(process, signal.SIGKILL)
        assert exit_code(process) == -signal.SIGKILL
        with os.fdopen(reader, "rb") as said:
            told = said.read().split()
        done = int(told[-1]) if told else last
        last = state(store, "x")
        assert last in (done, done + 1)
    commit(store, "x", last)
    assert not (store / ".tmp").exists()
    return 60


def race(directory: Path) -> int:
    """Let two writers commit at once while a third gives up, 10 times in a new folder."""
    for number in range(10):
        store = directory / f"{number}" / "store"

        def give_up(store: Path = store) -> None:
            with Transaction.begin(store, memory_limit=5) as transaction:
                transaction.put(b"more than five bytes")

        def write(name: str, store: Path = store) -> None:
            for turn in range(3):
                commit(store, name, turn)

        children = [
            in_child(lambda: write("left")),
            in_child(give_up),
            in_child(lambda: write("right")),
        ]
        assert [exit_code(child) for child in children] == [0, 0, 0]
        assert (state(store, "left"), state(store, "right")) == (2, 2)
        assert sorted(os.listdir(store)) == [".lock", "blobs", "index.json", "oci-layout"]
    return 10


def sweep_gc(directory: Path) -> int:
    """Kill a removal at each of its steps."""
    whole = directory / "whole"
    for number in (0, 1):
        commit(whole, "x", number)
    (whole / ".tmp" / "left").mkdir(parents=True)
    (whole / ".tmp" / "left" / "spool").touch()
    for step in count(1):
        store = directory / str(step)
        shutil.copytree(whole, store)

        def work(store: Path = store, step: int = step) -> None:
            die_at(step)
            collect(store)

        code = exit_code(in_child(work))
        assert state(store, "x") == 1
        assert collect(store).problems == []
        assert state(store, "x") == 1
        assert not (store / ".tmp").exists()
        if code == 0:
            return step
        assert code == -signal.SIGKILL
    return 0


if __name__ == "__main__":
    ways = {"sweep": sweep, "random": at_random, "race": race, "gc": sweep_gc}
    done = ways[sys.argv[1]](Path(sys.argv[2]))
    print(done)
