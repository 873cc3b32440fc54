"""Where the score of a Verifier node can lie, exactly (spec section 6, scoring).

Scores are decimals times 10^18, as in `rules/exact.py`: whole numbers, and fractions of them
where a sum was divided. A range may be wider than the scores there are, never narrower.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from msgspec import UNSET, UnsetType

from fleet_contracts.models import authoring as a
from fleet_contracts.rules.evidence import declared_inputs
from fleet_contracts.rules.exact import ONE, exact
from fleet_contracts.rules.metrics import objective_metric

Score: TypeAlias = int | Fraction


class Range(NamedTuple):
    """The lowest and the highest score, None where there is no limit.

    `sure` says that there is always a score: no crash, no missing evidence, no bad reading.
    """

    low: Score | None
    high: Score | None
    sure: bool = False


UNIT = Range(0, ONE)
SURE_UNIT = Range(0, ONE, sure=True)
UNITS = (UNIT, SURE_UNIT)
CONSTANT = "constant"
_COUNTED = Range(0, None)


def score_range(node: a.EvaluatorLeaf | a.Composite) -> Range | None:
    """Return where the score of a node lies, for attempts that get one.

    None where there is no score, or where other rules have something to say about it. What
    reads *passed* of its children gets all from 0 to 1, whatever they are: a child that always
    or never passes is a doubt of its own, and its parents repeat nothing.
    """
    if isinstance(node, a.Composite):
        return _composite(node)
    constant = type(node.evaluator) is a.BuiltinEvaluator and node.evaluator.builtin_id == CONSTANT
    if node.objective is UNSET:
        if node.metrics:
            return None
        return _constant_score(node) if constant else UNIT
    found = objective_metric(node)
    if found is None:
        return None
    if constant and node.objective.reducer != "count":
        return _constant_reading(node, found[1])
    if type(node.evaluator) is a.BuiltinEvaluator:
        return UNIT
    return _projected(found[1], node.objective.reducer)


def weights_of(node: a.Composite) -> list[int] | None:
    """Return the weights of a `weighted_sum`, None where they are not as they must be."""
    weights = [exact(edge.weight) for edge in node.children]
    known = [weight for weight in weights if weight is not None and weight > 0]
    return known if len(known) == len(weights) and sum(known) == ONE else None


def _composite(node: a.Composite) -> Range | None:
    aggregation = node.aggregation
    if type(aggregation) is a.CodeAggregation:
        return UNIT
    zero = aggregation.on_child_error == "zero"
    usual = SURE_UNIT if zero else UNIT
    if type(aggregation) is a.AllOf:
        return usual
    children = [score_range(edge.node) for edge in node.children]
    if all(child is UNIT for child in children):
        return usual
    lows: list[Score] = []
    highs: list[Score] = []
    for child in children:
        if child is None or child.low is None or child.high is None:
            return None
        if child.low < 0 or child.high > ONE:
            return None
        lows.append(0 if zero and not child.sure else child.low)
        highs.append(child.high)
    sure = zero or all(child is not None and child.sure for child in children)
    if type(aggregation) is a.Minimum:
        return Range(min(lows), min(highs), sure)
    weights = weights_of(node)
    if weights is None:
        return None
    return Range(_sum(weights, lows), _sum(weights, highs), sure)


def _sum(weights: list[int], scores: list[Score]) -> Fraction:
    return Fraction(sum(w * score for w, score in zip(weights, scores, strict=True)), ONE)


def _constant(leaf: a.EvaluatorLeaf) -> int | None:
    assert isinstance(leaf.evaluator, a.BuiltinEvaluator)
    return exact(leaf.evaluator.params["value"])


def _always(leaf: a.EvaluatorLeaf, value: int) -> Range:
    """Return the one score of a `constant`, which is sure where no evidence can be missing."""
    return Range(value, value, not declared_inputs(leaf))


def _constant_score(leaf: a.EvaluatorLeaf) -> Range | None:
    value = _constant(leaf)
    return _always(leaf, value) if value is not None and 0 <= value <= ONE else None


def _constant_reading(leaf: a.EvaluatorLeaf, metric: a.Metric) -> Range | None:
    """Return the one reading of a `constant`, None where it is no reading of the metric."""
    value = _constant(leaf)
    if value is None or isinstance(metric, a.CategoryMetric):
        return None
    if isinstance(metric, a.BooleanMetric):
        return _always(leaf, value) if value in (0, ONE) else None
    if isinstance(metric, a.IntegerMetric) and value % ONE:
        return None
    low, high = _bound(metric, "minimum"), _bound(metric, "maximum")
    fits = (low is None or low <= value) and (high is None or value <= high)
    return _always(leaf, value) if fits else None


def _projected(metric: a.Metric, reducer: str) -> Range | None:
    """Return where the objective of a program or a judge lies, however many readings it has."""
    if reducer == "count":
        return _COUNTED
    if isinstance(metric, a.CategoryMetric):
        return None
    if isinstance(metric, a.BooleanMetric):
        return _COUNTED if reducer == "sum" else UNIT
    low, high = _bound(metric, "minimum"), _bound(metric, "maximum")
    if low is not None and high is not None and low > high:
        return None
    if reducer == "sum":
        low = low if low is not None and low >= 0 else None
        high = high if high is not None and high <= 0 else None
    return UNIT if low == 0 and high == ONE else Range(low, high)


def _bound(metric: a.DecimalMetric | a.IntegerMetric, name: str) -> int | None:
    bounds: a.Bounds | UnsetType = metric.bounds
    return None if bounds is UNSET else exact(getattr(bounds, name))
