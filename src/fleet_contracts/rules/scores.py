"""Which leaves have a score, a decision, and where their scores lie (spec section 6)."""

from __future__ import annotations

from msgspec import UNSET

from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.exact import ONE, exact, spelled
from fleet_contracts.rules.metrics import NUMERIC, objective_metric
from fleet_contracts.scope import Scope

UNBOUNDED_REDUCERS = frozenset({"sum", "count"})


def is_measurement_only(leaf: a.EvaluatorLeaf) -> bool:
    """Tell whether a leaf reports metrics without making any of them its score."""
    return leaf.objective is UNSET and leaf.metrics is not UNSET and len(leaf.metrics) > 0


def missing_decision(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report a scored leaf without a decision (FLT4040); composites have one by shape."""
    if leaf.decision is UNSET and not is_measurement_only(leaf):
        scope.report(
            "FLT4040",
            f"leaf {leaf.id!r} has a score, but no decision",
            at,
            help='add `decision: {kind: threshold, at_least: "1"}`',
        )


def decision_forbidden(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report the decision of a measurement-only leaf at top level (FLT4041)."""
    if inside or leaf.decision is UNSET or not is_measurement_only(leaf):
        return
    scope.report(
        "FLT4041",
        f"leaf {leaf.id!r} only measures, so there is no score to decide on",
        (*at, "decision"),
        key=True,
        help="add an `objective` that makes a metric the score, or remove `decision`",
    )


def measurement_inside(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report a measurement-only leaf inside a composite (FLT4042)."""
    if inside and is_measurement_only(leaf):
        scope.report(
            "FLT4042",
            f"leaf {leaf.id!r} only measures, but a composite needs the score of every child",
            at,
            help="add an `objective` and a `decision`, or move the leaf to the top level",
        )


def not_unit_score(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report an objective inside a composite that may leave [0, 1] (FLT4053).

    A legacy scalar lies in [0, 1] by definition.
    """
    if not inside or leaf.objective is UNSET:
        return
    found = objective_metric(leaf)
    if found is None:
        return
    index, metric = found
    reducer = leaf.objective.reducer
    if type(metric) is a.CategoryMetric:
        scope.report(
            "FLT4053",
            f"category metric {metric.name!r} gives no score from 0 to 1, which a composite needs",
            (*at, "objective", "metric"),
            help="name a boolean metric, or a decimal one with bounds within 0 and 1",
        )
        return
    if reducer in UNBOUNDED_REDUCERS:
        scope.report(
            "FLT4053",
            f"reducer `{reducer}` may leave 0 to 1, where a score inside a composite lies",
            (*at, "objective", "reducer"),
            help="write `first`, `last`, `min`, `max` or `mean`",
        )
    if isinstance(metric, NUMERIC):
        _check_unit_bounds(scope, metric, (*at, "metrics", index))


def _check_unit_bounds(
    scope: Scope, metric: a.DecimalMetric | a.IntegerMetric, at: Pointer
) -> None:
    bounds = a.Bounds() if metric.bounds is UNSET else metric.bounds
    missing = [name for name in ("minimum", "maximum") if getattr(bounds, name) is UNSET]
    if missing:
        scope.report(
            "FLT4053",
            f"metric {metric.name!r} has no {' and no '.join(missing)}, "
            "but a score inside a composite lies from 0 to 1",
            at if metric.bounds is UNSET else (*at, "bounds"),
            help='write `bounds: {minimum: "0", maximum: "1"}`',
        )
    for name in ("minimum", "maximum"):
        bound = exact(getattr(bounds, name))
        if bound is not None and not 0 <= bound <= ONE:
            scope.report(
                "FLT4053",
                f"{name} {spelled(bound)} of metric {metric.name!r} is outside 0 to 1, "
                "where a score inside a composite lies",
                (*at, "bounds", name),
                help="report readings from 0 to 1 and write such bounds",
            )
