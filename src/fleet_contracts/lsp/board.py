"""What all checks together say about each file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts.diagnostics.model import Diagnostic, distinct
from fleet_contracts.lsp.checking import Checked
from fleet_contracts.source import Source

MOST_SHOWN = 500
"""Diagnostics of one file; an editor is of no use with more."""


@dataclass(slots=True)
class Board:
    """The latest check of each target that somebody still wants to know about."""

    _checks: dict[Path, Checked] = field(default_factory=dict)

    def put(self, checked: Checked) -> set[Path]:
        """Take a check in place of the former one; return the files of both."""
        before = self._checks.get(checked.target)
        self._checks[checked.target] = checked
        return _files(before) | _files(checked)

    def keep(self, targets: Collection[Path]) -> set[Path]:
        """Drop checks of all other targets; return the files that they were about."""
        gone = [target for target in self._checks if target not in targets]
        return {path for target in gone for path in _files(self._checks.pop(target))}

    def about(self, path: Path) -> list[Diagnostic]:
        """Return what is to be shown for a file, of files that two roots include once."""
        found = (item for each in self._checks.values() for item in each.found.get(path, []))
        return distinct(found)[:MOST_SHOWN]

    def failures(self, path: Path) -> tuple[str, ...]:
        """Return why the check of a file did not come to its end."""
        checked = self._checks.get(path)
        return checked.failures if checked else ()

    def source(self, path: Path) -> Source | None:
        """Return the text of a file as the latest check read it."""
        for each in reversed(self._checks.values()):
            if path in each.sources:
                return each.sources[path]
        return None

    def depending(self, path: Path) -> list[Path]:
        """Return the targets whose check read or looked for a file."""
        return [target for target, each in self._checks.items() if path in each.seen]


def _files(checked: Checked | None) -> set[Path]:
    if checked is None:
        return set()
    return set(checked.found) | ({checked.target} if checked.failures else set())
