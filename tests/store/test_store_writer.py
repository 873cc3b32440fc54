"""What a transaction leaves on disk."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from store_kit import (
    blob,
    commit_environment,
    commit_taskset,
    environment,
    index,
    objects,
    ref,
    sha,
    tree,
)

from fleet_contracts.errors import InternalError
from fleet_contracts.store import (
    BIG_OBJECT,
    HashSink,
    Ref,
    Root,
    Store,
    StoreError,
    TaskPack,
    Transaction,
)

NAME = "org.opencontainers.image.ref.name"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def test_a_small_root_byte_for_byte(tmp_path: Path) -> None:
    with Transaction.begin(tmp_path / "s") as transaction:
        document = transaction.put(b'{"root":1}')
        task = transaction.put(b'{"task":1}')
        packs = [TaskPack(None, [task])]
        rest = [transaction.put(b"blob")]
        transaction.add_root(
            Root("taskset", "v1alpha1", "small", "One task.", document, packs, rest)
        )
        written = transaction.commit()
    manifest = (
        b'{"artifactType":"application/vnd.fleet.taskset.v1alpha1+json","config":{"digest":'
        b'"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","mediaType":'
        b'"application/vnd.oci.empty.v1+json","size":2},"layers":[{"digest":'
        b'"sha256:299c91466bfabe47afb4ca6f073ec3569e8e26cb99d00aeac5367eb33ae49f38","mediaType":'
        b'"application/vnd.fleet.taskset.v1alpha1+json","size":10},{"digest":'
        b'"sha256:394ad72ab7653e50613ad3dc5ba68502c8564aa77d0cee1c162a25358a84102b","mediaType":'
        b'"application/vnd.fleet.pack.v1","size":91},{"digest":'
        b'"sha256:dae5c1726d1ca57a867d6ff52c695a515c7a373e058a42ae6f070b05c36230b8","mediaType":'
        b'"application/vnd.fleet.pack.v1","size":84}],"mediaType":'
        b'"application/vnd.oci.image.manifest.v1+json","schemaVersion":2}'
    )
    task_pack = (
        b'[["sha256:0b82723acaa3a6b3d9ed5f67db14a14d009e39ab168cce4336b2c88ef95119b6",10]]\n'
        b'{"task":1}'
    )
    common_pack = (
        b'[["sha256:fa2c8cc4f28176bbeed4b736df569a34c79cd3723e9ec42f9674b4d46ac6b8b8",4]]\nblob'
    )
    the_index = (
        b'{"manifests":[{"annotations":{"org.opencontainers.image.description":"One task.",'
        b'"org.opencontainers.image.ref.name":"small"},"artifactType":'
        b'"application/vnd.fleet.taskset.v1alpha1+json","digest":'
        b'"sha256:3f9abf89f3faea82c2f8d1f14fd4d87caca0d29454edf0df24294b37c5578825","mediaType":'
        b'"application/vnd.oci.image.manifest.v1+json","size":730}],"mediaType":'
        b'"application/vnd.oci.image.index.v1+json","schemaVersion":2}'
    )
    blobs = [b'{"root":1}', b"{}", manifest, task_pack, common_pack]
    assert tree(tmp_path / "s") == {
        ".lock": b"",
        "oci-layout": b'{"imageLayoutVersion":"1.0.0"}',
        "index.json": the_index,
        **{f"blobs/sha256/{sha(data)[7:]}": data for data in blobs},
    }
    assert written == len(the_index) + sum(map(len, blobs))
    assert {path.name for path in (tmp_path / "s").iterdir()} == {
        ".lock", "oci-layout", "index.json", "blobs",
    }  # fmt: skip


def mixed(sink: Transaction, order: random.Random) -> None:
    items = [b"blob %d" % number for number in range(300)] + [b"B" * BIG_OBJECT, b"A" * BIG_OBJECT]
    tasks = [b"task %d" % number for number in range(200)]
    puts = items + tasks + [b"document"]
    order.shuffle(puts)
    for data in puts:
        sink.put(data)
    common = [ref(data) for data in items]
    order.shuffle(common)
    pack = TaskPack(None, [ref(data) for data in tasks])
    roots = [
        Root("taskset", "v1alpha1", "one", None, ref(b"document"), [pack], common),
        environment("two", b"document", common=common),
        Root("artifact", "v1alpha1", "three", "Third.", ref(b"document")),
    ]
    order.shuffle(roots)
    for root in roots:
        sink.add_root(root)


def write_mixed(directory: Path, seed: int, memory_limit: int = 1 << 20) -> int:
    with Transaction.begin(directory, memory_limit=memory_limit) as transaction:
        mixed(transaction, random.Random(seed))
        return transaction.commit()


def test_neither_order_nor_memory_nor_environment_reach_the_bytes(tmp_path: Path) -> None:
    write_mixed(tmp_path / "one", 1)
    write_mixed(tmp_path / "two", 2, memory_limit=10)
    script = (
        "import os, pathlib, sys; os.umask(0o077); from test_store_writer import write_mixed;"
        "write_mixed(pathlib.Path(sys.argv[1]), 3)"
    )
    subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "three")],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(Path(__file__).parent)},
    )
    assert tree(tmp_path / "one") == tree(tmp_path / "two") == tree(tmp_path / "three")
    assert len(objects(tmp_path / "one")) == 503


def test_a_second_run_writes_nothing(tmp_path: Path) -> None:
    assert write_mixed(tmp_path, 1) > 2 * BIG_OBJECT
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert write_mixed(tmp_path, 2) == 0
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert before == after


def test_identical_objects_are_kept_once(tmp_path: Path) -> None:
    commit_taskset(tmp_path, "x", b"document", [b"task", b"task", b"other"], [b"blob", b"blob"])
    packs = [data for data in tree(tmp_path).values() if data.startswith(b"[[")]
    assert sorted(pack.split(b"\n", 1)[1] for pack in packs) == [b"blob", b"taskother"]


@pytest.mark.parametrize("size", [BIG_OBJECT - 1, BIG_OBJECT])
@pytest.mark.parametrize("way", ["put", "put_stream"])
@pytest.mark.parametrize("common", [True, False])
def test_1_mib_is_a_blob_of_its_own(tmp_path: Path, size: int, way: str, common: bool) -> None:
    data = bytes(size)
    with Transaction.begin(tmp_path) as transaction:
        transaction.put(b"document")
        pieces = (data[at : at + 300_000] for at in range(0, size, 300_000))
        put = transaction.put(data) if way == "put" else transaction.put_stream(pieces)
        assert put == ref(data)
        packs, rest = ([], [put]) if common else ([TaskPack(None, [put])], [])
        transaction.add_root(Root("taskset", "v1alpha1", "x", None, ref(b"document"), packs, rest))
        transaction.commit()
    assert objects(tmp_path)[put.digest] == data
    own = (tmp_path / "blobs" / "sha256" / put.digest[7:]).exists()
    assert own == (size == BIG_OBJECT)
    assert Store.open(tmp_path).read(put.digest) == data


def test_streams_of_any_size(tmp_path: Path) -> None:
    for sink in (Transaction.begin(tmp_path / "s"), HashSink()):
        assert sink.put_stream([]) == ref(b"") == sink.put(b"")
        assert sink.put_stream([b"a", b"", b"bc"]) == ref(b"abc") == sink.put(b"abc")
        big = b"x" * (BIG_OBJECT * 3 + 1)
        assert sink.put_stream(iter([big[:5], big[5:]])) == ref(big) == sink.put(big)


def test_the_spool_goes_to_disk_beyond_its_limit(tmp_path: Path) -> None:
    tasks = [b"%05d" % number * 50 for number in range(1000)]
    with Transaction.begin(tmp_path / "s", memory_limit=100_000) as transaction:
        refs = [transaction.put(task) for task in tasks]
        document = transaction.put(b"document")
        assert [path.name for path in (tmp_path / "s" / ".tmp").rglob("spool")] == ["spool"]
        order = list(reversed(refs))
        transaction.add_root(
            Root("taskset", "v1alpha1", "x", None, document, [TaskPack(None, order)])
        )
        transaction.commit()
    assert objects(tmp_path / "s") == {sha(data): data for data in (*tasks, b"document")}
    assert not (tmp_path / "s" / ".tmp").exists()


def test_a_root_replaces_the_one_of_its_name_and_kind(tmp_path: Path) -> None:
    commit_environment(tmp_path, "a", b"old")
    commit_environment(tmp_path, "b", b"other")
    commit_environment(tmp_path, "a", b"new")
    roots = Store.open(tmp_path).roots
    assert [(root.name, root.document) for root in roots] == [
        ("a", ref(b"new")),
        ("b", ref(b"other")),
    ]


def test_the_index_is_sorted_by_name(tmp_path: Path) -> None:
    for name in ("b", "a.b", "a-b", "a", "c"):
        commit_environment(tmp_path, name, name.encode())
    names = [item["annotations"][NAME] for item in index(tmp_path)["manifests"]]
    assert names == ["a", "a-b", "a.b", "b", "c"]


def test_a_name_is_unique_across_kinds(tmp_path: Path) -> None:
    commit_environment(tmp_path, "taken", b"environment")
    before = tree(tmp_path)
    with pytest.raises(StoreError, match="belongs to a root of kind environment") as caught:
        commit_taskset(tmp_path, "taken", b"document", [b"task"], [])
    assert caught.value.code == "FLT6004"
    assert tree(tmp_path) == before


def test_a_name_is_unique_within_a_transaction(tmp_path: Path) -> None:
    with Transaction.begin(tmp_path) as transaction:
        transaction.put(b"document")
        transaction.add_root(environment("x", b"document"))
        with pytest.raises(StoreError, match="'x' of this artifact") as caught:
            transaction.add_root(Root("artifact", "v1alpha1", "x", None, ref(b"document")))
    assert caught.value.code == "FLT6004"


def edit_index(directory: Path, change: Callable[[dict[str, Any]], object]) -> None:
    found = index(directory)
    change(found)
    (directory / "index.json").write_text(json.dumps(found))


def foreign(name: str | None = None) -> dict[str, Any]:
    more = {} if name is None else {"annotations": {NAME: name}}
    return {"mediaType": MANIFEST, "digest": "sha256:" + "0" * 64, "size": 5, "odd": [1], **more}


def test_what_other_tools_put_there_is_kept(tmp_path: Path) -> None:
    commit_environment(tmp_path, "a", b"one")
    others = [
        foreign(),
        foreign("theirs"),
        {**foreign("signed"), "artifactType": "application/vnd.other"},
        {**foreign(), "digest": "sha512:" + "0" * 128},
    ]

    def change(found: dict[str, Any]) -> None:
        found["manifests"] += others
        found["annotations"] = {"org.example": "kept"}
        del found["mediaType"]

    edit_index(tmp_path, change)
    commit_environment(tmp_path, "b", b"two")
    found = index(tmp_path)
    assert [item for item in found["manifests"] if "odd" in item] != []
    assert all(other in found["manifests"] for other in others)
    assert len(found["manifests"]) == 6
    assert found["annotations"] == {"org.example": "kept"}
    assert found["mediaType"] == "application/vnd.oci.image.index.v1+json"
    assert {root.name for root in Store.open(tmp_path).roots} == {"a", "b"}


def test_a_foreign_name_is_not_taken_over(tmp_path: Path) -> None:
    commit_environment(tmp_path, "a", b"one")
    edit_index(tmp_path, lambda found: found["manifests"].append(foreign("theirs")))
    with pytest.raises(StoreError, match="root of kind foreign") as caught:
        commit_environment(tmp_path, "theirs", b"two")
    assert caught.value.code == "FLT6004"


def test_a_copy_that_lost_artifact_types_is_still_ours(tmp_path: Path) -> None:
    commit_environment(tmp_path, "a", b"one")
    edit_index(tmp_path, lambda found: found["manifests"][0].pop("artifactType"))
    found = Store.open(tmp_path).find("a")
    assert found is not None
    assert (found.kind, found.generation) == ("environment", "v1alpha1")
    commit_environment(tmp_path, "a", b"two")
    assert [item["artifactType"] for item in index(tmp_path)["manifests"]] == [
        "application/vnd.fleet.environment.v1alpha1+json"
    ]


def test_a_transaction_without_commit_leaves_nothing(tmp_path: Path) -> None:
    store = tmp_path / "s"
    with Transaction.begin(store, memory_limit=5) as transaction:
        transaction.put(b"more than five bytes")
        transaction.put(bytes(BIG_OBJECT))
        assert len(list((store / ".tmp").rglob("*"))) == 3
    assert not store.exists()
    with Transaction.begin(store) as transaction:
        transaction.put(b"small")
        assert transaction.commit() == 0
    assert not store.exists()


def test_an_aborted_transaction_leaves_a_store_as_it_was(tmp_path: Path) -> None:
    commit_environment(tmp_path, "a", b"one")
    before = tree(tmp_path)
    with Transaction.begin(tmp_path, memory_limit=5) as transaction:
        transaction.put(b"more than five bytes")
    assert tree(tmp_path) == before
    assert not (tmp_path / ".tmp").exists()


def test_folders_of_the_dead_are_removed_and_of_the_living_are_not(tmp_path: Path) -> None:
    stale = tmp_path / ".tmp" / "dead"
    stale.mkdir(parents=True)
    (stale / "spool").write_bytes(b"left behind")
    (tmp_path / ".lock").touch()
    with Transaction.begin(tmp_path, memory_limit=5) as living:
        task = living.put(b"in the living's spool")
        assert not stale.exists()
        commit_environment(tmp_path, "a", b"one")
        living.add_root(environment("b", b"in the living's spool"))
        living.commit()
    assert objects(tmp_path)[task.digest] == b"in the living's spool"
    assert not (tmp_path / ".tmp").exists()


def test_a_commit_that_lost_the_race_for_a_name_changes_nothing(tmp_path: Path) -> None:
    with Transaction.begin(tmp_path / "s") as late:
        late.add_root(Root("artifact", "v1alpha1", "x", None, late.put(b"artifact")))
        commit_environment(tmp_path / "s", "x", b"environment")
        with pytest.raises(StoreError, match="of kind environment"):
            late.commit()
    assert objects(tmp_path / "s") == {sha(b"environment"): b"environment"}


def test_an_object_that_was_never_put(tmp_path: Path) -> None:
    for missing in (ref(b"never"), Ref(sha(b"put"), 99), ref(bytes(BIG_OBJECT))):
        with Transaction.begin(tmp_path) as transaction:
            transaction.put(b"put")
            transaction.add_root(Root("environment", "v1alpha1", "x", None, missing))
            with pytest.raises(InternalError, match="was never put"):
                transaction.commit()


def test_a_blob_that_is_there_is_left(tmp_path: Path) -> None:
    big = bytes(BIG_OBJECT)
    write_big(tmp_path, "a", big)
    path = tmp_path / "blobs" / "sha256" / sha(big)[7:]
    before = path.stat()
    assert write_big(tmp_path, "b", big) < BIG_OBJECT
    assert path.stat() == before
    assert blob(tmp_path, sha(big)) == big


def write_big(directory: Path, name: str, data: bytes) -> int:
    with Transaction.begin(directory) as transaction:
        transaction.put(b"document")
        transaction.put_stream([data])
        transaction.add_root(environment(name, b"document", common=[ref(data)]))
        return transaction.commit()
