"""Verifier nodes of content, and the digests that name them (spec section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from fleet_contracts import canonical
from fleet_contracts.models import content as c
from fleet_contracts.pointer import Pointer

Node: TypeAlias = c.EvaluatorLeaf | c.Composite


class NodeDigest(NamedTuple):
    """A node of a document: where it stands there, its own id, and its digest."""

    pointer: Pointer
    id: str
    digest: str


def node_digest(node: Node) -> str:
    """Return the digest of a lowered node (spec section 6).

    Its `id`, inline children and blob digests count; the edge that holds it and the subject
    it inherits do not, so a node has one digest in a Task, alone, and in every generation.
    """
    return canonical.digest(canonical.encode(node))


def node_digests(node: Node, at: Pointer) -> Iterator[NodeDigest]:
    """Yield a node that stands at a pointer, then all below it in the order of the document."""
    yield NodeDigest(at, node.id, node_digest(node))
    if isinstance(node, c.Composite):
        for index, edge in enumerate(node.children):
            yield from node_digests(edge.node, (*at, "children", index, "node"))
