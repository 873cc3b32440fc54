"""Published data sets as TaskSets, compiled into a store beside them."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fleet_contracts.compiler import CompiledRoot, Compiler
from fleet_contracts.project import Project
from fleet_contracts.store import Store, Transaction
from node_kit import CHECKOUT

CASES = CHECKOUT.parent / "shared" / "cases"
EXAMPLES = CHECKOUT / "examples"
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


def gsm8k_file(cases_dir: Path, folder: Path) -> Path:
    """Write the TaskSet of the GSM8K test set into a folder, beside its rows."""
    copied(cases_dir, "gsm8k/test.jsonl", folder)
    path = folder / "gsm8k.taskset.yaml"
    each = expansion("test.jsonl", "test", "question", AFTER_MARKS)
    path.write_text(HEAD.format(name="gsm8k") + each, encoding="utf-8")
    return path
