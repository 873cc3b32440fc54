"""What the tests of the store share: small roots, whole-folder comparison, an independent check."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from fleet_contracts.store import Ref, Root, TaskPack, Transaction


def sha(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def ref(data: bytes) -> Ref:
    return Ref(sha(data), len(data))


def fake_ref(first: int, rest: int = 0, size: int = 1) -> Ref:
    return Ref(f"sha256:{first:08x}{rest:056x}", size)


def environment(name: str, document: bytes, **more: Any) -> Root:
    return Root("environment", "v1alpha1", name, None, ref(document), **more)


def commit_environment(directory: Path, name: str, document: bytes) -> int:
    with Transaction.begin(directory) as transaction:
        transaction.put(document)
        transaction.add_root(environment(name, document))
        return transaction.commit()


def commit_taskset(
    directory: Path, name: str, document: bytes, tasks: list[bytes], common: list[bytes]
) -> int:
    with Transaction.begin(directory) as transaction:
        first = transaction.put(document)
        refs = [transaction.put(task) for task in tasks]
        rest = [transaction.put(blob) for blob in common]
        pack = TaskPack(None, refs)
        transaction.add_root(Root("taskset", "v1alpha1", name, None, first, [pack], rest))
        return transaction.commit()


def tree(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def index(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((directory / "index.json").read_bytes())
    return found


def blob(directory: Path, digest: str) -> bytes:
    return (directory / "blobs" / "sha256" / digest[7:]).read_bytes()


def objects(directory: Path) -> dict[str, bytes]:
    """Read a layout from `index.json` down without the package; every digest must be right."""
    found = {}
    assert json.loads((directory / "oci-layout").read_bytes()) == {"imageLayoutVersion": "1.0.0"}
    for descriptor in index(directory)["manifests"]:
        manifest = json.loads(_checked(directory, descriptor))
        assert _checked(directory, manifest["config"]) == b"{}"
        for layer in manifest["layers"]:
            data = _checked(directory, layer)
            if layer["mediaType"] != "application/vnd.fleet.pack.v1":
                found[layer["digest"]] = data
                continue
            table, data = data.split(b"\n", 1)
            for digest, size in json.loads(table):
                item, data = data[:size], data[size:]
                assert sha(item) == digest
                found[digest] = item
            assert not data
    return found


def _checked(directory: Path, descriptor: dict[str, Any]) -> bytes:
    data = blob(directory, descriptor["digest"])
    assert sha(data) == descriptor["digest"]
    assert len(data) == descriptor["size"]
    return data
