"""A part of a scalar is found at its own characters, in every style of YAML, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml.events import ScalarEvent

from fleet_contracts.diagnostics.model import Bag, Diagnostic, Part, Place
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.scalar_text import ScalarText
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.reading.yaml12.cursor import SyntaxProblem
from fleet_contracts.reading.yaml12.stream import StreamParser
from fleet_contracts.source import Source, Span


def span_of(text: str, part: Part, pointer: tuple[str, ...] = ("a",)) -> Span:
    """Return the span of a part of the text at a pointer."""
    item = Diagnostic("FLT3030", "m", Place("a.yaml", pointer, part=part))
    (found,) = resolve_places([item], {"a.yaml": Source("a.yaml", text)})
    assert found.place.span is not None
    return found.place.span


def value_of(text: str) -> str:
    source = decode(text.encode(), "a.yaml", Bag())
    document = read_yaml(source, Bag()) if source else None
    assert document is not None
    value: str = document.value["a"]
    return value


def stretch(text: str, span: Span) -> str:
    """Return the characters of a span."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    start, end = (starts[each.line - 1] + each.column - 1 for each in span)
    return text[start:end]


def marked(text: str, word: str = "${x}", count: int = 0) -> tuple[str, int]:
    """Return the characters found for an occurrence of a word in a value, and their line."""
    value, start = value_of(text), -1
    for _ in range(count + 1):
        start = value.index(word, start + 1)
    span = span_of(text, Part(start, start + len(word)))
    return stretch(text, span), span.start.line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: ${x}\n", 1),
        ("a: say ${x} twice\n", 1),
        ("a: one\n  two\n\n\n  and ${x}\n", 5),
        ("a: one\n  two ${x}   \n  three # four\n", 2),
        ("a:\n  ${x}\n", 2),
        ("a: '${x}'\n", 1),
        ("a: 'it''s ''${x}'''\n", 1),
        ("a: 'one  \n   two\n\n   it''s ${x}'\n", 4),
        ('a: "${x}"\n', 1),
        ('a: "\\u00e9\\x41\\U0001F602\\ud83d\\ude02\\t\\"\\/\\_ ${x}"\n', 1),
        ('a: "one \\\n   two \\\n\n   \\  three\n\n  ${x}"\n', 6),
        ("a: |\n  one\n\n    two\n  ${x}\n", 5),
        ("a: |-\n  ${x}\n# comment\nb: 1\n", 2),
        ("a: |+2 # comment\n     one\n   ${x}\n\n", 3),
        ("a: |\n\n\n  one\n   \n  \t${x}\n", 6),
        ("a: >\n  one\n  two\n\n\n  ${x}\n", 6),
        ("a: >-\n  one\n   two\n   ${x}\n  three\n", 4),
        ("a: >1\n  one\n two\n  ${x}\n", 4),
        ("a: &here !!str |\n  one\n  ${x}\n", 3),
        ("a: !!str &here 'one ${x}'\n", 1),
        ("a: |\r\n  one\r\n  ${x}\r\n", 3),
        ("a: >\r\n  one\r\n\r\n  ${x}\r\nb: 1\r\n", 4),
        ('{"b": 1, "a": "\\ud83d\\ude02 ${x}"}', 1),
        ("a: 漢😀 ${x}\n", 1),
        ("a: |\n  漢😀\n  é ${x}", 3),
    ],
)
def test_a_part_is_found_at_its_own_characters(text: str, line: int) -> None:
    assert marked(text) == ("${x}", line)


def test_the_right_one_of_several_is_found() -> None:
    text = "a: |\n  ${x} and ${x}\n  ${x}\n"
    assert [marked(text, count=each) for each in range(3)] == [
        ("${x}", 2),
        ("${x}", 2),
        ("${x}", 3),
    ]
    value = value_of(text)
    second = value.index("${x}", 1)
    assert span_of(text, Part(second, second + 4)).start == (2, 12)


def test_a_part_may_hold_escapes_and_line_breaks() -> None:
    assert marked("a: 'b ${x | c:''d''} e'\n", "${x | c:'d'}") == ("${x | c:''d''}", 1)
    assert marked('a: "b ${\\x78} e"\n') == ("${\\x78}", 1)
    assert marked("a: |\n  b ${x |\n    c}\n", "${x |\n  c}") == ("${x |\n    c}", 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("b: &b one ${x}\na: *b\n", "*b"),  # told where it is used
        ("a: [1]\n", "[1]"),
        ("a: 1\n", "1"),
    ],
)
def test_what_is_no_text_here_is_marked_whole(text: str, expected: str) -> None:
    assert stretch(text, span_of(text, Part(4, 8))) == expected


def test_a_part_of_nothing_is_marked_where_it_would_be() -> None:
    assert stretch("a: 1\n", span_of("a: 1\n", Part(0, 1), ("a", "b"))) == "1"


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12))
def test_any_text_before_a_part_in_json(before: str) -> None:
    for ascii_only in (True, False):
        text = json.dumps({"a": f"{before}\t\n\\ ${{x}}"}, ensure_ascii=ascii_only)
        start = len(before) + 4
        assert stretch(text, span_of(text, Part(start, start + 4))) == "${x}"


def test_the_yaml_test_suite_is_read_again_as_it_was(cases_dir: Path) -> None:
    cases = json.loads((cases_dir / "yaml-test-suite" / "cases.json").read_text("utf-8"))
    found = 0
    for case in cases:
        text = case["yaml"].removesuffix("\n") + "\n"
        try:
            events = list(StreamParser(text, None).events())
        except SyntaxProblem:
            continue
        for event in events:
            if not isinstance(event, ScalarEvent) or not event.value.strip("\n"):
                continue
            span = (event.start_mark.index, event.end_mark.index)
            scalar = ScalarText(text, span, event.style, event.value)
            assert scalar.stretch(Part(0, len(event.value.rstrip("\n")))), (case["id"], event)
            found += 1
    assert found > 500
