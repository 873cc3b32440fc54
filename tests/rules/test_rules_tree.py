"""Ids, size and subjects of Verifier trees."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from rules_kit import DECISION, LEAF, composite, found, found_below, indented, plain, related, told

from fleet_contracts import rules
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.models import authoring as a
from fleet_contracts.scope import Location, Scope

ROSTER = "roster: [{seat: red, role: player}, {seat: blue, role: player}]\n"


def chain(levels: int) -> str:
    """Return a Task of one tree with so many levels, in flow style."""
    leaf = "{id: n, type: evaluator, evaluator: {kind: builtin.v1, builtin_id: constant, "
    node = leaf + "params: {value: 1}}, decision: {kind: threshold, at_least: 1}}"
    for _ in range(levels - 1):
        node = (
            "{id: n, type: composite, aggregation: {kind: min}, "
            f"decision: {{kind: threshold, at_least: 1}}, children: [{{id: e, node: {node}}}]}}"
        )
    return f"verifiers: [{node}]"


def nested(root: str = "", child: str = "", grandchild: str = "") -> str:
    """Return a Task of three levels with these subjects."""
    return f"""\
{ROSTER}verifiers:
  - id: r
    type: composite
    aggregation: {{kind: min}}
    {DECISION}    {root}
    children:
      - id: c
        node:
          id: c
          type: composite
          aggregation: {{kind: min}}
          {DECISION}          {child}
          children:
            - id: g
              node:
                id: g
                {grandchild}
{indented(LEAF + DECISION, 16)}"""


def test_sibling_edges_have_their_own_ids() -> None:
    text = composite("{kind: min}", "", "", "").replace("- id: e2", "- id: e0")
    items = found(text)
    assert told(items) == [
        (
            "FLT4020",
            "/verifiers/0/children/2/id",
            "two sibling edges have the id 'e0'",
            "rename one of them",
        )
    ]
    assert related(items) == [[("the first one", "/verifiers/0/children/0/id")]]


def test_edges_of_different_composites_and_nodes_may_share_ids() -> None:
    assert found(nested().replace("id: g", "id: c").replace("id: c", "id: r")) == []


def test_top_level_verifiers_have_their_own_ids() -> None:
    leaf = indented(LEAF + DECISION, 4)
    items = found(f"verifiers:\n  - id: a\n{leaf}  - id: b\n{leaf}  - id: a\n{leaf}")
    assert told(items) == [
        (
            "FLT4021",
            "/verifiers/2/id",
            "two top-level Verifiers have the id 'a'",
            "rename one of them",
        )
    ]
    assert related(items) == [[("the first one", "/verifiers/0/id")]]
    assert found(f"verifiers:\n  - id: a\n{leaf}  - id: b\n{leaf}") == []


def test_at_most_32_levels() -> None:
    assert found(chain(32)) == []
    below = "/children/0/node" * 31
    expected = (
        "FLT4022",
        f"/verifiers/0{below}/children~",
        "a Verifier tree has at most 32 levels, but these children stand on level 33",
        "flatten the tree, or split it into several Verifiers",
    )
    assert told(found(chain(33))) == [expected]
    assert told(found(chain(40))) == [expected]


def test_at_most_1000_nodes_a_tree() -> None:
    assert found(composite("{kind: min}", *[""] * 999)) == []
    assert told(found(composite("{kind: min}", *[""] * 1000))) == [
        (
            "FLT4023",
            "/verifiers/0",
            "a Verifier tree has at most 1,000 nodes, found 1,001",
            "split it into several top-level Verifiers",
        )
    ]


def test_nodes_are_counted_a_tree() -> None:
    one = plain(composite("{kind: min}", *[""] * 600))["verifiers"][0]
    bag = Bag()
    value = {"verifiers": [one, {**one, "id": "other"}]}
    task = msgspec.convert(value, a.Task)
    rules.check_task(Scope(bag, Location(Path("t"), "t")), task, frozenset(), frozenset())
    assert list(bag) == []


@pytest.mark.parametrize(
    "subjects",
    [
        ("", "", ""),
        ("subject: {kind: attempt}", "", "subject: {kind: attempt}"),
        ("", "subject: {kind: attempt}", "subject: {kind: attempt}"),
        ("subject: {kind: seat, seat: red}", "", ""),
        ("subject: {kind: seat, seat: red}", "", "subject: {kind: seat, seat: red}"),
    ],
)
def test_children_grade_what_their_parent_grades(subjects: tuple[str, str, str]) -> None:
    assert found(nested(*subjects)) == []


def test_a_child_of_another_subject() -> None:
    items = found(nested("subject: {kind: seat, seat: red}", "subject: {kind: seat, seat: blue}"))
    assert told(items) == [
        (
            "FLT4024",
            "/verifiers/0/children/0/node/subject",
            "this node grades seat 'blue', but its tree grades seat 'red'",
            "remove `subject`: a child grades what its parent grades",
        )
    ]
    assert related(items) == [[("the root of the tree", "/verifiers/0/subject")]]


def test_a_grandchild_is_told_about_the_root() -> None:
    items = found(nested("", "", "subject: {kind: seat, seat: red}"))
    assert told(items) == [
        (
            "FLT4024",
            "/verifiers/0/children/0/node/children/0/node/subject",
            "this node grades seat 'red', but its tree grades the attempt",
            "remove `subject`: a child grades what its parent grades",
        )
    ]
    assert related(items) == [[("the root of the tree", "/verifiers/0")]]
    wrong = nested("subject: {kind: seat, seat: red}", "subject: {kind: attempt}")
    message = "this node grades the attempt, but its tree grades seat 'red'"
    assert [item.message for item in found(wrong)] == [message]


def seat(name: str, roster: str = "") -> str:
    subject = f"subject: {{kind: seat, seat: {name}}}\n"
    return f"{roster}verifiers:\n  - id: a\n{indented(LEAF + DECISION + subject, 4)}"


def test_a_seat_is_one_of_the_roster() -> None:
    assert found(seat("agent")) == []
    assert found(seat("blue", ROSTER)) == []
    pointer = "/verifiers/0/subject/seat"
    assert told(found(seat("agent", ROSTER))) == [
        (
            "FLT4025",
            pointer,
            "no seat 'agent' in the roster, only 'blue' and 'red'",
            "add it to `roster`",
        )
    ]
    assert told(found(seat("agnet"))) == [
        ("FLT4025", pointer, "no seat 'agnet' in the roster, only 'agent'", "did you mean 'agent'?")
    ]


def test_an_unknown_seat_is_told_once_a_tree() -> None:
    unknown = "subject: {kind: seat, seat: green}"
    assert [item.code for item in found(nested(unknown, unknown, unknown))] == ["FLT4025"]


def test_places_of_a_defaulted_verifier_are_those_in_defaults() -> None:
    bag = Bag()
    scope = Scope(bag, Location(Path("t"), "t", ("tasks", "k")))
    scope.defaults = Location(Path("d"), "d", ("defaults",))
    scope.defaulted = frozenset({"verifiers"})
    text = composite("{kind: min}", "", "").replace("- id: e1", "- id: e0")
    rules.check_task(scope, msgspec.convert(plain(text), a.Task), frozenset(), frozenset())
    (item,) = bag
    assert (item.place.file, item.place.pointer[:2]) == ("d", ("defaults", "verifiers"))
    assert [each.place.file for each in (*item.related, *item.cases)] == ["d", "t"]


def test_a_tree_alone_is_checked_without_a_task() -> None:
    value = plain(nested("subject: {kind: seat, seat: green}", "subject: {kind: attempt}"))
    root = msgspec.convert(value["verifiers"][0], a.Composite)
    bag = Bag()
    rules.check_node(Scope(bag, Location(Path("t"), "t")), root, ("node",))
    assert [(item.code, item.place.pointer) for item in bag if item.severity == "error"] == [
        ("FLT4024", ("node", "children", 0, "node", "subject"))
    ]


def test_every_wrong_leaf_of_a_tree_is_told() -> None:
    assert [item.code for item in found_below(LEAF)] == ["FLT4040"]
    text = composite("{kind: min}", "", "").replace(DECISION.strip(), "")
    assert [
        item.code for item in found(text.replace("kind: min}", "kind: min}\n    " + DECISION))
    ] == [
        "FLT4040",
        "FLT4040",
    ]
