"""Decisions, metrics, objectives, and where scores lie."""

from __future__ import annotations

import pytest
from rules_kit import CODE_LEAF, DECISION, LEAF, found_below, found_in, told

TOP = "/verifiers/0"
BELOW = "/verifiers/0/children/0/node"
UNIT = "bounds: {minimum: 0, maximum: 1}"


def leaf(metric: str, reducer: str = "last", decision: str = DECISION) -> str:
    """Return a code leaf with a metric `m` that is its objective."""
    objective = f"objective: {{metric: m, reducer: {reducer}}}\n"
    return f"{CODE_LEAF}metrics: [{{name: m, {metric}}}]\n{objective}{decision}"


def test_a_scored_leaf_has_a_decision() -> None:
    for text in (LEAF, leaf("type: boolean", decision=""), CODE_LEAF + "metrics: []\n"):
        assert told(found_in(text)) == [
            (
                "FLT4040",
                TOP,
                "leaf 'a' has a score, but no decision",
                'add `decision: {kind: threshold, at_least: "1"}`',
            )
        ]
        assert found_in(text + DECISION) == []


def test_a_measurement_only_leaf_has_none() -> None:
    measuring = CODE_LEAF + "metrics: [{name: m, type: decimal}]\n"
    assert found_in(measuring) == []
    assert told(found_in(measuring + DECISION)) == [
        (
            "FLT4041",
            f"{TOP}/decision~",
            "leaf 'a' only measures, so there is no score to decide on",
            "add an `objective` that makes a metric the score, or remove `decision`",
        )
    ]


@pytest.mark.parametrize("decision", ["", DECISION])
def test_a_measurement_only_leaf_stands_at_top_level(decision: str) -> None:
    measuring = CODE_LEAF + "metrics: [{name: m, type: boolean}]\n"
    assert told(found_below(measuring + decision)) == [
        (
            "FLT4042",
            BELOW,
            "leaf 'a' only measures, but a composite needs the score of every child",
            "add an `objective` and a `decision`, or move the leaf to the top level",
        )
    ]


def test_the_objective_names_a_metric_of_the_leaf() -> None:
    metrics = "metrics: [{name: speed, type: decimal}, {name: right, type: boolean}]\n"
    objective = "objective: {metric: sped, reducer: last}\n"
    pointer = f"{TOP}/objective/metric"
    assert told(found_in(CODE_LEAF + metrics + objective + DECISION)) == [
        (
            "FLT4050",
            pointer,
            "no metric 'sped' in this leaf, only 'right' and 'speed'",
            "did you mean 'speed'?",
        )
    ]
    for nothing in ("", "metrics: []\n"):
        assert told(found_in(CODE_LEAF + nothing + objective + DECISION)) == [
            (
                "FLT4050",
                pointer,
                "no metric 'sped' in this leaf, which has none",
                "declare it under `metrics`",
            )
        ]


def test_bounds_are_in_order() -> None:
    for good in ("{minimum: 1, maximum: 1.0}", "{minimum: -5}", "{maximum: 0.5}", "{}"):
        assert found_in(leaf(f"type: decimal, bounds: {good}")) == []
    assert told(found_in(leaf("type: decimal, bounds: {minimum: 0.30, maximum: '0.2'}"))) == [
        (
            "FLT4051",
            f"{TOP}/metrics/0/bounds",
            "minimum 0.3 of metric 'm' is above maximum 0.2",
            "swap them, or raise `maximum`",
        )
    ]


def test_bounds_of_an_integer_are_whole() -> None:
    assert found_in(leaf("type: integer, bounds: {minimum: -3.0, maximum: '10'}")) == []
    assert found_in(leaf("type: decimal, bounds: {minimum: 0.5, maximum: 1.5}")) == []
    items = found_in(leaf("type: integer, bounds: {minimum: 0.5, maximum: 1.50}"))
    assert told(items) == [
        (
            "FLT4051",
            f"{TOP}/metrics/0/bounds/{name}",
            f"{name} {bound} of integer metric 'm' is no whole number",
            "write a whole number, or `type: decimal`",
        )
        for name, bound in (("minimum", "0.5"), ("maximum", "1.5"))
    ]


def test_bounds_of_a_metric_that_only_measures_count_too() -> None:
    text = f"{CODE_LEAF}metrics: [{{name: m, type: integer, bounds: {{minimum: 2, maximum: 1}}}}]\n"
    assert [item.code for item in found_in(text)] == ["FLT4051"]


def test_categories_are_counted() -> None:
    category = "type: category, categories: [good, bad]"
    assert found_in(leaf(category, "count")) == []
    for reducer in ("first", "last", "min", "max", "mean", "sum"):
        assert told(found_in(leaf(category, reducer))) == [
            (
                "FLT4052",
                f"{TOP}/objective/reducer",
                f"category metric 'm' can only be counted, found reducer `{reducer}`",
                "write `reducer: count`",
            )
        ]


@pytest.mark.parametrize("reducer", ["first", "last", "min", "max", "mean"])
@pytest.mark.parametrize(
    "metric",
    [
        "type: boolean",
        f"type: decimal, {UNIT}",
        f"type: integer, {UNIT}",
        "type: decimal, bounds: {minimum: 0.25, maximum: '0.75'}",
    ],
)
def test_scores_inside_a_composite(metric: str, reducer: str) -> None:
    assert found_below(leaf(metric, reducer)) == []


@pytest.mark.parametrize(
    ("metric", "place", "message", "help"),
    [
        (
            "type: decimal",
            "metrics/0",
            "metric 'm' has no minimum and no maximum, "
            "but a score inside a composite lies from 0 to 1",
            'write `bounds: {minimum: "0", maximum: "1"}`',
        ),
        (
            "type: integer, bounds: {minimum: 0}",
            "metrics/0/bounds",
            "metric 'm' has no maximum, but a score inside a composite lies from 0 to 1",
            'write `bounds: {minimum: "0", maximum: "1"}`',
        ),
        (
            "type: decimal, bounds: {minimum: 0, maximum: 100}",
            "metrics/0/bounds/maximum",
            "maximum 100 of metric 'm' is outside 0 to 1, where a score inside a composite lies",
            "report readings from 0 to 1 and write such bounds",
        ),
        (
            "type: decimal, bounds: {minimum: -0.01, maximum: 1}",
            "metrics/0/bounds/minimum",
            "minimum -0.01 of metric 'm' is outside 0 to 1, where a score inside a composite lies",
            "report readings from 0 to 1 and write such bounds",
        ),
        (
            "type: category, categories: [a, b]",
            "objective/metric",
            "category metric 'm' gives no score from 0 to 1, which a composite needs",
            "name a boolean metric, or a decimal one with bounds within 0 and 1",
        ),
    ],
)
def test_metrics_that_may_leave_the_unit_interval(
    metric: str, place: str, message: str, help: str
) -> None:
    assert told(found_below(leaf(metric))) == [("FLT4053", f"{BELOW}/{place}", message, help)]
    if "category" not in metric:
        assert found_in(leaf(metric)) == []


@pytest.mark.parametrize("reducer", ["sum", "count"])
@pytest.mark.parametrize("metric", ["type: boolean", f"type: decimal, {UNIT}"])
def test_reducers_that_may_leave_the_unit_interval(metric: str, reducer: str) -> None:
    assert told(found_below(leaf(metric, reducer))) == [
        (
            "FLT4053",
            f"{BELOW}/objective/reducer",
            f"reducer `{reducer}` may leave 0 to 1, where a score inside a composite lies",
            "write `first`, `last`, `min`, `max` or `mean`",
        )
    ]
    assert found_in(leaf(metric, reducer)) == []


def test_a_legacy_leaf_may_stand_anywhere() -> None:
    assert found_in(LEAF + DECISION) == []
    assert found_below(LEAF + DECISION) == []
    assert found_below(CODE_LEAF + DECISION) == []


@pytest.mark.parametrize("at_least", ["2", "-1", "0.5"])
def test_a_threshold_out_of_reach_is_no_error(at_least: str) -> None:
    assert found_in(f"{LEAF}decision: {{kind: threshold, at_least: {at_least}}}\n") == []
