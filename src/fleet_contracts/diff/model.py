"""What a comparison finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from msgspec import UNSET

from fleet_contracts.diff.table import ORDER, Consequence, worst
from fleet_contracts.pointer import Pointer
from fleet_contracts.store.model import Ref

Kind: TypeAlias = Literal["taskset", "task", "environment", "artifact"]
FieldKind: TypeAlias = Literal["added", "removed", "changed", "reordered"]
TaskKind: TypeAlias = Literal["added", "removed", "renamed", "changed"]


class Objects(Protocol):
    """Something that objects can be read from: a store, or what a compile has just made."""

    directory: Path

    def read(self, digest: str, /) -> bytes | None:
        """Return an object's bytes, None where it is not there or not kept."""
        ...

    def size(self, digest: str, /) -> int | None:
        """Return an object's size in bytes, None where it is not there."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """A document that is compared; `name` and `description` are a root's."""

    kind: Kind
    store: Objects
    document: Ref
    name: str | None = None
    description: str | None = None


class Change(NamedTuple):
    """A value that differs.

    In `pointer`, members of lists that have a name stand by it, and the fields of an
    Environment or Artifact below the reference to it. `old` and `new` are plain data, UNSET
    where there is nothing; of a list in another order, the names. `lines` are a line diff of text.
    """

    pointer: Pointer
    kind: FieldKind
    old: Any = UNSET
    new: Any = UNSET
    lines: tuple[str, ...] = ()


class FieldChange(NamedTuple):
    """A value that differs, and what that means for old attempts."""

    change: Change
    consequence: Consequence


@dataclass(frozen=True, slots=True)
class TaskChange:
    """What became of one Task.

    `key` is the new key, of a removed Task the old one. `old_key` says from where a Task was
    renamed, or which old Task an added one equals. `consequence` is None where there is no old
    attempt to speak of: for added and removed Tasks.
    """

    key: str
    kind: TaskKind
    old: Ref | None = None
    new: Ref | None = None
    old_key: str | None = None
    consequence: Consequence | None = None
    changes: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs between two subjects, of which one may not be there.

    `changes` are those of the documents themselves, `tasks` those of a TaskSet's Tasks, sorted
    by key; `old_tasks` and `new_tasks` say how many Tasks there are.
    """

    old: Subject | None
    new: Subject | None
    changes: tuple[FieldChange, ...] = ()
    tasks: tuple[TaskChange, ...] = ()
    old_tasks: int = 0
    new_tasks: int = 0

    @property
    def differs(self) -> bool:
        """Whether anything differs."""
        same_bytes = self.old and self.new and self.old.document == self.new.document
        return bool(self.changes or self.tasks or not same_bytes)

    @property
    def consequence(self) -> Consequence | None:
        """The most expensive consequence of all, None where there is none."""
        own = [each.consequence for each in self.changes]
        return worst([*own, *(each.consequence for each in self.tasks if each.consequence)])

    def count(self, kind: TaskKind) -> int:
        """Return how many Tasks were added, removed, renamed or changed."""
        return sum(each.kind == kind for each in self.tasks)

    def count_consequence(self, consequence: Consequence) -> int:
        """Return how many Tasks have a consequence."""
        return sum(each.consequence == consequence for each in self.tasks)

    @property
    def unchanged(self) -> int:
        """How many Tasks have the key and the content that they had."""
        return self.new_tasks - sum(each.kind != "removed" for each in self.tasks)


def by_cost(tasks: Sequence[TaskChange]) -> list[TaskChange]:
    """Return Tasks with the most expensive ones first, removed ones last; else as they were."""
    kinds = ("changed", "renamed", "added", "removed")

    def order(each: TaskChange) -> tuple[int, int]:
        cost = ORDER.index(each.consequence) if each.consequence and each.kind == "changed" else 0
        return kinds.index(each.kind), -cost

    return sorted(tasks, key=order)
