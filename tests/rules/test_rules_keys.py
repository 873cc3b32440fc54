"""Task keys: which are good, how a bad one is told, and keys that are directories."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_kit import told

from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.rules.keys import check_key, check_name, directory_keys
from fleet_contracts.scope import Location, Scope

OTHERWISE = "use lower-case letters, digits, '.', '_' and '-'"


def checked(key: str) -> list[tuple[str, str, str, str]]:
    bag = Bag()
    check_key(Scope(bag, Location(Path("t.yaml"), "t.yaml")), key, ("tasks", key))
    return told(list(bag))


@pytest.mark.parametrize(
    "key",
    [
        "a",
        "0",
        "a.b_c-d",
        "a/b/c",
        "a-/b",
        "x" * 64,
        f"{'x' * 64}/y",
        "/".join(["ab"] * 85),
        "a..b",
    ],
)
def test_good_keys(key: str) -> None:
    assert checked(key) == []


@pytest.mark.parametrize(
    ("key", "message", "help"),
    [
        (
            "Foo Bar",
            "Task key 'Foo Bar' must start with a-z or 0-9 "
            "and hold only a-z, 0-9, '.', '_' and '-'",
            "write 'foo-bar'",
        ),
        (
            "a/-b",
            "segment '-b' of Task key 'a/-b' must start with a-z or 0-9 "
            "and hold only a-z, 0-9, '.', '_' and '-'",
            "write 'a/b'",
        ),
        (
            "Überschrift\n",
            "Task key 'Überschrift\\n' must start with a-z or 0-9 "
            "and hold only a-z, 0-9, '.', '_' and '-'",
            "write 'uberschrift'",
        ),
        (
            "日本",
            "Task key '日本' must start with a-z or 0-9 and hold only a-z, 0-9, '.', '_' and '-'",
            OTHERWISE,
        ),
        ("", "Task key '' is empty or has an empty segment", OTHERWISE),
        ("a//b", "Task key 'a//b' is empty or has an empty segment", "write 'a/b'"),
        ("/a/", "Task key '/a/' is empty or has an empty segment", "write 'a'"),
        ("x" * 65, "a segment of a Task key has at most 64 characters, found 65", OTHERWISE),
        (
            "/".join(["abc"] * 64) + "x",
            "a Task key has at most 255 characters, found 256",
            OTHERWISE,
        ),
    ],
)
def test_bad_keys(key: str, message: str, help: str) -> None:
    pointer = f"/tasks/{key.replace('/', '~1')}~"
    assert checked(key) == [("FLT4001", pointer, message, help)]


def test_a_key_of_a_row_points_at_the_template() -> None:
    bag = Bag()
    row = Place("rows.jsonl")
    scope = Scope(bag, Location(Path("t.yaml"), "t.yaml", ("dataset", 0)), row=row)
    check_key(scope, "A", ("key",))
    (item,) = bag
    assert (item.place.pointer, item.place.at) == (("dataset", 0, "key"), "value")
    assert [each.place for each in item.cases] == [row]


@given(st.text(max_size=80))
def test_what_the_help_offers_is_a_good_key(key: str) -> None:
    for *_, help in checked(key):
        if help != OTHERWISE:
            assert checked(help.removeprefix("write ").strip("'")) == []


@pytest.mark.parametrize(
    ("name", "good"), [("a", True), ("a-1.x_", True), ("a/b", False), ("A", False), ("", False)]
)
def test_names_are_one_segment(name: str, good: bool) -> None:
    assert check_name(name) is good
    assert not check_name(name + "\n")


def test_keys_that_are_directories() -> None:
    assert list(directory_keys(["a", "ab", "a.b", "b/c", "b/cd"])) == []
    assert list(directory_keys(["a/b", "a"])) == [("a", "a/b")]
    assert list(directory_keys({"a": 1, "a/b": 2, "a/c": 3})) == [("a", "a/b")]
    assert list(directory_keys(["a/b/c", "a/b", "a"])) == [("a", "a/b/c"), ("a/b", "a/b/c")]


@given(st.sets(st.text("ab/", min_size=1, max_size=7).filter(lambda key: "//" not in key)))
def test_directories_are_those_a_slower_search_finds(keys: set[str]) -> None:
    pairs = list(directory_keys(keys))
    assert all(longer in keys and longer.startswith(f"{key}/") for key, longer in pairs)
    slow = {key for key in keys for other in keys if other.startswith(f"{key}/")}
    assert sorted(key for key, _ in pairs) == sorted(slow)
