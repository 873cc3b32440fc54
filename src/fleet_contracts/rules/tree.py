"""Ids and size of Verifier trees (spec section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from fleet_contracts.diagnostics.model import Related
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope

MAX_LEVELS = 32
MAX_NODES = 1_000


def duplicate_edge(scope: Scope, node: a.Composite, at: Pointer) -> None:
    """Report sibling edges with one id (FLT4020)."""
    edges = node.children
    if len({edge.id for edge in edges}) < len(edges):
        _report_repeated(scope, "FLT4020", "two sibling edges", edges, (*at, "children"))


def duplicate_verifier(scope: Scope, verifiers: list[a.VerifierNode]) -> None:
    """Report top-level Verifiers of a Task with one id (FLT4021)."""
    if len({node.id for node in verifiers}) < len(verifiers):
        _report_repeated(scope, "FLT4021", "two top-level Verifiers", verifiers, ("verifiers",))


def too_many_levels(scope: Scope, level: int, at: Pointer) -> None:
    """Report a composite on the last level, whose children are too deep (FLT4022)."""
    if level == MAX_LEVELS:
        scope.report(
            "FLT4022",
            f"a Verifier tree has at most {MAX_LEVELS} levels, "
            f"but these children stand on level {level + 1}",
            (*at, "children"),
            key=True,
            help="flatten the tree, or split it into several Verifiers",
        )


def too_many_nodes(scope: Scope, nodes: int, at: Pointer) -> None:
    """Report a tree with too many nodes (FLT4023)."""
    if nodes > MAX_NODES:
        scope.report(
            "FLT4023",
            f"a Verifier tree has at most {MAX_NODES:,} nodes, found {nodes:,}",
            at,
            help="split it into several top-level Verifiers",
        )


def _report_repeated(
    scope: Scope, code: str, what: str, items: Sequence[a.Edge | a.VerifierNode], at: Pointer
) -> None:
    first: dict[str, int] = {}
    for index, item in enumerate(items):
        earlier = first.setdefault(item.id, index)
        if earlier != index:
            place = scope.origin(at).place((*at, earlier, "id"))
            scope.report(
                code,
                f"{what} have the id {item.id!r}",
                (*at, index, "id"),
                help="rename one of them",
                related=(Related("the first one", place),),
            )
