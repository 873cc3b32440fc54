"""Published data sets through `dataset`, from rows to pages in the store.

`FLEET_GOLDEN=write` rewrites the golden files; they hold keys, counts and digests, no text.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from realdata_kit import HEAD, Compiled, compile_file, copied, expansion

GOLDEN = Path(__file__).parent / "golden"
BBH = ("boolean_expressions", "date_understanding", "dyck_languages")


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
