"""Locks of two branches, merged by git (spec section 5)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from cli_kit import IMAGE, command, taskset

NAMES = "abcdefghi"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a catalogue of many builtins."""
    git(tmp_path, "init", "-q", "-b", "main")
    entries = "".join(f"  {name}@v1: {{image_ref: '{IMAGE}'}}\n" for name in NAMES)
    (tmp_path / "catalog.yml").write_text(f"catalog: builtins/v1\nbuiltins:\n{entries}")
    return tmp_path


def git(folder: Path, *words: str, code: int = 0) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    words = ("-c", "commit.gpgsign=false", *words)
    done = subprocess.run(["git", "-C", folder, *who, *words], capture_output=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr


def lock(folder: Path, *words: str, code: int = 0) -> str:
    outcome = command(folder, "lock", "--catalog", "catalog.yml", *words)
    assert outcome.code == code, outcome
    return outcome.out


def use(folder: Path, names: str) -> None:
    """Commit a TaskSet a builtin, and the lock."""
    for name in names:
        taskset(folder / f"{name}.taskset.yaml", environment=f"builtin: {name}@v1")
    lock(folder)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", names)


def locked(folder: Path) -> str:
    document = json.loads((folder / "fleet.lock").read_bytes())
    return "".join(entry["ref"][0] for entry in document["builtins"])


def branches(folder: Path, base: str, ours: str, theirs: str) -> None:
    """Add builtins on two branches, and stay on ours."""
    use(folder, base)
    git(folder, "switch", "-qc", "theirs")
    use(folder, theirs)
    git(folder, "switch", "-qc", "ours", "main")
    use(folder, ours)


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        ("e", "a", "i"),
        ("e", "i", "a"),
        ("beh", "c", "i"),
        ("beh", "a", "f"),
        ("beh", "ac", "fi"),
        ("be", "bc", "c"),
    ],
)
def test_builtins_that_are_not_neighbours_merge_by_themselves(
    repository: Path, base: str, ours: str, theirs: str
) -> None:
    branches(repository, base, ours, theirs)
    git(repository, "merge", "-q", "--no-edit", "theirs")
    assert locked(repository) == "".join(sorted({*base, *ours, *theirs}))
    assert lock(repository, "--check") == "fleet.lock is up to date\n"


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("side", ["--ours", "--theirs"])
def test_neighbours_conflict_and_the_help_resolves_it(
    repository: Path, style: str, side: str
) -> None:
    branches(repository, "bh", "d", "e")
    git(repository, "-c", f"merge.conflictStyle={style}", "merge", "theirs", code=1)
    said = lock(repository, code=1)
    assert "error[FLT5002]: found conflict markers" in said
    assert "`git checkout --ours -- fleet.lock`" in said
    git(repository, "checkout", side, "--", "fleet.lock")
    assert lock(repository) == f"added    {'e' if side == '--ours' else 'd'}@v1\n"
    assert locked(repository) == "bdeh"


def test_the_same_builtin_on_both_branches_merges(repository: Path) -> None:
    branches(repository, "a", "c", "c")
    git(repository, "merge", "-q", "--no-edit", "theirs")
    assert locked(repository) == "ac"
