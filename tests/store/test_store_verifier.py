"""The folder of a standalone Verifier: all or nothing, also when disks fail or writers meet."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from store_kit import sha, tree

from fleet_contracts.errors import UnresolvedError
from fleet_contracts.store import BIG_OBJECT, StoreError, VerifierFolder, disk

BIG = b"x" * BIG_OBJECT


def document(number: int) -> bytes:
    return b'{"node":%d,"schema":"fleet.verifier.v1alpha1"}' % number


def written(directory: Path, data: bytes, *blobs: bytes) -> int:
    with VerifierFolder.begin(directory) as folder:
        refs = [folder.put(blob) for blob in blobs]
        folder.add_verifier("name", folder.put(data), refs)
        count = folder.commit()
        assert folder.written_by_root == {"name": count}
        return count


def expected(data: bytes, *blobs: bytes) -> dict[str, bytes]:
    return {"verifier.json": data} | {f"blobs/sha256/{sha(each)[7:]}": each for each in blobs}


def test_blobs_of_any_size_are_written_once(tmp_path: Path) -> None:
    first = document(1)
    assert written(tmp_path, first, b"a", BIG, b"a") == len(first) + 1 + len(BIG)
    assert tree(tmp_path) == expected(first, b"a", BIG)
    second = document(2)
    assert written(tmp_path, second, BIG, b"b") == len(second) + 1
    assert tree(tmp_path) == expected(second, b"a", b"b", BIG)


def test_a_large_document(tmp_path: Path) -> None:
    large = b'{"node":"' + BIG + b'","schema":"fleet.verifier.v1alpha1"}'
    assert written(tmp_path, large) == len(large)
    assert tree(tmp_path) == expected(large)


def test_without_a_verifier_nothing_is_written(tmp_path: Path) -> None:
    with VerifierFolder.begin(tmp_path / "new") as folder:
        folder.put(BIG)
        assert folder.commit() == 0
    assert not (tmp_path / "new").exists()


def test_what_was_put_and_not_committed_is_gone(tmp_path: Path) -> None:
    written(tmp_path, document(1), b"a")
    with VerifierFolder.begin(tmp_path) as folder:
        folder.add_verifier("name", folder.put(document(2)), [folder.put_stream([BIG, b"y"])])
    assert tree(tmp_path) == expected(document(1), b"a")


def test_a_full_disk_leaves_the_previous_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, document(1))
    write = disk.write_synced

    def full(path: Path, chunks: object) -> None:
        if path.name == "verifier.json":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write(path, chunks)  # type: ignore[arg-type]

    monkeypatch.setattr(disk, "write_synced", full)
    with pytest.raises(UnresolvedError, match="No space left"):
        written(tmp_path, document(2), b"a")
    assert tree(tmp_path) == expected(document(1), b"a")


def test_a_blob_of_another_size_is_told(tmp_path: Path) -> None:
    written(tmp_path, document(1), b"a")
    (tmp_path / "blobs" / "sha256" / sha(b"a")[7:]).write_bytes(b"longer")
    with pytest.raises(StoreError, match="has 6 bytes, expected 1"):
        written(tmp_path, document(2), b"a")
    assert (tmp_path / "verifier.json").read_bytes() == document(1)


def test_writers_that_meet_both_end_well(tmp_path: Path) -> None:
    with VerifierFolder.begin(tmp_path) as one, VerifierFolder.begin(tmp_path) as two:
        for number, folder in enumerate((one, two)):
            blobs = [folder.put(BIG), folder.put(b"a")]
            folder.add_verifier("name", folder.put(document(number)), blobs)
        assert one.commit() > two.commit()
    assert tree(tmp_path) == expected(document(1), b"a", BIG)


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    stale = tmp_path / disk.WORK_NAME / "tmp1234"
    stale.mkdir(parents=True)
    (stale / "stream").write_bytes(b"half")
    written(tmp_path, document(1), b"a")
    assert tree(tmp_path) == expected(document(1), b"a")
    assert not (tmp_path / disk.WORK_NAME).exists()
