from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import pytest

from fleet_contracts.placeholders import TemplateError
from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.numbers import NumberText
from fleet_contracts.template import Template, compile_template, compile_text
from reading_kit import typed

AT: Pointer = ("dataset", 0, "task")


def compiled(value: Any, at: Pointer = AT) -> Template:
    def refuse(pointer: Pointer, problem: TemplateError) -> None:
        raise AssertionError((pointer, problem))

    return compile_template(value, at, refuse)


def fill(value: Any, row: dict[str, Any], index: int = 0) -> Any:
    return compiled(value).fill(row, index)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", "text"),
        ("${row.y}", "${row.y}"),
        ("", ""),
        (True, True),
        (None, None),
        (NumberText("1"), 1),
        (NumberText("1.0"), 1),
        (NumberText("1e2"), 100),
        (NumberText("-0.0"), 0),
        (NumberText("0.30"), Decimal("0.30")),
        (NumberText("1e-3"), Decimal("0.001")),
        (NumberText("9" * 5000), Decimal("9" * 5000)),
        ([], []),
        ({}, {}),
        (
            [NumberText("1"), {"a": [NumberText("2.5"), "3", None, False]}],
            [1, {"a": [Decimal("2.5"), "3", None, False]}],
        ),
    ],
)
def test_exactly_one_placeholder_keeps_the_type(value: Any, expected: Any) -> None:
    assert typed(fill({"a": "${row.x}"}, {"x": value})) == typed({"a": expected})
    assert typed(fill("${row.x}", {"x": value})) == typed(expected)


def test_index_keeps_its_type_alone_only() -> None:
    assert typed(fill(["${index}", "${index} ", "${ index }"], {}, 7)) == typed([7, "7 ", 7])


def test_a_capture_is_always_text() -> None:
    assert fill("${row.x | capture:'([0-9]+)'}", {"x": "n 12"}) == "12"


def test_two_placeholders_are_text() -> None:
    assert fill("${row.x}${row.x}", {"x": NumberText("1")}) == "11"


def test_an_escape_alone_is_text() -> None:
    template = compiled({"a": "$${row.x}", "b": ["$${", 1]})
    assert not template.slots
    assert template.fill({}, 0) == {"a": "${row.x}", "b": ["${", 1]}


def test_only_values_are_filled() -> None:
    value = {"${row.x}": {"${": "${row.x}"}, "list": [1, Decimal("0.5"), None, True, "${index}"]}
    assert fill(value, {"x": "y"}, 3) == {
        "${row.x}": {"${": "y"},
        "list": [1, Decimal("0.5"), None, True, 3],
    }


def test_what_no_placeholder_touches_is_shared_and_the_rest_is_not() -> None:
    value = {"same": {"a": [1]}, "list": [{"x": "${index}"}, {"b": 2}]}
    before = copy.deepcopy(value)
    template = compiled(value)
    first, second = template.fill({}, 1), template.fill({}, 2)
    assert (first["list"][0], second["list"][0]) == ({"x": 1}, {"x": 2})
    assert first["same"] is second["same"]
    assert first["list"][1] is second["list"][1]
    assert value == before


def test_keys_keep_their_order() -> None:
    value = {"b": "${index}", "a": 1, "c": {"z": 1, "y": "${index}"}}
    filled = fill(value, {})
    assert (list(filled), list(filled["c"])) == (["b", "a", "c"], ["z", "y"])


def test_text_templates_stay_text() -> None:
    def text(template: str, row: dict[str, Any]) -> Any:
        return compile_text(template, ("dataset", 0, "key"), lambda *_: None).fill(row, 0)

    assert text("${row.x}", {"x": NumberText("7.0")}) == "7.0"
    assert text("${row.x}", {"x": True}) == "true"
    assert text("${index}", {}) == "0"
    assert text("a/${row.x}", {"x": "b"}) == "a/b"
    assert text("plain", {}) == "plain"
    with pytest.raises(TemplateError) as caught:
        text("${row.x}", {"x": None})
    assert caught.value.code == "FLT3033"


def test_every_bad_string_is_told_once_with_its_place() -> None:
    found: list[tuple[Pointer, str]] = []
    value = {"a": "${foo} ${bar}", "b": ["ok ${index}", "${row.x | capture:'('}"], "c": "${"}
    template = compile_template(value, AT, lambda at, error: found.append((at, error.code)))
    assert found == [
        ((*AT, "a"), "FLT3030"),
        ((*AT, "b", 1), "FLT4011"),
        ((*AT, "c"), "FLT3030"),
    ]
    assert [slot.pointer for slot in template.slots] == [(*AT, "b", 0)]


def test_all_problems_of_a_row() -> None:
    template = compiled({"a": "${row.x} ${row.y} ${row.z}", "b": ["${row.w}", "${row.y}!"]})
    row = {"y": None, "z": "ok"}
    found = [
        (slot.pointer, placeholder.source, problem.code)
        for slot, placeholder, problem in template.problems(row, 0)
    ]
    assert found == [
        ((*AT, "a"), "${row.x}", "FLT3031"),
        ((*AT, "a"), "${row.y}", "FLT3033"),
        ((*AT, "b", 0), "${row.w}", "FLT3031"),
        ((*AT, "b", 1), "${row.y}", "FLT3033"),
    ]


def nested(levels: int) -> Any:
    value: Any = "x"
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def test_a_value_may_not_nest_too_deeply_where_it_lands() -> None:
    template = compiled({"a": ["${row.x}"]})
    inside = 128 - len((*AT, "a", 0))
    assert template.fill({"x": nested(inside)}, 0) == {"a": [nested(inside)]}
    with pytest.raises(TemplateError) as caught:
        template.fill({"x": nested(inside + 1)}, 0)
    assert caught.value.code == "FLT1040"
