from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.model import Diagnostic, Place, Related
from fleet_contracts.pointer import Pointer, parse_pointer
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.source import Position, Source, Span
from reading_kit import find_spans

BLOCK = """\
name: x
tasks:
  first/one:
    prompt: |-
      text
      more
    list:
      - id: a
        weight: 0.5
      -   - deep
      - 'quoted: text'
    flow: {mode: none, list: [1, 2]}
    long: [1,
      2]
    empty:
"""

ALIASES = """\
base: &base
  inner: &inner {a: 1, b: [x, y]}
  other: 2
one: *base
two:
  three: *inner
  four: {five: *base}
base2: &base [3]
six: *base
"""


def marked(text: str, span: Span) -> str:
    """Return what a span of one line covers."""
    assert span.start.line == span.end.line
    return text.split("\n")[span.start.line - 1][span.start.column - 1 : span.end.column - 1]


def find(text: str, pointer: str, at: Literal["key", "value"] = "value") -> tuple[str, int]:
    tokens = parse_pointer(pointer)
    (span,) = find_spans(Source("a.yaml", text), [(tokens, at)]).values()
    return marked(text, span), span.start.line


@pytest.mark.parametrize(
    ("pointer", "at", "expected"),
    [
        ("", "value", ("name: x", 1)),
        ("/name", "value", ("x", 1)),
        ("/name", "key", ("name", 1)),
        ("/tasks", "value", ("tasks", 2)),
        ("/tasks/first~1one", "key", ("first/one", 3)),
        ("/tasks/first~1one", "value", ("first/one", 3)),
        ("/tasks/first~1one/prompt", "value", ("|-", 4)),
        ("/tasks/first~1one/list", "value", ("list", 7)),
        ("/tasks/first~1one/list/0", "value", ("id: a", 8)),
        ("/tasks/first~1one/list/0", "key", ("id: a", 8)),
        ("/tasks/first~1one/list/0/weight", "value", ("0.5", 9)),
        ("/tasks/first~1one/list/1", "value", ("- deep", 10)),
        ("/tasks/first~1one/list/1/0", "value", ("deep", 10)),
        ("/tasks/first~1one/list/2", "value", ("'quoted: text'", 11)),
        ("/tasks/first~1one/flow", "value", ("{mode: none, list: [1, 2]}", 12)),
        ("/tasks/first~1one/flow/list", "value", ("[1, 2]", 12)),
        ("/tasks/first~1one/flow/list/1", "value", ("2", 12)),
        ("/tasks/first~1one/long", "value", ("[1,", 13)),
        ("/tasks/first~1one/long/1", "value", ("2", 14)),
        ("/tasks/first~1one/empty", "value", ("", 15)),
        ("/tasks/first~1one/empty", "key", ("empty", 15)),
        # what does not exist is its nearest ancestor
        ("/none", "value", ("name: x", 1)),
        ("/tasks/none/at/all", "value", ("tasks", 2)),
        ("/tasks/first~1one/list/7", "value", ("list", 7)),
        ("/tasks/first~1one/list/0/none", "key", ("id: a", 8)),
        ("/tasks/first~1one/flow/none", "value", ("{mode: none, list: [1, 2]}", 12)),
        ("/name/below", "value", ("x", 1)),
    ],
)
def test_block(pointer: str, at: Literal["key", "value"], expected: tuple[str, int]) -> None:
    assert find(BLOCK, pointer, at) == expected


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("/one", ("*base", 4)),
        ("/one/inner", ("inner", 2)),
        ("/one/inner/b/1", ("y", 2)),
        ("/one/other", ("2", 3)),
        ("/one/none", ("*base", 4)),
        ("/two/three/a", ("1", 2)),
        ("/two/four/five/inner/a", ("1", 2)),
        ("/base/inner/b/0", ("x", 2)),
        ("/six", ("*base", 9)),
        ("/six/0", ("3", 8)),
    ],
)
def test_aliases(pointer: str, expected: tuple[str, int]) -> None:
    text, line = find(ALIASES, pointer)
    if pointer in ("/one/inner",):
        assert text.startswith("&inner {a: 1")
        assert line == 2
    else:
        assert (text, line) == expected


def test_many_places_behind_aliases_at_once() -> None:
    pointers = ["/one/inner/a", "/two/three/a", "/two/four/five/other", "/two/three/b/0", "/six/0"]
    wanted: list[tuple[Pointer, Literal["key", "value"]]] = [
        (parse_pointer(pointer), "value") for pointer in pointers
    ]
    spans = find_spans(Source("a.yaml", ALIASES), wanted)
    assert [marked(ALIASES, spans[place]) for place in wanted] == ["1", "1", "2", "x", "3"]


def test_aliases_of_aliases() -> None:
    text = "a: &a {k: v}\nb: &b [*a, &c [*a]]\nd: {e: *b, f: *c}\n"
    assert find(text, "/d/e/0/k") == ("v", 1)
    assert find(text, "/d/e/1/0/k") == ("v", 1)
    assert find(text, "/d/f/0/k") == ("v", 1)


def test_a_wanted_anchor_inside_a_wanted_anchor() -> None:
    text = "a: &a\n  b: &b\n    k: 1\n    l: 2\nx: *a\ny: *b\n"
    wanted: list[tuple[Pointer, Literal["key", "value"]]] = [
        (("x", "b", "k"), "value"),
        (("y", "l"), "value"),
        (("y", "k"), "key"),
    ]
    spans = find_spans(Source("a.yaml", text), wanted)
    assert [spans[place].start for place in wanted] == [(3, 8), (4, 8), (3, 5)]


def test_a_cycle_or_an_unknown_alias_ends() -> None:
    assert find("&a [*a]", "/0/0/0/0") == ("*a", 1)
    assert find("[*a]", "/0/b") == ("*a", 1)


def test_repeated_keys_mean_the_first() -> None:
    text = "a: {b: 1}\na: {b: 2, c: 3}\n"
    assert find(text, "/a/b") == ("1", 1)
    assert find(text, "/a/c") == ("{b: 1}", 1)


def test_a_text_with_a_syntax_error() -> None:
    text = "a: 1\nb: {c: 2}\nd: 'e"
    assert find(text, "/b/c") == ("2", 2)
    assert find(text, "/d") == ("d", 3)
    assert find("'", "/a") == ("", 1)
    assert find("", "/a") == ("", 1)


def test_complex_keys_and_a_second_document_are_passed_over() -> None:
    text = "? [a, {b: c}]\n: {x: 1}\ny: 2\n---\ny: 3\n"
    assert find(text, "/y") == ("2", 3)
    assert find(text, "/z") == ("? [a, {b: c}]", 1)


def test_integer_and_text_tokens_are_the_same() -> None:
    source = Source("a.yaml", "[{'0': x}]")
    spans = find_spans(source, [((0, "0"), "value"), (("0", 0), "value")])
    assert {span.start for span in spans.values()} == {(1, 8)}


def test_wide_characters_and_line_ends() -> None:
    assert find("a: 1\r\n'漢😀': 'é'\r\n", "/漢😀") == ("'é'", 2)
    text = '{"a":\r\n\t{"b": [1.50, "https://x"]}}'
    assert find(text, "/a/b/1") == ('"https://x"', 2)


def test_resolve_places() -> None:
    sources = {"a.yaml": Source("a.yaml", "a: 1\nb: 2\n"), "b.json": Source("b.json", '{"c": 3}')}
    known = Span(Position(9, 9), Position(9, 10))
    items = [
        Diagnostic(
            "FLT2010",
            "m",
            Place("a.yaml", ("b",), "key"),
            related=(
                Related("r", Place("b.json", ("c",))),
                Related("s", Place("a.yaml", ("a",), span=known)),
            ),
        ),
        Diagnostic("FLT2010", "m", Place("rows.csv")),
    ]
    first, second = resolve_places(items, sources)
    assert first.place.span == ((2, 1), (2, 2))
    assert [related.place.span for related in first.related] == [((1, 7), (1, 8)), known]
    assert second == items[1]


def pointers_of(value: Any, pointer: Pointer = ()) -> list[tuple[Pointer, Any]]:
    found = [(pointer, value)]
    if isinstance(value, dict):
        for key, inside in value.items():
            found += pointers_of(inside, (*pointer, key))
    if isinstance(value, list):
        for index, inside in enumerate(value):
            found += pointers_of(inside, (*pointer, index))
    return found


@given(
    st.recursive(
        st.booleans() | st.integers() | st.text(alphabet='a"\\😂:?#,[ ', max_size=4),
        lambda inside: (
            st.lists(inside, max_size=3)
            | st.dictionaries(st.text(alphabet="ab😂/~", max_size=3), inside, max_size=3)
        ),
        max_leaves=12,
    )
)
def test_each_json_scalar_is_found_exactly(value: Any) -> None:
    text = json.dumps(value)
    places = pointers_of(value)
    spans = find_spans(Source("a.json", text), [(pointer, "value") for pointer, _ in places])
    for pointer, inside in places:
        assert json.loads(marked(text, spans[pointer, "value"])) == inside
