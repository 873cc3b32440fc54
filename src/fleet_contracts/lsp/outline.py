"""The outline of a document: Environments, Tasks and their Verifier nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from fleet_contracts.lsp.tree import Node
from fleet_contracts.source import Span

MOST_LEVELS = 32  # of a Verifier tree (spec section 6)

Kind: TypeAlias = Literal["environment", "task", "leaf", "composite"]


class Entry(NamedTuple):
    """One line of an outline: all that belongs to it, its name there, and what is inside."""

    name: str
    kind: Kind
    whole: Span
    shown: Span
    inside: list[Entry]


def outline(root: Node) -> list[Entry]:
    """Return the outline of a TaskSet, a file of Tasks or a standalone Verifier."""
    found = [_keyed(node, "environment", []) for node in _items(root.at("environments"))]
    for task in _items(root.at("tasks")):
        found.append(_keyed(task, "task", list(_nodes(task.at("verifiers")))))
    for dataset in _items(root.at("dataset")):
        template, key = dataset.at("task"), dataset.at("key")
        if template is not None:
            inside = list(_nodes(template.at("verifiers")))
            name = key.text if key and key.text else "task"
            found.append(_keyed(template, "task", inside)._replace(name=name))
    node = root.at("node")
    return [*found, *_node(node)] if node else found


def _keyed(node: Node, kind: Kind, inside: list[Entry]) -> Entry:
    name = str(node.pointer[-1]) if node.pointer else ""
    shown = node.key or Span(node.start, node.start)
    return Entry(name, kind, _whole(node), shown, inside)


def _nodes(forest: Node | None) -> Iterator[Entry]:
    for each in _items(forest):
        yield from _node(each)


def _node(node: Node, level: int = 1) -> Iterator[Entry]:
    """Yield the entry of a Verifier node that has an id, with its children below it."""
    identity = node.at("id")
    if identity is None or not identity.text or level > MOST_LEVELS:
        return
    kind: Kind = "composite" if node.at("children") else "leaf"
    edges = (edge.at("node") for edge in _items(node.at("children")))
    inside = [entry for child in edges if child for entry in _node(child, level + 1)]
    yield Entry(identity.text, kind, _whole(node), identity.span, inside)


def _items(node: Node | None) -> list[Node]:
    return node.items if node else []


def _whole(node: Node) -> Span:
    """Return the span of a node and its key; a block ends where the next thing begins."""
    return Span(node.begin, max(node.end, node.begin))
