"""Every Verifier node of the fixtures has the digest alone that it has in its Task (spec 6)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from identity_kit import KeepingSink, sha

from fleet_contracts.compiler import ANY, CompiledRoot, Compiler
from fleet_contracts.parts import CompiledVerifier
from fleet_contracts.project import Project
from fleet_contracts.store import Store

CHECKOUT = Path(__file__).resolve().parents[2]
OK = CHECKOUT / "fixtures" / "compile" / "ok"
CASES = sorted(path for path in OK.iterdir() if list(path.glob("input/*.taskset.yaml")))


def compiled(folder: Path, name: str, sink: KeepingSink) -> CompiledRoot | CompiledVerifier:
    """Compile one file of a project; it must be right."""
    store = folder / "store"
    compiler = Compiler(
        Project(folder.resolve()), sink, Store.open(store) if store.is_dir() else None, accepts=ANY
    )
    root = compiler.compile(folder.resolve() / name)
    assert root is not None, [f"{item.code} {item.message} {item.place}" for item in compiler.bag]
    return root


def nodes(node: Any, at: str) -> Iterator[tuple[str, Any]]:
    """Yield a node with its pointer, then those below it."""
    yield at, node
    for index, edge in enumerate(node.get("children", [])):
        yield from nodes(edge["node"], f"{at}/children/{index}/node")


def authored(value: Any, folder: Path, objects: dict[str, bytes]) -> Any:
    """Return content as an author may write it: blobs as files, images as references."""
    if isinstance(value, list):
        return [authored(item, folder, objects) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"digest", "size"}:
        name = f"blobs/{value['digest'][7:]}"
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(objects[value["digest"]])
        return {"file": name}
    fields = {name: authored(item, folder, objects) for name, item in value.items()}
    if "image" in fields:
        fields["image_ref"] = fields.pop("image")["value"]
    return fields


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_node_of_a_task_has_its_digest_alone(case: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(case / "input", folder)
    sink = KeepingSink()
    for path in sorted(folder.glob("*.taskset.yaml")):
        compiled(folder, path.name, sink)
    verifiers = [
        node
        for data in list(sink.objects.values())
        if data.startswith(b"{") and b'"schema":"fleet.task.' in data
        for node in json.loads(data)["verifiers"]
    ]
    assert verifiers
    alone = tmp_path / "alone"
    alone.mkdir()
    seen = set()
    for node in verifiers:
        for _, each in nodes(node, "/node"):
            digest = sha(rfc8785.dumps(each))
            if digest in seen:
                continue
            seen.add(digest)
            text = json.dumps(
                {"authoring": "verifier/v1", "node": authored(each, alone, sink.objects)}
            )
            (alone / "one.verifier.json").write_text(text)
            verifier = compiled(alone, "one.verifier.json", KeepingSink())
            assert isinstance(verifier, CompiledVerifier)
            assert verifier.node_digest == digest
            found = {node.digest for node in verifier.nodes}
            assert found == {sha(rfc8785.dumps(inner)) for _, inner in nodes(each, "/node")}


def test_the_document_holds_the_node_and_names_its_generation(tmp_path: Path) -> None:
    node: Any = {
        "id": "never",
        "type": "evaluator",
        "evaluator": {"kind": "builtin.v1", "builtin_id": "constant", "params": {"value": "0"}},
        "decision": {"kind": "threshold", "at_least": "1"},
    }
    (tmp_path / "a.verifier.json").write_text(
        json.dumps({"authoring": "verifier/v1", "node": node})
    )
    sink = KeepingSink()
    verifier = compiled(tmp_path, "a.verifier.json", sink)
    data = sink.objects[verifier.digest]
    assert sha(data) == verifier.digest
    assert data == rfc8785.dumps({"schema": "fleet.verifier.v1alpha1", "node": node})
    assert sink.roots == []
