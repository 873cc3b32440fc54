"""JSON with comments is read like JSON, and added to without touching what is there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.editor import jsonc
from fleet_contracts.editor.jsonc import JsoncProblem

KEYS = st.sampled_from(["a", "b", "yaml.schemas", "é", 'q"', "\\", "\U0001f600"])
SCALARS = st.none() | st.booleans() | st.integers() | st.sampled_from([0.5, -1e300]) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(KEYS, inside, max_size=3),
    max_leaves=8,
)
GAPS = st.lists(
    st.sampled_from([" ", "\t", "\n", "\r\n", '// {[",}\n', '/* " } */', "/**/", "//\r\n", ""]),
    max_size=3,
).map("".join)


@st.composite
def written(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> tuple[str, Any]:
    """A text with comments, odd spaces and trailing commas, and the value it holds."""
    value = draw(values)
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return f"{mark}{draw(GAPS)}{_spelled(draw, value)}{draw(GAPS)}", value


def _spelled(draw: st.DrawFn, value: Any) -> str:
    if not isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=draw(st.booleans()))
    opening, closing = "[]" if isinstance(value, list) else "{}"
    parts = [
        f"{draw(GAPS)}{_member(draw, each, value)}{draw(GAPS)}"
        for each in (value if isinstance(value, list) else value.items())
    ]
    trailing = draw(st.sampled_from(["", ","])) if parts else ""
    return f"{opening}{','.join(parts)}{trailing}{draw(GAPS)}{closing}"


def _member(draw: st.DrawFn, each: Any, holder: Any) -> str:
    if isinstance(holder, list):
        return _spelled(draw, each)
    key, value = each
    return f"{json.dumps(key)}{draw(GAPS)}:{draw(GAPS)}{_spelled(draw, value)}"


def keeps(old: str, new: str) -> bool:
    """Tell whether all characters of one text are in another, in their order."""
    rest = iter(new)
    return all(any(each == found for found in rest) for each in old)


@given(written(VALUES))
def test_it_is_read_like_json(case: tuple[str, Any]) -> None:
    text, value = case
    assert jsonc.parse(text).value == value


@given(written(st.dictionaries(KEYS, VALUES, max_size=4)), VALUES)
def test_a_member_is_added_and_nothing_else_changes(case: tuple[str, Any], new: Any) -> None:
    text, value = case
    added = jsonc.apply(text, jsonc.put_member(text, jsonc.parse(text), "new", new))
    assert jsonc.parse(added).value == {**value, "new": new}
    assert list(jsonc.parse(added).value) == [*value, "new"]
    assert keeps(text, added)


@given(written(st.lists(VALUES, max_size=4)), VALUES)
def test_an_item_is_added_and_nothing_else_changes(case: tuple[str, Any], new: Any) -> None:
    text, value = case
    added = jsonc.apply(text, jsonc.put_item(text, jsonc.parse(text), new))
    assert jsonc.parse(added).value == [*value, new]
    assert keeps(text, added)


@given(written(st.fixed_dictionaries({"a": VALUES, "b": VALUES})), VALUES)
def test_a_value_is_replaced_and_nothing_else_changes(case: tuple[str, Any], new: Any) -> None:
    text, value = case
    node = jsonc.parse(text).members["b"]
    changed = jsonc.apply(text, jsonc.replace(text, node, new))
    assert jsonc.parse(changed).value == {**value, "b": new}
    assert changed.startswith(text[: node.start])
    assert changed.endswith(text[node.end :])


@given(st.text(alphabet='{}[]":,/*\\ntru0-. \n\ufeffé', max_size=20))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    found = _problem(text)
    if found is None:
        json.dumps(jsonc.parse(text).value)
    else:
        lines = text.removeprefix("\ufeff").split("\n")
        assert 1 <= found.column <= len(lines[found.line - 1]) + 1


def _problem(text: str) -> JsoncProblem | None:
    try:
        jsonc.parse(text)
    except JsoncProblem as problem:
        return problem
    return None


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("{}", '{\n  "k": [\n    1\n  ]\n}'),
        ("{ }\n", '{\n  "k": [\n    1\n  ]\n }\n'),
        ("{ // none\n}", '{ // none\n  "k": [\n    1\n  ]\n}'),
        ('{\n\t"a": 1 // one\n}\n', '{\n\t"a": 1, // one\n\t"k": [\n\t\t1\n\t]\n}\n'),
        ('{\r\n    "a": 1,\r\n}', '{\r\n    "a": 1,\r\n    "k": [\r\n        1\r\n    ],\r\n}'),
        ('{"a": {}, /* b */ }', '{"a": {}, /* b */\n  "k": [\n    1\n  ],\n }'),
    ],
)
def test_what_is_added_looks_like_what_is_there(text: str, new: str) -> None:
    edits = jsonc.put_member(text, jsonc.parse(text), "k", [1])
    added = jsonc.apply(text, edits)
    assert jsonc.parse(added).value["k"] == [1]
    assert added == new


def test_of_two_members_with_one_key_the_later_counts() -> None:
    node = jsonc.parse('{"a": 1, "a": 2}')
    assert node.value == {"a": 2}
    assert node.members["a"].start == 14


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "expected a value, found the end of the file"),
        ('{"a" 1}', 1, 6, "expected `:`, found `1`"),
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3, 'expected `,` or `}`, found `"`'),
        ("{a: 1}", 1, 2, "expected a key in double quotes or `}`, found `a`"),
        ("{,}", 1, 2, "expected a key in double quotes or `}`, found `,`"),
        ("[1 2]", 1, 4, "expected `,` or `]`, found `2`"),
        ("[1,,]", 1, 4, "expected a value, found `,`"),
        ("[01]", 1, 3, "expected `,` or `]`, found `1`"),
        ("[1", 1, 3, "expected `,` or `]`, found the end of the file"),
        ('["a\n"]', 1, 2, 'expected a string, found `"`'),
        ("{} /* x", 1, 4, "a comment that starts here has no `*/`"),
        ("{} {}", 1, 4, "expected the end of the file, found `{`"),
        ("\ufeff# x", 1, 1, "expected a value, found `#`"),
        ("[\x00]", 1, 2, "expected a value, found U+0000"),
        ("[" * 200, 1, 102, "nested more than 100 levels deep"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(JsoncProblem) as caught:
        jsonc.parse(text)
    problem = caught.value
    assert (problem.line, problem.column, problem.message) == (line, column, message)


@pytest.mark.parametrize("text", ["", " \n", "// a\n", "\ufeff/* b */"])
def test_a_file_of_comments_is_blank(text: str) -> None:
    assert jsonc.is_blank(text)
    assert not jsonc.is_blank(text + "{}")
