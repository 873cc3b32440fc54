"""Metrics and the objective that makes one of them the score (spec section 6)."""

from __future__ import annotations

from msgspec import UNSET

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.exact import ONE, exact, spelled
from fleet_contracts.rules.names import unknown_name
from fleet_contracts.scope import Scope

NUMERIC = (a.DecimalMetric, a.IntegerMetric)


def declared_metrics(leaf: a.EvaluatorLeaf) -> list[a.Metric]:
    """Return the metrics of a leaf, none where they are absent."""
    return [] if leaf.metrics is UNSET else leaf.metrics


def objective_metric(leaf: a.EvaluatorLeaf) -> tuple[int, a.Metric] | None:
    """Return the metric that the objective names and its index; None where there is none."""
    if leaf.objective is UNSET:
        return None
    for index, metric in enumerate(declared_metrics(leaf)):
        if metric.name == leaf.objective.metric:
            return index, metric
    return None


def unknown_metric(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report an objective that names no metric of the leaf (FLT4050)."""
    if leaf.objective is UNSET or objective_metric(leaf) is not None:
        return
    unknown_name(
        scope,
        "FLT4050",
        leaf.objective.metric,
        [metric.name for metric in declared_metrics(leaf)],
        (*at, "objective", "metric"),
        message="no metric {} in this leaf",
        help="declare it under `metrics`",
    )


def bad_bounds(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report bounds in the wrong order, and fractions as bounds of an integer (FLT4051)."""
    if leaf.metrics is UNSET:
        return
    for index, metric in enumerate(leaf.metrics):
        if isinstance(metric, NUMERIC) and metric.bounds is not UNSET:
            _check_bounds(scope, metric, metric.bounds, (*at, "metrics", index, "bounds"))


def _check_bounds(
    scope: Scope, metric: a.DecimalMetric | a.IntegerMetric, bounds: a.Bounds, at: Pointer
) -> None:
    low, high = exact(bounds.minimum), exact(bounds.maximum)
    if low is not None and high is not None and low > high:
        scope.report(
            "FLT4051",
            f"minimum {spelled(low)} of metric {metric.name!r} is above maximum {spelled(high)}",
            at,
            help="swap them, or raise `maximum`",
        )
    if type(metric) is not a.IntegerMetric:
        return
    for name, bound in (("minimum", low), ("maximum", high)):
        if bound is not None and bound % ONE:
            scope.report(
                "FLT4051",
                f"{name} {spelled(bound)} of integer metric {metric.name!r} is no whole number",
                (*at, name),
                help="write a whole number, or `type: decimal`",
            )


def category_reducer(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report a reducer of a category metric other than `count` (FLT4052).

    Inside a composite no category can be a score at all, which is FLT4053.
    """
    if inside or leaf.objective is UNSET or leaf.objective.reducer == "count":
        return
    found = objective_metric(leaf)
    if found is not None and type(found[1]) is a.CategoryMetric:
        scope.report(
            "FLT4052",
            f"category metric {found[1].name!r} can only be counted, "
            f"found reducer `{leaf.objective.reducer}`",
            (*at, "objective", "reducer"),
            help="write `reducer: count`",
            fix=Edit(leaf.objective.reducer, "count"),
        )
