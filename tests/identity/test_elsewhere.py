"""Node, with a canonicaliser that is not ours, finds every digest of compiled content again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from identity_base import FILES, base
from identity_kit import ARTIFACTS, sha, write_artifacts, write_files

from elsewhere_kit import own_word, recomputed, run_check, without_objects
from fleet_contracts.cli.main import fleet
from fleet_contracts.compiler import Compiler
from fleet_contracts.project import Project
from fleet_contracts.store import Ref, Store, Transaction
from fleet_contracts.store.layout import blob_path, read_index, read_manifest
from fleet_contracts.store.packs import frame
from node_kit import CHECKOUT

OK = CHECKOUT / "fixtures" / "compile" / "ok"
CASES = sorted(path.name for path in OK.iterdir())
ROOTS = ("*.taskset.yaml", "*.environment.yaml")

pytestmark = pytest.mark.node


def compiled(folder: Path) -> Path:
    """Compile every root at the top of a folder into a store there, which may hold some."""
    directory = folder / ".fleet"
    if (folder / "store").is_dir():
        shutil.copytree(folder / "store", directory)
    with Transaction.begin(directory) as transaction:
        store = Store.open(directory) if directory.is_dir() else None
        compiler = Compiler(Project(folder.resolve()), transaction, store)
        for path in (path for each in ROOTS for path in sorted(folder.glob(each))):
            assert compiler.compile(path.resolve()) is not None
        transaction.commit()
    return directory


def everything(folder: Path) -> Path:
    """Compile the TaskSet that uses everything."""
    write_artifacts(folder / "store")
    write_files(folder, {**FILES, "identity.taskset.yaml": json.dumps(base(ARTIFACTS))})
    return compiled(folder)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The store of each fixture."""
    folder = tmp_path_factory.mktemp("elsewhere")
    for name in CASES:
        shutil.copytree(OK / name / "input", folder / name)
    return {name: compiled(folder / name) for name in CASES}


@pytest.fixture(scope="module")
def told(stores: dict[str, Path]) -> dict[str, Any]:
    """What Node says of each of them."""
    return dict(zip(stores, recomputed("store", *stores.values()), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_fixtures_have_the_same_digests_elsewhere(
    stores: dict[str, Path], told: dict[str, Any], name: str
) -> None:
    assert without_objects(told[name]["roots"]) == own_word(stores[name])
    expected = json.loads((OK / name / "expected" / "report.json").read_bytes())
    digests = {root["digest"] for root in expected["roots"]}
    assert digests <= {root["digest"] for root in told[name]["roots"]}
    objects = {digest for root in told[name]["roots"] for digest in root["objects"]}
    documents = json.loads((OK / name / "expected" / "content.json").read_bytes())
    assert documents.keys() <= objects


def test_a_taskset_of_everything_and_its_artifacts(tmp_path: Path) -> None:
    store = everything(tmp_path)
    (found,) = recomputed("store", store)
    assert without_objects(found["roots"]) == own_word(store)
    assert [root["kind"] for root in found["roots"]] == ["taskset", "artifact", "artifact"]
    nodes = [node for task in found["roots"][0]["tasks"].values() for node in task["nodes"]]
    assert len(nodes) > 10


def test_many_tasks_and_large_blobs(tmp_path: Path) -> None:
    write_files(tmp_path, {"rows.csv": "answer\n" + "".join(f"{i}\n" for i in range(2500))})
    write_files(tmp_path, {"big.txt": b"x" * (1 << 20), "prompt.md": "y" * (1 << 20)})
    leaf = {
        "id": "leaf",
        "type": "evaluator",
        "evaluator": {
            "kind": "builtin.v1",
            "builtin_id": "answer-equals",
            "params": {"expected": "${row.answer}"},
        },
        "decision": {"kind": "threshold", "at_least": 1},
    }
    params = {"path": "a", "content": {"file": "big.txt"}}
    large = {"kind": "builtin.v1", "builtin_id": "file-equals", "params": params}
    heavy = {**leaf, "evaluator": large}
    task = {"prompt": "p", "environment": {"image_ref": "sha256:" + "1" * 64}, "verifiers": [leaf]}
    document = {
        "authoring": "taskset/v1",
        "dataset": [{"rows": "rows.csv", "key": "each/${index}", "task": task}],
        "tasks": {"large": {**task, "prompt": {"file": "prompt.md"}, "verifiers": [heavy]}},
    }
    write_files(tmp_path, {"many.taskset.yaml": json.dumps(document)})
    store = compiled(tmp_path)
    (found,) = recomputed("store", store)
    assert without_objects(found["roots"]) == own_word(store)
    (manifest,) = (read_manifest(store, each) for each in _descriptors(store))
    kinds = [layer.media_type.rpartition(".")[0].rpartition(".")[2] for layer in manifest.layers]
    assert kinds.count("blob") == 2
    assert kinds.count("pack") >= 4


def _descriptors(store: Path) -> list[Any]:
    return read_index(store)[1]


def test_a_standalone_verifier(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    nodes = [node for task in base(ARTIFACTS)["tasks"].values() for node in task["verifiers"]]
    for index, node in enumerate(nodes):
        path = tmp_path / f"{index}.verifier.json"
        path.write_text(json.dumps({"authoring": "verifier/v1", "node": node}))
        words = ["compile-verifier", str(path), "-o", str(tmp_path / f"out{index}")]
        assert fleet.main(words, prog_name="fleet", standalone_mode=False) == 0
    folders = [tmp_path / f"out{index}" for index in range(len(nodes))]
    for folder, found in zip(folders, recomputed("verifier", *folders), strict=True):
        assert found["digest"] == sha((folder / "verifier.json").read_bytes())
        blobs = sorted(f"sha256:{path.name}" for path in folder.glob("blobs/sha256/*"))
        assert found["blobs"] == blobs


def other_byte(store: Path) -> None:
    path = max((store / "blobs" / "sha256").iterdir(), key=lambda path: path.stat().st_size)
    path.write_bytes(path.read_bytes()[:-1] + b"?")


def other_order(store: Path) -> None:
    """Put the manifests of `index.json` into another order."""
    index = json.loads((store / "index.json").read_bytes())
    index["manifests"].reverse()
    text = json.dumps(index, sort_keys=True, separators=(",", ":"))
    (store / "index.json").write_text(text, "utf-8")


def spaces(store: Path) -> None:
    index = (store / "index.json").read_bytes()
    (store / "index.json").write_bytes(index + b"\n")


def lost(store: Path) -> None:
    max((store / "blobs" / "sha256").iterdir(), key=lambda path: path.stat().st_size).unlink()


def left_over(store: Path) -> None:
    blob_path(store, sha(b"left over")).write_bytes(b"left over")


def other_pack(store: Path) -> None:
    """Lay a pack out in another order, and name it everywhere by its new digest."""
    descriptor = next(each for each in _descriptors(store) if each.annotations)
    manifest = read_manifest(store, descriptor)
    pack = next(layer for layer in manifest.layers if layer.media_type.endswith(".pack.v1"))
    data = blob_path(store, pack.digest).read_bytes()
    line, _, rest = data.partition(b"\n")
    entries = json.loads(line)
    objects = []
    for digest, size in entries:
        objects.append((digest, rest[:size]))
        rest = rest[size:]
    objects.reverse()
    made = frame([Ref(digest, len(held)) for digest, held in objects])
    _replace(store, pack.digest, made + b"".join(held for _, held in objects))


def _replace(store: Path, digest: str, data: bytes) -> None:
    """Put other bytes in the place of a blob, and new digests wherever it is named."""
    blob_path(store, digest).unlink()
    blob_path(store, sha(data)).write_bytes(data)
    for path in [*(store / "blobs" / "sha256").iterdir(), store / "index.json"]:
        before = path.read_bytes()
        if digest.encode() not in before:
            continue
        after = before.replace(digest.encode(), sha(data).encode())
        if path.name == "index.json":
            path.write_bytes(after)
        else:
            _replace(store, f"sha256:{path.name}", after)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (other_byte, "has another digest"),
        (other_order, "not sorted by name"),
        (spaces, "index.json is not in canonical bytes"),
        (lost, "is missing"),
        (left_over, "no root holds"),
        (other_pack, "is another one"),
    ],
)
def test_the_check_notices(tmp_path: Path, damage: Callable[[Path], None], says: str) -> None:
    store = everything(tmp_path)
    damage(store)
    done = run_check("store", store)
    assert done.returncode == 1
    assert says in done.stderr
