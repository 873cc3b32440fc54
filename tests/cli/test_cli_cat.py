"""`fleet cat`: the exact bytes of an object, and nothing of a corrupt one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from cli_kit import command, environment, process, start, taskset

from fleet_contracts.canonical import digest
from fleet_contracts.store import BIG_OBJECT, Entry, Store, Transaction, publish_artifact

BINARY = bytes(range(256)) * 3
BIG = os.urandom(1024) * 3 * (BIG_OBJECT // 1024)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a TaskSet `a`, and an Artifact `blobs` of a small and a big file."""
    files = [taskset(tmp_path / "a.taskset.yaml"), environment(tmp_path / "b.environment.yaml")]
    assert command(tmp_path, "compile", *files).code == 0
    entries: dict[str, Entry] = {"small": BINARY, "big": BIG, "empty": b""}
    with Transaction.begin(tmp_path / ".fleet") as transaction:
        publish_artifact(transaction, "blobs", entries)
        transaction.commit()
    return tmp_path


def written(folder: Path, *words: str) -> bytes:
    """Return the bytes on stdout."""
    started = start(folder, "cat", *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, err) == (0, b"")
    return out


def spoil(folder: Path, wanted: bytes) -> Path:
    """Change one byte in the middle of an object, wherever it stands; return the file."""
    for path in (folder / ".fleet" / "blobs" / "sha256").iterdir():
        data = path.read_bytes()
        start = data.find(wanted)
        if start >= 0:
            at = start + len(wanted) // 2
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            return path
    raise AssertionError("no blob holds it")


@pytest.mark.parametrize("data", [BINARY, BIG, b""], ids=["packed", "big", "empty"])
def test_bytes_come_out_as_they_went_in(data: bytes, project: Path) -> None:
    assert written(project, digest(data)) == data
    assert written(project, digest(data)[7:19]) == data


def test_every_file_of_the_layout_can_be_had(project: Path) -> None:
    for path in sorted((project / ".fleet" / "blobs" / "sha256").iterdir()):
        assert written(project, path.name) == path.read_bytes()


def test_roots_and_tasks_have_the_bytes_of_their_documents(project: Path) -> None:
    root = Store.open(project / ".fleet").find("a")
    assert root is not None
    assert digest(written(project, "a")) == root.document.digest
    task = written(project, "a#one")
    assert digest(task).encode() in written(project, "a")


@pytest.mark.parametrize("data", [BINARY, BIG], ids=["packed", "big"])
def test_nothing_is_written_of_a_corrupt_object(data: bytes, project: Path) -> None:
    path = spoil(project, data)
    outcome = process(project, "cat", digest(data))
    assert (outcome.code, outcome.out) == (1, "")
    name = path.relative_to(project)
    assert outcome.err == (
        f"{name}: error[FLT6001]: the object {digest(data)} in {name}"
        " does not have the digest of its name\n"
        "  = help: copy the store again from where it came from, or compile into a new one\n"
    )


def test_a_blob_cut_short_is_corrupt(project: Path) -> None:
    path = project / ".fleet" / "blobs" / "sha256" / digest(BIG)[7:]
    path.write_bytes(BIG[:-1])
    outcome = process(project, "cat", digest(BIG))
    assert (outcome.code, outcome.out) == (1, "")
    assert "error[FLT6001]" in outcome.err
    path.unlink()
    outcome = process(project, "cat", digest(BIG))
    assert (outcome.code, outcome.out) == (1, "")
    assert f"the store lacks the blob {digest(BIG)}" in outcome.err


def test_a_reader_that_leaves_is_no_mistake(project: Path) -> None:
    ours, theirs = os.pipe()
    started = start(project, "cat", digest(BIG), stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    assert os.read(ours, 1024) == BIG[:1024]
    os.close(ours)
    assert started.communicate(timeout=60)[1] == b""
    assert started.returncode == 141


def test_an_unknown_digest_is_unresolved(project: Path) -> None:
    outcome = command(project, "cat", "0" * 64)
    assert (outcome.code, outcome.out) == (4, "")
    assert f"no root holds sha256:{'0' * 64}" in outcome.err
    assert command(project, "cat").code == 2
    assert "did you mean blobs?" in command(project, "cat", "blob").err
