"""`python -m tools.check_generations`: Task generations only ever add (spec section 7).

Every Task that the examples and the fixtures compile to is put under every generation: it is
valid under its own and all later ones with only `schema` changed, and refused by all earlier
ones. So a Task keeps its meaning, and asks for no newer generation than it needs.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from fleet_contracts import schemas
from fleet_contracts.compiler import Compiler
from fleet_contracts.models.since import NEWEST
from fleet_contracts.project import Project, find_root
from fleet_contracts.store.model import ContentSink, Ref, Root
from fleet_contracts.store.reader import Store, StoredRoot

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("examples/*/*.taskset.yaml", "fixtures/compile/ok/*/input/**/*.taskset.yaml")
PREFIX = "fleet.task.v1alpha"
EMPTY_ARTIFACT = b'{"entries":{},"schema":"fleet.artifact.v1alpha1"}'


@dataclass(slots=True)
class TaskSink:
    """A sink that keeps Task documents and forgets the rest."""

    tasks: list[dict[str, Any]] = field(default_factory=list)

    def put(self, data: bytes) -> Ref:
        """Take one object."""
        if f'"schema":"{PREFIX}'.encode() in data:
            self.tasks.append(json.loads(data))
        return Ref("sha256:" + hashlib.sha256(data).hexdigest(), len(data))

    def put_stream(self, chunks: Iterable[bytes]) -> Ref:
        """Take one object in pieces."""
        return self.put(b"".join(chunks))

    def add_root(self, root: Root) -> None:
        """Take a root, of which nothing is kept."""


class AnyArtifact:
    """A store with an empty Artifact under every digest: only shapes matter here."""

    def find(self, name: str) -> StoredRoot | None:
        """Return no root, so that every name is free."""
        return None

    def read(self, digest: str) -> bytes:
        """Return the Artifact."""
        return EMPTY_ARTIFACT

    def read_into(self, sink: ContentSink, digest: str) -> Ref:
        """Put the Artifact into a sink."""
        return sink.put(EMPTY_ARTIFACT)


def compiled_tasks(path: Path) -> list[dict[str, Any]]:
    """Return the Task documents that a TaskSet file compiles to; raises `ValueError`."""
    sink = TaskSink()
    path = path.resolve()
    compiler = Compiler(Project(find_root(path)), sink, store=cast(Store, AnyArtifact()))
    if compiler.compile(path) is None:
        problem = next(iter(compiler.bag))
        raise ValueError(f"{path} does not compile: {problem.code} {problem.message}")
    return sink.tasks


def is_valid(generation: int, task: dict[str, Any]) -> bool:
    """Tell whether a generation takes a Task that says it is of that generation."""
    renamed = {**task, "schema": f"{PREFIX}{generation}"}
    validator = schemas.validator(f"content/task.v1alpha{generation}.json")
    return bool(validator.is_valid(renamed))


def problems(task: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a Task under each generation."""
    own = int(task["schema"].removeprefix(PREFIX))
    for generation in range(1, NEWEST + 1):
        accepted = is_valid(generation, task)
        if generation >= own and not accepted:
            yield f"a Task of v1alpha{own} is not valid under v1alpha{generation}"
        if generation < own and accepted:
            yield f"a Task of v1alpha{own} is valid under v1alpha{generation} already"


def main() -> int:
    """Check every Task at hand and return the exit code; no Task at all is a failure."""
    files = sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))
    found = []
    count = 0
    for path in files:
        for task in compiled_tasks(path):
            count += 1
            found += [f"{path.relative_to(ROOT)}: {problem}" for problem in problems(task)]
    print("\n".join(dict.fromkeys(found)) or f"{count} Tasks of {len(files)} files only ever add")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
