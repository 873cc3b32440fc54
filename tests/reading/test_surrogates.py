r"""Surrogate pairs as JSON writes them, which libyaml does not read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.reading.surrogates import lone_escapes, stand_in
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source
from reading_kit import find_spans


def read(text: str) -> Any:
    bag = Bag()
    document = read_yaml(Source("a.yaml", text), bag)
    assert document is not None, bag.items
    return document.value


def refuse(text: str) -> list[tuple[str, int, int, int]]:
    bag = Bag()
    assert read_yaml(Source("a.yaml", text), bag) is None
    found = []
    for item in bag:
        span = item.place.span
        assert span is not None
        found.append((item.code, span.start.line, span.start.column, span.end.column))
    return found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"\ud83d\ude02"', "😂"),
        (r'"\uD83D\uDE02"', "😂"),
        (r'"\uD83d\uDe02"', "😂"),
        (r'"a\ud83d\ude02\ud83d\ude02b\n"', "a😂😂b\n"),
        (r'"\udbff\udfff\ud800\udc00"', "\U0010ffff\U00010000"),
        # an escaped backslash is no escape
        (r'"\\ud83d\\ude02"', r"\ud83d\ude02"),
        (r'"\\\ud83d\ude02"', "\\😂"),
        (r'"\\\\ud83d \ud83d\ude02"', r"\\ud83d 😂"),
        (r'"\x5cud83d \ud83d\ude02"', r"\ud83d 😂"),
        # no escapes in any other kind of scalar
        (r"'\ud83d\ude02'", r"\ud83d\ude02"),
        (r"\ud83d\uDE02", r"\ud83d\uDE02"),
        (r"'\\ud83d\\\Ud83d'", r"\\ud83d\\\Ud83d"),
        ("|\n  \\ud83d \\uDBFF \\uDbFf\n  \\ude02\n", "\\ud83d \\uDBFF \\uDbFf\n\\ude02\n"),
        (">\n  \\ud83d\n  \\ude02\n", "\\ud83d \\ude02\n"),
        # beside characters that could stand in
        ('["\\ud83d\\ude02", "\ue83d", \ue900]', ["😂", "\ue83d", "\ue900"]),
        (r'["\ud83d\ude02", "\ue83d\uEA00", \ue83d]', ["😂", "\ue83d\uea00", r"\ue83d"]),
        (r'["\ud83d\ude02", "\U0000E83D"]', ["😂", "\ue83d"]),
        (r'["\ud83d\ude02", "\ue800\uf800\ua800"]', ["😂", "\ue800\uf800\ua800"]),
        (r'["\uD83D\ude02", "\ue800\uF800\uab00", \uDABC]',
         ["😂", "\ue800\uf800\uab00", r"\uDABC"]),
        # with escaped line breaks
        ('"\\ud83d\\ude02\\\n  \\ud83d\\ude02"', "😂😂"),
        ('"\\ud83d\\ude02\n  \\ud83d\\ude02"', "😂 😂"),
        # in keys
        (r'{"\ud83d\ude02": 1, \ud83d: 2}', {"😂": 1, r"\ud83d": 2}),
        ('["\\ud83d\\ude02"] # \\ud83d', ["😂"]),
        (r'&a "\ud83d\ude02"', "😂"),
        (r'!!str "\ud83d\ude02"', "😂"),
    ],
)  # fmt: skip
def test_pairs_are_read(text: str, value: Any) -> None:
    assert read(text) == value
    assert read(f"k: [1, {text}\n ]" if text[0] not in "|>&!" else f"k: {text}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'"\ud83d"', [("FLT1005", 1, 2, 8)]),
        (r'"\ude02\ud83d"', [("FLT1005", 1, 2, 8), ("FLT1005", 1, 8, 14)]),
        (r'"\ud83d\ud83d\ude02"', [("FLT1005", 1, 2, 8)]),
        ('a: "\\ud83d\\ude02"\nb: "x\n  \\uDFFF y"', [("FLT1005", 3, 3, 9)]),
        (r'"\ud83d \ude02"', [("FLT1005", 1, 2, 8), ("FLT1005", 1, 9, 15)]),
        (r'{"\ud83d": 1}', [("FLT1005", 1, 3, 9)]),
        (r'"\ud83d\\ude02"', [("FLT1005", 1, 2, 8)]),
        (r'"\U0000D83D"', [("FLT1010", 1, 2, 3)]),
        # keys are compared as they are read
        ('{"\\ud83d\\ude02": 1, "😂": 2}', [("FLT1020", 1, 21, 24)]),
        # places stay exact
        (r'["\ud83d\ude02", 007]', [("FLT1032", 1, 18, 21)]),
        (r'["\ud83d\ude02" x]', [("FLT1010", 1, 17, 18)]),
    ],
)
def test_refused(text: str, expected: list[tuple[str, int, int, int]]) -> None:
    assert refuse(text) == expected


def test_first_place_of_a_repeated_key() -> None:
    bag = Bag()
    read_yaml(Source("a.yaml", '{"😂": 1,\n "\\ud83d\\ude02": 2}'), bag)
    span = bag.items[0].related[0].place.span
    assert span is not None
    assert span.start == (1, 2)


def test_spans() -> None:
    source = Source("a.yaml", '{"\\ud83d\\ude02": ["\\ud83d\\ude02", 1]}')
    spans = find_spans(source, [(("😂", 1), "value"), (("😂",), "key")])
    assert spans[("😂", 1), "value"].start == (1, 35)
    assert spans[("😂",), "key"] == ((1, 2), (1, 16))


def test_all_stand_ins_in_use() -> None:
    text = r'"\ue800\uf800\ua800\ub800\uc800 \ud83d\ude02"'
    assert stand_in(text) is None
    assert read(text) == "\ue800\uf800\ua800\ub800\uc800 😂"  # by the grammar


def test_nothing_to_stand_in_for() -> None:
    assert stand_in("plain") is None
    assert stand_in(r"a\\ud83d") is None
    assert stand_in(r'"\ud7ff\ue000"') is None


def test_lone_escapes() -> None:
    text = r"\ud83d\ude02 \ud83d \\ud83d \ude02\ud83d"
    assert [text[start:end] for start, end in lone_escapes(text, 0, len(text))] == [
        r"\ud83d",
        r"\ude02",
        r"\ud83d",
    ]


def test_many_escapes_cost_no_more_than_few() -> None:
    text = json.dumps(["😂" * 50] * 2_000)
    assert read(text) == ["😂" * 50] * 2_000


texts = st.text(alphabet="ab\\\"'u\n\ud7ff\ue83d\ue000\uf8ff😂\U0010ffff", max_size=12)


@given(st.lists(texts, max_size=4), st.dictionaries(texts, texts, max_size=3))
def test_what_json_writes_is_read(items: list[str], entries: dict[str, str]) -> None:
    value = [items, entries]
    assert read(json.dumps(value)) == value
    assert read(json.dumps(value, indent=2)) == value


@given(st.text(alphabet="\\udDeE8f0c 3xX", max_size=40))
def test_blocks_of_text_are_untouched(text: str) -> None:
    assert read(f'- "\\ud83d\\ude02"\n- |\n  .{text}.\n') == ["😂", f".{text}.\n"]
    assert read(f"- \"\\ud83d\\ude02\"\n- '.{text}.'\n") == ["😂", f".{text}."]
