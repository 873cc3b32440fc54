"""Weights, their exact sum, and the threshold of an `all_of`."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_kit import composite, found, told

from fleet_contracts import decimal_text
from fleet_contracts.rules.exact import ONE, exact, spelled

SUM = "{kind: weighted_sum}"
CODE = f"{{kind: code, entrypoint: {{file: a.py}}, image_ref: 'sha256:{'0' * 64}'}}"
CHILDREN = "/verifiers/0/children"


@pytest.mark.parametrize(
    "weights",
    [
        ("1",),
        ("0.5", "0.5"),
        ("0.30", "'0.70'"),
        ("0.1",) * 10,
        ("0.33", "0.33", "0.34"),
        ("0.000000000000000001", "0.999999999999999999"),
    ],
)
def test_weights_that_add_up_to_exactly_1(weights: tuple[str, ...]) -> None:
    assert found(composite(SUM, *weights)) == []


@pytest.mark.parametrize(
    ("weights", "message", "help"),
    [
        (
            ("0.33", "0.33", "0.33"),
            "the weights add up to 0.99, which is 0.01 less than 1",
            "write 0.34 on the last edge, or change the others",
        ),
        (
            ("0.3",),
            "the weights add up to 0.3, which is 0.7 less than 1",
            "write 1 on the only edge",
        ),
        (
            ("60", "40"),
            "the weights add up to 100, which is 99 more than 1",
            "write 0.6, 0.4, which keeps their proportions",
        ),
        (
            ("0.5", "0.500000000000000001"),
            "the weights add up to 1.000000000000000001, which is 0.000000000000000001 more than 1",
            "write 0.5 on the last edge, or change the others",
        ),
        (
            ("0.5", "0.5", "0.5"),
            "the weights add up to 1.5, which is 0.5 more than 1",
            "change them so that they add up to exactly 1",
        ),
    ],
)
def test_weights_that_do_not(weights: tuple[str, ...], message: str, help: str) -> None:
    assert told(found(composite(SUM, *weights))) == [("FLT4032", f"{CHILDREN}~", message, help)]


def test_every_edge_of_a_weighted_sum_has_a_weight() -> None:
    assert told(found(composite(SUM, "0.5", "", ""))) == [
        (
            "FLT4030",
            f"{CHILDREN}/{index}",
            f"edge 'e{index}' has no weight, a `weighted_sum` needs one on every edge",
            "add `weight`; the weights of all edges add up to 1",
        )
        for index in (1, 2)
    ]


@pytest.mark.parametrize(
    ("kind", "aggregation"), [("min", "{kind: min}"), ("all_of", "{kind: all_of}"), ("code", CODE)]
)
def test_other_aggregations_take_no_weights(kind: str, aggregation: str) -> None:
    assert found(composite(aggregation, "", "")) == []
    assert told(found(composite(aggregation, "", "1"))) == [
        (
            "FLT4031",
            f"{CHILDREN}/1/weight~",
            f"edge 'e1' has a weight, but `{kind}` takes none",
            "remove `weight`, or write `kind: weighted_sum`",
        )
    ]


@pytest.mark.parametrize(("written", "shown"), [("0", "0"), ("-0.50", "-0.5"), ("'-0.0'", "0")])
def test_weights_are_positive(written: str, shown: str) -> None:
    assert told(found(composite(SUM, "1", written))) == [
        (
            "FLT4033",
            f"{CHILDREN}/1/weight",
            f"a weight is greater than 0, found {shown}",
            "write a positive weight, or remove the edge",
        )
    ]


@pytest.mark.parametrize("written", ["0.3000000000000000001", "'0.3000000000000000001'"])
def test_a_weight_with_too_many_digits_is_left_to_lowering(written: str) -> None:
    assert found(composite(SUM, "0.7", written)) == []


@pytest.mark.parametrize("written", ["1", "1.0", "'1'", "'1.000'"])
def test_the_threshold_of_an_all_of_is_1(written: str) -> None:
    assert found(composite("{kind: all_of}", "", "", at_least=written)) == []


@pytest.mark.parametrize(
    ("written", "shown"), [("0.50", "0.5"), ("0.999999999999999999",) * 2, ("2", "2"), ("0", "0")]
)
def test_another_threshold_of_an_all_of(written: str, shown: str) -> None:
    assert told(found(composite("{kind: all_of}", "", at_least=written))) == [
        (
            "FLT4034",
            "/verifiers/0/decision/at_least",
            f"the threshold of an `all_of` is exactly 1, found {shown}",
            'write `at_least: "1"`',
        )
    ]
    assert found(composite("{kind: min}", "", at_least=written)) == []


decimals = st.decimals(-1000, 1000, places=18)


@given(decimals)
def test_exact_keeps_the_value(value: Decimal) -> None:
    scaled = exact(value)
    assert scaled is not None
    assert Fraction(scaled, ONE) == Fraction(value)
    assert spelled(scaled) == decimal_text.normalise(value)
    assert exact(spelled(scaled)) == scaled


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=8))
def test_the_help_about_a_sum_is_right(parts: list[int]) -> None:
    weights = [str(Decimal(part) / 1000) for part in parts]
    for _, _, _, help in told(found(composite(SUM, *weights))):
        words = help.split()
        if "proportions" in help:
            weights = [word.strip(",") for word in words[1 : 1 + len(weights)]]
        elif "last" in help:
            weights[-1] = words[1]
        else:
            continue
        assert found(composite(SUM, *weights)) == []
