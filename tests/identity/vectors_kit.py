"""The published test vectors of `fixtures/identity`, and what our compiler makes of their input."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from identity_kit import KeepingSink

from fleet_contracts.compiler import ANY, CompiledRoot, Compiler
from fleet_contracts.models import content as c
from fleet_contracts.nodes import node_digests
from fleet_contracts.parts import CompiledVerifier
from fleet_contracts.pointer import format_pointer
from fleet_contracts.project import Project

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "identity"
CASES = sorted((FOLDER / "cases").iterdir())
ROOTS = ("*.taskset.*", "*.environment.*", "*.verifier.*")


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_bytes())


def golden(path: Path, found: Any) -> None:
    """Compare with what is published, or write it where that was asked for."""
    text = json.dumps(found, indent=2) + "\n"
    if os.environ.get("FLEET_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text("utf-8"), f"{path.name}: run `make golden`, and read the diff"


def vector(case: Path, to: Path) -> dict[str, Any]:
    """Return what `expected.json` of a case must say."""
    folder = to / "input"
    shutil.copytree(case / "input", folder)
    sink = KeepingSink()
    roots: dict[str, dict[str, Any]] = {}
    for path in sorted(path for each in ROOTS for path in folder.glob(each)):
        compiler = Compiler(Project(folder.resolve()), sink, accepts=ANY)
        root = compiler.compile(path.resolve())
        assert root is not None, [f"{item.code} {item.message}" for item in compiler.bag]
        known = roots.setdefault(root.digest, {"files": [], **_described(root, sink)})
        known["files"].append(path.name)
    documents = {digest: data for digest, data in sink.objects.items() if _is_document(data)}
    blobs = {digest: data for digest, data in sink.objects.items() if digest not in documents}
    return {
        "roots": list(roots.values()),
        "documents": [
            {"digest": digest, "size": len(data), "canonical": data.decode()}
            for digest, data in sorted(documents.items())
        ],
        "blobs": [
            {"digest": digest, "size": len(data), "text": data.decode()}
            for digest, data in sorted(blobs.items())
        ],
    }


def _described(root: CompiledRoot | CompiledVerifier, sink: KeepingSink) -> dict[str, Any]:
    head = {"digest": root.digest, "schema": root.generation}
    if isinstance(root, CompiledVerifier):
        return {**head, "nodes": {format_pointer(node.pointer): node.digest for node in root.nodes}}
    tasks = json.loads(sink.objects[root.digest]).get("tasks", {})
    if not tasks:
        return head
    nodes = {
        key: dict(_nodes(msgspec.json.decode(sink.objects[ref["digest"]], type=c.Task)))
        for key, ref in tasks.items()
    }
    return {**head, "tasks": {key: ref["digest"] for key, ref in tasks.items()}, "nodes": nodes}


def _nodes(task: c.Task) -> Iterator[tuple[str, str]]:
    for index, root in enumerate(task.verifiers):
        for node in node_digests(root, ("verifiers", index)):
            yield format_pointer(node.pointer), node.digest


def _is_document(data: bytes) -> bool:
    return data.startswith(b"{") and b'"schema":"fleet.' in data
