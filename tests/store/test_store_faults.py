"""Stores that lie, and disks that fail."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from store_kit import (
    commit_environment,
    commit_taskset,
    environment,
    index,
    objects,
    sha,
    tree,
)

from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.store import BIG_OBJECT, Store, StoreError, Transaction, disk
from fleet_contracts.store.documents import EMPTY_INDEX

Damage = Callable[[Path], object]


def small_store(directory: Path) -> Path:
    commit_taskset(directory, "x", b"document", [b"task"], [b"blob"])
    return directory


def blob_file(directory: Path, data: bytes) -> Path:
    return directory / "blobs" / "sha256" / sha(data)[7:]


def manifest_file(directory: Path) -> Path:
    digest: str = index(directory)["manifests"][0]["digest"]
    return directory / "blobs" / "sha256" / digest[7:]


def pack_file(directory: Path) -> Path:
    blobs = (directory / "blobs" / "sha256").iterdir()
    return next(path for path in blobs if path.read_bytes().endswith(b"\ntask"))


def linked(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def changed(path: Path, change: Callable[[Any], object]) -> None:
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value))


OPENING: dict[str, tuple[str, Damage]] = {
    "index absent": ("FLT6001", lambda at: (at / "index.json").unlink()),
    "index not JSON": ("FLT6001", lambda at: (at / "index.json").write_bytes(b"{")),
    "index not UTF-8": ("FLT6001", lambda at: (at / "index.json").write_bytes(b'{"\xff":1}')),
    "index a list": ("FLT6001", lambda at: (at / "index.json").write_bytes(b"[]")),
    "index with fractions": (
        "FLT6001",
        lambda at: changed(at / "index.json", lambda value: value.update(odd=0.5)),
    ),
    "index of another schema": (
        "FLT6001",
        lambda at: changed(at / "index.json", lambda value: value.update(schemaVersion=3)),
    ),
    "index without manifests": (
        "FLT6001",
        lambda at: changed(at / "index.json", lambda value: value.pop("manifests")),
    ),
    "index with a bad descriptor": (
        "FLT6001",
        lambda at: changed(at / "index.json", lambda value: value["manifests"].append({})),
    ),
    "index a link": ("FLT6001", lambda at: linked(at / "index.json")),
    "layout file not JSON": ("FLT6001", lambda at: (at / "oci-layout").write_bytes(b"1.0.0")),
    "newer layout": (
        "FLT6002",
        lambda at: (at / "oci-layout").write_text('{"imageLayoutVersion":"2.0.0"}'),
    ),
    "blobs a link": ("FLT6001", lambda at: linked(at / "blobs")),
    "sha256 a link": ("FLT6001", lambda at: linked(at / "blobs" / "sha256")),
    "blobs absent": ("FLT6001", lambda at: (at / "blobs").rename(at / "gone")),
}
READING: dict[str, tuple[str, Damage]] = {
    **OPENING,
    "manifest absent": ("FLT6001", lambda at: manifest_file(at).unlink()),
    "manifest damaged": ("FLT6001", lambda at: manifest_file(at).write_bytes(b"{}")),
    "manifest a link": ("FLT6001", lambda at: linked(manifest_file(at))),
    "another artifact type": (
        "FLT6001",
        lambda at: changed(
            at / "index.json",
            lambda value: value["manifests"][0].update(
                artifactType="application/vnd.fleet.artifact.v1alpha1+json"
            ),
        ),
    ),
    "document absent": ("FLT6001", lambda at: blob_file(at, b"document").unlink()),
    "document shorter": ("FLT6001", lambda at: blob_file(at, b"document").write_bytes(b"d")),
    "document altered": ("FLT6001", lambda at: blob_file(at, b"document").write_bytes(b"Document")),
    "document a link": ("FLT6001", lambda at: linked(blob_file(at, b"document"))),
    "pack altered": (
        "FLT6001",
        lambda at: pack_file(at).write_bytes(pack_file(at).read_bytes()[:-4] + b"TASK"),
    ),
    "pack shorter": (
        "FLT6001",
        lambda at: pack_file(at).write_bytes(pack_file(at).read_bytes()[:-4]),
    ),
    "pack without table": (
        "FLT6001",
        lambda at: pack_file(at).write_bytes(b" " + pack_file(at).read_bytes()[1:]),
    ),
}


@pytest.mark.parametrize("name", READING)
def test_a_damaged_store_is_named_when_read(tmp_path: Path, name: str) -> None:
    code, damage = READING[name]
    damage(small_store(tmp_path))
    with pytest.raises(StoreError) as caught:
        read_all(tmp_path)
    assert caught.value.code == code
    assert caught.value.message
    assert caught.value.help
    assert Path(caught.value.path).is_relative_to(tmp_path)


def read_all(directory: Path) -> None:
    store = Store.open(directory)
    for data in (b"document", b"task", b"blob"):
        assert store.read(sha(data)) == data


@pytest.mark.parametrize("name", OPENING)
def test_a_damaged_store_is_not_written_to(tmp_path: Path, name: str) -> None:
    code, damage = OPENING[name]
    damage(small_store(tmp_path))
    before = tree(tmp_path)
    with pytest.raises(StoreError) as caught:
        commit_environment(tmp_path, "y", b"new")
    assert caught.value.code == code
    assert tree(tmp_path) == before


@pytest.mark.parametrize("big", [False, True])
def test_a_blob_of_another_size_stops_a_commit(tmp_path: Path, big: bool) -> None:
    data = b"x" * BIG_OBJECT if big else b"new"
    small_store(tmp_path)
    before = index(tmp_path)
    blob_file(tmp_path, data).write_bytes(b"not it")
    with pytest.raises(StoreError, match=sha(data) + " has 6 bytes, expected") as caught:
        commit_environment(tmp_path, "y", data)
    assert caught.value.code == "FLT6001"
    assert index(tmp_path) == before


@pytest.mark.parametrize("big", [False, True])
def test_a_blob_of_other_bytes_stops_a_commit(tmp_path: Path, big: bool) -> None:
    data = b"x" * BIG_OBJECT if big else b"new"
    small_store(tmp_path)
    before = index(tmp_path)
    path = blob_file(tmp_path, data)
    path.write_bytes(b"y" * len(data))
    with pytest.raises(StoreError, match=sha(data) + " holds the bytes of") as caught:
        commit_environment(tmp_path, "y", data)
    assert caught.value.code == "FLT6011"
    assert "delete the file" in caught.value.help
    assert index(tmp_path) == before
    path.unlink()
    assert commit_environment(tmp_path, "y", data) > 0


def test_a_linked_blob_stops_a_commit(tmp_path: Path) -> None:
    small_store(tmp_path)
    linked(blob_file(tmp_path, b"document"))
    with pytest.raises(StoreError, match="is not a regular file") as caught:
        commit_environment(tmp_path, "y", b"document")
    assert caught.value.code == "FLT6001"


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("memory_limit", [32 << 20, 10])
@pytest.mark.parametrize("size", [60_000, BIG_OBJECT])
def test_a_disk_that_takes_no_more(tmp_path: Path, size: int, memory_limit: int) -> None:
    small_store(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(UnresolvedError, match=r"cannot write .*File too large") as caught:  # noqa: PT012, SIM117 - any of the calls may be the one
        with Transaction.begin(tmp_path, memory_limit=memory_limit) as transaction:
            with file_size_limit(50_000):
                data = [bytes([number]) * size for number in range(30)]
                rest = [transaction.put(item) for item in data]
                transaction.put(b"document")
                transaction.add_root(environment("y", b"document", common=rest))
                transaction.commit()
    assert str(tmp_path) in caught.value.message
    assert {name: data for name, data in tree(tmp_path).items() if name in before} == before
    assert not (tmp_path / ".tmp").exists()
    assert commit_environment(tmp_path, "y", b"new") > 0


def test_a_store_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_store(tmp_path)

    def read_only(path: Path, chunks: Iterable[bytes]) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(disk, "write_synced", read_only)
    with pytest.raises(UnresolvedError, match=r"cannot write /.*: Read-only file system") as caught:
        commit_environment(tmp_path, "y", b"new")
    assert caught.value.help
    assert set(objects(tmp_path)) == {sha(data) for data in (b"document", b"task", b"blob")}


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UnresolvedError, match="Permission denied"):
        commit_environment(tmp_path / "s", "y", b"new")
    tmp_path.chmod(0o700)


def test_a_path_through_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError, match="is not a folder"):
        commit_environment(tmp_path / "file" / "s", "y", b"new")


def test_a_linked_lock_is_not_followed(tmp_path: Path) -> None:
    small_store(tmp_path)
    (tmp_path / ".lock").unlink()
    (tmp_path / ".lock").symlink_to("elsewhere")
    with pytest.raises(UnresolvedError, match=r"cannot write .*lock"):
        commit_environment(tmp_path, "y", b"new")
    assert not (tmp_path / "elsewhere").exists()


def test_roots_are_not_forgotten_where_the_layout_is_missing(tmp_path: Path) -> None:
    commit_environment(tmp_path, "one", b"1")
    (tmp_path / "oci-layout").unlink()
    before = tree(tmp_path)
    with pytest.raises(StoreError, match="oci-layout is missing") as caught:
        commit_environment(tmp_path, "two", b"2")
    assert "imageLayoutVersion" in caught.value.help
    assert tree(tmp_path) == before


def test_an_empty_index_without_a_layout_becomes_a_store(tmp_path: Path) -> None:
    commit_environment(tmp_path / "other", "one", b"1")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "index.json").write_bytes(EMPTY_INDEX)
    (tmp_path / "store" / ".lock").touch()  # a killed writer leaves both
    commit_environment(tmp_path / "store", "one", b"1")
    assert objects(tmp_path / "store") == objects(tmp_path / "other")
