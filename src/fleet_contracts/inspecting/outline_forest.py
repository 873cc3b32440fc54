"""A Verifier forest as a tree of text (spec section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from fleet_contracts.inspecting.branches import Branch, many, short
from fleet_contracts.inspecting.forest import ForestNode, levels, walk
from fleet_contracts.inspecting.words import (
    aggregation_words,
    evaluator_words,
    input_words,
    metric_words,
    policy_words,
    target_words,
)
from fleet_contracts.models import content as c


def outline_forest(trees: Sequence[ForestNode], most: int | None) -> Branch:
    """Return trees with each node's weight, evaluator or aggregation, and decision."""
    counted = f"{many(len(trees), 'tree')}, {many(sum(1 for _ in walk(trees)), 'node')}"
    deep = f", {many(levels(trees), 'level')}"
    return Branch(f"Verifiers: {counted}{deep}", [_node(tree, most) for tree in trees])


def _node(grown: ForestNode, most: int | None) -> Branch:
    node, edge = grown.node, grown.edge
    parts = [] if grown.weight is None else [grown.weight]
    parts.append(node.id if edge is None or edge.id == node.id else f"{edge.id}: {node.id}")
    details: list[Branch] = []
    if isinstance(node, c.Composite):
        parts.append(aggregation_words(node.aggregation, most))
        details += _image(node.aggregation)
    else:
        parts.append(evaluator_words(node.evaluator, most))
        details += [*_image(node.evaluator), *_details(node, most)]
    at_least = grown.at_least
    parts.append("only measures" if at_least is None else f"passes at {at_least}")
    parts.append(short(grown.digest))
    if node.subject is not UNSET:
        details.append(Branch(f"subject: seat {node.subject.seat}"))
    if node.failure_policy is not UNSET:
        details.append(Branch(f"failure policy: {policy_words(node.failure_policy)}"))
    return Branch("  ".join(parts), [*details, *(_node(child, most) for child in grown.children)])


def _image(part: c.Evaluator | c.Aggregation) -> list[Branch]:
    if isinstance(part, c.CodeEvaluator | c.CodeAggregation):
        return [Branch(f"image: {part.image.value}")]
    return []


def _details(leaf: c.EvaluatorLeaf, most: int | None) -> list[Branch]:
    inputs = [] if leaf.evidence is UNSET else leaf.evidence.inputs
    details = [Branch(f"reads {input_words(each)}") for each in inputs]
    if leaf.target_access is not UNSET:
        details.append(Branch(f"target: {target_words(leaf.target_access)}"))
    metrics = [] if leaf.metrics is UNSET else leaf.metrics
    details += [Branch(f"metric {metric_words(each, most)}") for each in metrics]
    if leaf.objective is not UNSET:
        details.append(Branch(f"objective: {leaf.objective.reducer} of {leaf.objective.metric}"))
    return details
