"""What the server knows: the open texts, what was found in them, and what to check again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts.lsp.board import Board
from fleet_contracts.lsp.documents import OpenText, OpenTexts
from fleet_contracts.lsp.including import including_roots
from fleet_contracts.lsp.names import World
from fleet_contracts.lsp.trees import Trees
from fleet_contracts.project import Project, find_root


@dataclass(slots=True)
class Session:
    """The open texts and all that is remembered about them.

    Which TaskSets include a file of Tasks is looked up once, until `look_again`.
    """

    texts: OpenTexts
    board: Board = field(default_factory=Board)
    trees: Trees = field(init=False)
    world: World = field(init=False)
    _roots: dict[Path, list[Path]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Let lookups see the open texts."""
        self.trees = Trees(self.texts)
        self.world = World(self.trees, self.roots_of)

    def targets(self) -> list[Path]:
        """Return every file that has to be checked for what is open."""
        return _distinct(target for opened in self.texts for target in self.targets_of(opened))

    def targets_of(self, opened: OpenText) -> list[Path]:
        """Return what to check for one text: the roots that include it, else itself."""
        if not opened.is_authored:
            return []
        return self.roots_of(opened.path) or [opened.path]

    def affected_by(self, opened: OpenText) -> list[Path]:
        """Return what to check when a text has changed, itself before what depends on it."""
        wanted = set(self.targets())
        depending = (each for each in self.board.depending(opened.path) if each in wanted)
        return _distinct([*self.targets_of(opened), *depending])

    def roots_of(self, path: Path) -> list[Path]:
        """Return the TaskSets that include an open file of Tasks."""
        opened = next((each for each in self.texts.of(path) if each.is_tasks), None)
        if opened is None:
            return []
        if path not in self._roots:
            project = Project(find_root(path))
            self._roots[path] = including_roots(path, project, self.texts.overlay())
        return self._roots[path]

    def look_again(self) -> None:
        """Forget who includes whom, as files may have come or gone."""
        self._roots.clear()


def _distinct(paths: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(paths))
