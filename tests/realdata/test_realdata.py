"""Published data sets through `dataset`, from rows to pages in the store.

`FLEET_GOLDEN=write` rewrites the golden files; they hold keys, counts and digests, no text.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fleet_contracts.compiler import CompiledRoot, Compiler
from fleet_contracts.project import Project
from fleet_contracts.store import Store, Transaction

GOLDEN = Path(__file__).parent / "golden"
HEAD = """\
authoring: taskset/v1
name: {name}
environments:
  shell: {{builtin: terminal@v1}}
dataset:
"""
EXPANSION = """\
  - rows: {rows}
    key: {prefix}/${{index}}
    task:
      environment: shell
      prompt: ${{row.{prompt}}}
      verifiers:
        - id: answer
          type: evaluator
          evaluator:
            kind: builtin.v1
            builtin_id: answer-equals
            params: {{expected: "{expected}"}}
          decision: {{kind: threshold, at_least: 1}}
"""
AFTER_MARKS = "${row.answer | capture:'#### (-?[0-9.,]+)$'}"
BBH = ("boolean_expressions", "date_understanding", "dyck_languages")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A root that went into a store, and the store."""

    root: CompiledRoot
    store: Store

    def document(self, digest: str) -> Any:
        data = self.store.read(digest)
        assert data is not None
        assert "sha256:" + hashlib.sha256(data).hexdigest() == digest
        return json.loads(data)

    @property
    def tasks(self) -> dict[str, Any]:
        """All Task documents by key, in the order they are stored."""
        taskset = self.document(self.root.digest)
        pages = taskset.get("pages")
        maps = [self.document(page["digest"]) for page in pages] if pages else [taskset]
        return {
            key: self.document(ref["digest"]) for each in maps for key, ref in each["tasks"].items()
        }


def compile_file(path: Path) -> Compiled:
    folder = path.parent
    store = folder / ".fleet"
    with Transaction.begin(store) as transaction:
        compiler = Compiler(project=Project(folder.resolve()), sink=transaction)
        root = compiler.compile(path.resolve())
        assert list(compiler.bag) == []
        assert isinstance(root, CompiledRoot)
        transaction.commit()
    return Compiled(root, Store.open(store))


def expansion(rows: str, prefix: str, prompt: str, expected: str) -> str:
    return EXPANSION.format(rows=rows, prefix=prefix, prompt=prompt, expected=expected)


def copied(cases_dir: Path, name: str, folder: Path) -> Path:
    source = cases_dir / name
    if not source.is_file():
        pytest.skip(f"{name} is not among the shared cases")
    return Path(shutil.copy(source, folder / source.name))


def golden(name: str, found: dict[str, Any]) -> None:
    path = GOLDEN / f"{name}.json"
    if os.environ.get("FLEET_GOLDEN") == "write":
        path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(path.read_bytes())


def expected_of(task: Any) -> str:
    (verifier,) = task["verifiers"]
    evaluator = verifier["evaluator"]
    assert evaluator["builtin_id"] == "answer-equals"
    text = evaluator["params"]["expected"]
    assert isinstance(text, str)
    return text


def pages_by_rule(keys: list[str]) -> list[tuple[str, str, int]]:
    """Return (first, last, count) of every page, as spec section 7 says it."""
    pages = []
    page: list[str] = []
    for key in sorted(keys, key=str.encode):
        page.append(key)
        number = int(hashlib.sha256(key.encode()).hexdigest()[:8], 16)
        if len(page) == 1000 or number % 512 == 0:
            pages.append((page[0], page[-1], len(page)))
            page = []
    if page:
        pages.append((page[0], page[-1], len(page)))
    return pages


@pytest.fixture(scope="module")
def gsm8k(cases_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    folder = tmp_path_factory.mktemp("gsm8k")
    copied(cases_dir, "gsm8k/test.jsonl", folder)
    path = folder / "gsm8k.taskset.yaml"
    each = expansion("test.jsonl", "test", "question", AFTER_MARKS)
    path.write_text(HEAD.format(name="gsm8k") + each, encoding="utf-8")
    return compile_file(path)


@pytest.fixture(scope="module")
def gsm8k_rows(cases_dir: Path) -> list[dict[str, str]]:
    path = cases_dir / "gsm8k" / "test.jsonl"
    if not path.is_file():
        pytest.skip("gsm8k/test.jsonl is not among the shared cases")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_gsm8k_becomes_a_paged_taskset(gsm8k: Compiled) -> None:
    assert gsm8k.root.tasks == 1319
    assert gsm8k.root.generation == "fleet.taskset.v1alpha2"
    assert gsm8k.root.task_generation == "v1alpha1"
    taskset = gsm8k.document(gsm8k.root.digest)
    assert taskset["schema"] == "fleet.taskset.v1alpha2"
    assert taskset["task_count"] == 1319


def test_gsm8k_tasks_hold_their_rows(gsm8k: Compiled, gsm8k_rows: list[dict[str, str]]) -> None:
    tasks = gsm8k.tasks
    assert len(tasks) == len(gsm8k_rows) == 1319
    with_commas = 0
    for index, row in enumerate(gsm8k_rows):
        task = tasks[f"test/{index}"]
        answer = row["answer"].rpartition("#### ")[2]
        with_commas += "," in answer
        assert expected_of(task) == answer
        assert task["prompt"] == row["question"]
        assert task["schema"] == "fleet.task.v1alpha1"
    assert with_commas == 14


def test_gsm8k_pages(gsm8k: Compiled) -> None:
    taskset = gsm8k.document(gsm8k.root.digest)
    pages = taskset["pages"]
    golden("gsm8k", {"digest": gsm8k.root.digest, "tasks": gsm8k.root.tasks, "pages": pages})
    found = [(page["first"], page["last"], page["count"]) for page in pages]
    assert found == pages_by_rule([f"test/{index}" for index in range(1319)])
    for page in pages:
        data = gsm8k.store.read(page["digest"])
        assert data is not None
        assert len(data) == page["size"]
        keys = list(json.loads(data)["tasks"])
        assert keys == sorted(keys, key=str.encode)
        assert (keys[0], keys[-1], len(keys)) == (page["first"], page["last"], page["count"])


@pytest.mark.parametrize("name", BBH)
def test_bbh(cases_dir: Path, tmp_path: Path, name: str) -> None:
    rows = copied(cases_dir, f"bbh/{name}.json", tmp_path)
    path = tmp_path / f"{name}.taskset.yaml"
    each = expansion(f"{{file: {name}.json, path: /examples}}", name, "input", "${row.target}")
    path.write_text(HEAD.format(name=name) + each, encoding="utf-8")
    compiled = compile_file(path)
    examples = json.loads(rows.read_bytes())["examples"]
    tasks = compiled.tasks
    assert compiled.root.generation == "fleet.taskset.v1alpha1"
    assert len(tasks) == compiled.root.tasks == len(examples)
    for index, example in enumerate(examples):
        task = tasks[f"{name}/{index}"]
        assert (task["prompt"], expected_of(task)) == (example["input"], example["target"])
    golden(f"bbh-{name}", described(compiled))


def test_bbh_in_one_taskset(cases_dir: Path, tmp_path: Path) -> None:
    text = HEAD.format(name="bbh")
    total = 0
    for name in BBH:
        rows = copied(cases_dir, f"bbh/{name}.json", tmp_path)
        total += len(json.loads(rows.read_bytes())["examples"])
        text += expansion(f"{{file: {name}.json, path: /examples}}", name, "input", "${row.target}")
    path = tmp_path / "bbh.taskset.yaml"
    path.write_text(text, encoding="utf-8")
    compiled = compile_file(path)
    assert compiled.root.tasks == total
    golden("bbh", described(compiled))


def described(compiled: Compiled) -> dict[str, Any]:
    """Return what a golden file says of an inline TaskSet."""
    keys = list(compiled.tasks)
    return {
        "digest": compiled.root.digest,
        "tasks": compiled.root.tasks,
        "first": keys[0],
        "last": keys[-1],
    }
