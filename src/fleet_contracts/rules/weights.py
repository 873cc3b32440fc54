"""Weights of edges and the threshold of an `all_of` (spec section 6)."""

from __future__ import annotations

from msgspec import UNSET

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.exact import ONE, exact, spelled
from fleet_contracts.scope import Scope

_MOST_PROPORTIONS = 6


def missing_weight(scope: Scope, node: a.Composite, at: Pointer) -> None:
    """Report edges of a `weighted_sum` without a weight (FLT4030)."""
    if type(node.aggregation) is not a.WeightedSum:
        return
    for index, edge in enumerate(node.children):
        if edge.weight is UNSET:
            scope.report(
                "FLT4030",
                f"edge {edge.id!r} has no weight, a `weighted_sum` needs one on every edge",
                (*at, "children", index),
                help="add `weight`; the weights of all edges add up to 1",
            )


def weight_forbidden(scope: Scope, node: a.Composite, at: Pointer) -> None:
    """Report weights where the aggregation takes none (FLT4031)."""
    kind = type(node.aggregation)
    if kind is a.WeightedSum:
        return
    for index, edge in enumerate(node.children):
        if edge.weight is not UNSET:
            scope.report(
                "FLT4031",
                f"edge {edge.id!r} has a weight, but `{kind.__struct_config__.tag}` takes none",
                (*at, "children", index, "weight"),
                key=True,
                help="remove `weight`, or write `kind: weighted_sum`",
            )


def weight_not_positive(scope: Scope, node: a.Composite, at: Pointer) -> None:
    """Report weights of a `weighted_sum` that are 0 or less (FLT4033)."""
    if type(node.aggregation) is not a.WeightedSum:
        return
    for index, edge in enumerate(node.children):
        weight = exact(edge.weight)
        if weight is not None and weight <= 0:
            scope.report(
                "FLT4033",
                f"a weight is greater than 0, found {spelled(weight)}",
                (*at, "children", index, "weight"),
                help="write a positive weight, or remove the edge",
            )


def weights_sum(scope: Scope, node: a.Composite, at: Pointer) -> None:
    """Report positive weights whose exact sum is not 1 (FLT4032)."""
    if type(node.aggregation) is not a.WeightedSum:
        return
    found = [exact(edge.weight) for edge in node.children]
    weights = [weight for weight in found if weight is not None and weight > 0]
    total = sum(weights)
    if total == ONE or len(weights) < len(found):
        return
    difference = spelled(abs(total - ONE))
    relation = "more" if total > ONE else "less"
    scope.report(
        "FLT4032",
        f"the weights add up to {spelled(total)}, which is {difference} {relation} than 1",
        (*at, "children"),
        key=True,
        help=_mended(weights, total),
    )


def all_of_threshold(scope: Scope, node: a.Composite, at: Pointer) -> None:
    """Report an `all_of` whose threshold is not exactly 1 (FLT4034)."""
    if type(node.aggregation) is not a.AllOf:
        return
    threshold = exact(node.decision.at_least)
    if threshold is not None and threshold != ONE:
        scope.report(
            "FLT4034",
            f"the threshold of an `all_of` is exactly 1, found {spelled(threshold)}",
            (*at, "decision", "at_least"),
            help='write `at_least: "1"`',
            fix=Edit(str(node.decision.at_least), "1"),
        )


def _mended(weights: list[int], total: int) -> str:
    """Return which weights to write: the same proportions, else another last one."""
    if len(weights) == 1:
        return "write 1 on the only edge"
    if len(weights) <= _MOST_PROPORTIONS and not any(each * ONE % total for each in weights):
        shares = ", ".join(spelled(each * ONE // total) for each in weights)
        return f"write {shares}, which keeps their proportions"
    last = weights[-1] + ONE - total
    if last > 0:
        return f"write {spelled(last)} on the last edge, or change the others"
    return "change them so that they add up to exactly 1"
