from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsp_kit import marked, stretch

from fleet_contracts.lsp.locate import locate
from fleet_contracts.lsp.tree import Tree, read_tree
from fleet_contracts.pointer import format_pointer, parse_pointer
from fleet_contracts.source import Position, Source
from reading_kit import find_spans


def hit(text: str) -> tuple[str, str] | None:
    """Return pointer and kind of what stands at the mark."""
    bare, position = marked(text)
    found = locate(read_tree(bare).root, position)
    return None if found is None else (format_pointer(found.node.pointer), found.on)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("na§me: x", ("/name", "key")),
        ("name§: x", ("/name", "key")),
        ("name: §x", ("/name", "value")),
        ("name: x§", ("/name", "value")),
        ("name:§ x", None),
        ("name: x # §comment", None),
        ("name: §", ("/name", "space")),
        ("name:§", ("/name", "space")),
        ("a:\n  b§: c\nd: e", ("/a/b", "key")),
        ("a:\n  b: c§\nd: e", ("/a/b", "value")),
        ("a:\n  b: c\nd: §e", ("/d", "value")),
        ("- - x\n  - §y", ("/0/1", "value")),
        ("- a: 1\n  b: §\n- c", ("/0/b", "space")),
        ("{a: {b: §x}, c: y}", ("/a/b", "value")),
        ("{a: {b: x}, c: §y}", ("/c", "value")),
        ("{source: capture, id: §}", ("/id", "space")),
        ('{"a": "b§c"}', ("/a", "value")),
        ("a: |\n  te§xt\n  more\nb: c", ("/a", "value")),
        ("a: 'x\n\n  y§'\nb: c", ("/a", "value")),
        ("a: &x §y\nb: *x", ("/a", "value")),
        ("a: &x y\nb: *§x", ("/b", "value")),
        ("? a\n: §b", ("/a", "value")),
        ("? [a, b]\n: x\nc: §d", ("/c", "value")),
        ("x: é😀 §\n", None),
        ("a: b\n§\nc: d", None),
        ("§", None),
    ],
)
def test_what_stands_at_a_position(text: str, expected: tuple[str, str] | None) -> None:
    assert hit(text) == expected


def test_columns_of_a_text_with_lone_carriage_returns_are_those_of_the_source() -> None:
    assert hit("a: 1\rb: §2\nc: 3") == ("/b", "value")


def test_what_stands_before_a_syntax_error_is_found() -> None:
    assert hit("a:\n  b: §x\nc: [1, }\n") == ("/a/b", "value")


def test_what_is_open_at_a_syntax_error_goes_on_to_the_end() -> None:
    tree = read_tree("a:\n  b: {c: d, e: }}\nf: g")
    assert not tree.is_whole
    assert tree.root is not None
    assert tree.root.end.line > 3


def test_the_first_of_repeated_keys_counts_and_both_are_found() -> None:
    text = "a: 1\na: 2\n"
    root = read_tree(text).root
    assert root is not None
    assert [each.text for each in root.items] == ["1", "2"]
    assert root.at("a") is root.items[0]
    assert hit("a: 1\na: §2") == ("/a", "value")


def test_an_alias_has_what_its_anchor_has() -> None:
    root = read_tree("a: &x {b: c}\nd: *x\ne: *y\nf: &f [*f]\n").root
    assert root is not None
    inner = root.at("d", "b")
    assert inner is not None
    assert inner.text == "c"
    assert root.at("e", "b") is None
    assert root.at("f", 0, 0) is None


def test_what_only_the_grammar_reads_has_a_tree_as_well() -> None:
    tree = read_tree("{a\n b: c}\n")
    assert tree.is_whole
    assert [each.pointer for each in tree.root.walk()] == [(), ("a b",)] if tree.root else False


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_a_text_nested_without_end_has_a_tree_that_ends(opening: str) -> None:
    root = read_tree(opening * 100_000).root
    assert root is not None
    assert max(len(node.pointer) for node in root.walk()) <= 129


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n...\n", "]", "a: b: c", "\t- x", "%X"])
def test_a_text_without_a_document_has_some_tree(text: str) -> None:
    assert isinstance(read_tree(text), Tree)


VALUES = st.recursive(
    st.text(st.sampled_from("ab :,'\"é😀"), max_size=6) | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.text(st.sampled_from("xyz/~"), min_size=1), inner, min_size=1)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_spans_are_those_of_the_search_for_spans(value: Any) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False)
    root = read_tree(text).root
    assert root is not None
    nodes = list(root.walk())
    scalars = [node for node in nodes if node.text is not None]
    wanted = {node: (parse_pointer(format_pointer(node.pointer)), "value") for node in scalars}
    spans = find_spans(Source("a", text), list(wanted.values()))  # type: ignore[arg-type]
    for node, place in wanted.items():
        assert spans[place] == node.span  # type: ignore[index]
        if node.text:
            assert node.text in (stretch(text, node.span), json.loads(stretch(text, node.span)))
        found = locate(root, node.start)
        assert found is not None
        assert found.node is node


YAML_LETTERS = st.text(st.sampled_from("ab:-?[]{},&*!|>'\"# \n\r\t%é"), max_size=60)


@given(text=YAML_LETTERS, line=st.integers(1, 5), column=st.integers(1, 30))
def test_any_text_can_be_looked_at(text: str, line: int, column: int) -> None:
    tree = read_tree(text)
    found = locate(tree.root, Position(line, column))
    assert found is None or found.node.pointer == () or tree.root is not None
    for node in tree.root.walk() if tree.root else ():
        assert node.begin <= node.start
        assert node.start <= node.end
