"""Composites that do not do what they look like (spec section 6)."""

from __future__ import annotations

from fractions import Fraction

from fleet_contracts.diagnostics.model import Related
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.doubts.decisions import AT_LEAST, Verdict
from fleet_contracts.rules.doubts.ranges import Score, score_range
from fleet_contracts.rules.exact import ONE, exact, spelled
from fleet_contracts.scope import Scope

_USE_CHILD = "use the child itself"
_USE_CHILD_UNLESS: dict[type[a.Aggregation], str] = {
    a.AllOf: f"{_USE_CHILD}, unless its score is to become 1 or 0",
    a.CodeAggregation: f"{_USE_CHILD}, unless the program is there to change its score",
}


def single_child(scope: Scope, node: a.Composite, at: Pointer) -> None:
    """Report a composite with one child (FLT4082)."""
    if len(node.children) == 1:
        scope.report(
            "FLT4082",
            f"composite {node.id!r} has one child, so there is nothing to join",
            (*at, "children"),
            key=True,
            help=_USE_CHILD_UNLESS.get(type(node.aggregation), _USE_CHILD),
        )


def gate_does_not_gate(scope: Scope, verdict: Verdict) -> None:
    """Report every `all_of` that may fail while a `weighted_sum` above it passes (FLT4085).

    `verdict` is that of the nearest node above whose *passed* is read. Where that passes always
    or never, which other rules report, no gate makes a difference.
    """
    node = verdict.node
    if type(node) is a.Composite and not verdict.never_fails and not verdict.never_passes:
        _look_below(scope, verdict, node, verdict.at, verdict.at_least)


def _look_below(scope: Scope, top: Verdict, node: a.Composite, at: Pointer, needed: Score) -> None:
    """Report the gates below a node that must score `needed` for `top` to pass.

    The other children of every node on the way are taken at their best.
    """
    if not isinstance(node.aggregation, a.WeightedSum | a.Minimum):
        return
    for index, edge in enumerate(node.children):
        child = edge.node
        weight = exact(edge.weight)
        if type(child) is not a.Composite or (weight is not None and weight <= 0):
            continue  # a weight that is not positive is an error of its own
        child_at = (*at, "children", index, "node")
        child_needed = _needed_of(node, edge, needed)
        if type(child.aggregation) is not a.AllOf:
            _look_below(scope, top, child, child_at, child_needed)
        elif child_needed <= 0:
            _report_gate(scope, top, child, child_at)


def _needed_of(node: a.Composite, edge: a.Edge, needed: Score) -> Score:
    """Return what a child must score for its parent to score `needed`."""
    weight = exact(edge.weight)
    if type(node.aggregation) is a.Minimum or weight is None:
        return needed
    spare = _highest(node) - needed
    return _highest(edge.node) - Fraction(spare * ONE, weight)


def _highest(node: a.EvaluatorLeaf | a.Composite) -> Score:
    found = score_range(node)
    assert found is not None  # the node is part of one whose range is known
    assert found.high is not None
    return found.high


def _report_gate(scope: Scope, top: Verdict, gate: a.Composite, at: Pointer) -> None:
    threshold = (*top.at, *AT_LEAST)
    related = Related(
        f"{top.node.id!r} passes from {spelled(top.at_least)} on",
        scope.origin(threshold).place(threshold),
    )
    scope.report(
        "FLT4085",
        f"`all_of` {gate.id!r} is no gate here: when it fails, {top.node.id!r} can still pass",
        (*at, "aggregation", "kind"),
        help="join it with the rest by an `all_of` at the top, or raise the threshold",
        related=(related,),
    )
