"""Digests as the check in Node recomputes them, and as our own reader finds them in a store."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec

from fleet_contracts.models import content as c
from fleet_contracts.nodes import node_digests
from fleet_contracts.pointer import format_pointer
from fleet_contracts.store import Store
from node_kit import CHECKOUT

SCRIPT = CHECKOUT / "tools" / "node" / "identity.mjs"


def run_check(command: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    """Run the check in Node, which knows nothing of the compiler."""
    node = shutil.which("node")
    assert node is not None
    words = [node, str(SCRIPT), command, *map(str, folders)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)


def recomputed(command: str, *folders: Path) -> list[Any]:
    """Return what the check says of folders, all of which must be right."""
    done = run_check(command, *folders)
    assert (done.returncode, done.stderr) == (0, "")
    told: list[Any] = json.loads(done.stdout)
    assert len(told) == len(folders)
    return told


def own_word(directory: Path) -> list[dict[str, Any]]:
    """Return the roots of a store with the digests that our compiler gave them."""
    store = Store.open(directory)
    return [
        {
            "kind": root.kind,
            "name": root.name,
            "digest": root.document.digest,
            "manifest": root.manifest.digest,
            "tasks": _tasks(store, root.document.digest) if root.kind == "taskset" else {},
        }
        for root in store.roots
    ]


def without_objects(roots: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the check says of roots, without the list of all their objects."""
    return [{name: each[name] for name in each if name != "objects"} for each in roots]


def _tasks(store: Store, digest: str) -> dict[str, Any]:
    document = _read(store, digest)
    maps = [_read(store, page["digest"]) for page in document.get("pages", [])] or [document]
    return {
        key: {"digest": ref["digest"], "nodes": _nodes(store, ref["digest"])}
        for each in maps
        for key, ref in each["tasks"].items()
    }


def _nodes(store: Store, digest: str) -> list[list[str]]:
    data = store.read(digest)
    assert data is not None
    task = msgspec.json.decode(data, type=c.Task)
    return [
        [format_pointer(node.pointer), node.digest]
        for index, root in enumerate(task.verifiers)
        for node in node_digests(root, ("verifiers", index))
    ]


def _read(store: Store, digest: str) -> Any:
    data = store.read(digest)
    assert data is not None
    return json.loads(data)
