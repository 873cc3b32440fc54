"""Disks that are full or read-only, and stores that something has happened to."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_kit import Outcome, command, process, start, taskset, tree

from fleet_contracts.verify import verify_store

NAMESPACE = ["unshare", "--map-root-user", "--mount"]


@functools.cache
def can_mount() -> bool:
    """Whether this machine lets us mount a disk in memory, in a namespace of our own."""
    if shutil.which("unshare") is None or shutil.which("mount") is None:
        return False
    tried = [*NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    return subprocess.run(tried, check=False, capture_output=True).returncode == 0


def project(folder: Path) -> Path:
    return taskset(folder / "a.taskset.yaml")


def layer(store: Path) -> Path:
    """Return the last pack of the first root."""
    blobs = store / "blobs" / "sha256"
    index = json.loads((store / "index.json").read_bytes())
    manifest = json.loads((blobs / index["manifests"][0]["digest"][7:]).read_bytes())
    return blobs / str(manifest["layers"][-1]["digest"][7:])


@pytest.mark.parametrize(("way", "at_least"), [("full", 3), ("read-only", 2)])
def test_a_real_disk(tmp_path: Path, way: str, at_least: int) -> None:
    if not can_mount():
        pytest.skip("needs leave to mount; limits of file sizes are tested without it")
    project(tmp_path / "project")
    (tmp_path / "disk").mkdir()
    script = Path(__file__).with_name("fault_disk.py")
    done = subprocess.run(
        [*NAMESPACE, sys.executable, script, way, tmp_path / "project", tmp_path / "disk"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= at_least


def limited(folder: Path, size: int) -> Outcome:
    """Compile in a process that may write no file of more bytes, on any system."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    started = start(
        folder,
        "compile",
        "a.taskset.yaml",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=limit,
    )
    out, err = started.communicate(timeout=60)
    return Outcome(started.returncode, out.decode(), err.decode())


def test_a_disk_that_takes_less_and_less(tmp_path: Path) -> None:
    file = project(tmp_path)
    assert command(tmp_path, "compile", file).code == 0
    before = tree(tmp_path / ".fleet")
    taskset(file, prompt="A new one?")
    for size in (0, 100, 400, 700):
        outcome = limited(tmp_path, size)
        assert outcome.code == 4, outcome
        assert "error: cannot write " in outcome.err
        assert "File too large" in outcome.err
        assert "= help: " in outcome.err
        assert verify_store(tmp_path / ".fleet").roots[0].is_sound
        assert command(tmp_path, "gc").code == 0
        assert tree(tmp_path / ".fleet") == before
    assert limited(tmp_path, 1 << 20).code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_store_without_permission(tmp_path: Path) -> None:
    file = project(tmp_path)
    assert command(tmp_path, "compile", file).code == 0
    taskset(file, prompt="A new one?")
    before = tree(tmp_path / ".fleet")
    (tmp_path / ".fleet").chmod(0o500)
    outcome = command(tmp_path, "compile", file)
    assert (outcome.code, "Permission denied" in outcome.err) == (4, True)
    assert command(tmp_path, "verify").code == 0
    (tmp_path / ".fleet").chmod(0o700)
    assert tree(tmp_path / ".fleet") == before


def truncated(path: Path) -> None:
    os.truncate(path, 10)


def linked(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def removed(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("harm", [truncated, linked])
def test_a_compile_does_not_build_on_a_damaged_blob(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    file = project(tmp_path)
    assert command(tmp_path, "compile", file).code == 0
    harm(layer(tmp_path / ".fleet"))
    before = tree(tmp_path)
    outcome = command(tmp_path, "compile", file)
    assert outcome.code == 1
    assert "error[FLT6001]" in outcome.out
    assert "= help: " in outcome.out
    assert tree(tmp_path) == before
    assert "error[FLT6011]" in command(tmp_path, "verify").out


@pytest.mark.parametrize("harm", [truncated, linked, removed])
def test_gc_does_not_make_damage_worse(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    file = project(tmp_path)
    assert command(tmp_path, "compile", file).code == 0
    harm(layer(tmp_path / ".fleet"))
    before = tree(tmp_path / ".fleet")
    assert command(tmp_path, "gc").code == 0
    assert tree(tmp_path / ".fleet") == before


def test_a_root_of_a_newer_release_stays_beside_ours(tmp_path: Path) -> None:
    """A generation that is not known is refused where it is read, and kept where it lies."""
    file = project(tmp_path)
    assert command(tmp_path, "compile", file).code == 0
    index = tmp_path / ".fleet" / "index.json"
    text = index.read_text()
    newer = "application/vnd.fleet.taskset.v9+json"
    found = json.loads(text)
    blobs = tmp_path / ".fleet" / "blobs" / "sha256"
    old = blobs / found["manifests"][0]["digest"][7:]
    manifest = json.loads(old.read_bytes())
    document = blobs / manifest["layers"][0]["digest"][7:]
    data = document.read_bytes().replace(b"fleet.taskset.v1alpha1", b"fleet.taskset.v9")
    manifest["artifactType"] = manifest["layers"][0]["mediaType"] = newer
    manifest["layers"][0].update(put(blobs, data))
    entry = found["manifests"][0]
    entry.update(put(blobs, json.dumps(manifest).encode()), artifactType=newer)
    entry["annotations"]["org.opencontainers.image.ref.name"] = "newer"
    index.write_text(json.dumps(found))
    assert command(tmp_path, "compile", file).code == 0
    before = tree(tmp_path / ".fleet")
    assert command(tmp_path, "gc").code == 0
    assert tree(tmp_path / ".fleet") == before
    outcome = command(tmp_path, "verify", "--format", "json")
    assert (outcome.code, outcome.codes) == (1, ["FLT6015"])
    sound = {root["name"]: root["sound"] for root in outcome.report["stores"][0]["roots"]}
    assert sound == {"a": True, "newer": False}


def put(blobs: Path, data: bytes) -> dict[str, object]:
    digest = hashlib.sha256(data).hexdigest()
    (blobs / digest).write_bytes(data)
    return {"digest": f"sha256:{digest}", "size": len(data)}


def test_a_killed_compile_leaves_what_gc_removes(tmp_path: Path) -> None:
    file = project(tmp_path)
    assert command(tmp_path, "compile", file).code == 0
    left = tmp_path / ".fleet" / ".tmp" / "gone"
    left.mkdir(parents=True)
    (left / "spool").write_bytes(b"half of it")
    outcome = process(tmp_path, "gc")
    assert outcome.code == 0
    assert f"removed {Path('.fleet/.tmp/gone')}, left by a compile that was killed" in outcome.out
    assert "10 bytes removed" in outcome.out
