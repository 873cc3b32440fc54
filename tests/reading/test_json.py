from __future__ import annotations

import json
import sys
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.model import Bag, Diagnostic
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.json import FAILED, StrictJson, read_json
from fleet_contracts.reading.numbers import NumberText
from fleet_contracts.source import Position, Source
from reading_kit import spelled


def read(text: str) -> Any:
    bag = Bag()
    document = read_json(Source("a.json", text), bag)
    assert document is not None, bag.items
    assert not bag.items
    assert document.odd_numbers == {}
    return document.value


def refuse(text: str) -> list[Diagnostic]:
    bag = Bag()
    assert read_json(Source("a.json", text), bag) is None
    assert bag.items
    return bag.items


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        (" true\r\n", True),
        ("\tfalse ", False),
        ('""', ""),
        ("[]", []),
        ("{}", {}),
        ('{"": {"a": [1, "1", null]}}', {"": {"a": [NumberText("1"), "1", None]}}),
        (r'"\"\\\/\b\f\n\r\t\u00e4\u0000"', '"\\/\b\f\n\r\tä\0'),
        (r'"\ud83d\ude02\uDBFF\uDFFF"', "😂\U0010ffff"),
        (r'"\\ud83d"', r"\ud83d"),
        (r'{"\\udc00": "\\\\udc00"}', {r"\udc00": r"\\udc00"}),
        ('"\u2028\u202e\x7f\ufeff"', "\u2028\u202e\x7f\ufeff"),
    ],
)
def test_values(text: str, value: Any) -> None:
    assert read(text) == value


def test_keys_that_look_alike_are_different() -> None:
    assert list(read('{"a": 1, "A": 2, "é": 3, "e\u0301": 4}')) == ["a", "A", "é", "e\u0301"]


NUMBERS = """
    0 -0 1 -1 0.0 -0.0 0.30 1.0 1e2 1E2 1e+2 1e-2 1.50e-7 12345678901234567890
    9007199254740993 0.1000000000000000055511151231257827 1e400 -1e-400 1e999999999999999999
"""


@pytest.mark.parametrize("text", NUMBERS.split())
def test_numbers_keep_their_spelling(text: str) -> None:
    assert read(f"[{text}]") == [NumberText(text)]
    assert read(text) == NumberText(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.30", Decimal("0.30")),
        ("1.0", 1),
        ("-0.0", 0),
        ("1e2", 100),
        ("25e-2", Decimal("0.25")),
        ("9007199254740993", 9007199254740993),
        ("0.1000000000000000055511151231257827", Decimal("0.1000000000000000055511151231257827")),
    ],
)
def test_numbers_are_exact(text: str, value: int | Decimal) -> None:
    number = read(text).to_number()
    assert (type(number), number) == (type(value), value)


def test_a_number_with_very_many_digits() -> None:
    digits = "9" * (sys.get_int_max_str_digits() + 1)
    assert read(digits).to_number() == Decimal(digits)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "FLT1050 1:1-1:2"),
        ("  ", "FLT1050 1:3-1:4"),
        ("nul", "FLT1050 1:1-1:2"),
        ("{'a': 1}", "FLT1050 1:2-1:3"),
        ("{a: 1}", "FLT1050 1:2-1:3"),
        ('{"a" 1}', "FLT1050 1:6-1:7"),
        ('{"a":}', "FLT1050 1:6-1:7"),
        ("[1 2]", "FLT1050 1:4-1:5"),
        ("[1", "FLT1050 1:3-1:4"),
        ('[\n  1,\n  "ä" x\n]', "FLT1050 3:7-3:8"),
        ("1 2", "FLT1050 1:3-1:4"),
        ("{} {}", "FLT1050 1:4-1:5"),
        ('["a', "FLT1050 1:2-1:3"),
        ('["a\n"]', "FLT1050 1:4-1:5"),
        ('["a\tb"]', "FLT1050 1:4-1:5"),
        (r'["\x41"]', "FLT1050 1:3-1:4"),
        (r'["\u12"]', "FLT1050 1:4-1:5"),
        ("// no\n1", "FLT1050 1:1-1:2"),
        ("\ufeff1", "FLT1050 1:1-1:2"),
        ("\f1", "FLT1050 1:1-1:2"),
        ("1\u00a0", "FLT1050 1:2-1:3"),
    ],
)
def test_what_is_not_json(text: str, expected: str) -> None:
    (item,) = refuse(text)
    assert spelled(item) == expected
    assert item.message
    assert item.help


@pytest.mark.parametrize("text", ["[1,]", '{"a": 1,}', "[,1]"])
def test_commas_that_separate_nothing(text: str) -> None:
    (item,) = refuse(text)
    assert item.code == "FLT1050"


OTHER_NUMBERS = "01 -01 +1 .5 5. 1e 1e+ -.5 0x10 1_000 -"


@pytest.mark.parametrize("text", OTHER_NUMBERS.split())
def test_numbers_of_other_languages(text: str) -> None:
    for written in (text, f"[{text}]", f'{{"a": {text}}}'):
        assert [item.code for item in refuse(written)] == ["FLT1050"]


def test_duplicate_keys_name_both_places() -> None:
    text = '{"a": {"b": 1,\n  "c": 2, "b": 3},\n "a/b": [{"\\u0061": 1, "a": 2, "a": 3}]}'
    items = refuse(text)
    assert [spelled(item) for item in items] == [
        "FLT1020 2:11-2:14 /a/b",
        "FLT1020 3:24-3:27 /a~1b/0/a",
        "FLT1020 3:32-3:35 /a~1b/0/a",
    ]
    assert {item.place.at for item in items} == {"key"}
    firsts = [item.related[0].place.span for item in items]
    assert [span.start for span in firsts if span] == [
        Position(1, 8),
        Position(3, 11),
        Position(3, 11),
    ]


def test_equal_keys_in_different_maps() -> None:
    assert read('[{"a": 1}, {"a": {"a": 2}}]') == [
        {"a": NumberText("1")},
        {"a": {"a": NumberText("2")}},
    ]


def test_constants_that_are_not_json() -> None:
    items = refuse('[NaN, {"NaN": Infinity}, "NaN",\n -Infinity]')
    assert [spelled(item) for item in items] == [
        "FLT1033 1:2-1:5 /0",
        "FLT1033 1:15-1:23 /1/NaN",
        "FLT1033 2:2-2:11 /3",
    ]
    assert spelled(refuse("NaN")[0]) == "FLT1033 1:1-1:4"
    assert refuse("[-NaN]")[0].code == "FLT1050"


def test_exponents_that_no_decimal_holds() -> None:
    items = refuse('{"a": [1e9999999999999999999, 1], "b": -1e-9999999999999999999}')
    assert [spelled(item) for item in items] == [
        "FLT1034 1:8-1:29 /a/0",
        "FLT1034 1:40-1:63 /b",
    ]
    assert read("0e9999999999999999999").to_number() == 0


def test_lone_surrogates() -> None:
    items = refuse('["\\ud83d", {"\\ude02\\ud83d": "\\\\\\udC00"},\n"\\ud83d\\ude02\\ud83d"]')
    assert [spelled(item) for item in items] == [
        "FLT1005 1:3-1:9",
        "FLT1005 1:14-1:20",
        "FLT1005 1:20-1:26",
        "FLT1005 1:32-1:38",
        "FLT1005 2:14-2:20",
    ]


def test_several_kinds_of_mistakes_at_once() -> None:
    items = refuse('{"a": NaN, "a": "\\ud800", "b": 1e9999999999999999999}')
    assert sorted(item.code for item in items) == ["FLT1005", "FLT1020", "FLT1033", "FLT1034"]


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    read(opening * 128 + "1" + closing * 128)
    (item,) = refuse(opening * 129 + "1" + closing * 129)
    assert item.code == "FLT1040"
    assert item.place.span is not None
    assert item.place.span.start == Position(1, 128 * len(opening) + 1)
    assert len(item.place.pointer) == 128


@pytest.mark.parametrize("closing", ["", "]"])
def test_depth_beyond_the_parser(closing: str) -> None:
    (item,) = refuse("[" * 200_000 + closing * 200_000)
    assert item.code == "FLT1040"


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert len(read("[" + "[[]]," * 1000 + "1]")) == 1001
    assert read(json.dumps("[" * 1000)) == "[" * 1000


def test_byte_order_mark() -> None:
    source = decode(b'\xef\xbb\xbf{"a": NaN}', "a.json", Bag())
    assert source is not None
    bag = Bag()
    assert read_json(source, bag) is None
    assert [spelled(item) for item in bag] == ["FLT1033 1:7-1:10 /a"]


def test_one_line_of_a_file() -> None:
    bag = Bag()
    parser = StrictJson("a.jsonl", bag)
    assert parser.parse('{"a": 1}', line=7) == {"a": NumberText("1")}
    assert parser.parse('{"a": 1, "a": 2}', line=8) is FAILED
    assert parser.parse("[NaN]", line=9) is FAILED
    assert parser.parse("[", line=10) is FAILED
    assert parser.parse("null", line=11) is None
    assert [spelled(item) for item in bag] == [
        "FLT1020 8:10-8:13",
        "FLT1033 9:2-9:5",
        "FLT1050 10:2-10:3",
    ]
    (related,) = bag.items[0].related
    assert related.place.span is not None
    assert related.place.span.start == Position(8, 2)


def test_a_stack_that_is_full_is_not_a_mistake_of_the_text() -> None:
    def descend() -> Any:
        try:
            return descend()
        except RecursionError:
            return read_json(Source("a.json", "[" * 100 + "]" * 100), Bag())

    try:
        document = descend()
    except RecursionError:
        return
    assert document is not None


def with_numbers(value: Any) -> Any:
    """Return what the standard library read with numbers as they are spelled."""
    if isinstance(value, dict):
        return {key: with_numbers(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [with_numbers(inside) for inside in value]
    if type(value) in (int, float):
        return NumberText(json.dumps(value))
    return value


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=20,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_what_the_standard_library_writes(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert read(text) == with_numbers(value)


TOKENS = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"a"',
        '"b"',
        '"\\ud800"',
        "1",
        "NaN",
        "null",
        " ",
        "\n",
        "x",
        '"',
    ]
)


@given(st.lists(TOKENS, max_size=25).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    bag = Bag()
    document = read_json(Source("a.json", text), bag)
    assert (document is None) == bool(bag.items)
    for item in bag:
        assert item.place.span is not None
        (line, column), _ = item.place.span
        lines = text.split("\n")
        assert 1 <= column <= len(lines[line - 1]) + 1
