"""Trees of files, kept for as long as their texts stay the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fleet_contracts.lsp.documents import OpenTexts
from fleet_contracts.lsp.tree import Node, Tree, read_tree
from fleet_contracts.project import FileProblem, Project
from fleet_contracts.reading.decode import BOM

MOST_CHARACTERS = 4 << 20
"""Nobody waits for the tree of a larger text; there are only diagnostics of it."""

MOST_KEPT = 32


class Kept(NamedTuple):
    """A text, its tree, and the root of the latest text that could be read to its end."""

    text: str
    tree: Tree
    whole: Node | None


@dataclass(slots=True)
class Trees:
    """Reads trees of open texts, and of other files as they are on disk."""

    texts: OpenTexts
    _kept: dict[Path, Kept] = field(default_factory=dict)

    def of(self, path: Path) -> Kept | None:
        """Return the tree of a file, None when it cannot be read or is too large."""
        text = self._text(path)
        if text is None or len(text) > MOST_CHARACTERS:
            return None
        before = self._kept.pop(path, None)
        if before is None or before.text != text:
            tree = read_tree(text)
            whole = tree.root if tree.is_whole else before and before.whole
            before = Kept(text, tree, whole)
        self._kept[path] = before
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return before

    def roots(self, path: Path) -> list[Node]:
        """Return the root of a file, then that of its latest sound text if it is broken now."""
        kept = self.of(path)
        if kept is None:
            return []
        found = [kept.tree.root, None if kept.tree.is_whole else kept.whole]
        return [root for root in found if root is not None]

    def _text(self, path: Path) -> str | None:
        for opened in self.texts.of(path):
            return opened.text
        try:
            if path.stat().st_size > MOST_CHARACTERS * 4:
                return None
            data = Project(path.parent).read(path)
        except (FileProblem, OSError):
            return None
        return data.decode("utf-8", errors="replace").removeprefix(BOM)
