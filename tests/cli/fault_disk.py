"""Compile on a disk that is full or read-only; run as a script, it fails with a traceback.

`fault_disk.py full|read-only PROJECT DISK`, in a mount namespace of its own: a disk in memory
is mounted at DISK, and goes with the namespace. Prints how many commands failed as they must.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from cli_kit import command, taskset, tree

from fleet_contracts.verify import verify_store

PAGE = 4096
SPACE = 64 * PAGE


def mount(disk: Path, *options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", str(disk)], check=True)


def full(project: Path, disk: Path) -> int:
    """Leave one page more each time, until there is enough; whatever fails changes nothing."""
    mount(disk, "-o", f"size={SPACE}")
    file, store, filler = project / "a.taskset.yaml", disk / "store", disk / "filler"
    assert command(project, "compile", file, "-o", store).code == 0
    whole = tree(store)
    taskset(file, prompt="A new one?")
    failed = 0
    for pages in range(SPACE // PAGE):
        fill(filler, disk, pages * PAGE)
        outcome = command(project, "compile", file, "-o", store)
        if outcome.code == 0:
            break
        failed += 1
        assert outcome.code == 4
        assert "error: cannot write " in outcome.err
        assert "No space left on device" in outcome.err
        assert "= help: look at its permissions and the space left on its disk" in outcome.err
        assert {name: data for name, data in tree(store).items() if name in whole} == whole
        assert not (store / ".tmp").exists()
        assert errors(store) == set()
        assert command(project, "gc", store).code == 0  # a full disk is when one needs it
        assert tree(store) == whole
        filler.unlink()
    assert errors(store) == set()
    assert tree(store)["index.json"] != whole["index.json"]
    return failed


def fill(filler: Path, disk: Path, left: int) -> None:
    free = os.statvfs(disk)
    filler.write_bytes(bytes(max(free.f_bavail * free.f_bsize - left, 0)))


def read_only(project: Path, disk: Path) -> int:
    """Read all that is there, and write nothing."""
    mount(disk)
    file, store = project / "a.taskset.yaml", disk / "store"
    assert command(project, "compile", file, "-o", store).code == 0
    taskset(file, prompt="A new one?")
    assert command(project, "compile", file, "-o", store).code == 0
    before = tree(store)
    taskset(file, prompt="Another one?")
    mount(disk, "-o", "remount,ro")
    for words in (["compile", file, "-o", store], ["gc", store]):
        outcome = command(project, *words)
        assert outcome.code == 4, outcome
        assert "Read-only file system" in outcome.err
        assert "= help: look at its permissions" in outcome.err
    for words in (
        ["check", file, "-o", store],
        ["verify", store],
        ["gc", "--dry-run", store],
    ):
        assert command(project, *words).code == 0, words
    assert tree(store) == before
    return 2


def errors(store: Path) -> set[str]:
    return {item.code for item in verify_store(store).diagnostics if item.severity == "error"}


if __name__ == "__main__":
    ways = {"full": full, "read-only": read_only}
    print(ways[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3])))
