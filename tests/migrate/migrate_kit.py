"""Files of `taskset/v0` and what they become, in memory and on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fleet_contracts.compiler import Compiler
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.migrate import Migrated, migrate_file
from fleet_contracts.project import Project
from fleet_contracts.store.hashing import HashSink

ID = "sha256:" + "1" * 64
NAMED = f"registry.example:5000/a/box@{ID}"
TAGGED = f"registry.example:5000/a/box:1.2@{ID}"

REST = """\
    prompt: What is 6 times 7?
    verifiers:
    -   {id: answer, type: evaluator, evaluator: {kind: builtin.v1,
         builtin_id: answer-equals, params: {expected:   "42"}},
      decision: {kind: threshold, at_least: 1.0}}
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file, and the codes and pointers of what is wrong with it."""

    migrated: Migrated | None
    problems: list[tuple[str, str]]

    @property
    def text(self) -> str:
        assert self.migrated is not None, self.problems
        return self.migrated.after.decode()

    @property
    def changes(self) -> list[tuple[str, str, tuple[int, int]]]:
        """Kind, pointer and place of each change."""
        assert self.migrated is not None, self.problems
        return [
            (
                change.kind,
                "/".join(map(str, change.pointer)),
                (change.start.line, change.start.column),
            )
            for change in self.migrated.changes
        ]


def migrated(folder: Path, text: str | bytes, name: str = "some.taskset.yaml") -> Outcome:
    """Migrate a file of one text; nothing is written but the text itself."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    bag = Bag()
    result = migrate_file(Project(folder.resolve()), path.resolve(), bag, {})
    assert (result is None) == bool(bag.errors)
    problems = [(item.code, "/".join(map(str, item.place.pointer))) for item in bag]
    return Outcome(result, problems)


def digest(folder: Path, text: str | bytes, name: str = "some.taskset.yaml") -> str:
    """Return the digest that a `taskset/v1` file compiles to."""
    path = folder.resolve() / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    compiler = Compiler(Project(folder.resolve()), HashSink())
    root = compiler.compile(path)
    assert root is not None, list(compiler.bag)
    return root.digest
