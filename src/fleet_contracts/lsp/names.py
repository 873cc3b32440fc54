"""What a name in an authored file may refer to, and where that is declared.

The one place that knows which positions hold names: go-to-definition looks the written name
up among them, completion lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from fleet_contracts.lsp.tree import Node
from fleet_contracts.lsp.trees import Trees
from fleet_contracts.project import FileProblem, Project, find_root
from fleet_contracts.source import Span


class Declared(NamedTuple):
    """A name, the file that declares it, and where it stands there."""

    name: str
    path: Path
    span: Span


class Located(NamedTuple):
    """A node and the file it stands in."""

    path: Path
    node: Node


@dataclass(frozen=True, slots=True)
class World:
    """What lookups need: trees of files, and which TaskSets include a file of Tasks."""

    trees: Trees
    roots_of: Callable[[Path], list[Path]]

    def tasksets(self, path: Path) -> Iterator[Located]:
        """Yield the document itself if it is a root, and each TaskSet that includes it."""
        for file in dict.fromkeys((path, *self.roots_of(path))):
            for node in self.trees.roots(file):
                yield Located(file, node)

    def other(self, path: Path, relative: str) -> Iterator[Located]:
        """Yield the document that a path in a file names, if it is one."""
        try:
            file = Project(find_root(path)).locate(path.parent, relative)
        except FileProblem:
            return
        for node in self.trees.roots(file):
            yield Located(file, node)


Lookup: TypeAlias = Callable[[World, Located], Iterator[Declared]]
"""Yields what the name at a node may refer to; a declaration may be met more than once."""


def lookup_at(node: Node) -> Lookup | None:
    """Return how to find what the name at a node refers to; None where no name stands."""
    tokens = tuple(token for token in node.pointer if isinstance(token, str))
    for ending, lookup in _LOOKUPS.items():
        if tokens[-len(ending) :] == ending:
            return lookup
    return None


def declared_at(world: World, path: Path, node: Node) -> list[Declared]:
    """Return what the name at a node of a file may refer to, each name once."""
    lookup = lookup_at(node)
    if lookup is None:
        return []
    first: dict[str, Declared] = {}
    for each in lookup(world, Located(path, node)):
        first.setdefault(each.name, each)
    return list(first.values())


def _environments(world: World, at: Located) -> Iterator[Declared]:
    """Look for local names of Environments; only a Task names one."""
    if _task(at.node) is not at.node.parent:
        return
    for path, root in world.tasksets(at.path):
        declared = root.at("environments")
        for node in declared.items if declared else []:
            if node.key and node.pointer:
                yield Declared(str(node.pointer[-1]), path, node.key)


def _captures(world: World, at: Located) -> Iterator[Declared]:
    yield from _of_task(world, at, "captures", "id", wanted=("source", "capture"))


def _mounts(world: World, at: Located) -> Iterator[Declared]:
    yield from _of_task(world, at, "seed_mounts", "path", wanted=("source", "seed_mount"))


def _seats(world: World, at: Located) -> Iterator[Declared]:
    yield from _of_task(world, at, "roster", "seat", wanted=("kind", "seat"))


def _metrics(world: World, at: Located) -> Iterator[Declared]:
    yield from _members(at.path, _below(at.node.above(2), "metrics"), "name")


def _inputs(world: World, at: Located) -> Iterator[Declared]:
    """Look for the evidence inputs of the leaf that a builtin evaluator reads for."""
    yield from _members(at.path, _below(at.node.above(3), "evidence", "inputs"), "name")


def _endpoints(world: World, at: Located) -> Iterator[Declared]:
    for path, choice in _fields(world, at, "environment"):
        for file, environment in _meant(world, path, choice):
            yield from _members(file, environment.at("endpoints"), "name")


_LOOKUPS: dict[tuple[str, ...], Lookup] = {
    ("environment",): _environments,
    ("select", "id"): _captures,
    ("select", "path"): _mounts,
    ("subject", "seat"): _seats,
    ("objective", "metric"): _metrics,
    ("bindings", "endpoint"): _endpoints,
    ("evaluator", "params", "input"): _inputs,
}


def _of_task(
    world: World, at: Located, field: str, member: str, *, wanted: tuple[str, str]
) -> Iterator[Declared]:
    """Look into a list of the Task, if a neighbour of the name says that it is about that."""
    neighbour, expected = wanted
    beside = _below(at.node.parent, neighbour)
    if beside is None or beside.text != expected:
        return
    for path, node in _fields(world, at, field):
        yield from _members(path, node, member)


def _fields(world: World, at: Located, name: str) -> Iterator[Located]:
    """Yield a field of the Task that a node stands in, or what `defaults` say in its place."""
    task = _task(at.node)
    if task is None:
        return
    own = task.at(name)
    if own is not None:
        yield Located(at.path, own)
        return
    for path, root in world.tasksets(at.path):
        default = root.at("defaults", name)
        if default is not None:
            yield Located(path, default)


def _meant(world: World, path: Path, choice: Node) -> Iterator[Located]:
    """Yield the Environments that a name, a file or a map at `choice` means."""
    if choice.text is None:
        named = [Located(path, choice)]
    else:
        roots = list(world.tasksets(path))
        found = ((file, root.at("environments", choice.text)) for file, root in roots)
        named = [Located(file, node) for file, node in found if node is not None]
    for file, node in named:
        other = node.at("file")
        if other is not None and other.text:
            yield from world.other(file, other.text)
        else:
            yield Located(file, node)


def _members(path: Path, list_node: Node | None, member: str) -> Iterator[Declared]:
    items = list_node.children.values() if list_node else []
    for item in items:
        name = item.at(member)
        if name is not None and name.text:
            yield Declared(name.text, path, name.span)


def _task(node: Node) -> Node | None:
    """Return the Task that a node stands in: authored, in `defaults`, or a template."""
    above: Node | None = node
    while above is not None:
        match above.pointer:
            case ("tasks", _) | ("defaults",) | ("dataset", int(), "task"):
                return above
            case _:
                above = above.parent
    return None


def _below(node: Node | None, *tokens: str) -> Node | None:
    return node.at(*tokens) if node else None
