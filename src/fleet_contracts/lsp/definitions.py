"""Go to definition: where a name is declared, and which files a path names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.include import included_files
from fleet_contracts.lsp.locate import locate
from fleet_contracts.lsp.names import World, declared_at
from fleet_contracts.lsp.tree import Node
from fleet_contracts.project import Project, find_root
from fleet_contracts.scope import Location, Scope
from fleet_contracts.source import Position, Span

TOP = Span(Position(1, 1), Position(1, 1))


class Target(NamedTuple):
    """A place to go to, and what is pointed at now, to be underlined."""

    path: Path
    span: Span
    origin: Span


def definitions(world: World, path: Path, position: Position) -> list[Target]:
    """Return where to go from a position in a file.

    A broken text is looked at as far as it can be read, then as it was when it was sound.
    """
    for node in _pointed_at(world, path, position):
        found = [
            Target(each.path, each.span, node.span)
            for each in declared_at(world, path, node)
            if each.name == node.text
        ]
        found = found or [Target(file, TOP, node.span) for file in _files(path, node)]
        if found:
            return found
    return []


def _pointed_at(world: World, path: Path, position: Position) -> Iterable[Node]:
    kept = world.trees.of(path)
    if kept is None:
        return
    hit = locate(kept.tree.root, position)
    if hit is not None and hit.on == "value":
        yield hit.node
    elif not kept.tree.is_whole:
        hit = locate(kept.whole, position)
        if hit is not None and hit.on == "value":
            yield hit.node


def _files(path: Path, node: Node) -> list[Path]:
    """Return the files that a node names: `file`, an item of `include`, `rows`."""
    if not node.text or not node.pointer:
        return []
    match node.pointer:
        case (*_, "file") | ("include", int()) | ("dataset", int(), "rows"):
            project = Project(find_root(path))
            scope = Scope(Bag(), Location(path, project.name(path)))
            return list(included_files(project, scope, [node.text]))
        case _:
            return []
