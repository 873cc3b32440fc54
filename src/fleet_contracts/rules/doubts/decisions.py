"""Decisions that every attempt passes, or none (spec section 6, scoring).

Only what reads *passed* counts: a report at the top level, and the parents `all_of` and `code`. A
`weighted_sum` and a `min` read scores, so the decisions of their children decide nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.doubts.ranges import UNITS, Range, Score, score_range
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

    @property
    def never_fails(self) -> bool:
        """Tell whether no score is below the threshold."""
        low = self.range.low
        return low is not None and low >= self.at_least and (self.range.sure or not self.strict)

    @property
    def never_passes(self) -> bool:
        """Tell whether no score reaches the threshold."""
        high = self.range.high
        return high is not None and high < self.at_least


def verdict(
    node: a.EvaluatorLeaf | a.Composite, at: Pointer, parent: a.Aggregation | None
) -> Verdict | None:
    """Return the verdict of a node below `parent` where there can be a doubt about it.

    There is none where nobody reads it or its score is not known, none for an `all_of`, whose
    children have verdicts of their own, and none for the usual threshold of a usual score.
    """
    if parent is not None and not isinstance(parent, PASSED_READERS):
        return None
    if node.decision is UNSET:
        return None
    at_least = exact(node.decision.at_least)
    found = score_range(node)
    if found is None or at_least is None:
        return None
    if found in UNITS and 0 < at_least <= ONE and not _has_composites(node):
        return None
    if type(node) is a.Composite and type(node.aggregation) is a.AllOf:
        return None
    strict = parent is not None and parent.on_child_error == "zero"
    return Verdict(node, at, at_least, found, strict)


def never_fails(scope: Scope, verdict: Verdict) -> None:
    """Report a threshold that no score is below (FLT4080)."""
    low, high, _ = verdict.range
    if low is None or not verdict.never_fails:
        return
    scope.report(
        "FLT4080",
        f"{_name(verdict.node)} can never fail: its score is "
        f"{'always' if low == high else 'at least'} {_short(low)}, "
        f"and it passes from {spelled(verdict.at_least)} on",
        (*verdict.at, *AT_LEAST),
        help=f"write an `at_least` above {_short(low)}" if low != high else _DEPEND,
    )


def never_passes(scope: Scope, verdict: Verdict) -> None:
    """Report a threshold that no score reaches (FLT4081)."""
    low, high, _ = verdict.range
    if high is None or not verdict.never_passes:
        return
    scope.report(
        "FLT4081",
        f"{_name(verdict.node)} can never pass: its score is "
        f"{'always' if low == high else 'at most'} {_short(high)}, "
        f"and it passes only from {spelled(verdict.at_least)} on",
        (*verdict.at, *AT_LEAST),
        help=f"write an `at_least` of at most {_short(high)}" if low != high else _DEPEND,
    )


def _has_composites(node: a.EvaluatorLeaf | a.Composite) -> bool:
    if type(node) is a.Composite:
        for edge in node.children:
            if type(edge.node) is a.Composite:
                return True
    return False


def _name(node: a.EvaluatorLeaf | a.Composite) -> str:
    return f"{'composite' if type(node) is a.Composite else 'leaf'} {node.id!r}"


def _short(score: Score) -> str:
    return spelled(score // 1)
