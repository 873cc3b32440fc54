"""Whatever happens to a file of a store is named, each with its code and a way to mend it."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest import mock

import pytest
from verify_kit import (
    BIG,
    EMPTY,
    Builder,
    blob_file,
    codes,
    index,
    manifest,
    manifest_digest,
    messages,
    sha,
    write_index,
)

from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.store import Transaction, publish_artifact
from fleet_contracts.store.gc import collect
from fleet_contracts.store.listing import Listing, list_store
from fleet_contracts.verify import files, verify_store

Damage = Callable[[Path], object]


def layer(directory: Path, position: int) -> Path:
    return blob_file(directory, manifest(directory)["layers"][position]["digest"])


def linked(path: Path) -> None:
    path.rename(path.parent.parent.parent.parent / "moved")
    path.symlink_to(path.parent.parent.parent.parent / "moved")


def swapped(one: Path, other: Path) -> None:
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def add(data: bytes, more: bytes) -> bytes:
    return data + more


def one_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


LAYERS = {"document": 0, "large object": 1, "task pack": 2, "common pack": 3}
DAMAGES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "missing": (Path.unlink, "FLT6010", "the store lacks the blob"),
    "truncated": (truncated, "FLT6011", "bytes, expected"),
    "one bit": (one_bit, "FLT6011", "holds the bytes of"),
    "linked": (linked, "FLT6011", "is a symbolic link, expected a regular file"),
    "a folder": (folder_instead, "FLT6011", "is a folder, expected a regular file"),
    "empty": (lambda path: path.write_bytes(b""), "FLT6011", "has 0 bytes, expected"),
}


def test_a_store_as_it_should_be_has_nothing_to_tell(tmp_path: Path) -> None:
    found = verify_store(Builder(tmp_path / "s").write())
    assert found.diagnostics == []
    (root,) = found.roots
    assert (root.kind, root.name, root.tasks, root.is_sound) == ("taskset", "set", 3, True)
    sizes = [path.stat().st_size for path in (tmp_path / "s" / "blobs" / "sha256").iterdir()]
    assert (found.blobs, found.bytes) == (len(sizes), sum(sizes))


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("which", LAYERS)
def test_a_damaged_layer(tmp_path: Path, which: str, damage: str) -> None:
    directory = Builder(tmp_path / "s").write()
    path = layer(directory, LAYERS[which])
    harm, code, told = DAMAGES[damage]
    harm(path)
    found = verify_store(directory)
    assert [item.code for item in found.diagnostics] == [code]
    (item,) = found.diagnostics
    assert item.place.file == str(path)
    assert f"sha256:{path.name}" in item.message
    assert told in item.message
    assert item.help
    assert [root.is_sound for root in found.roots] == [False]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("which", ["manifest", "empty config"])
def test_a_damaged_manifest_or_config(tmp_path: Path, which: str, damage: str) -> None:
    directory = Builder(tmp_path / "s").write()
    path = blob_file(directory, manifest_digest(directory) if which == "manifest" else EMPTY)
    harm, code, told = DAMAGES[damage]
    harm(path)
    found = verify_store(directory)
    assert [item.code for item in found.diagnostics] == [code]
    assert told in messages(found)
    assert "the root 'set'" in messages(found) or code == "FLT6011"
    assert not any(root.is_sound for root in found.roots)


def test_swapped_blobs_are_both_named_with_what_they_hold(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    one, other = layer(directory, 0), layer(directory, 3)
    swapped(one, other)
    found = verify_store(directory)
    assert [item.code for item in found.diagnostics] == ["FLT6011", "FLT6011"]
    assert {item.place.file for item in found.diagnostics} == {str(one), str(other)}


def test_blobs_of_the_same_size_that_were_swapped(tmp_path: Path) -> None:
    directory = tmp_path / "s"
    for name in (b"a", b"b"):
        Builder(directory, name=name.decode(), raw={"blob": partial(add, name)}).write()
    sizes: dict[int, list[Path]] = {}
    for path in (directory / "blobs" / "sha256").iterdir():
        sizes.setdefault(path.stat().st_size, []).append(path)
    one, other = next(pair for pair in sizes.values() if len(pair) == 2)
    swapped(one, other)
    found = verify_store(directory)
    assert [item.code for item in found.diagnostics] == ["FLT6011", "FLT6011"]
    assert f"the blob sha256:{one.name} holds the bytes of sha256:{other.name}" in messages(found)


def test_everything_that_is_wrong_is_named_at_once(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    layer(directory, 0).unlink()
    truncated(layer(directory, 1))
    blob_file(directory, sha(b"nobody")).write_bytes(b"nobody")
    blob_file(directory, sha(b"other")).write_bytes(b"not it")
    (directory / "notes.txt").write_text("Mine.")
    (directory / "blobs" / "sha512").mkdir()
    (directory / "blobs" / "sha256" / "README").write_text("Theirs.")
    found = verify_store(directory)
    severities = [item.severity for item in found.diagnostics]
    assert severities == ["error"] * 3 + ["warning"] * 3 + ["note"] * 2
    assert sorted(item.code for item in found.diagnostics) == [
        *["FLT6010", "FLT6011", "FLT6011"],
        *["FLT6012", "FLT6012", "FLT6013", "FLT6013", "FLT6013"],
    ]
    assert all(item.help for item in found.diagnostics)


def test_what_an_older_state_left_is_a_note(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    Builder(directory, tasks=4).write()
    found = verify_store(directory)
    assert {item.code for item in found.diagnostics} == {"FLT6012"}
    assert [root.is_sound for root in found.roots] == [True]


def test_a_blob_that_is_removed_meanwhile_and_needed_by_nobody_is_no_mistake(
    tmp_path: Path,
) -> None:
    directory = Builder(tmp_path / "s").write()
    extra = blob_file(directory, sha(b"nobody"))
    extra.write_bytes(b"nobody")
    real = files.check_file

    def gone(directory: Path, digest: str, expected: int | None) -> int:
        extra.unlink(missing_ok=True)
        return real(directory, digest, expected)

    with mock.patch("fleet_contracts.verify.check.check_file", gone):
        assert [item.severity for item in verify_store(directory).diagnostics] == ["note"]


def test_a_store_that_changes_meanwhile_is_looked_at_again(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    looks = []

    def replaced(directory: Path) -> Listing:
        """Let a compile replace the root, and what it replaced be removed, at the first look."""
        looks.append(directory)
        if len(looks) == 1:
            Builder(directory, tasks=4).write()
            collect(directory)
        return list_store(directory)

    with mock.patch("fleet_contracts.verify.check.list_store", replaced):
        found = verify_store(directory)
    assert len(looks) == 2
    assert found.diagnostics == []
    assert [root.tasks for root in found.roots] == [4]


def test_a_disk_that_does_not_give_the_bytes(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    error = OSError(5, "Input/output error")
    with mock.patch("hashlib.file_digest", side_effect=error):
        found = verify_store(directory)
    assert {item.code for item in found.diagnostics} == {"FLT6011"}
    assert "cannot be read: Input/output error" in messages(found)


def test_an_index_that_cannot_be_read_hides_no_damaged_blob(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    one_bit(layer(directory, 1))
    (directory / "index.json").write_bytes(b"{")
    assert codes(directory) == ["FLT6011", "FLT6001"]
    assert codes(directory, sha(BIG)) == ["FLT6001"]


@pytest.mark.parametrize(
    ("name", "code", "harm"),
    [
        ("oci-layout", "FLT6002", lambda path: path.write_text('{"imageLayoutVersion":"2.0.0"}')),
        ("oci-layout", "FLT6001", lambda path: path.write_text("1.0.0")),
        ("index.json", "FLT6001", Path.unlink),
        ("blobs", "FLT6001", linked),
    ],
)
def test_a_layout_that_is_none(tmp_path: Path, name: str, code: str, harm: Damage) -> None:
    directory = Builder(tmp_path / "s" / "s" / "s").write()
    harm(directory / name)
    assert codes(directory) == [code]


def test_folders_that_are_no_store(tmp_path: Path) -> None:
    with pytest.raises(UnresolvedError, match="there is no store"):
        verify_store(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="is no store"):
        verify_store(tmp_path)


def test_two_roots_of_one_name(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    write_index(directory, lambda found: found["manifests"].append(found["manifests"][0]))
    found = verify_store(directory)
    assert [item.code for item in found.diagnostics] == ["FLT6001"]
    assert "2 roots named 'set'" in messages(found)


def test_a_digest_chooses_the_roots_that_hold_it(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s", name="a").write()
    Builder(directory, name="b", changes={"task": lambda task: task.update(prompt="Else?")}).write()
    (directory / "notes.txt").touch()
    both = index(directory)["manifests"]
    document = manifest(directory)["layers"][0]["digest"]
    for digest, names in (
        (both[0]["digest"], ["a"]),
        (document, ["a"]),
        (sha(BIG), ["a", "b"]),
        (sha(b"a file"), ["a", "b"]),
    ):
        found = verify_store(directory, [digest])
        assert [root.name for root in found.roots] == names
        assert found.diagnostics == []
    layer(directory, 2).unlink()
    assert codes(directory, both[1]["digest"]) == []
    assert codes(directory, both[0]["digest"]) == ["FLT6010"]
    with pytest.raises(UnresolvedError, match=r"no root of .* holds sha256:0000"):
        verify_store(directory, ["sha256:" + "0" * 64])


def test_a_large_blob_is_never_held_in_memory(tmp_path: Path) -> None:
    size = 64 << 20
    with Transaction.begin(tmp_path / "s") as transaction:
        publish_artifact(transaction, "files", {"zeros": bytes(size)})
        transaction.commit()
    verify_store(tmp_path / "s")  # what is read once, schemas for instance, is no part of it
    tracemalloc.start()
    try:
        assert verify_store(tmp_path / "s").diagnostics == []
        assert tracemalloc.get_traced_memory()[1] < size // 16
    finally:
        tracemalloc.stop()


def test_nothing_is_written(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    before = {path: path.lstat().st_mtime_ns for path in directory.rglob("*")}
    with Transaction.begin(directory):
        verify_store(directory)
    assert {path: path.lstat().st_mtime_ns for path in directory.rglob("*")} == before
