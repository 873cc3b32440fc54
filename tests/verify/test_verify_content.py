"""Blobs whose digests are right and whose content is not: documents, pages, packs, manifests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from verify_kit import (
    Builder,
    Change,
    codes,
    messages,
    pack_at,
    put_manifest,
    put_pack,
    sha,
    write_index,
)

from fleet_contracts.pages import Entry, split_pages
from fleet_contracts.store import Ref, publish_artifact
from fleet_contracts.store.writer import Transaction
from fleet_contracts.verify import verify_store

MANY = 1200


def wrong(**more: Any) -> Change:
    return lambda document: document.update(more)


CHANGES: dict[str, tuple[str, Change, str, str]] = {
    "unknown key in a Task": ("task", wrong(colour="red"), "FLT6014", "colour"),
    "feature above its generation": (
        "task",
        wrong(schema="fleet.task.v1alpha2"),
        "FLT6014",
        "is not valid under fleet.task.v1alpha2",
    ),
    "newer Task": (
        "task",
        wrong(schema="fleet.task.v1alpha99"),
        "FLT6015",
        "fleet.task.v1alpha99, which this release does not know",
    ),
    "Task of no schema": ("task", lambda task: task.pop("schema"), "FLT6014", "names no schema"),
    "Task that is an Environment": (
        "task",
        wrong(schema="fleet.environment.v1alpha1"),
        "FLT6014",
        "expected one like 'fleet.task.v1alpha1'",
    ),
    "Task above the TaskSet": (
        "taskset",
        wrong(task_generation="v1alpha7"),
        "FLT6014",
        "is of fleet.task.v1alpha8, above the v1alpha7",
    ),
    "newer Tasks": (
        "taskset",
        wrong(task_generation="v1alpha99"),
        "FLT6015",
        "Tasks up to v1alpha99",
    ),
    "newer TaskSet": (
        "taskset",
        wrong(schema="fleet.taskset.v1alpha99"),
        "FLT6015",
        "fleet.taskset.v1alpha99",
    ),
    "TaskSet of another type than the root": (
        "taskset",
        wrong(schema="fleet.taskset.v1alpha2"),
        "FLT6014",
        "is not valid under fleet.taskset.v1alpha2",
    ),
    "Environment without image": (
        "environment",
        lambda environment: environment.pop("image"),
        "FLT6014",
        "the Environment",
    ),
    "newer Artifact": (
        "artifact",
        wrong(schema="fleet.artifact.v2"),
        "FLT6015",
        "fleet.artifact.v2",
    ),
    "an Artifact's file of another size": (
        "artifact",
        lambda artifact: artifact["entries"]["data/small"].update(size=7),
        "FLT6014",
        "has 7 bytes, it has 6",
    ),
    "a Task of another size": (
        "taskset",
        lambda taskset: taskset["tasks"]["task-00001"].update(size=7),
        "FLT6014",
        "has 7 bytes, it has",
    ),
    "an object that is in no layer": (
        "artifact",
        lambda artifact: artifact["entries"].update(
            more={"type": "file", "digest": sha(b"nowhere"), "size": 7}
        ),
        "FLT6010",
        "no layer holds the object " + sha(b"nowhere"),
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_document_that_is_wrong(tmp_path: Path, name: str) -> None:
    kind, change, code, told = CHANGES[name]
    found = verify_store(Builder(tmp_path / "s", changes={kind: change}).write())
    assert {item.code for item in found.diagnostics} == {code}
    assert told in messages(found)
    assert all(item.help for item in found.diagnostics)
    assert [root.is_sound for root in found.roots] == [False]


@pytest.mark.parametrize("kind", ["task", "taskset", "artifact", "environment"])
@pytest.mark.parametrize("way", ["indented", "no JSON", "key twice", "fraction"])
def test_bytes_that_are_not_canonical(tmp_path: Path, kind: str, way: str) -> None:
    def rewrite(data: bytes) -> bytes:
        return {
            "indented": json.dumps(json.loads(data), indent=1).encode(),
            "no JSON": data[:-1],
            "key twice": data[:-1]
            + b',"schema":'
            + json.dumps(json.loads(data)["schema"]).encode()
            + b"}",
            "fraction": data[:-1] + b',"x":0.5}',
        }[way]

    found = verify_store(Builder(tmp_path / "s", raw={kind: rewrite}).write())
    assert {item.code for item in found.diagnostics} == {"FLT6014"}


def test_pages_as_they_should_be(tmp_path: Path) -> None:
    found = verify_store(Builder(tmp_path / "s", tasks=MANY).write())
    assert found.diagnostics == []
    assert found.roots[0].tasks == MANY


def cut(entries: list[Entry]) -> list[list[Entry]]:
    first, *rest = split_pages(entries)
    return [first[:1], first[1:], *rest]


def swapped_pages(entries: list[Entry]) -> list[list[Entry]]:
    return list(split_pages(entries))[::-1]


def joined(entries: list[Entry]) -> list[list[Entry]]:
    pages = list(split_pages(entries))
    at = next(i for i in range(len(pages) - 1) if len(pages[i]) + len(pages[i + 1]) <= 1000)
    return [*pages[:at], pages[at] + pages[at + 1], *pages[at + 2 :]]


@pytest.mark.parametrize(
    ("split", "told"),
    [
        (cut, "where no page ends"),
        (swapped_pages, "and the page before it ends with"),
        (joined, "goes on after a key that ends a page"),
    ],
)
def test_pages_in_another_order_or_cut_elsewhere(tmp_path: Path, split: Any, told: str) -> None:
    found = verify_store(Builder(tmp_path / "s", tasks=MANY, split=split).write())
    assert {item.code for item in found.diagnostics} == {"FLT6014"}
    assert told in messages(found)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda taskset: taskset["pages"][0].update(last="zzz"),
            "is named as 'task-00000' to 'zzz'",
        ),
        (lambda taskset: taskset["pages"][0].update(count=1), "1 Tasks, and holds"),
        (lambda taskset: taskset.update(task_count=MANY + 1), "names 1,201 Tasks"),
    ],
)
def test_pages_that_are_named_wrongly(tmp_path: Path, change: Change, told: str) -> None:
    found = verify_store(Builder(tmp_path / "s", tasks=MANY, changes={"taskset": change}).write())
    assert {item.code for item in found.diagnostics} == {"FLT6014"}
    assert told in messages(found)


def test_an_object_that_a_pack_lacks(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s", left_out=frozenset({sha(b"run")})).write()
    found = verify_store(directory)
    assert {item.code for item in found.diagnostics} == {"FLT6010"}
    assert f"no layer holds the object {sha(b'run')} of Task 'task-00000'" in messages(found)


def test_an_object_that_no_document_names(tmp_path: Path) -> None:
    found = verify_store(Builder(tmp_path / "s", extra=(b"more",)).write())
    assert [item.code for item in found.diagnostics] == ["FLT6016"]
    assert "holds 5 objects, and not the 4 that belong there" in messages(found)


def test_a_pack_in_another_order(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    refs, data = pack_at(directory, 0)
    first, rest = data[: refs[0].size], data[refs[0].size :]
    put_pack(directory, 0, [*refs[1:], refs[0]], rest + first)
    assert codes(directory) == ["FLT6016"]


def test_a_pack_whose_table_lies(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    refs, data = pack_at(directory, 0)
    put_pack(directory, 0, [Ref(refs[0].digest, refs[1].size), *refs[1:]], data)
    put_pack(directory, 0, [Ref(sha(b"other"), refs[0].size), *refs[1:]], data)
    found = verify_store(directory)
    assert [item.code for item in found.diagnostics] == ["FLT6016"]
    assert "as " + sha(b"other") in messages(found)


def test_a_pack_without_a_table_is_told_once_for_all_roots(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    put_pack(directory, 1, [], b"")
    write_index(
        directory,
        lambda found: found["manifests"].append(
            found["manifests"][0] | {"annotations": {"org.opencontainers.image.ref.name": "other"}}
        ),
    )
    found = verify_store(directory)
    assert [item.code for item in found.diagnostics] == ["FLT6016"]
    assert [root.is_sound for root in found.roots] == [False, False]


MANIFESTS: dict[str, tuple[Change, str, str]] = {
    "annotations": (wrong(annotations={"a": "b"}), "FLT6016", "is not the one"),
    "another config": (
        lambda found: found["config"].update(mediaType="application/json"),
        "FLT6016",
        "is not the one",
    ),
    "a layer twice": (
        lambda found: found["layers"].append(found["layers"][-1]),
        "FLT6016",
        "has 3 packs, expected 2",
    ),
    "a layer of another size": (
        lambda found: found["layers"][1].update(size=1),
        "FLT6016",
        "has 1 bytes, it has",
    ),
    "a layer of a newer type": (
        lambda found: found["layers"][2].update(mediaType="application/vnd.fleet.pack.v2"),
        "FLT6015",
        "application/vnd.fleet.pack.v2",
    ),
    "packs in another order": (
        lambda found: found["layers"].append(found["layers"].pop(2)),
        "FLT6016",
        "objects, and not the",
    ),
    "no layers": (wrong(layers=[]), "FLT6001", "does not begin with its root document"),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_that_is_wrong(tmp_path: Path, name: str) -> None:
    change, code, told = MANIFESTS[name]
    directory = Builder(tmp_path / "s").write()
    put_manifest(directory, change)
    found = verify_store(directory)
    assert {item.code for item in found.diagnostics} == {code}
    assert told in messages(found)


def test_a_root_of_another_type_than_its_document(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()
    newer = "application/vnd.fleet.taskset.v1alpha2+json"

    def change(found: dict[str, Any]) -> None:
        found["artifactType"] = found["layers"][0]["mediaType"] = newer

    put_manifest(directory, change)
    write_index(directory, lambda found: found["manifests"][0].update(artifactType=newer))
    found = verify_store(directory)
    assert [item.code for item in found.diagnostics] == ["FLT6016"]
    assert "is of type fleet.taskset.v1alpha2" in messages(found)


def test_a_copy_that_lost_names_and_types_is_sound(tmp_path: Path) -> None:
    directory = Builder(tmp_path / "s").write()

    def forget(found: dict[str, Any]) -> None:
        for key in ("annotations", "artifactType"):
            del found["manifests"][0][key]

    write_index(directory, forget)
    found = verify_store(directory)
    assert found.diagnostics == []
    assert [(root.name, root.is_sound) for root in found.roots] == [(None, True)]


def test_an_artifact_as_a_root(tmp_path: Path) -> None:
    with Transaction.begin(tmp_path / "s") as transaction:
        entries: Any = {"a": b"one", "b/c": b"two" * 600_000, "d": ("symlink", "a"), "e": ("dir",)}
        publish_artifact(transaction, "files", entries, executable=["a"])
        transaction.commit()
    found = verify_store(tmp_path / "s")
    assert found.diagnostics == []
    assert [root.is_sound for root in found.roots] == [True]
