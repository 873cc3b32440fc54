"""A difference for programs (`schemas/report/diff.v1.json`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from fleet_contracts.diff.model import Difference, FieldChange, Subject, TaskChange
from fleet_contracts.diff.table import ORDER
from fleet_contracts.pointer import format_pointer
from fleet_contracts.store.model import Ref

VERSION = "fleet.diff.v1"


def render_json(
    found: Difference | None, labels: tuple[str, str], diagnostics: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return a difference as plain data; None where a side could not be made of its source."""
    old, new = (found.old, found.new) if found else (None, None)
    return {
        "report": VERSION,
        "old": _side(old, labels[0]),
        "new": _side(new, labels[1]),
        "differs": None if found is None else found.differs,
        "consequence": None if found is None else found.consequence,
        "summary": None if found is None else _summary(found),
        "changes": _changes(found.changes) if found else [],
        "tasks": [_task(each) for each in found.tasks] if found else [],
        "diagnostics": list(diagnostics),
    }


def _side(subject: Subject | None, label: str) -> dict[str, Any]:
    return {
        "source": label,
        "kind": subject.kind if subject else None,
        "name": subject.name if subject else None,
        "digest": subject.document.digest if subject else None,
    }


def _summary(found: Difference) -> dict[str, int]:
    kinds = {kind: found.count(kind) for kind in ("added", "removed", "renamed", "changed")}
    means: dict[str, int] = {each: found.count_consequence(each) for each in reversed(ORDER)}
    return {
        "old_tasks": found.old_tasks,
        "new_tasks": found.new_tasks,
        **kinds,
        "unchanged": found.unchanged,
        **means,
    }


def _task(task: TaskChange) -> dict[str, Any]:
    return {
        "key": task.key,
        "change": task.kind,
        "old_key": task.old_key,
        "old_digest": _digest(task.old),
        "new_digest": _digest(task.new),
        "consequence": task.consequence,
        "changes": _changes(task.changes),
    }


def _digest(ref: Ref | None) -> str | None:
    return ref.digest if ref else None


def _changes(changes: Sequence[FieldChange]) -> list[dict[str, Any]]:
    """Return changes of fields; `old` and `new` are left out where there is nothing."""
    found = []
    for change, means in changes:
        plain: dict[str, Any] = {
            "pointer": format_pointer(change.pointer),
            "change": change.kind,
            "consequence": means,
        }
        values = {"old": change.old, "new": change.new}
        plain |= {name: value for name, value in values.items() if value is not UNSET}
        if change.lines:
            plain["lines"] = list(change.lines)
        found.append(plain)
    return found
