"""What goes and what stays: blobs of old states, leftovers of kills, and other tools' images."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from store_kit import commit_environment, commit_taskset, index, objects, sha, tree

from fleet_contracts.canonical import canonical_bytes
from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.store import (
    BIG_OBJECT,
    Root,
    Store,
    StoreError,
    Transaction,
    disk,
    layout,
    reader,
)
from fleet_contracts.store.gc import collect

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"


def blobs(directory: Path) -> set[str]:
    return {f"sha256:{path.name}" for path in (directory / "blobs" / "sha256").iterdir()}


def put(directory: Path, data: bytes, media_type: str = MANIFEST) -> dict[str, Any]:
    """Put a blob there as another tool would, and return its descriptor."""
    path = directory / "blobs" / "sha256" / sha(data)[7:]
    path.write_bytes(data)
    return {"mediaType": media_type, "digest": sha(data), "size": len(data)}


def add_to_index(directory: Path, descriptor: dict[str, Any]) -> None:
    found = index(directory)
    found["manifests"].append(descriptor)
    (directory / "index.json").write_bytes(canonical_bytes(found))


def image(directory: Path, name: bytes, **more: Any) -> dict[str, Any]:
    """Put an image of another tool: config, layer and manifest; return its descriptor."""
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": put(directory, b"config " + name, "application/json"),
        "layers": [put(directory, b"layer " + name, "application/gzip")],
        **more,
    }
    return put(directory, json.dumps(manifest).encode())


def test_what_an_older_state_alone_needed_goes(tmp_path: Path) -> None:
    commit_taskset(tmp_path, "x", b"old", [b"task", b"gone"], [b"blob", b"x" * BIG_OBJECT])
    commit_environment(tmp_path, "y", b"other")
    commit_taskset(tmp_path, "x", b"new", [b"task"], [b"blob"])
    before, whole = tree(tmp_path), objects(tmp_path)
    looked = collect(tmp_path, dry_run=True)
    assert tree(tmp_path) == before
    found = collect(tmp_path)
    assert looked == found
    assert sha(b"old") in [ref.digest for ref in found.blobs]
    after = tree(tmp_path)
    gone = set(before) - set(after)
    assert {f"blobs/sha256/{ref.digest[7:]}" for ref in found.blobs} == gone
    assert found.removed_bytes == sum(len(before[name]) for name in gone) > BIG_OBJECT
    assert {name: before[name] for name in after} == after
    assert (found.kept, found.kept_bytes) == (
        len(blobs(tmp_path)),
        sum(len(data) for name, data in after.items() if name.startswith("blobs/")),
    )
    assert objects(tmp_path) == whole
    assert collect(tmp_path).blobs == []


def test_a_blob_that_two_roots_share_stays_with_one_of_them(tmp_path: Path) -> None:
    commit_taskset(tmp_path, "x", b"x", [b"task"], [b"s" * BIG_OBJECT])
    commit_taskset(tmp_path, "y", b"y", [b"task"], [b"s" * BIG_OBJECT])
    commit_environment(tmp_path, "z", b"z")
    commit_taskset(tmp_path, "x", b"x", [b"task"], [])
    collect(tmp_path)
    assert sha(b"s" * BIG_OBJECT) in objects(tmp_path)


def test_foreign_images_keep_all_that_they_name(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    subject = image(tmp_path, b"subject")
    inner = image(tmp_path, b"inner", subject=subject)
    absent = {"mediaType": MANIFEST, "digest": "sha256:" + "0" * 64, "size": 10}
    nested = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [inner, absent]}
    add_to_index(tmp_path, put(tmp_path, json.dumps(nested).encode(), INDEX))
    add_to_index(tmp_path, put(tmp_path, b"large " * BIG_OBJECT, "application/gzip"))
    add_to_index(tmp_path, put(tmp_path, b"\xff no JSON", "application/x-other"))
    add_to_index(tmp_path, put(tmp_path, b"[1]", "application/x-other"))
    kept = blobs(tmp_path)
    nobody = put(tmp_path, b"nobody")
    assert [ref.digest for ref in collect(tmp_path).blobs] == [nobody["digest"]]
    assert blobs(tmp_path) == kept


def test_a_blob_that_is_a_file_here_and_a_manifest_there_leads_on(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    inner = image(tmp_path, b"inner")
    add_to_index(tmp_path, image(tmp_path, b"outer", layers=[inner]))
    nested = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [inner]}
    add_to_index(tmp_path, put(tmp_path, json.dumps(nested).encode(), INDEX))
    collect(tmp_path)
    assert {sha(b"config inner"), sha(b"layer inner")} <= blobs(tmp_path)


def test_all_that_a_newer_manifest_of_a_known_kind_names_is_kept(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    found = index(tmp_path)
    path = tmp_path / "blobs" / "sha256" / found["manifests"][0]["digest"][7:]
    manifest = json.loads(path.read_bytes())
    path.unlink()
    manifest["config"] = put(tmp_path, b"a config of its own", "application/json")
    manifest["subject"] = image(tmp_path, b"subject")
    found["manifests"][0].update(put(tmp_path, json.dumps(manifest).encode()))
    (tmp_path / "index.json").write_bytes(canonical_bytes(found))
    kept = blobs(tmp_path)
    assert collect(tmp_path).problems == []
    assert blobs(tmp_path) == kept


def test_a_foreign_layer_with_urls_may_be_elsewhere(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    elsewhere = {"digest": "sha256:" + "0" * 64, "size": 1, "urls": ["https://example.com/a"]}
    add_to_index(tmp_path, image(tmp_path, b"a", layers=[elsewhere]))
    assert collect(tmp_path).problems == []


def test_a_root_of_a_kind_that_only_a_newer_release_knows_is_kept_whole(tmp_path: Path) -> None:
    commit_taskset(tmp_path, "x", b"document", [b"task"], [b"b" * BIG_OBJECT])
    kept = blobs(tmp_path)
    text = json.dumps(index(tmp_path))
    manifest = tmp_path / "blobs" / "sha256" / index(tmp_path)["manifests"][0]["digest"][7:]
    data = manifest.read_bytes().replace(b"fleet.taskset.v1alpha1", b"fleet.bundle.v3")
    manifest.unlink()
    changed = put(tmp_path, data)
    found = json.loads(text.replace("fleet.taskset.v1alpha1", "fleet.bundle.v3"))
    found["manifests"][0].update(changed)
    (tmp_path / "index.json").write_bytes(canonical_bytes(found))
    assert collect(tmp_path).blobs == []
    assert blobs(tmp_path) == kept - {f"sha256:{manifest.name}"} | {changed["digest"]}


@pytest.mark.parametrize("way", ["missing", "damaged", "foreign and missing"])
def test_nothing_goes_while_it_cannot_be_told_what_is_needed(tmp_path: Path, way: str) -> None:
    commit_environment(tmp_path, "x", b"document")
    descriptor = index(tmp_path)["manifests"][0]
    if way == "foreign and missing":
        descriptor = image(tmp_path, b"a")
        add_to_index(tmp_path, descriptor)
    put(tmp_path, b"nobody")
    path = tmp_path / "blobs" / "sha256" / descriptor["digest"][7:]
    if way == "damaged":
        path.write_bytes(b"{}")
    else:
        path.unlink()
    before = tree(tmp_path)
    found = collect(tmp_path)
    assert [each.code for each in found.problems] == ["FLT6011" if way == "damaged" else "FLT6010"]
    assert (found.blobs, found.removed_bytes) == ([], 0)
    assert tree(tmp_path) == before


def test_nothing_goes_while_the_index_cannot_be_read_or_is_newer(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    put(tmp_path, b"nobody")
    (tmp_path / "oci-layout").write_text('{"imageLayoutVersion":"2.0.0"}')
    before = tree(tmp_path)
    with pytest.raises(StoreError) as caught:
        collect(tmp_path)
    assert caught.value.code == "FLT6002"
    (tmp_path / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
    (tmp_path / "index.json").write_bytes(b"{")
    with pytest.raises(StoreError) as caught:
        collect(tmp_path)
    assert caught.value.code == "FLT6001"
    assert {*tree(tmp_path)} == {*before}


def test_foreign_files_stay(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    (tmp_path / "notes.txt").write_text("Mine.")
    (tmp_path / "blobs" / "sha256" / "README").write_text("Mine.")
    before = tree(tmp_path)
    assert collect(tmp_path).blobs == []
    assert tree(tmp_path) == before


@pytest.mark.parametrize("data", [b"small", b"b" * BIG_OBJECT])
@pytest.mark.parametrize("dry_run", [False, True])
def test_nothing_goes_while_a_compile_is_writing(
    tmp_path: Path, data: bytes, dry_run: bool
) -> None:
    """Not even a blob that was there before, which the compile counts on."""
    commit_taskset(tmp_path, "x", b"document", [], [data])
    commit_taskset(tmp_path, "x", b"other", [], [])
    memory_limit = 1 if data == b"small" else 100  # so that only what is asked about is on disk
    with Transaction.begin(tmp_path, memory_limit=memory_limit) as transaction:
        document, kept = transaction.put(b"new"), transaction.put(data)
        with pytest.raises(UnresolvedError, match="a compile is writing to") as caught:
            collect(tmp_path, dry_run=dry_run)
        assert caught.value.help
        root = Root("taskset", "v1alpha1", "x", None, document, common=[kept])
        transaction.add_root(root)
        transaction.commit()
    assert objects(tmp_path)[sha(data)] == data
    assert collect(tmp_path).problems == []
    assert objects(tmp_path)[sha(data)] == data


def test_a_compile_waits_until_it_is_done(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    with disk.locked(tmp_path):
        writing = threading.Thread(target=commit_environment, args=(tmp_path, "y", b"new"))
        writing.start()
        writing.join(0.2)
        assert writing.is_alive()
    writing.join(30)
    assert {sha(b"document"), sha(b"new")} <= set(objects(tmp_path))


def test_a_root_that_is_replaced_and_removed_while_a_store_is_opened(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"old")
    stale = layout.read_index(tmp_path)
    commit_environment(tmp_path, "x", b"new")
    collect(tmp_path)
    current = layout.read_index(tmp_path)
    with mock.patch.object(reader, "read_index", side_effect=[stale, current, current]):
        assert Store.open(tmp_path).read(sha(b"new")) == b"new"
    with mock.patch.object(reader, "read_index", return_value=stale), pytest.raises(StoreError):
        Store.open(tmp_path)


def test_what_a_killed_compile_left_goes(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    left = tmp_path / ".tmp" / "abc"
    left.mkdir(parents=True)
    (left / "spool").write_bytes(b"x" * 100)
    (left / "link").symlink_to(tmp_path / "index.json")
    looked = collect(tmp_path, dry_run=True)
    assert (looked.leftovers, looked.removed_bytes) == ([left], 100)
    assert left.exists()
    assert collect(tmp_path) == looked
    assert not (tmp_path / ".tmp").exists()
    assert set(objects(tmp_path)) == {sha(b"document")}


def test_a_stray_file_among_the_leftovers_is_left_alone(tmp_path: Path) -> None:
    commit_environment(tmp_path, "x", b"document")
    (tmp_path / ".tmp").mkdir()
    (tmp_path / ".tmp" / "note").touch()
    assert collect(tmp_path).leftovers == []
    assert (tmp_path / ".tmp" / "note").exists()


def test_folders_that_are_no_store(tmp_path: Path) -> None:
    with pytest.raises(UnresolvedError, match="there is no store"):
        collect(tmp_path)
    assert os.listdir(tmp_path) == []
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="is no store"):
        collect(tmp_path)


def test_what_a_link_in_place_of_the_work_folder_leads_to_stays(tmp_path: Path) -> None:
    store, elsewhere = tmp_path / "store", tmp_path / "elsewhere"
    commit_environment(store, "one", b"1")
    (elsewhere / "precious").mkdir(parents=True)
    (store / ".tmp").symlink_to(elsewhere)
    with pytest.raises(StoreError, match="is a link") as caught:
        collect(store)
    assert caught.value.code == "FLT6001"
    with pytest.raises(StoreError, match="is a link"):
        commit_environment(store, "two", b"2")
    assert (elsewhere / "precious").is_dir()


def test_a_root_that_is_said_to_be_large_stays(tmp_path: Path) -> None:
    commit_environment(tmp_path, "one", b"1")
    document = index(tmp_path)
    document["manifests"][0].update(size=99_999_999, mediaType="application/x")
    (tmp_path / "index.json").write_text(json.dumps(document))
    before = tree(tmp_path)
    assert not collect(tmp_path).blobs
    assert tree(tmp_path) == before
