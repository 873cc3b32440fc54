"""One committed document of each generation is read, and keeps its identity."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
import rfc8785

from fleet_contracts import schemas
from fleet_contracts.compiler import ANY, CompiledRoot, Compiler
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.lockfile import LOCK_SCHEMAS, read_lock
from fleet_contracts.migrate import migrate_file
from fleet_contracts.models import content
from fleet_contracts.project import Project
from fleet_contracts.store.hashing import HashSink
from fleet_contracts.store.layout import LAYOUT_VERSION
from fleet_contracts.store.reader import Store

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER = CHECKOUT / "fixtures" / "generations"
PAGE = CHECKOUT / "docs" / "compatibility.md"
DIGESTS: dict[str, str] = json.loads((FOLDER / "digests.json").read_text("utf-8"))
CONTENT = sorted(
    path.removeprefix("content/").removesuffix(".json")
    for path in schemas.schema_paths()
    if path.startswith("content/") and path != "content/task.json"
)
NEWEST_TASK = max(int(name.rpartition("alpha")[2]) for name in CONTENT if name.startswith("task."))
STRUCTS = {
    "artifact.v1alpha1": content.Artifact,
    "environment.v1alpha1": content.EnvironmentDocument,
    "taskset.v1alpha1": content.TaskSetV1alpha1,
    "taskset.v1alpha2": content.TaskSetV1alpha2,
    "taskset_page.v1alpha1": content.TaskSetPage,
    "verifier.v1alpha1": content.VerifierDocument,
}


@functools.cache
def rows() -> dict[str, str]:
    """Return the rows of the page's tables: what is named first, and how it is read."""
    found = {}
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line[:1] == "|" else []
        for name in re.findall(r"`([^`]+)`", cells[0]) if cells else []:
            found[name] = cells[-1]
    return found


def project(folder: Path, *, lock: str | None = "v2") -> Project:
    """Return a project of the authored files, with a lock of some generation."""
    shutil.copytree(FOLDER / "authoring", folder, dirs_exist_ok=True)
    if lock is not None:
        shutil.copy(FOLDER / "lock" / lock / "fleet.lock", folder)
    return Project(folder.resolve())


def compiled(project: Project, name: str) -> CompiledRoot:
    compiler = Compiler(project, HashSink(), accepts=ANY)
    root = compiler.compile(project.root / name)
    assert isinstance(root, CompiledRoot), list(compiler.bag)
    return root


@pytest.mark.parametrize("name", CONTENT)
def test_a_document_of_content_is_read_and_keeps_its_bytes(name: str) -> None:
    data = (FOLDER / "content" / f"fleet.{name}.json").read_bytes()
    document = json.loads(data)
    assert document["schema"] == f"fleet.{name}"
    assert "sha256:" + hashlib.sha256(data).hexdigest() == DIGESTS[f"fleet.{name}"]
    assert schemas.validator(f"content/{name}.json").is_valid(document)
    struct: Any = STRUCTS.get(name, content.Task)
    read = msgspec.json.decode(data, type=struct)
    assert rfc8785.dumps(msgspec.to_builtins(read)) == data, "reading loses nothing"


@pytest.mark.parametrize("generation", range(1, NEWEST_TASK + 1))
def test_a_task_is_read_by_the_rules_of_every_later_generation(generation: int) -> None:
    name = f"fleet.task.v1alpha{generation}"
    document = json.loads((FOLDER / "content" / f"{name}.json").read_bytes())
    for later in range(1, NEWEST_TASK + 1):
        renamed = {**document, "schema": f"fleet.task.v1alpha{later}"}
        valid = schemas.validator(f"content/task.v1alpha{later}.json").is_valid(renamed)
        assert valid == (later >= generation)


@pytest.mark.parametrize("lock", sorted(LOCK_SCHEMAS))
def test_a_lock_is_read_used_and_left_as_it_is(lock: str, tmp_path: Path) -> None:
    opened = project(tmp_path, lock=lock.removeprefix("fleet.lock."))
    before = (tmp_path / "fleet.lock").read_bytes()
    bag = Bag()
    read = read_lock(tmp_path, bag, {})
    assert read is not None, list(bag)
    assert read.first_generation == (lock == "fleet.lock.v1")
    assert list(read.pins) == ["terminal@v1"]
    assert compiled(opened, "v1.taskset.yaml").digest == DIGESTS["authoring/taskset"]
    assert (tmp_path / "fleet.lock").read_bytes() == before


def test_current_authored_files_compile_to_what_they_did(tmp_path: Path) -> None:
    opened = project(tmp_path)
    for name in ("taskset", "environment"):
        root = compiled(opened, f"v1.{name}.yaml")
        assert root.digest == DIGESTS[f"authoring/{name}"]
    compiler = Compiler(opened, HashSink(), accepts=ANY)
    for name in ("v1.tasks.yaml", "v1.verifier.yaml"):
        compiler.compile(opened.root / name)
        assert opened.root / name in opened.seen
    codes = {item.code for item in compiler.bag if item.severity == "error"}
    assert codes <= {"FLT3010"}, "a file of Tasks alone lacks the Environments of its TaskSet"


def test_an_old_authored_file_is_migrated_and_compiles_to_the_same(tmp_path: Path) -> None:
    opened = project(tmp_path)
    path = opened.root / "v0.taskset.yaml"
    bag = Bag()
    migrated = migrate_file(opened, path, bag, {})
    assert migrated is not None, list(bag)
    assert (migrated.old, migrated.new) == ("taskset/v0", "taskset/v1")
    path.write_bytes(migrated.after)
    assert compiled(opened, path.name).digest == DIGESTS["authoring/taskset"]


def test_a_store_is_read_where_it_stands() -> None:
    store = Store.open(FOLDER / "store" / LAYOUT_VERSION)
    roots = {root.name: root for root in store.roots}
    assert roots.keys() == {"sums", "box"}
    assert roots["sums"].document.digest == DIGESTS["authoring/taskset"]
    assert roots["box"].document.digest == DIGESTS["authoring/environment"]
    taskset = json.loads(store.read(roots["sums"].document.digest) or b"")
    for task in taskset["tasks"].values():
        document = json.loads(store.read(task["digest"]) or b"")
        assert document["schema"] == "fleet.task.v1alpha1"
        assert store.read(document["environment"]["digest"])


def test_there_is_a_document_of_each_generation() -> None:
    assert {path.stem for path in (FOLDER / "content").iterdir()} == {f"fleet.{n}" for n in CONTENT}
    assert {f"fleet.lock.{path.name}" for path in (FOLDER / "lock").iterdir()} == set(LOCK_SCHEMAS)
    texts = [path.read_text("utf-8") for path in (FOLDER / "authoring").iterdir()]
    named = {version for text in texts for version in re.findall(r"(?m)^authoring: (\S+)", text)}
    assert named == schemas.AUTHORED.keys() | schemas.MIGRATED.keys()
    assert LAYOUT_VERSION in {path.name for path in (FOLDER / "store").iterdir()}


def test_the_page_says_of_each_generation_how_it_is_read() -> None:
    wanted = {*schemas.AUTHORED, *schemas.MIGRATED, *LOCK_SCHEMAS, LAYOUT_VERSION}
    wanted |= {f"fleet.{name}" for name in CONTENT if not name.startswith("task.")}
    wanted |= {f"v1alpha{number}" for number in range(1, NEWEST_TASK + 1)}
    assert {name for name in wanted if name not in rows()} == set()
    first = {"v1alpha1"}  # there is no Task of an earlier one
    assert {name for name in wanted - first if not rows()[name]} == set()
