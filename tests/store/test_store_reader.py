"""Finding objects wherever they stand, and copying them on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from store_kit import commit_environment, commit_taskset, environment, objects, ref, sha, tree

from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.store import (
    BIG_OBJECT,
    HashSink,
    Ref,
    Root,
    Store,
    StoreError,
    TaskPack,
    Transaction,
    publish_artifact,
)

BIG = b"big" * BIG_OBJECT


def fill(directory: Path) -> dict[str, bytes]:
    tasks = [b"task %d" % number for number in range(1500)]
    with Transaction.begin(directory) as transaction:
        refs = [transaction.put(task) for task in tasks]
        pages = [transaction.put(b"page 0"), transaction.put(b"page 1")]
        packs = [TaskPack(pages[0], refs[:1000]), TaskPack(pages[1], refs[1000:])]
        common = [transaction.put(b"shared"), transaction.put(BIG)]
        document = transaction.put(b"taskset")
        transaction.add_root(Root("taskset", "v1alpha2", "set", "A line.", document, packs, common))
        document = transaction.put(b"environment")
        transaction.add_root(environment("env", b"environment", common=common))
        transaction.commit()
    others = [b"page 0", b"page 1", b"shared", BIG, b"taskset", b"environment"]
    return {sha(data): data for data in (*tasks, *others)}


def test_every_object_is_found(tmp_path: Path) -> None:
    expected = fill(tmp_path)
    assert objects(tmp_path) == expected
    store = Store.open(tmp_path)
    assert {digest: store.read(digest) for digest in expected} == expected
    assert {digest: store.size(digest) for digest in expected} == {
        digest: len(data) for digest, data in expected.items()
    }


def test_the_roots(tmp_path: Path) -> None:
    fill(tmp_path)
    store = Store.open(tmp_path)
    assert [(root.kind, root.generation, root.name, root.description) for root in store.roots] == [
        ("environment", "v1alpha1", "env", None),
        ("taskset", "v1alpha2", "set", "A line."),
    ]
    found = store.find("set")
    assert found is not None
    assert found.document == ref(b"taskset")
    assert store.find("nothing") is None


def test_what_no_root_holds_is_not_found(tmp_path: Path) -> None:
    fill(tmp_path)
    (tmp_path / "blobs" / "sha256" / sha(b"loose")[7:]).write_bytes(b"loose")
    store = Store.open(tmp_path)
    manifest = store.roots[0].manifest.digest
    for digest in (sha(b"loose"), manifest, sha(b"{}"), "sha256:x", "", sha(b"one").upper()):
        assert store.read(digest) is None
        assert store.size(digest) is None
        assert store.chunks(digest) is None


def test_tables_are_read_only_until_an_object_is_found(tmp_path: Path) -> None:
    commit_taskset(tmp_path, "a", b"document", [b"task"], [])
    commit_taskset(tmp_path, "b", b"document", [b"other task"], [])
    store = Store.open(tmp_path)
    for data in tree(tmp_path / "blobs" / "sha256").items():
        if data[1].endswith(b"\nother task"):
            (tmp_path / "blobs" / "sha256" / data[0]).unlink()
    assert store.read(sha(b"document")) == b"document"
    assert store.read(sha(b"task")) == b"task"
    with pytest.raises(StoreError, match="the store lacks the blob"):
        store.read(sha(b"other task"))


def test_large_objects_come_in_pieces(tmp_path: Path) -> None:
    fill(tmp_path)
    chunks = Store.open(tmp_path).chunks(sha(BIG))
    assert chunks is not None
    sizes = [len(chunk) for chunk in chunks]
    assert sizes == [BIG_OBJECT] * 3


def test_copying_into_another_store(tmp_path: Path) -> None:
    expected = fill(tmp_path / "one")
    store = Store.open(tmp_path / "one")
    with Transaction.begin(tmp_path / "two") as transaction:
        copied = [store.read_into(transaction, digest) for digest in expected]
        assert copied == [Ref(digest, len(data)) for digest, data in expected.items()]
        rest = [found for found in copied if found is not None]
        transaction.add_root(Root("artifact", "v1alpha1", "x", None, ref(b"environment"), (), rest))
        transaction.commit()
    assert objects(tmp_path / "two") == expected
    assert store.read_into(HashSink(), sha(BIG)) == ref(BIG)
    assert store.read_into(HashSink(), sha(b"absent")) is None


def test_copying_a_damaged_object_fails(tmp_path: Path) -> None:
    fill(tmp_path)
    path = tmp_path / "blobs" / "sha256" / sha(BIG)[7:]
    path.write_bytes(BIG[:-1] + b"!")
    store = Store.open(tmp_path)
    with pytest.raises(StoreError, match="does not have the digest of its name") as caught:
        store.read_into(HashSink(), sha(BIG))
    assert caught.value.code == "FLT6001"


def test_an_artifact(tmp_path: Path) -> None:
    with Transaction.begin(tmp_path) as transaction:
        document = publish_artifact(
            transaction,
            "seed",
            {
                "run.sh": b"#!/bin/sh\n",
                "data/é.bin": BIG,
                "link": ("symlink", "run.sh"),
                "empty": ("dir",),
            },
            executable={"run.sh"},
            removed=["z", "é", "a", "a"],
            description="A seed.",
        )
        transaction.commit()
    store = Store.open(tmp_path)
    data = store.read(document.digest)
    assert data is not None
    assert json.loads(data) == {
        "schema": "fleet.artifact.v1alpha1",
        "entries": {
            "run.sh": {
                "type": "file",
                "digest": sha(b"#!/bin/sh\n"),
                "size": 10,
                "executable": True,
            },
            "data/é.bin": {"type": "file", "digest": sha(BIG), "size": len(BIG)},
            "link": {"type": "symlink", "target": "run.sh"},
            "empty": {"type": "dir"},
        },
        "removed": ["a", "z", "é"],
    }
    assert store.read(sha(BIG)) == BIG
    assert store.read(sha(b"#!/bin/sh\n")) == b"#!/bin/sh\n"
    root = store.find("seed")
    assert root is not None
    assert (root.kind, root.document, root.description) == ("artifact", document, "A seed.")


def test_an_artifact_without_removed_paths_has_no_such_key() -> None:
    sink = HashSink()
    document = publish_artifact(sink, "x", {})
    assert document == ref(b'{"entries":{},"schema":"fleet.artifact.v1alpha1"}')


def test_folders_that_are_no_store(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    for absent in (tmp_path / "absent", tmp_path / "empty"):
        with pytest.raises(UnresolvedError, match="there is no store at"):
            Store.open(absent)
        (tmp_path / "empty").mkdir(exist_ok=True)
    with pytest.raises(UsageError, match="is not empty and is no store"):
        Store.open(tmp_path)
    with pytest.raises(UsageError, match="is not empty and is no store"):
        Transaction.begin(tmp_path)
    with pytest.raises(UsageError, match="is not a folder"):
        Transaction.begin(file)
    commit_environment(tmp_path / "empty", "a", b"one")
    assert Store.open(tmp_path / "empty").read(sha(b"one")) == b"one"


def test_a_closure_has_every_object_of_its_root_once(tmp_path: Path) -> None:
    commit_taskset(tmp_path / "s", "a", b"[1]", [b"task", b"task"], [b"common", b"B" * BIG_OBJECT])
    commit_environment(tmp_path / "s", "b", b"[2]")
    store = Store.open(tmp_path / "s")
    first, second = store.find("a"), store.find("b")
    assert first is not None
    assert second is not None
    found = store.closure(first)
    wanted = [ref(b"[1]"), ref(b"B" * BIG_OBJECT), ref(b"task"), ref(b"common")]
    assert list(found.values()) == wanted
    assert store.closure(second) == {sha(b"[2]"): ref(b"[2]")}


def test_digests_are_found_by_how_they_start(tmp_path: Path) -> None:
    commit_taskset(tmp_path / "s", "a", b"[1]", [b"task", b""], [b"common"])
    store = Store.open(tmp_path / "s")
    for data in (b"[1]", b"task", b"", b"common"):
        assert store.starting(sha(data)[7:17]) == [ref(data)]
    assert store.starting("0" * 20) == []
    blobs = [path for path in (tmp_path / "s/blobs/sha256").iterdir() if path.name]
    assert {each.digest for each in store.starting("")} >= {f"sha256:{b.name}" for b in blobs}


def test_carriers_have_bytes_and_are_no_objects(tmp_path: Path) -> None:
    commit_taskset(tmp_path / "s", "a", b"[1]", [b"task"], [])
    store = Store.open(tmp_path / "s")
    root = store.roots[0]
    for carrier in (root.manifest, *root.packs):
        assert store.carrier(carrier.digest) == carrier
        assert store.read(carrier.digest) is None
        chunks = store.carrier_chunks(carrier.digest)
        assert chunks is not None
        assert sha(b"".join(chunks)) == carrier.digest
    assert store.carrier(root.document.digest) is None
    assert store.carrier_chunks(sha(b"task")) is None
