"""Decisions that every attempt passes, or none (spec section 6, scoring).

Only what reads *passed* counts: a report at the top level, and the parents `all_of` and `code`. A
`weighted_sum` and a `min` read scores, so the decisions of their children decide nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.doubts.ranges import UNIT, Range, Score, score_range
from fleet_contracts.rules.exact import ONE, exact, spelled
from fleet_contracts.scope import Scope

AT_LEAST = ("decision", "at_least")
PASSED_READERS = (a.AllOf, a.CodeAggregation)

_DEPEND = "use an evaluator whose score depends on the attempt"


class Verdict(NamedTuple):
    """A node whose *passed* is read: where it stands, its threshold, where its score lies.

    `strict` says that *passed* is read as false where there is no score.
    """

    node: a.EvaluatorLeaf | a.Composite
    at: Pointer
    at_least: int
    range: Range
    strict: bool


def verdict(
    node: a.EvaluatorLeaf | a.Composite, at: Pointer, parent: a.Aggregation | None
) -> Verdict | None:
    """Return the verdict of a node below `parent` where there can be a doubt about it.

    There is none where nobody reads it, where it is not known, where a leaf has its threshold
    within its scores, and for an `all_of`: its threshold is another rule's, its children have
    verdicts of their own.
    """
    if parent is not None and not isinstance(parent, PASSED_READERS):
        return None
    if node.decision is UNSET:
        return None
    at_least = exact(node.decision.at_least)
    found = score_range(node)
    if found is None or at_least is None:
        return None
    if type(node) is a.Composite:
        if type(node.aggregation) is a.AllOf:
            return None
    elif found is UNIT and 0 < at_least <= ONE:
        return None
    strict = parent is not None and parent.on_child_error == "zero"
    return Verdict(node, at, at_least, found, strict)


def never_fails(scope: Scope, verdict: Verdict) -> None:
    """Report a threshold that no score is below (FLT4080)."""
    low, high, sure = verdict.range
    if low is None or low < verdict.at_least or (verdict.strict and not sure):
        return
    scope.report(
        "FLT4080",
        f"{_name(verdict.node)} can never fail: its score {_relation(low, high, 'at least')} {_short(low)}, "
        f"and it passes from {spelled(verdict.at_least)} on",
        (*verdict.at, *AT_LEAST),
        help=f"write an `at_least` above {_short(low)}" if low != high else _DEPEND,
    )


def never_passes(scope: Scope, verdict: Verdict) -> None:
    """Report a threshold that no score reaches (FLT4081)."""
    low, high, _ = verdict.range
    if high is None or high >= verdict.at_least:
        return
    scope.report(
        "FLT4081",
        f"{_name(verdict.node)} can never pass: its score {_relation(low, high, 'at most')} {_short(high)}, "
        f"and it passes from {spelled(verdict.at_least)} on",
        (*verdict.at, *AT_LEAST),
        help=f"write an `at_least` of at most {_short(high)}" if low != high else _DEPEND,
    )


def _relation(low: Score | None, high: Score | None, words: str) -> str:
    return "is always" if low == high else f"is {words}"


def _name(node: a.EvaluatorLeaf | a.Composite) -> str:
    return f"{'composite' if type(node) is a.Composite else 'leaf'} {node.id!r}"


def _short(score: Score) -> str:
    return spelled(score // 1)
