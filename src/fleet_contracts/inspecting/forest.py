"""The Verifier forest of a Task: every node with its path and its digest (spec section 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import UNSET

from fleet_contracts.models import content as c
from fleet_contracts.nodes import node_digest

Node: TypeAlias = c.EvaluatorLeaf | c.Composite


@dataclass(frozen=True, slots=True)
class ForestNode:
    """A node and the edge that holds it, None at the top.

    `path` is the id of the tree's top node and the ids of the edges down to here.
    """

    path: tuple[str, ...]
    edge: c.Edge | None
    node: Node
    children: Sequence[ForestNode]

    @property
    def digest(self) -> str:
        """The node's own digest, which its edge does not reach."""
        return node_digest(self.node)

    @property
    def weight(self) -> str | None:
        """What its score counts in a weighted sum, as a canonical decimal."""
        if self.edge is None or self.edge.weight is UNSET:
            return None
        return self.edge.weight

    @property
    def kind(self) -> str:
        """The kind of its evaluator, or of its aggregation."""
        part = self.node.aggregation if isinstance(self.node, c.Composite) else self.node.evaluator
        return str(part.__struct_config__.tag)

    @property
    def at_least(self) -> str | None:
        """The score from which on it passes; None where it only measures."""
        decision = self.node.decision
        return None if decision is UNSET else decision.at_least


def forest(verifiers: Sequence[Node]) -> list[ForestNode]:
    """Return the trees of a Task's Verifiers, in document order."""
    return [_grown((node.id,), None, node) for node in verifiers]


def walk(trees: Sequence[ForestNode]) -> Iterator[ForestNode]:
    """Yield every node, parents before their children, in document order."""
    for tree in trees:
        yield tree
        yield from walk(tree.children)


def levels(trees: Sequence[ForestNode]) -> int:
    """Return how many levels the deepest tree has; a leaf alone has one."""
    return max((1 + levels(tree.children) for tree in trees), default=0)


def _grown(path: tuple[str, ...], edge: c.Edge | None, node: Node) -> ForestNode:
    edges = node.children if isinstance(node, c.Composite) else []
    children = [_grown((*path, each.id), each, each.node) for each in edges]
    return ForestNode(path, edge, node, children)
