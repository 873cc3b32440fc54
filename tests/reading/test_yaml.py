from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.model import Bag, Diagnostic
from fleet_contracts.pointer import format_pointer
from fleet_contracts.reading.document import Document
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source
from reading_kit import spelled, typed


def read(text: str) -> Document:
    bag = Bag()
    document = read_yaml(Source("a.yaml", text), bag)
    assert document is not None, bag.items
    assert not bag.items
    return document


def refuse(text: str) -> list[Diagnostic]:
    bag = Bag()
    assert read_yaml(Source("a.yaml", text), bag) is None
    assert bag.items
    return bag.items


# Plain scalars that other readers take for something else.
STRINGS = """
    no on yes off y n No On nUll tRue 1_000 12:30:00 2024-01-01 0b1 0o8 0xG 0X10 -0x10 +0o7 1e 1e+
    << e5 + . .. .e5 1.2.3 --1 +-1 1- .inF .nAn nan inf Infinity NaN +.nan 2GiB 1,000 0x 0o ./file
    -x
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # null and booleans
        *[(text, None) for text in ("~", "null", "Null", "NULL")],
        *[(text, True) for text in ("true", "True", "TRUE")],
        *[(text, False) for text in ("false", "False", "FALSE")],
        *[(text, text) for text in STRINGS.split()],
        # whole numbers
        ("0", 0),
        ("-0", 0),
        ("12", 12),
        ("-12", -12),
        ("+12", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("0xffffffffffffffffff", 0xFFFFFFFFFFFFFFFFFF),
        ("1.0", 1),
        ("-0.0", 0),
        ("5.", 5),
        ("+2.00", 2),
        ("1e3", 1000),
        ("1E+3", 1000),
        ("10e-1", 1),
        ("1.50e1", 15),
        ("0e999999999999999999999", 0),
        ("1e29", 10**29),
        ("-1e29", -(10**29)),
        ("9" * 400, int("9" * 400)),
        # fractions and numbers that are not written out
        ("0.30", Decimal("0.30")),
        (".5", Decimal("0.5")),
        ("-.5e-3", Decimal("-0.0005")),
        ("1.5", Decimal("1.5")),
        ("1e-3", Decimal("0.001")),
        ("1e30", Decimal("1e30")),
        ("1e999999999", Decimal("1e999999999")),
        ("1e-999999999", Decimal("1e-999999999")),
        ("0.1e-5000", Decimal("1e-5001")),
    ],
)
def test_plain_scalars(text: str, value: Any) -> None:
    for around in (f"- {text}", f"[{text}]" if "," not in text else f"- {text}"):
        assert typed(read(around).value) == typed([value])
    assert typed(read(f"k: '{text}'").value) == typed({"k": text})
    assert typed(read(f'k: "{text}"').value) == typed({"k": text})
    assert typed(read(f"k: !!str {text}").value) == typed({"k": text})
    assert typed(read(f"k: ! {text}").value) == typed({"k": text})


def test_the_same_number_twice_and_an_empty_value() -> None:
    assert typed(read("a: 1.0\nb: 1.0\nc: 1\nd:\ne: [0.5, 0.5]\n").value) == typed(
        {"a": 1, "b": 1, "c": 1, "d": None, "e": [Decimal("0.5"), Decimal("0.5")]}
    )


def test_a_number_of_many_digits() -> None:
    digits = "1" * 5000
    assert read(f"[{digits}]").value == [Decimal(digits)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('!!int "7"', 7),
        ("!!int 0x10", 16),
        ('!!float "1"', 1),
        ("!!float 0.5", Decimal("0.5")),
        ("!!bool 'true'", True),
        ("!!null ''", None),
        ("!!null null", None),
        ("!!str", ""),
        ("!!map {a: 1}", {"a": 1}),
        ("!!seq [1]", [1]),
        ("! {a: 1}", {"a": 1}),
        ("!<tag:yaml.org,2002:str> 1", "1"),
        ("&a !!str 1", "1"),
        ("!!str &a 1", "1"),
        ("&a 1", 1),
        ("&a '1'", "1"),
    ],
)
def test_tags_and_anchors(text: str, value: Any) -> None:
    assert typed(read(f"k: {text}").value) == typed({"k": value})


def test_tag_directive_for_the_core_schema() -> None:
    assert read("%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\n").value == {"a": "1"}
    assert read("%YAML 1.2 # yes\n---\na: 1\n").value == {"a": 1}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'1': a", {"1": "a"}),
        ('"<<": a', {"<<": "a"}),
        ("!!str 1: a", {"1": "a"}),
        ("! 1: a", {"1": "a"}),
        ("&k key: v\nother: *k", {"key": "v", "other": "key"}),
        ("a: &k key\nb: {*k : v}", {"a": "key", "b": {"key": "v"}}),
        ("? key\n: v", {"key": "v"}),
        ("no: 1\non: 2", {"no": 1, "on": 2}),
        ("2024-01-01: a", {"2024-01-01": "a"}),
        ("{'a':1,\"b\":2}", {"a": 1, "b": 2}),
        ("a: {}\nb: []", {"a": {}, "b": []}),
        ("[[], {}, [[]]]", [[], {}, [[]]]),
        ("'a'", "a"),
        ("--- a\n...\n", "a"),
        ("null", None),
        ("!!null", None),
    ],
)
def test_keys_and_collections(text: str, value: Any) -> None:
    assert typed(read(text).value) == typed(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[example.com:443, a:b:c, 12:30:00]", ["example.com:443", "a:b:c", "12:30:00"]),
        ("{allow: [a:1], url: http://x/?y=z#k}", {"allow": ["a:1"], "url": "http://x/?y=z#k"}),
        ("[\n  a:1,\n  b: c:d\n]", ["a:1", {"b": "c:d"}]),
        ("[:x, ::y, ?z, a?b, c?]", [":x", "::y", "?z", "a?b", "c?"]),
        ("{?a: b, c?: d?, e:f: g}", {"?a": "b", "c?": "d?", "e:f": "g"}),
        ('{"a":b, \'c\'::d, "e":"f:g"}', {"a": "b", "c": ":d", "e": "f:g"}),
        ("[a:b, 'c:d?', \"e:f?\", !!str g:h]", ["a:b", "c:d?", "e:f?", "g:h"]),
        ("[a:b, !<tag:yaml.org,2002:str> 1]", ["a:b", "1"]),
        ("%TAG !y! tag:yaml.org,2002:\n--- [a:b, !y!str 1]", ["a:b", "1"]),
        ('[a:b, "\\uE000\\uE001", \ue002]', ["a:b", "\ue000\ue001", "\ue002"]),
        ('[a:b, "\\ud83d\\ude02 c:d"]', ["a:b", "\U0001f602 c:d"]),
        ("- [a:b]\n- |\n  c:d ?e\n- f:g?h # i:j\n", [["a:b"], "c:d ?e\n", "f:g?h"]),
        ("- ? a:b\n  : c\n- ? d\n- ? [e?]\n  : f", None),
    ],
)
def test_plain_text_in_brackets_by_yaml_1_2(text: str, value: Any) -> None:
    if value is None:
        assert [item.code for item in refuse(text)] == ["FLT1021"]
    else:
        assert read(text).value == value


def test_refusals_behind_text_with_a_colon_in_brackets() -> None:
    items = refuse("[a:b, c:d, 007, {e:f: 1, e:f: 2}]")
    assert [spelled(item) for item in items] == [
        "FLT1032 1:12-1:15 /2",
        "FLT1020 1:26-1:29 /3/e:f",
    ]
    span = items[1].related[0].place.span
    assert span is not None
    assert span.start == (1, 18)
    assert [spelled(item) for item in refuse("[a:b, c:d, 'e]")] == ["FLT1010 1:12-1:13"]


def test_equal_keys_are_one_object() -> None:
    value = read("- some_key: 1\n- some_key: 2\n- 'some_key': 3\n- \"some_key\": 4\n").value
    plain_1, plain_2, quoted_1, quoted_2 = (next(iter(item)) for item in value)
    assert plain_1 is plain_2
    assert quoted_1 is quoted_2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # numbers
        ("a: 007", ["FLT1032 1:4-1:7 /a"]),
        (
            "a: [00.5, -01, +00, 01e5, 00]",
            [
                "FLT1032 1:5-1:9 /a/0",
                "FLT1032 1:11-1:14 /a/1",
                "FLT1032 1:16-1:19 /a/2",
                "FLT1032 1:21-1:25 /a/3",
                "FLT1032 1:27-1:29 /a/4",
            ],
        ),
        (
            "a: [.nan, .NaN, .NAN]",
            [
                "FLT1033 1:5-1:9 /a/0",
                "FLT1033 1:11-1:15 /a/1",
                "FLT1033 1:17-1:21 /a/2",
            ],
        ),
        (
            "- .inf\n- -.Inf\n- +.INF",
            [
                "FLT1033 1:3-1:7 /0",
                "FLT1033 2:3-2:8 /1",
                "FLT1033 3:3-3:8 /2",
            ],
        ),
        ("a: 1e9999999999999999999", ["FLT1034 1:4-1:25 /a"]),
        ("a: 1e-9999999999999999999", ["FLT1034 1:4-1:26 /a"]),
        ("a: 0x" + "f" * 2000, ["FLT1034 1:4-1:2006 /a"]),
        # keys
        (
            "1: a\ntrue: b\nnull: c\n~: d\n0.5: e\n007: f\n.nan: g",
            [
                f"FLT1021 {line}:1-{line}:{column}"
                for line, column in enumerate((2, 5, 5, 2, 4, 4, 5), 1)
            ],
        ),
        ("a:\n  ? \n  : b", ["FLT1021 2:4-2:4 /a"]),
        ("a: {[b]: c, d: e}", ["FLT1021 1:5-1:18 /a"]),
        ("a: {{x}}", ["FLT1021 1:5-1:9 /a"]),
        ("? - b\n: c\nd: 007", ["FLT1021 1:3-1:6", "FLT1032 3:4-3:7 /d"]),
        ("? {b: {c: 1}}\n: [d, 007]", ["FLT1021 1:3-1:14", "FLT1032 2:7-2:10"]),
        ("&a 1: b", ["FLT1021 1:1-1:5"]),
        ("a: &x [1]\n*x : b", ["FLT1021 2:1-2:3"]),
        ("a:\n  <<: {b: c}", ["FLT1022 2:3-2:5 /a"]),
        ("a: 1\nb: 2\n'a': 3", ["FLT1020 3:1-3:4 /a"]),
        ("a: 1\n&x a: 2\n!!str a: 3", ["FLT1020 2:1-2:5 /a", "FLT1020 3:1-3:8 /a"]),
        ("a: &k b\nc: {b: 1, *k : 2}", ["FLT1020 2:11-2:13 /c/b"]),
        # tags
        ("a: !!set {b}", ["FLT1030 1:4-1:9 /a"]),
        ("a: !x b", ["FLT1030 1:4-1:6 /a"]),
        ("a: &y !x [b]", ["FLT1030 1:7-1:9 /a"]),
        ("!x a: b", ["FLT1030 1:1-1:3", "FLT1021 1:1-1:5"]),
        ("a: !h!x b", ["FLT1030 1:4-1:5"]),
        ("a: !!str, b", ["FLT1010 1:9-1:10"]),
        ("a: !!int x", ["FLT1031 1:4-1:9 /a"]),
        ("a: !", ["FLT1031 1:4-1:5 /a"]),
        ("a: !!int 1.0", ["FLT1031 1:4-1:9 /a"]),
        ("a: !!int '007'", ["FLT1032 1:4-1:9 /a"]),
        ("a: !!float .inf", ["FLT1033 1:4-1:11 /a"]),
        ("a: !!float 0x10", ["FLT1031 1:4-1:11 /a"]),
        ("a: !!bool yes", ["FLT1031 1:4-1:10 /a"]),
        ("a: !!null 0", ["FLT1031 1:4-1:10 /a"]),
        ("a: !!map b", ["FLT1031 1:4-1:9 /a"]),
        ("a: !!map [b]", ["FLT1031 1:4-1:9 /a"]),
        ("a: !!seq\n  b: c", ["FLT1031 1:4-1:9 /a"]),
        ("a: !!str [b]", ["FLT1031 1:4-1:9 /a"]),
        # aliases
        ("a: *b", ["FLT1043 1:4-1:6 /a"]),
        ("*b", ["FLT1043 1:1-1:3"]),
        ("a: *b\nb: &b 1", ["FLT1043 1:4-1:6 /a"]),
        ("a: &a [*a]", ["FLT1042 1:8-1:10 /a/0"]),
        ("&a {b: [c, {d: *a}]}", ["FLT1042 1:16-1:18 /b/1/d"]),
        # documents
        ("a: 1\n---\nb: 2", ["FLT1012 2:1-2:4"]),
        ("a: 1\n...\nb: 2", ["FLT1012 3:1-3:2"]),
        ("", ["FLT1013 1:1-1:1"]),
        ("# only this\n", ["FLT1013 1:1-1:1"]),
        ("---\n", ["FLT1013 1:1-1:1"]),
        ("--- # nothing\n...\n", ["FLT1013 1:1-1:1"]),
        ("...\n", ["FLT1013 1:1-1:1"]),
        ("%YAML 1.1\n---\na: 1", ["FLT1014 1:1-1:10"]),
        ("%YAML 1.2#x\n---\na: 1", ["FLT1014 1:1-1:12"]),
        ("%YAML 1.3\n---\na: 1", ["FLT1014 1:1-1:10"]),
        ("%FOO bar\n---\na: 1", ["FLT1014 1:1-1:9"]),
        ("%YAML 1.2\na: 1", ["FLT1014 2:1-2:2"]),
    ],
)
def test_refused(text: str, expected: list[str]) -> None:
    items = refuse(text)
    assert [spelled(item) for item in items] == expected
    assert all(item.help for item in items)


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("a: 007", 'write 7, or quote it to keep the zeros: "007"'),
        ("a: -00.50", 'write -0.50, or quote it to keep the zeros: "-00.50"'),
        ("a: .inf", 'quote it if the text is meant: ".inf"'),
        ("1: a", 'quote it: "1"'),
        ("*a : b", "define &a first, or quote the text if it starts with '*'"),
    ],
)
def test_help_has_the_fix(text: str, help: str) -> None:
    assert refuse(text)[0].help == help


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # tabs
        ("a:\n\tb: 1", "FLT1011 2:1-2:2"),
        ("a: 1\n\tb: 1", "FLT1011 2:1-2:2"),
        ("a: |\n\tb\n", "FLT1011 2:1-2:2"),
        ("-\ta: 1\n", "FLT1011 1:2-1:3"),
        ("\ta: 1\n", "FLT1011 1:1-1:2"),
        ('a: "b\n\tc"\n', "FLT1011 2:1-2:2"),
        ("a: [b,\n\tc]\n", "FLT1011 2:1-2:2"),
        # the rest of the syntax
        ("a: b: c", "FLT1010 1:5-1:6"),
        ("a: 1\n b: 2", "FLT1010 2:2-2:3"),
        # told where it opens
        ("a: [1", "FLT1010 1:4-1:5"),
        ("a: [1\n\n\n", "FLT1010 1:4-1:5"),
        ("a: [1, [2]\nb: 3", "FLT1010 1:4-1:5"),
        ("a:\n  b: {c: 1\n  d: [2]\n", "FLT1010 2:6-2:7"),
        ("a:\n  b: {c: 1 # }\n  d: '}'\n", "FLT1010 2:6-2:7"),
        ("a: {b: [1\n  c: 2}", "FLT1010 2:3-2:4"),
        ('a: "b\nc: "d"\n', "FLT1010 1:4-1:5"),
        ("- 'a\n- 'b'\n", "FLT1010 1:3-1:4"),
        ("a: {b: 'c}\nd: 'e'\n", "FLT1010 1:8-1:9"),
        ("a: 1\n'b: 2\n", "FLT1010 2:1-2:2"),
        # closed, but not indented
        ("a: [1,\nb, 3]", "FLT1010 2:1-2:2"),
        ('a: "b\nc: d"\n', "FLT1010 2:1-2:2"),
        # behind the line's last value, not before the next line's first one
        ("a: [1\n  {b: 2}]", "FLT1010 1:6-1:7"),
        # a key whose ':' has no space
        ("a:1\nb: 2", "FLT1010 1:2-1:3"),
        ("a: 1\nb:2\nc: 3", "FLT1010 2:2-2:3"),
        ("- a:1\n  b: 2", "FLT1010 1:4-1:5"),
        ("a:'b'\nc: 2", "FLT1010 1:2-1:3"),
        ('a: 1\nb:{c: "2"}', "FLT1010 2:2-2:3"),
        ("a:{b: 1, c: 2}", "FLT1010 1:2-1:3"),
        ("http://a\nb: 2", "FLT1010 1:1-1:2"),
        # a key without ':'
        ('a {b: "1"}', "FLT1010 1:2-1:3"),
        ('a: 1\nb = "c"', "FLT1010 2:2-2:3"),
        ("a: 1\nb c\nd: 2", "FLT1010 2:1-2:2"),
        ("- b c\n  d: 2", "FLT1010 1:3-1:4"),
        # a key that is too deep
        ("- a: b\n   c: d", "FLT1010 2:4-2:5"),
        ("a:\n  b: c\n  d\n   e: f", "FLT1010 3:3-3:4"),
        # a ',' is missing
        ("a: {b: c d: e}", "FLT1010 1:10-1:11"),
        ("a: {b: 'c' d: e}", "FLT1010 1:12-1:13"),
        ("a: {b: c\n  d: e}", "FLT1010 2:3-2:4"),
        # a '-' is missing
        ("- a: b\nc: d", "FLT1010 2:1-2:2"),
        ("a:\n  - b\n  c: d", "FLT1010 3:3-3:4"),
        # a quote is missing, or too many
        ('a:\n  "b: c\n  d: {e: "f"}', "FLT1010 2:3-2:4"),
        ("a: {b: 'c,\n  d: 'e'}", "FLT1010 1:8-1:9"),
        ("a: 'b's c'", "FLT1010 1:6-1:7"),
        ('a: "b "c""', "FLT1010 1:7-1:8"),
        ("a: {{b: c}", "FLT1010 1:4-1:5"),
        ("a: {b: 1]", "FLT1010 1:9-1:10"),
        ("a: 'b", "FLT1010 1:4-1:5"),
        ('a: "b\n\n', "FLT1010 1:4-1:5"),
        ("a: 'b' c", "FLT1010 1:8-1:9"),
        ("- a\nb: c", "FLT1010 2:1-2:2"),
        ("a: @b", "FLT1010 1:4-1:5"),
        ("a: `b`", "FLT1010 1:4-1:5"),
        ("a: %b", "FLT1010 1:4-1:5"),
        ("a: - b", "FLT1010 1:4-1:5"),
        ("a: ? b", "FLT1010 1:4-1:5"),
        ("a: ]", "FLT1010 1:4-1:5"),
        ("a: *", "FLT1010 1:5-1:6"),
        ("a: &", "FLT1010 1:5-1:6"),
        ("a: |0\n b", "FLT1010 1:5-1:6"),
        ('a: "\\q"', "FLT1010 1:5-1:6"),
        ('a: "\\u12"', "FLT1010 1:5-1:6"),
        ('a: "\\U00110000"', "FLT1010 1:5-1:6"),
        ("a\nb: 1\nc", "FLT1010 1:1-1:2"),
        ("a: 1\nb\n", "FLT1010 2:1-2:2"),
        ("[a]\nb", "FLT1010 2:1-2:2"),
        # accepted by libyaml, but not YAML 1.2, or read differently by others
        ("a: [b]#c", "FLT1010 1:7-1:8"),
        ("a: [b,#c\n d]", "FLT1010 1:7-1:8"),
        ("a: 'b'#c", "FLT1010 1:7-1:8"),
        ("a: |#c\n  b", "FLT1010 1:5-1:6"),
        ("a: >-#c\n  b", "FLT1010 1:6-1:7"),
        ("a: &b c\n*b: d", "FLT1010 2:3-2:4"),
        ("a: |\n   \n # b\n", "FLT1010 1:4-1:5"),
    ],
)
def test_syntax_errors(text: str, expected: str) -> None:
    (item,) = refuse(text)
    assert item.place.span is not None
    assert spelled(item) == expected
    assert item.help


@pytest.mark.parametrize(
    "text",
    [
        "a: b#c",
        "a: '[]#'",
        'a: "x,#y"',
        "a: b # c,#d [#e ]#f",
        "# [#a\n# ,#b\nc: d",
        "a: [b, # ,#c\n d]",
        'a: |\n  [#b ]#c\n  "#d\n',
        "a: |-\n  b\n",
        "a: | # b,#c\n  d\n",
        "a: b?c ?d",
        "a: 'is {?x} or [?y]'",
        "a: |\n  [?x]\n",
        "a: &b [&c d]\ne: [*b, *c]",
        "a: 'x &b:c *d:e'",
        "a: b &c:d *e",
        "a: |2\n     \n  # b\n",
        "a: >\n\n  # b\n",
        "a: |\n     \nb: 1\n",
        "- |\n  \n  # b\n",
        "a: 'b\n  \tc'",
        "a: |2\n  \tb\n",
        "a:\t1\t# x\n",
        '{\n\t"a": [\n\t\t1\n\t]\n}\n',
        "'a\n\tb'",
    ],
)
def test_what_only_looks_like_a_laxity(text: str) -> None:
    read(text)


def test_a_syntax_error_keeps_what_was_found_before() -> None:
    items = refuse("a: 007\na: 1\nb: 'c\n")
    assert [spelled(item) for item in items] == [
        "FLT1032 1:4-1:7 /a",
        "FLT1020 2:1-2:2 /a",
        "FLT1010 3:4-3:5",
    ]


def test_where_the_construct_started() -> None:
    (item,) = refuse("a:\n  - [1,\n  2]\nb: 3\n")
    (related,) = item.related
    assert related.message == "the list starts here"
    assert related.place.span is not None
    assert related.place.span.start == (2, 5)


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("a:\n    b: 1\n  c: 2\n", "indent it by 0 spaces, like the map, or by 4"),
        ("a:\n  - - b\n   - c\n", "indent it by 2 spaces, like the list, or by 4"),
        (" a: {b: 1}\n  c: 2\n", "indent it by 1 space, like the map"),
        ("a:\n  b: 1\n- c\n", "remove the `- `, or indent the item below the key"),
    ],
)
def test_how_deep_to_indent(text: str, help: str) -> None:
    (item,) = refuse(text)
    assert item.help.startswith(help)


def test_each_duplicate_knows_where_the_key_stood_first() -> None:
    items = refuse("x: {k: 1}\nx:\n  k: 1\n  j: 2\n  k: {k: 1, 'k': 2}\n")
    firsts = []
    for item in items:
        assert item.related[0].message == "first defined here"
        span = item.related[0].place.span
        assert span is not None
        firsts.append((spelled(item), span.start))
    assert firsts == [
        ("FLT1020 2:1-2:2 /x", (1, 1)),
        ("FLT1020 5:3-5:4 /x/k", (3, 3)),
        ("FLT1020 5:13-5:16 /x/k/k", (5, 7)),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\nb: 4", ['3:1 "a" and "b"']),
        ("a: 1\nb: 2\na: 3\nc: 4\nb: 5", ['3:1 "a"', '5:1 "b"']),
        ("a: {k: 1, k: 2}\nb: 2\na: {b: 1}\nb: 4", ['1:11 "k"', '3:1 "a" and "b"']),
        ("a: 1\na: 2\na: 3", ['2:1 "a"', '3:1 "a"']),
        ("{a: 1, b: 2, c: 3, d: 4, e: 5, a: 1, b: 2, c: 3, d: 4, e: 5}",
         ['1:32 "a", "b", "c" and 2 more']),
    ],
)  # fmt: skip
def test_repeated_keys_that_follow_each_other_are_one_mistake(
    text: str, expected: list[str]
) -> None:
    found = []
    for item in refuse(text):
        assert item.code == "FLT1020"
        assert item.place.span is not None
        names = re.sub("^the keys? | stands? twice in one map$", "", item.message)
        found.append(f"{item.place.span.start.line}:{item.place.span.start.column} {names}")
    assert found == expected


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("a:\t007", (1, 4)),
        ("é: 007", (1, 4)),
        ("漢字: 007", (1, 5)),
        ("😀: 007", (1, 4)),
        ("a: 1\r\nb: 007\r\n", (2, 4)),
        ("a: |\r\n  x\r\n  y\r\nb: 007\r\n", (4, 4)),
        ("a: 1\rb: 007\nc: 1", (1, 9)),  # a lone carriage return ends no line of a Source
        ("a: 1\rb: 1\nc: 007", (2, 4)),
        ("a: 😀\nb: '😀😀' #\nc: [😀, 007]", (3, 8)),
    ],
)
def test_positions_count_characters(text: str, start: tuple[int, int]) -> None:
    (item,) = refuse(text)
    assert item.place.span is not None
    assert item.place.span.start == start


def test_odd_numbers() -> None:
    document = read(
        "plain: [0, -0, 12, 0.30, -1.0, '.5']\n"
        "odd: {a: 1e3, b: .5, c: 5., d: 0x10, e: 0o7, f: +1, g: [1E-3, {h: -.5}]}\n"
        "tagged: !!float '1e1'\n"
        "text: !!str 1e3\n"
    )
    assert {format_pointer(key): text for key, text in document.odd_numbers.items()} == {
        "/odd/a": "1e3",
        "/odd/b": ".5",
        "/odd/c": "5.",
        "/odd/d": "0x10",
        "/odd/e": "0o7",
        "/odd/f": "+1",
        "/odd/g/0": "1E-3",
        "/odd/g/1/h": "-.5",
        "/tagged": "1e1",
    }


def test_odd_number_at_the_root_and_behind_a_repeated_spelling() -> None:
    assert read("1e3").odd_numbers == {(): "1e3"}
    assert read("[1e3, 1e3, 1]").odd_numbers == {(0,): "1e3", (1,): "1e3"}


def test_odd_numbers_stand_at_each_alias_too() -> None:
    document = read(
        "a: &a [1e3, &b {c: .5}, 7]\n"
        "d: *a\n"
        "e: [0, {f: *b}]\n"
        "g: &g {h: *a, i: +1}\n"
        "j: *g\n"
        "k: &k 0x1\n"
        "l: *k\n"
    )
    assert {format_pointer(key): text for key, text in document.odd_numbers.items()} == {
        "/a/0": "1e3",
        "/a/1/c": ".5",
        "/d/0": "1e3",
        "/d/1/c": ".5",
        "/e/1/f/c": ".5",
        "/g/h/0": "1e3",
        "/g/h/1/c": ".5",
        "/g/i": "+1",
        "/j/h/0": "1e3",
        "/j/h/1/c": ".5",
        "/j/i": "+1",
        "/k": "0x1",
        "/l": "0x1",
    }


def test_aliases_stand_for_values() -> None:
    value = read("a: &x {b: [1, 2]}\nc: *x\nd: &x 5\ne: *x\nf: &t text\ng: *t\n").value
    assert value["c"] == {"b": [1, 2]}
    assert value["e"] == 5
    assert value["g"] == "text"


def test_billion_laughs() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 40)]
    items = refuse("\n".join(lines))
    assert [spelled(item) for item in items] == ["FLT1041 4:45-4:48 /a3/7"]


def test_the_alias_limit_is_exact() -> None:
    block = "a: &a [" + ", ".join(["x"] * 99) + "]\n"  # 100 values
    assert len(read(block + "b: [" + ", ".join(["*a"] * 100) + "]").value["b"]) == 100
    (item,) = refuse(block + "b: [" + ", ".join(["*a"] * 101) + "]")
    assert spelled(item).startswith("FLT1041")


def test_many_aliases_of_something_large_cost_no_time() -> None:
    large = "a: &a [" + "x, " * 20_000 + "]\n"
    items = refuse(large + "b: [" + "*a, " * 20_000 + "]")
    assert [item.code for item in items] == ["FLT1041"]


def test_nesting() -> None:
    assert read("[" * 128 + "]" * 128)
    assert [spelled(item) for item in refuse("[" * 129 + "]" * 129)] == [
        "FLT1040 1:129-1:259 " + "/0" * 128
    ]
    assert read("".join("  " * n + "a:\n" for n in range(128)))
    (item,) = refuse("".join("  " * n + "a:\n" for n in range(128)) + "  " * 128 + "a: 1\n")
    assert item.code == "FLT1040"
    assert [item.code for item in refuse("[" * 200_000)] == ["FLT1040"]
    assert [item.code for item in refuse("- " * 100_000 + "a")] == ["FLT1040"]


def test_nesting_counts_aliases_with_their_depth() -> None:
    text = "a: &a " + "[" * 100 + "]" * 100 + "\nb: "
    read(text + "[" * 27 + "*a" + "]" * 27)  # the map, 27 lists, 100 lists
    (item,) = refuse(text + "[" * 28 + "*a" + "]" * 28)
    assert spelled(item) == "FLT1040 2:32-2:34 /b" + "/0" * 28


def test_refusals_are_not_endless() -> None:
    assert len(refuse("[" + "007, " * 20_000 + "]")) == 10_000


@given(st.text(alphabet="ab01.-+:#?!&*|>'\"[]{},\\ \n\tu", max_size=30))
def test_any_text_is_read_or_refused_with_places(text: str) -> None:
    bag = Bag()
    document = read_yaml(Source("a.yaml", text), bag)
    assert (document is None) == bool(bag.items)
    lines = text.split("\n")
    for item in bag:
        assert item.place.span is not None
        line, column = item.place.span.start
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inside: (
            st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside, max_size=4)
        ),
        max_leaves=20,
    )
)
def test_json_is_yaml(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=1)):
        assert typed(read(text).value) == typed(value)
