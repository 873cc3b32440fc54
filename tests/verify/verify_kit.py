"""Stores of real documents, written object by object, so that each can be made wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fleet_contracts.canonical import canonical_bytes
from fleet_contracts.pages import Entry, split_pages
from fleet_contracts.store import BIG_OBJECT, Ref, Root, TaskPack, Transaction
from fleet_contracts.verify import Verified, verify_store

Change = Callable[[dict[str, Any]], object]
BIG = b"large" * (BIG_OBJECT // 4)
IMAGE = {"kind": "image_id", "value": "sha256:" + "1" * 64}
EMPTY = "sha256:" + hashlib.sha256(b"{}").hexdigest()


def nothing(_: dict[str, Any]) -> None:
    """Change nothing."""


@dataclass(slots=True)
class Builder:
    """Writes a TaskSet of some Tasks; `changes` are made to its documents on the way.

    They are by kind: `environment`, `artifact`, `task`, `page`, `taskset`.
    """

    directory: Path
    tasks: int = 3
    name: str = "set"
    changes: Mapping[str, Change] = field(default_factory=dict)
    raw: Mapping[str, Callable[[bytes], bytes]] = field(default_factory=dict)
    extra: tuple[bytes, ...] = ()
    left_out: frozenset[str] = frozenset()
    split: Callable[[list[Entry]], list[list[Entry]]] = lambda entries: list(split_pages(entries))

    def write(self) -> Path:
        """Write the store, and return its folder."""
        with Transaction.begin(self.directory) as transaction:
            self._transaction = transaction
            common = [self.put("blob", BIG), self.put("blob", b"a file"), self.put("blob", b"run")]
            files = {"data/big": common[0], "data/small": common[1]}
            artifact = {
                "schema": "fleet.artifact.v1alpha1",
                "entries": {
                    **{path: {"type": "file", **named(ref)} for path, ref in files.items()},
                    "link": {"type": "symlink", "target": "data/big"},
                },
            }
            environment = {"schema": "fleet.environment.v1alpha1", "image": IMAGE}
            common += [self.document("artifact", artifact)]
            common += [self.document("environment", environment)]
            entries = [
                Entry(f"task-{number:05d}", self.document("task", task(number, common)))
                for number in range(self.tasks)
            ]
            document, generation, packs = self.taskset(entries)
            kept = [ref for ref in common if ref.digest not in self.left_out]
            kept += [transaction.put(data) for data in self.extra]
            transaction.add_root(
                Root("taskset", generation, self.name, None, document, packs, kept)
            )
            transaction.commit()
        return self.directory

    def taskset(self, entries: list[Entry]) -> tuple[Ref, str, list[TaskPack]]:
        head = {"task_generation": "v1alpha8"}
        if len(entries) <= 1000:
            inline = {"schema": "fleet.taskset.v1alpha1", "tasks": by_key(entries)}
            packs = [TaskPack(None, [each.ref for each in entries])]
            return self.document("taskset", head | inline), "v1alpha1", packs
        pages, packs = [], []
        for page in self.split(entries):
            content = {"schema": "fleet.taskset_page.v1alpha1", "tasks": by_key(page)}
            ref = self.document("page", content)
            ends = {"first": page[0].key, "last": page[-1].key, "count": len(page)}
            pages.append({**ends, **named(ref)})
            packs.append(TaskPack(ref, [each.ref for each in page]))
        paged = {"schema": "fleet.taskset.v1alpha2", "task_count": len(entries), "pages": pages}
        return self.document("taskset", head | paged), "v1alpha2", packs

    def document(self, kind: str, content: dict[str, Any]) -> Ref:
        copy = json.loads(json.dumps(content))
        self.changes.get(kind, nothing)(copy)
        return self.put(kind, canonical_bytes(copy))

    def put(self, kind: str, data: bytes) -> Ref:
        return self._transaction.put(self.raw[kind](data) if kind in self.raw else data)

    _transaction: Transaction = field(init=False)


def task(number: int, common: list[Ref]) -> dict[str, Any]:
    """Return a Task that names everything: an Artifact, a program, a rubric, a file."""
    _, file, program, artifact, environment = common
    leaves = [
        {"kind": "code.v1", "entrypoint": named(program), "image": IMAGE},
        {"kind": "judge.v1", "rubric": named(file), "model_slot": "judge"},
        {
            "kind": "builtin.v1",
            "builtin_id": "file-equals",
            "params": {"path": "out.txt", "content": named(file)},
        },
    ]
    children = [
        {"id": f"edge-{index}", "node": node(f"leaf-{index}", evaluator)}
        for index, evaluator in enumerate(leaves)
    ]
    composite = {
        "id": "all",
        "type": "composite",
        "children": children,
        "aggregation": {"kind": "code", "entrypoint": named(program), "image": IMAGE},
        "decision": {"kind": "threshold", "at_least": "1"},
    }
    return {
        "schema": "fleet.task.v1alpha8",
        "prompt": f"Question {number}?",
        "environment": named(environment),
        "seed_mounts": [{**named(artifact), "path": "/data"}],
        "verifiers": [composite],
    }


def node(name: str, evaluator: dict[str, Any]) -> dict[str, Any]:
    decision = {"kind": "threshold", "at_least": "1"}
    return {"id": name, "type": "evaluator", "evaluator": evaluator, "decision": decision}


def by_key(entries: list[Entry]) -> dict[str, Any]:
    return {entry.key: named(entry.ref) for entry in entries}


def named(ref: Ref) -> dict[str, Any]:
    return {"digest": ref.digest, "size": ref.size}


def sha(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def blob_file(directory: Path, digest: str) -> Path:
    return directory / "blobs" / "sha256" / digest[7:]


def index(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((directory / "index.json").read_bytes())
    return found


def write_index(directory: Path, change: Change) -> None:
    document = index(directory)
    change(document)
    (directory / "index.json").write_bytes(canonical_bytes(document))


def manifest_digest(directory: Path, position: int = 0) -> str:
    digest: str = index(directory)["manifests"][position]["digest"]
    return digest


def manifest(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        blob_file(directory, manifest_digest(directory)).read_bytes()
    )
    return found


def put_manifest(directory: Path, change: Change) -> None:
    """Put another manifest in the place of the first root's, with its right digest."""
    document = manifest(directory)
    change(document)
    data = canonical_bytes(document)
    blob_file(directory, manifest_digest(directory)).unlink()
    blob_file(directory, sha(data)).write_bytes(data)

    def point(found: dict[str, Any]) -> None:
        found["manifests"][0].update(digest=sha(data), size=len(data))

    write_index(directory, point)


def put_pack(directory: Path, position: int, refs: list[Ref], data: bytes) -> None:
    """Put a pack of such a table and such bytes in the place of one of the manifest."""
    pack = json.dumps(refs, separators=(",", ":")).encode() + b"\n" + data

    def point(found: dict[str, Any]) -> None:
        packs = [each for each in found["layers"] if each["mediaType"].endswith("pack.v1")]
        blob_file(directory, packs[position]["digest"]).unlink()
        blob_file(directory, sha(pack)).write_bytes(pack)
        packs[position].update(digest=sha(pack), size=len(pack))

    put_manifest(directory, point)


def pack_at(directory: Path, position: int) -> tuple[list[Ref], bytes]:
    """Return the table and the objects of a pack of the first root."""
    layers = manifest(directory)["layers"]
    packs = [each for each in layers if each["mediaType"].endswith("pack.v1")]
    table, _, data = blob_file(directory, packs[position]["digest"]).read_bytes().partition(b"\n")
    return [Ref(*each) for each in json.loads(table)], data


def codes(directory: Path, *digests: str) -> list[str]:
    return [item.code for item in verify_store(directory, digests).diagnostics]


def messages(verified: Verified) -> str:
    return "\n".join(item.message for item in verified.diagnostics)
