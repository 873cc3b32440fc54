"""Kinds of YAML 1.2 that libyaml refuses, misreads or wrongly accepts."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml.error import YAMLError

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.reading import yaml
from fleet_contracts.reading.parsers import Way, ways
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.reading.yaml12.stream import StreamParser
from fleet_contracts.source import Source
from reading_kit import find_spans


def read(text: str) -> Any:
    bag = Bag()
    document = read_yaml(Source("a.yaml", text), bag)
    assert document is not None, bag.items
    return document.value


def refuse(text: str) -> list[str]:
    bag = Bag()
    assert read_yaml(Source("a.yaml", text), bag) is None
    assert all(item.place.span and item.help for item in bag)
    return [item.code for item in bag]


BRACKETS: list[tuple[str, Any]] = [
    ('{"a"\n: b}', {"a": "b"}),
    ("{a\n: b}", {"a": "b"}),
    ('{"a" # c\n  :b }', {"a": "b"}),
    ("{a b\n c: d}", {"a b c": "d"}),
    ('{"a\n  b": c}', {"a b": "c"}),
    ("{ multi\n  line: value}", {"multi line": "value"}),
    ("- { a\n  b: c }", [{"a b": "c"}]),
    ("[a ? b, ? c]", ["a ? b", {"c": None}]),
    ("{? a : b, ? c}", {"a": "b", "c": None}),
    ("{ a, b: , c: }", {"a": None, "b": None, "c": None}),
    ("{a: b, }", {"a": "b"}),
    ("[a, ]", ["a"]),
    ("[a: b, c : d, 'e':f]", [{"a": "b"}, {"c": "d"}, {"e": "f"}]),
    ("[? a\n b : c d]", [{"a b": "c d"}]),
    ("{&q :c}", {":c": None}),
    ("{!!str , a: !!str, b: !!str }", {"": None, "a": "", "b": ""}),
    ("[!!str, &a , *a ]", ["", None, None]),
    ("[- 1]", None),
    ("{x: -1, y: -y, z: ?z}", {"x": -1, "y": "-y", "z": "?z"}),
    ("k: {\n k\n :\n v\n }", {"k": {"k": "v"}}),
    ("k: [\n  a,\n  b\n]", {"k": ["a", "b"]}),
    ("- [a,\n b]\n- {\n  c: d\n}", [["a", "b"], {"c": "d"}]),
    ("{ a\n% : b }", {"a %": "b"}),
    ("[a b\n  c\n\n  d]", ["a b c\nd"]),
    (
        "{a: http://b.c/d?e=f#g, h: [::1, i:]}",
        {"a": "http://b.c/d?e=f#g", "h": ["::1", {"i": None}]},
    ),
    ("{-: a, b-: -c, d: {&e -: f}}", {"-": "a", "b-": "-c", "d": {"-": "f"}}),
]
TABS: list[tuple[str, Any]] = [
    ("\t[\n\t]", []),
    ("\t{}", {}),
    ("a:\n \tb", {"a": "b"}),
    ("a:\n \t[b]", {"a": ["b"]}),
    ("\t\na: b\n \t\nc: d", {"a": "b", "c": "d"}),
    ("- [\n\t\n a\n ]", [["a"]]),
    ("a: |\n \tb", {"a": "\tb\n"}),
    ("- |\n \tb\n\tc", None),
    ("- |\n \t\n b\n", ["\t\nb\n"]),
    ("- >\n \t\n b\n", ["\t\nb\n"]),
    ("-\tb\n-  -\tc\n   - d", ["b", ["c", "d"]]),
    ("-\t-1", [-1]),
    ("a:\t'b'\t# c", {"a": "b"}),
    ("---\ta", "a"),
    ("? a\n: -\tb\n  - c", {"a": ["b", "c"]}),
    ("a: b\n  \tc", {"a": "b c"}),
    ('a: "b\n \tc\\\td"', {"a": "b c\td"}),
]
NAMES: list[tuple[str, Any]] = [
    ("a: &b:c d\ne: *b:c", {"a": "d", "e": "d"}),
    ("&a: k: &a v\nf:\n  *a:", {"k": "v", "f": "k"}),
    ("- &😁 a\n- *😁", ["a", "a"]),
    ('a: &:@*!$"<x>: b\nc: *:@*!$"<x>:', {"a": "b", "c": "b"}),
    ("[&a.b c, *a.b , {*a.b : d}]", ["c", "c", {"c": "d"}]),
    ("&a/b\nk: v", {"k": "v"}),
    ("!!map\nk: &a !!str\nl: !!str &b 1", {"k": "", "l": "1"}),
    ("!<tag:yaml.org,2002:map> {!<tag:yaml.org,2002:str> a: b}", {"a": "b"}),
    ("%TAG !e! tag:yaml.org,2002:\n---\n!e!s%74r 1", "1"),
]
BLOCKS: list[tuple[str, Any]] = [
    ("--- |\nx\n y\n", "x\n y\n"),
    ("--- >\nx\n# y\nz", "x # y z\n"),
    ("|\n#", "#\n"),
    ("--- |1-\n", ""),
    ("a: |2-\n   b\n\n", {"a": " b"}),
    (
        "a: |+\n  b\n\nc: >-\n\n  d\n  e\n\n  f\n   g\n  h\n",
        {"a": "b\n\n", "c": "\nd e\nf\n g\nh"},
    ),
    ("a: |\n\n  b\n# c\n # d\n", {"a": "\nb\n"}),
    ("a: |\n  b\n   ", {"a": "b\n \n"}),
    ("- |+\n   ", ["\n"]),
    ("a: |\n  b", {"a": "b\n"}),
    ("- >2+ # c\n  b", ["b\n"]),
    ("a: >\n  b\n\tc", None),
    ("a: |\r\n  b\r\n  c\r\n", {"a": "b\nc\n"}),
    ("? |\n  a\n: |\n  b\n", {"a\n": "b\n"}),
]
LINES: list[tuple[str, Any]] = [
    ("a\n%b", "a %b"),
    ("a: b\n c\n\n\n d", {"a": "b c\n\nd"}),
    ("a:\n- b\n-\n  - c\nd: e", {"a": ["b", ["c"]], "d": "e"}),
    ("? a\n? b\n:\n- c\n- d", {"a": None, "b": ["c", "d"]}),
    ("?\n  a\n:\n  b", {"a": "b"}),
    ("a:\n  - b\n   -c\n-: d", {"a": ["b -c"], "-": "d"}),
    ("- a\n - b", ["a - b"]),
    ("- - a: b\n    c: d\n  - e", [[{"a": "b", "c": "d"}, "e"]]),
    ("\"a\": b\n'c' : d\ne f:   # g\n  h", {"a": "b", "c": "d", "e f": "h"}),
    ("a: b # c\n\n # d\ne: f#g", {"a": "b", "e": "f#g"}),
    ("::a: b\n:c: d\n-e: f\n?g: h", {"::a": "b", ":c": "d", "-e": "f", "?g": "h"}),
    ("a!\"#$%&'()*+,-./: b", {"a!\"#$%&'()*+,-./": "b"}),
    ("a: 'b\n\n   c ''d'' '", {"a": "b\nc 'd' "}),
    ('"a \\\n  b\\\n  \\ c\\x41\\u00e9\\/\\e"', "a b cAé/\x1b"),
    ('"a\n  b  \n\n  c\\n"', "a b\nc\n"),
    ("%YAML 1.2\n# c\n---\na: b\n... # d\n", {"a": "b"}),
    ("---\n# c\na: b\n...\n...\n", {"a": "b"}),
    ("--- # c\n- a", ["a"]),
    ("---\n- a\n...", ["a"]),
    ("--- {a: b}", {"a": "b"}),
    ("--- !!map\na: b", {"a": "b"}),
    ("&a\n- &b\n  c: d\n- *b", [{"c": "d"}, {"c": "d"}]),
]


@pytest.mark.parametrize(("text", "value"), BRACKETS + TABS + NAMES + BLOCKS + LINES)
def test_by_the_grammar(text: str, value: Any) -> None:
    if value is None:
        assert refuse(text)
    else:
        assert read(text) == value


@pytest.mark.parametrize(
    "text",
    [
        # indentation
        "a: [b,\nc,\nd]",
        "a: {\nb\n:\nc\n}",
        "- [\n a,\nb ]",
        'a: "b\nc\nd"',
        "a: 'b\n\n c\nd'",
        "a: !!str 'b\nc'",
        "? 'a\nb'\n: c",
        "a:\n|\n b",
        "a:\n  - b\n c: d",
        "a: b\n  c: d",
        "a:\n    b: c\n   d: e",
        "- a\n  - b\n- - c\n - d",
        "a:\n  b\nc",
        "a: |\n   \n  b",
        # brackets
        "[-]",
        "[-, a]",
        "{-}",
        "{- : a}",
        "[&a -]",
        "- [a, -]",
        "[, a]",
        "[a, , b]",
        "{a: b, , c: d}",
        "[a]]",
        "[a\n]]",
        "{a: b}}",
        "[a, b]: c: d",
        "[a\n : b]",
        "['a'\n :b]",
        "[a b\n c: d]",
        "[a\n---\n]",
        "{a: b\n c: d}",
        "{a: b",
        "a: {b: c}d: e",
        "- {a: b}- c",
        "[a,#b\n c]",
        "[a]#b",
        # keys
        "a: b: c",
        "a: 'b': c",
        "a: - b",
        "a\nb: c",
        "a b\n  c: d",
        '"a\n b": c',
        "[a,\n b]: c",
        '"a" b: c',
        '"a":b',
        "- a\nb: c",
        "a: b\n- c",
        f"{'a' * 1100}: b",
        "? a\n-b: c\n: d e\nf",
        # anchors, tags, aliases
        "- a\n&b\n- c",
        "a:\n&b\n- c",
        "&a - b",
        "--- &a b: c",
        "a: &b &c d",
        "a: &b\n  &c d",
        "a: !!str !!str b",
        "a: &b *c",
        "a: *b c",
        "*a: b",
        "&a x: 1\n*a: 2",
        "a: !b{c} d",
        "a: !<b c",
        "a: !!, b",
        # text
        "a: b\n  # c\n  d",
        "a: |x\n b",
        "a: > b\n  c",
        "a: |10\n b",
        "a: |#b\n  c",
        "a: 'b' c",
        "a: 'b'#c",
        'a: "\\\'"',
        'a: "\\U00110000"',
        'a: "\\U0000D800"',
        'a: "b\n---\nc"',
        "a: 'b\n... c'",
        # tabs
        "a:\n\tb: c",
        "a:\n  b: c\n  \td: e",
        "a: |\n\t\nb: c",
        'a: "b\n\tc"',
        "- [\n\ta,\n b\n ]",
        "-\t- a",
        "- \t- a",
        "-\ta: b",
        "?\t- a",
        "? a\n:\t- b",
        "?\ta: b",
        "? a\n:\tb: c",
        # documents
        "a: b\n... c",
        "a: b\n%YAML 1.2\n---",
        "%YAML 1.2",
        "%YAML 1.2\n...",
        "%YAML 1.2 a\n---\nb",
        "%YAML 1.2\n%YAML 1.2\n---\na",
        "%TAG ! a\n%TAG ! b\n---\nc",
        "--- a: b",
        "--- - a",
        "a: !b!c d",
    ],
)
def test_no_yaml(text: str) -> None:
    assert refuse(text)
    with pytest.raises(YAMLError):
        list(StreamParser(text + "\n").events())


def test_what_the_grammar_reads_has_places() -> None:
    text = "- {a\n  : 007}\n- &b.c 'd'\n- {e: *b.c, f\n  : g}\n"
    bag = Bag()
    assert read_yaml(Source("a.yaml", text), bag) is None
    (item,) = bag
    assert item.code == "FLT1032"
    assert item.place.span == ((2, 5), (2, 8))
    source = Source("a.yaml", text)
    spans = find_spans(source, [((1,), "value"), ((2, "f"), "key"), ((2, "f"), "value")])
    assert list(spans.values()) == [((3, 3), (3, 11)), ((4, 13), (4, 14)), ((5, 5), (5, 6))]


def test_duplicate_keys_read_by_the_grammar() -> None:
    bag = Bag()
    assert read_yaml(Source("a.yaml", "a: &x.y b\nc: {d\n   : e, d: *x.y}\n"), bag) is None
    (item,) = bag
    assert item.code == "FLT1020"
    assert item.related[0].place.span == ((2, 5), (2, 6))


def test_the_error_of_the_parser_that_got_further_is_told() -> None:
    bag = Bag()
    assert read_yaml(Source("a.yaml", "a: {b\n  : c}\nd: [e\nf, g]\n"), bag) is None
    (item,) = bag
    assert item.place.span
    assert item.place.span.start == (4, 1)
    assert "indented" in item.message


def test_depth_costs_no_stack() -> None:
    text = "{a\n: " + "[" * 126 + "b" + "]" * 126 + "}"
    assert read(text)
    assert refuse("{a\n: " + "[" * 5000) == ["FLT1040"]


PIECES = [
    *("a: ", "b: ", "- ", "? ", ": ", "\n", "\n  ", "\n ", "\n\n", "  ", "\t", "[", "]", "{", "}"),
    *(", ", "'", '"', "x", "y z", "# c", " #c", "&a ", "*a", "!!str ", "! ", "|\n", ">-\n", "|2\n"),
    *("\n---\n", "\n...\n", "%", "-", "?", ":", '"k":', "\\n", "\\\n", "''", "1", "~", "@", "a:b"),
    *("[a, b]", "{a: 1}", "\r\n", "#", ",", "&b:c ", "*b:c "),
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_libyaml_and_the_grammar_agree(text: str) -> None:
    assert outcome(text, only_grammar=False) == outcome(text, only_grammar=True)


def test_libyaml_and_the_grammar_agree_on_odd_indentation() -> None:
    choice = random.Random(1).choice
    for _ in range(1500):
        lines = [
            choice(["", " ", "  ", "   ", "    ", "\t"]) + choice(["- ", "a: ", "? ", "", ""])
            + choice(["x", "'b", "c'", '"', "[d,", "e]", "{f: g", "}", "|", "> # h", "&i", "k: l"])
            for _ in range(choice([2, 3, 4]))
        ]  # fmt: skip
        text = "\n".join(lines)
        assert outcome(text, only_grammar=False) == outcome(text, only_grammar=True), text


def outcome(text: str, *, only_grammar: bool) -> str | None:
    def grammar(text: str) -> list[Way]:
        return list(ways(text))[-1:]

    bag = Bag()
    with pytest.MonkeyPatch.context() as patch:
        if only_grammar:
            patch.setattr(yaml, "ways", grammar)
        document = read_yaml(Source("a.yaml", text), bag)
    return repr(document.value) if document else None
