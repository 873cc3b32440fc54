"""All rules of a Verifier tree, and the one walk that applies them (spec section 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules import (
    builtins,
    evidence,
    metrics,
    scores,
    subjects,
    target,
    tree,
    weights,
)
from fleet_contracts.rules.declared import Declared
from fleet_contracts.rules.doubts import composites, decisions, params, reads
from fleet_contracts.rules.doubts.decisions import Verdict
from fleet_contracts.scope import Scope

LeafRule: TypeAlias = Callable[[Scope, a.EvaluatorLeaf, Pointer, bool], None]
"""Looks at a leaf that stands at a pointer, inside a composite or not."""

BuiltinRule: TypeAlias = Callable[[Scope, a.EvaluatorLeaf, a.BuiltinEvaluator, Pointer], None]
LeafInTaskRule: TypeAlias = Callable[[Scope, a.EvaluatorLeaf, Pointer, Declared], None]
CompositeRule: TypeAlias = Callable[[Scope, a.Composite, Pointer], None]
VerdictRule: TypeAlias = Callable[[Scope, Verdict], None]
"""Looks at a node whose *passed* is read."""

LEAF_RULES: tuple[LeafRule, ...] = (
    scores.missing_decision,
    scores.decision_forbidden,
    scores.measurement_inside,
    metrics.unknown_metric,
    metrics.bad_bounds,
    metrics.category_reducer,
    scores.not_unit_score,
    evidence.exposed_twice,
    target.bindings_forbidden,
    reads.unread_metric,
)

BUILTIN_RULES: tuple[BuiltinRule, ...] = (
    builtins.category_verdict,
    builtins.several_metrics,
    builtins.score_range,
    builtins.bad_regex,
    builtins.not_json_text,
    builtins.unknown_input,
)

PARAM_RULES: dict[str, tuple[BuiltinRule, ...]] = {
    "answer-equals": (params.equals_never,),
    "answer-close": (params.close_never,),
    "answer-matches": (params.matches_always, params.matches_never),
    "file-matches": (params.matches_never,),
}
"""Rules of one builtin each, by its id."""

LEAF_IN_TASK_RULES: tuple[LeafInTaskRule, ...] = (
    evidence.unknown_capture,
    evidence.unknown_mount,
    target.unknown_endpoint,
    reads.agent_writable_evidence,
)

COMPOSITE_RULES: tuple[CompositeRule, ...] = (
    tree.duplicate_edge,
    weights.missing_weight,
    weights.weight_forbidden,
    weights.weight_not_positive,
    weights.weights_sum,
    weights.all_of_threshold,
    composites.single_child,
)

VERDICT_RULES: tuple[VerdictRule, ...] = (
    decisions.never_fails,
    decisions.never_passes,
    composites.gate_does_not_gate,
)


class _Tree(NamedTuple):
    """A tree under examination: its root, where that stands, and what its Task declares."""

    scope: Scope
    root: a.EvaluatorLeaf | a.Composite
    at: Pointer
    declared: Declared | None


def check_node(
    scope: Scope,
    node: a.EvaluatorLeaf | a.Composite,
    at: Pointer = (),
    declared: Declared | None = None,
) -> None:
    """Report what is wrong with the Verifier tree whose root stands at `at`.

    Rules that need a Task (captures, seed mounts, endpoints, seats) run when `declared` says
    what that Task declares.
    """
    if declared is not None:
        subjects.unknown_seat(scope, node, at, declared.seats)
    nodes = _visit(_Tree(scope, node, at, declared), node, at, 1, None)
    tree.too_many_nodes(scope, nodes, at)


def _visit(
    within: _Tree,
    node: a.EvaluatorLeaf | a.Composite,
    at: Pointer,
    level: int,
    parent: a.Aggregation | None,
) -> int:
    """Apply the rules to a node and all below it; return how many nodes that are."""
    verdict = decisions.verdict(node, at, parent)
    if verdict is not None:
        for verdict_rule in VERDICT_RULES:
            verdict_rule(within.scope, verdict)
    if isinstance(node, a.EvaluatorLeaf):
        _check_leaf(within, node, at, level > 1)
        return 1
    for rule in COMPOSITE_RULES:
        rule(within.scope, node, at)
    tree.too_many_levels(within.scope, level, at)
    nodes = 1
    for index, edge in enumerate(node.children):
        child, child_at = edge.node, (*at, "children", index, "node")
        subjects.subject_differs(within.scope, within.root, within.at, child.subject, child_at)
        nodes += _visit(within, child, child_at, level + 1, node.aggregation)
    return nodes


def _check_leaf(within: _Tree, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    scope, declared = within.scope, within.declared
    for rule in LEAF_RULES:
        rule(scope, leaf, at, inside)
    if isinstance(leaf.evaluator, a.BuiltinEvaluator):
        for builtin_rule in BUILTIN_RULES:
            builtin_rule(scope, leaf, leaf.evaluator, at)
        for builtin_rule in PARAM_RULES.get(leaf.evaluator.builtin_id, ()):
            builtin_rule(scope, leaf, leaf.evaluator, at)
    if declared is not None:
        for task_rule in LEAF_IN_TASK_RULES:
            task_rule(scope, leaf, at, declared)
