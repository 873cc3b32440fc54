"""A compiled store, copied by skopeo to a registry and back: every byte and digest stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from realdata_kit import CASES, EXAMPLES, Compiled, compile_file, gsm8k_file

from fleet_contracts.compiler import Compiler
from fleet_contracts.project import Project
from fleet_contracts.store import Store, Transaction
from fleet_contracts.verify import verify_store
from registry_kit import Skopeo, assert_same_content, registry

pytestmark = pytest.mark.registry


def dataset(folder: Path) -> Path:
    """Write GSM8K into a folder, or the project's own small dataset where that is not at hand."""
    if (CASES / "gsm8k" / "test.jsonl").is_file():
        return gsm8k_file(CASES, folder)
    shutil.copytree(EXAMPLES / "dataset", folder, dirs_exist_ok=True)
    return folder / "conversions.taskset.yaml"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """A dataset in a store."""
    return compile_file(dataset(tmp_path_factory.mktemp("copied")))


@pytest.fixture(scope="module")
def copy(compiled: Compiled, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The layout that came back from the registry."""
    folder = tmp_path_factory.mktemp("registry")
    skopeo = Skopeo(folder / "home")
    (root,) = compiled.store.roots
    assert root.name is not None
    with registry(folder / "registry") as address:
        skopeo.push(compiled.store.directory, root.name, address)
        skopeo.pull(address, root.name, root.manifest.digest, folder / "copy")
    return folder / "copy"


def test_every_blob_and_digest_is_the_same(compiled: Compiled, copy: Path) -> None:
    assert_same_content(compiled.store.directory, copy)


def test_the_copy_is_verified_like_the_store(compiled: Compiled, copy: Path) -> None:
    ours, theirs = (verify_store(each) for each in (compiled.store.directory, copy))
    assert theirs.roots == ours.roots
    assert [root.is_sound for root in theirs.roots] == [True]
    assert (theirs.blobs, theirs.bytes) == (ours.blobs, ours.bytes)
    assert not ours.diagnostics
    assert not theirs.has_errors


def test_the_copy_is_a_store_with_the_same_tasks(compiled: Compiled, copy: Path) -> None:
    there = Compiled(compiled.root, Store.open(copy))
    assert there.document(compiled.root.digest) == compiled.document(compiled.root.digest)
    assert there.tasks == compiled.tasks
    assert len(there.tasks) == compiled.root.tasks


def test_compiling_into_the_copy_adds_no_blob(
    compiled: Compiled, copy: Path, tmp_path: Path
) -> None:
    target = tmp_path / "copy"
    shutil.copytree(copy, target)
    folder = compiled.store.directory.parent
    with Transaction.begin(target) as transaction:
        compiler = Compiler(Project(folder.resolve()), transaction)
        (path,) = folder.glob("*.taskset.yaml")
        assert compiler.compile(path.resolve()) == compiled.root
        transaction.commit()
    assert_same_content(compiled.store.directory, target)
    ours = compiled.store.directory / "index.json"
    assert (target / "index.json").read_bytes() == ours.read_bytes()


def test_roots_of_several_kinds_in_one_copy(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(EXAMPLES, folder)
    paths = sorted([*folder.glob("*/*.taskset.yaml"), *folder.glob("*/*.environment.yaml")])
    store = tmp_path / "store"
    with Transaction.begin(store) as transaction:
        compiler = Compiler(Project(folder.resolve()), transaction)
        roots = [compiler.compile(path.resolve()) for path in paths]
        transaction.commit()
    skopeo = Skopeo(tmp_path / "home")
    stored = Store.open(store).roots
    assert len(stored) == len(roots) >= 3
    with registry(tmp_path / "registry") as address:
        for root in stored:
            assert root.name is not None
            skopeo.push(store, root.name, address)
        for root in stored:
            assert root.name is not None
            skopeo.pull(address, root.name, root.manifest.digest, tmp_path / "copy")
    assert_same_content(store, tmp_path / "copy")
    digests = {root.document.digest for root in Store.open(tmp_path / "copy").roots}
    assert digests == {root.digest for root in roots if root is not None}
