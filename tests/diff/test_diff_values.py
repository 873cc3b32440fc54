"""Fields that differ: where, how, and how text is told."""

from __future__ import annotations

from typing import Any

import pytest
from diff_kit import changes, told
from msgspec import UNSET

from fleet_contracts.diff.lines import MOST_LINES, NO_END, line_diff
from fleet_contracts.diff.model import Change


def node(name: str, at_least: str = "1") -> dict[str, Any]:
    return {"id": name, "decision": {"at_least": at_least}}


@pytest.mark.parametrize("value", [None, True, 1, "", "a", [], {}, [1, [2]], {"a": {"b": [1]}}])
def test_a_value_equals_itself(value: Any) -> None:
    assert changes({"x": value}, {"x": value}) == []


@pytest.mark.parametrize(
    ("old", "new"), [(1, True), (0, False), (1, "1"), (None, False), ({}, []), ("", None)]
)
def test_values_of_other_types_differ(old: Any, new: Any) -> None:
    assert changes({"x": old}, {"x": new}) == [Change(("x",), "changed", old, new)]
    assert changes({"x": [old, {}]}, {"x": [new, {}]})


def test_what_is_there_on_one_side_was_added_or_removed() -> None:
    assert changes({"a": None}, {"b": 1}) == [
        Change(("a",), "removed", None, UNSET),
        Change(("b",), "added", UNSET, 1),
    ]


def test_members_go_by_their_names_wherever_they_stand() -> None:
    old = {"captures": [{"id": "a", "path": "x"}, {"id": "b", "path": "y"}]}
    new = {"captures": [{"id": "b", "path": "z"}, {"id": "c", "path": "x"}]}
    assert told(old, new) == [
        ("/captures/a", "removed"),
        ("/captures/b/path", "changed"),
        ("/captures/c", "added"),
    ]


def test_names_with_slashes_are_escaped() -> None:
    old = {"seed_mounts": [{"path": "/data", "read_only": False}]}
    assert told(old, {"seed_mounts": [{"path": "/data"}]}) == [
        ("/seed_mounts/~1data/read_only", "removed")
    ]


def test_another_order_is_told_beside_what_changed() -> None:
    old = {"verifiers": [node("a"), node("b"), node("c")]}
    new = {"verifiers": [node("c"), node("a", "0.5"), node("d")]}
    assert changes(old, new) == [
        Change(("verifiers", "a", "decision", "at_least"), "changed", "1", "0.5"),
        Change(("verifiers", "b"), "removed", node("b")),
        Change(("verifiers", "d"), "added", UNSET, node("d")),
        Change(("verifiers",), "reordered", ["a", "b", "c"], ["c", "a", "d"]),
    ]


def test_a_member_in_between_is_no_other_order() -> None:
    old = {"children": [node("a"), node("b")]}
    new = {"children": [node("a"), node("x"), node("b")]}
    assert told(old, new) == [("/children/x", "added")]


def test_members_without_distinct_names_go_by_position() -> None:
    old = {"metrics": [{"name": "a", "x": 1}, {"name": "a", "x": 2}]}
    new = {"metrics": [{"name": "a", "x": 1}, {"name": "a", "x": 3}]}
    assert told(old, new) == [("/metrics/1/x", "changed")]


def test_a_message_before_the_others_is_one_message() -> None:
    messages = [{"role": "user", "text": "a"}, {"role": "user", "text": "b"}]
    more = [{"role": "system", "text": "s"}, *messages]
    assert told({"prompt": messages}, {"prompt": more}) == [("/prompt/0", "added")]
    assert told({"prompt": more}, {"prompt": messages}) == [("/prompt/0", "removed")]
    assert told({"prompt": messages}, {"prompt": [*messages, messages[0]]}) == [
        ("/prompt/2", "added")
    ]


def test_repeated_members_are_not_counted_twice() -> None:
    same = {"role": "user", "text": "a"}
    assert told({"prompt": [same]}, {"prompt": [same, same]}) == [("/prompt/1", "added")]


def test_lists_of_scalars_are_told_whole_with_a_line_each() -> None:
    (change,) = changes({"tools": ["bash", "edit"]}, {"tools": ["bash", "python"]})
    assert change == Change(
        ("tools",),
        "changed",
        ["bash", "edit"],
        ["bash", "python"],
        ("@@ -1,2 +1,2 @@", ' "bash"', '-"edit"', '+"python"'),
    )


def test_text_of_several_lines_is_told_by_line() -> None:
    (change,) = changes({"prompt": "a\nb\n"}, {"prompt": "a\nc\n"})
    assert change.lines == ("@@ -1,2 +1,2 @@", " a", "-b", "+c")
    (change,) = changes({"prompt": "a"}, {"prompt": "b"})
    assert change.lines == ()


def test_a_line_break_at_the_end_is_seen() -> None:
    assert line_diff("a\n", "a") == ("@@ -1 +1 @@", "-a", "+a", NO_END)


def test_only_a_line_feed_ends_a_line() -> None:
    assert line_diff("a\u2028b\r\n", "a\u2028c\r\n") == (
        "@@ -1 +1 @@",
        "-a\u2028b\r",
        "+a\u2028c\r",
    )


def test_lines_that_look_like_a_head_are_kept() -> None:
    assert line_diff("-- a\n", "++ b\n") == ("@@ -1 +1 @@", "--- a", "+++ b")


def test_texts_of_too_many_lines_have_no_line_diff() -> None:
    text = "a\n" * (MOST_LINES + 1)
    assert line_diff(text, text + "b") == ()
