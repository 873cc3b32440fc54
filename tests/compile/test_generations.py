"""Each compiled Task needs the generation it names, and means the same in every later one."""

from __future__ import annotations

import functools
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
import referencing
from fixture_kit import EXAMPLES, OK, Document, copied, documents, folders, run
from referencing.jsonschema import DRAFT202012

from fleet_contracts import schemas
from fleet_contracts.models.since import NEWEST

CASES = [*folders(OK), EXAMPLES]
TASK = re.compile(r"fleet\.task\.v1alpha([0-9]+)")
OTHER = re.compile(r"fleet\.(taskset|taskset_page|environment|artifact)\.(v1alpha[0-9]+)")
EXTRA = """
  zz-another:
    prompt: This Task was added.
    environment: {image_ref: sha256:%s}
    captures: [{id: all, kind: fs-snapshot.v1, path: /, limits: {max_files: 1, max_bytes: 1}}]
    verifiers:
      - id: never
        type: evaluator
        evaluator: {kind: builtin.v1, builtin_id: constant, params: {value: 0}}
        decision: {kind: threshold, at_least: 1}
""" % ("f" * 64)


class Compiled(NamedTuple):
    """A Task document, its digest, and the number of its generation."""

    digest: str
    task: Document
    generation: int


@functools.cache
def slow(reference: str) -> jsonschema.Draft202012Validator:
    """Return the reference validator of a schema file."""
    resources = [
        (schemas.BASE + path, DRAFT202012.create_resource(schemas.load(path)))
        for path in schemas.schema_paths()
    ]
    registry: referencing.Registry[Any] = referencing.Registry().with_resources(resources)
    return jsonschema.Draft202012Validator({"$ref": schemas.BASE + reference}, registry=registry)


def is_valid(document: Document, reference: str) -> bool:
    """Ask both validators, which must agree."""
    fast = schemas.validator(reference).is_valid(document)
    assert fast is slow(reference).is_valid(document), f"the validators disagree on {reference}"
    return fast


def is_task_of(task: Document, generation: int) -> bool:
    """Tell whether a Task is valid under a generation, with only `schema` changed."""
    name = f"task.v1alpha{generation}"
    return is_valid({**task, "schema": f"fleet.{name}"}, f"content/{name}.json")


def compiled(case: Path, to: Path, added: str = "") -> dict[str, Document]:
    """Return what a case compiles to; `added` is put behind the Tasks of each TaskSet."""
    folder = copied(case, to)
    for path in folder.rglob("*.taskset.yaml") if added else ():
        text = path.read_text("utf-8").rstrip("\n")
        if "\ntasks:\n" not in text:
            text += "\ntasks:"
        path.write_text(text + added, "utf-8")
    store = folder / ".compiled"
    if (folder / "store").is_dir():
        shutil.copytree(folder / "store", store)
    ended = run("compile", folder, case, "--output", store.name, "--format", "json")
    assert ended.code == 0, ended.stdout
    return documents(store)


def tasks_of(found: dict[str, Document]) -> Iterator[Compiled]:
    """Yield the Tasks among documents."""
    for digest, document in found.items():
        match = TASK.fullmatch(document["schema"])
        if match:
            yield Compiled(digest, document, int(match[1]))


@pytest.fixture(scope="module", params=CASES, ids=lambda path: path.name)
def case(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(scope="module")
def found(case: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    return compiled(case, tmp_path_factory.mktemp("generations"))


def test_a_task_names_the_lowest_generation_that_expresses_it(
    found: dict[str, Document],
) -> None:
    for each in tasks_of(found):
        assert is_task_of(each.task, each.generation), each.digest
        assert each.generation == 1 or not is_task_of(each.task, each.generation - 1), each.digest


def test_a_task_is_valid_in_every_later_generation(found: dict[str, Document]) -> None:
    for each in tasks_of(found):
        for later in range(each.generation + 1, NEWEST + 1):
            assert is_task_of(each.task, later), (each.digest, later)


def test_a_task_is_refused_by_every_earlier_generation(found: dict[str, Document]) -> None:
    for each in tasks_of(found):
        for earlier in range(1, each.generation):
            assert not is_task_of(each.task, earlier), (each.digest, earlier)


def test_other_documents_fit_their_schemas(found: dict[str, Document]) -> None:
    others = [document for document in found.values() if not TASK.match(document["schema"])]
    assert others
    for document in others:
        match = OTHER.fullmatch(document["schema"])
        assert match, document["schema"]
        assert is_valid(document, f"content/{match[1]}.{match[2]}.json")


def test_a_taskset_records_its_highest_generation(found: dict[str, Document]) -> None:
    numbers = {each.digest: each.generation for each in tasks_of(found)}
    for document in found.values():
        if document["schema"] == "fleet.taskset.v1alpha1":
            recorded = int(document["task_generation"].removeprefix("v1alpha"))
            highest = max(numbers[blob["digest"]] for blob in document["tasks"].values())
            assert recorded >= highest


def test_another_task_changes_no_digest(
    case: Path, found: dict[str, Document], tmp_path: Path
) -> None:
    before = {each.digest for each in tasks_of(found)}
    more = {each.digest: each for each in tasks_of(compiled(case, tmp_path, EXTRA))}
    assert before < more.keys() if before else not more


def test_every_generation_has_a_case() -> None:
    assert {f"generation-{number:02}" for number in range(1, NEWEST + 1)} <= {
        path.name for path in CASES
    }


@pytest.mark.parametrize("number", range(1, NEWEST + 1))
def test_a_case_lands_at_its_generation(number: int, tmp_path: Path) -> None:
    found = compiled(OK / f"generation-{number:02}", tmp_path)
    assert max(each.generation for each in tasks_of(found)) == number
