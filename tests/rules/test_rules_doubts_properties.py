"""Doubts about Verifier trees, against every outcome that their leaves can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts import rules
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Location, Scope

Node: TypeAlias = a.EvaluatorLeaf | a.Composite
Plain: TypeAlias = dict[str, Any]
Score: TypeAlias = Fraction | None
"""What a node scores; None where it has no score."""

THRESHOLDS = ("0.5", "0.75", "1", "0.25", "0.1", "0.5", "0")
SHARES: dict[int, list[tuple[str, ...]]] = {
    1: [("1",)],
    2: [("0.5", "0.5"), ("0.25", "0.75"), ("0.9", "0.1")],
    3: [("0.25", "0.25", "0.5"), ("0.1", "0.2", "0.7")],
}
MOST_ANSWERS = 5
CONSTANT = ("FLT4080", "FLT4081")


def leaf(value: str | None, at_least: str) -> Plain:
    """Return a constant, or a leaf whose answer may be right, wrong or missing."""
    evaluator: Plain = {
        "kind": "builtin.v1",
        "builtin_id": "answer-equals",
        "params": {"expected": "a"},
    }
    if value is not None:
        evaluator |= {"builtin_id": "constant", "params": {"value": value}}
    decision = {"kind": "threshold", "at_least": at_least}
    return {"type": "evaluator", "id": "a", "evaluator": evaluator, "decision": decision}


@st.composite
def composites(draw: st.DrawFn, nodes: st.SearchStrategy[Plain]) -> Plain:
    children = draw(st.lists(nodes, min_size=draw(st.sampled_from([2, 2, 1])), max_size=3))
    kind = draw(st.sampled_from(["weighted_sum", "weighted_sum", "min", "all_of"]))
    error = draw(st.sampled_from(["propagate", "zero"]))
    edges = [{"id": f"e{index}", "node": node} for index, node in enumerate(children)]
    if kind == "weighted_sum":
        shares = draw(st.sampled_from(SHARES[len(edges)]))
        edges = [{**edge, "weight": share} for edge, share in zip(edges, shares, strict=True)]
    at_least = "1" if kind == "all_of" else draw(st.sampled_from(THRESHOLDS))
    return {
        "type": "composite",
        "id": "a",
        "children": edges,
        "aggregation": {"kind": kind, "on_child_error": error},
        "decision": {"kind": "threshold", "at_least": at_least},
    }


def trees(*values: str | None) -> st.SearchStrategy[a.Composite]:
    """Return trees of leaves as `leaf` makes them of such values."""
    leaves = st.builds(leaf, st.sampled_from(values), st.sampled_from(THRESHOLDS))
    return (
        composites(st.recursive(leaves, composites, max_leaves=6))
        .map(lambda plain: msgspec.convert(plain, a.Composite))
        .filter(lambda tree: len(list(answers(tree, ()))) <= MOST_ANSWERS)
    )


TREES = trees(None, None, None, "0", "0.5", "1")


class Seen(NamedTuple):
    """A node: where it stands, what its parent does, and the composites above it by place."""

    node: Node
    at: Pointer
    parent: a.Composite | None
    above: tuple[Pointer, ...]


def nodes(
    node: Node,
    at: Pointer = (),
    parent: a.Composite | None = None,
    above: tuple[Pointer, ...] = (),
) -> Iterator[Seen]:
    """Yield a node and all below it."""
    yield Seen(node, at, parent, above)
    if isinstance(node, a.Composite):
        for index, edge in enumerate(node.children):
            yield from nodes(edge.node, (*at, "children", index, "node"), node, (*above, at))


def answers(node: Node, at: Pointer) -> Iterator[Pointer]:
    """Yield where the leaves stand that look at an answer."""
    for seen in nodes(node, at):
        if isinstance(seen.node, a.EvaluatorLeaf) and fixed(seen.node) is None:
            yield seen.at


def fixed(node: a.EvaluatorLeaf) -> Score:
    assert isinstance(node.evaluator, a.BuiltinEvaluator)
    value = node.evaluator.params.get("value")
    return None if value is None else Fraction(value)


def passed(node: Node, score: Score) -> bool:
    assert isinstance(node.decision, a.Decision)
    return score is not None and score >= Fraction(node.decision.at_least)


def scored(
    node: Node, at: Pointer, given_answers: Mapping[Pointer, Score], scores: dict[Pointer, Score]
) -> Score:
    """Return the score of a node by the table of the specification; `scores` takes all."""
    if isinstance(node, a.EvaluatorLeaf):
        found = given_answers[at] if at in given_answers else fixed(node)
    else:
        below = [
            scored(edge.node, (*at, "children", index, "node"), given_answers, scores)
            for index, edge in enumerate(node.children)
        ]
        zero = node.aggregation.on_child_error == "zero"
        found = joined(node, below) if zero or None not in below else None
    scores[at] = found
    return found


def joined(node: a.Composite, below: list[Score]) -> Fraction:
    counted = [score or Fraction(0) for score in below]
    if isinstance(node.aggregation, a.WeightedSum):
        weights = [Fraction(str(edge.weight)) for edge in node.children]
        return sum((w * s for w, s in zip(weights, counted, strict=True)), Fraction(0))
    if isinstance(node.aggregation, a.Minimum):
        return min(counted)
    return Fraction(all(passed(e.node, s) for e, s in zip(node.children, below, strict=True)))


def outcomes(tree: a.Composite) -> list[dict[Pointer, Score]]:
    """Return the scores of all nodes for everything that the answers can be."""
    places = list(answers(tree, ()))
    found = []
    for values in product((Fraction(1), Fraction(0), None), repeat=len(places)):
        scores: dict[Pointer, Score] = {}
        scored(tree, (), dict(zip(places, values, strict=True)), scores)
        found.append(scores)
    return found


def is_read(seen: Seen) -> bool:
    return seen.parent is None or isinstance(seen.parent.aggregation, a.AllOf)


def reader_above(seen: Seen, by_place: Mapping[Pointer, Seen]) -> Seen:
    """Return the nearest node above another whose *passed* is read."""
    return next(by_place[at] for at in reversed(seen.above) if is_read(by_place[at]))


def verdicts(seen: Seen, every: list[dict[Pointer, Score]]) -> set[bool]:
    """Return what the parent of a node, or a report, can read as its *passed*."""
    strict = seen.parent is not None and seen.parent.aggregation.on_child_error == "zero"
    scores = [each[seen.at] for each in every]
    return {passed(seen.node, score) for score in scores if strict or score is not None}


def doubts(tree: a.Composite) -> dict[str, set[Pointer]]:
    """Return where the nodes stand that the rules report, by code."""
    bag = Bag()
    rules.check_node(Scope(bag, Location(Path("t"), "t")), tree)
    assert bag.errors == 0, list(bag)
    found: dict[str, set[Pointer]] = {}
    for item in bag:
        length = 1 if item.code == "FLT4082" else 2
        found.setdefault(item.code, set()).add(item.place.pointer[:-length])
    return found


@given(TREES)
def test_verdicts_that_are_always_the_same(tree: a.Composite) -> None:
    found = doubts(tree)
    every = outcomes(tree)
    same = {"FLT4080": {True}, "FLT4081": {False}}
    told = {at for code in CONSTANT for at in found.get(code, ())}
    for seen in nodes(tree):
        for code in CONSTANT:
            if seen.at in found.get(code, ()):
                assert is_read(seen)
                assert verdicts(seen, every) == same[code]
        if is_read(seen) and len(verdicts(seen, every)) == 1:
            assert any(at[: len(seen.at)] == seen.at for at in told), "a cause is told"


@given(trees(None, None, None, "0.5"))
def test_gates_that_do_not_gate(tree: a.Composite) -> None:
    found = doubts(tree)
    if any(code in found for code in CONSTANT):
        return
    every = outcomes(tree)
    by_place = {seen.at: seen for seen in nodes(tree)}
    for seen in by_place.values():
        if isinstance(seen.node, a.Composite) and isinstance(seen.node.aggregation, a.AllOf):
            reader = None if is_read(seen) else reader_above(seen, by_place)
            without = reader is not None and any(
                each[seen.at] == 0 and passed(reader.node, each[reader.at]) for each in every
            )
            assert (seen.at in found.get("FLT4085", ())) is without


@given(TREES)
def test_every_single_child_is_told(tree: a.Composite) -> None:
    lonely = {
        seen.at
        for seen in nodes(tree)
        if isinstance(seen.node, a.Composite) and len(seen.node.children) == 1
    }
    assert doubts(tree).get("FLT4082", set()) == lonely
