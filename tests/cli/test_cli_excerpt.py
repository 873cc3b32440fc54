"""The source line of a diagnostic and the carets under it."""

from __future__ import annotations

import unicodedata

import pytest

from fleet_contracts.diagnostics.excerpt import MOST_COLUMNS, Excerpts
from fleet_contracts.diagnostics.model import Diagnostic, Place, Related
from fleet_contracts.diagnostics.text import TextStyle, count_text, render_text
from fleet_contracts.source import Position, Source, Span


def source_of(text: str) -> Source:
    return Source("a.yaml", text)


def excerpt(text: str, start: tuple[int, int], end: tuple[int, int]) -> tuple[str, str] | None:
    span = Span(Position(*start), Position(*end))
    return Excerpts({"a.yaml": source_of(text)}).excerpt("a.yaml", span)


def marked(text: str, start: tuple[int, int], end: tuple[int, int]) -> tuple[str, str]:
    found = excerpt(text, start, end)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "carets"),
    [
        ("key: value", 6, 11, "key: value", "     ^^^^^"),
        ("key: value", 6, 6, "key: value", "     ^"),
        ("\tkey: v", 7, 8, "    key: v", "         ^"),
        ("a\tb", 2, 3, "a    b", " ^^^^"),
        ("键: 值", 4, 5, "键: 值", "    ^^"),
        ("한: x", 4, 5, "한: x", "    ^"),
        ("😀: x", 4, 5, "😀: x", "    ^"),
        ("e\u0301: x", 5, 6, "e\u0301: x", "   ^"),
        ("ก\u0e31: x", 5, 6, "ก\u0e31: x", "   ^"),
        ("❤\ufe0f: x", 5, 6, "❤: x", "   ^"),
        ("a\u200bb: x", 4, 5, "a·b: x", "   ^"),
        ("a\u202eb", 2, 3, "a·b", " ^"),
        ("a\x1b[31mb", 2, 3, "a·[31mb", " ^"),
        ("key: v", 99, 120, "key: v", "      ^"),
        ("", 1, 1, "", "^"),
    ],
)
def test_carets(line: str, start: int, end: int, shown: str, carets: str) -> None:
    assert marked(line + "\nmore", (1, start), (1, end)) == (shown, carets)


def test_lines() -> None:
    text = "one\r\ntwo: 2\r\nthree"
    assert marked(text, (2, 1), (2, 4)) == ("two: 2", "^^^")
    assert marked(text, (2, 6), (3, 2)) == ("two: 2", "     ^")
    assert marked(text, (1, 4), (2, 1)) == ("one", "   ^")
    assert excerpt(text, (4, 1), (4, 2)) is None
    span = Span(Position(1, 1), Position(1, 2))
    assert Excerpts({}).excerpt("a.yaml", span) is None


@pytest.mark.parametrize("column", [1, 30, 100, 5_000, 9_990])
def test_long_lines_are_cut_around_the_span(column: int) -> None:
    line = "".join(chr(ord("a") + index % 26) for index in range(10_000))
    shown, carets = marked(line, (1, column), (1, column + 3))
    assert len(shown) <= MOST_COLUMNS + 2
    start = carets.index("^")
    assert shown[start : start + 3] == line[column - 1 : column + 2]
    assert shown.startswith("…") is (column > 41)
    assert shown.endswith("…") is (column < 9_900)


def test_span_wider_than_the_excerpt() -> None:
    shown, carets = marked("x" * 500, (1, 201), (1, 401))
    assert len(carets) <= len(shown)
    assert carets.count("^") == 80


def rendered(item: Diagnostic, text: str, *, colours: bool = False) -> list[str]:
    style = TextStyle(colours, lambda name: name)
    return list(render_text([item], {"a.yaml": source_of(text)}, style))


def test_whole_diagnostic() -> None:
    span = Span(Position(12, 3), Position(12, 6))
    related = (Related("first defined here", Place("b.yaml", ("x",))),)
    item = Diagnostic("FLT2010", "found 'x'", Place("a.yaml", ("a", 0), span=span), "go", related)
    assert rendered(item, "\n" * 11 + "- bad: 1") == [
        "a.yaml:12:3: error[FLT2010]: found 'x'",
        "   |",
        "12 | - bad: 1",
        "   |   ^^^",
        "   = at /a/0",
        "   = help: go",
        "   = first defined here: b.yaml",
    ]


def test_without_a_span() -> None:
    item = Diagnostic("FLT5010", "kept", Place("a.yaml"))
    assert rendered(item, "text") == ["a.yaml: note[FLT5010]: kept"]


def test_colours_go_round_and_not_into_the_text() -> None:
    span = Span(Position(1, 1), Position(1, 2))
    item = Diagnostic("FLT2010", "found", Place("a.yaml", ("k",), span=span), "go")
    plain = rendered(item, "k: v")
    painted = rendered(item, "k: v", colours=True)
    assert painted != plain
    for line, bare in zip(painted, plain, strict=True):
        assert "\x1b[" in line
        for code in ("\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[1;31m"):
            line = line.replace(code, "")  # noqa: PLW2901 - taken apart step by step
        assert line == bare


def test_what_a_document_says_cannot_drive_a_terminal() -> None:
    place = Place("a\x1b]0;x\x07.yaml", ("k\x1b[2J\n",))
    related = (Related("see\r", Place("b\x9b.yaml")),)
    item = Diagnostic("FLT2010", "found\x1b[31m", place, "go\u202e", related)
    lines = rendered(item, "k: v")
    assert all(unicodedata.category(each) != "Cc" for line in lines for each in line)
    assert lines[0] == r"a\x1b]0;x\x07.yaml: error[FLT2010]: found\x1b[31m"
    assert r"at /k\x1b[2J\n" in lines[1]
    assert lines[2].endswith(r"go\u202e")
    assert lines[3].endswith(r"see\r: b\x9b.yaml")


@pytest.mark.parametrize(
    ("errors", "warnings", "hidden", "strict", "text"),
    [
        (0, 0, 0, "", ""),
        (0, 0, 0, "--strict", ""),
        (1, 0, 0, "", "1 error"),
        (1, 0, 0, "--strict", "1 error"),
        (2, 1, 0, "", "2 errors, 1 warning"),
        (0, 2, 0, "--strict", "2 warnings; warnings fail because of --strict"),
        (
            *(0, 1500, 1452, "FLEET_STRICT"),
            "1,500 warnings (1,452 not shown; --max-errors 0 shows all);"
            " warnings fail because of FLEET_STRICT",
        ),
        # The errors fail by themselves.
        (1, 2, 0, "--strict", "1 error, 2 warnings"),
    ],
)
def test_counts(errors: int, warnings: int, hidden: int, strict: str, text: str) -> None:
    place = Place("a.yaml")
    items = [Diagnostic("FLT2010", "found", place)] * errors
    items += [Diagnostic("FLT2004", "found", place)] * warnings
    items += [Diagnostic("FLT5010", "kept", place)]
    assert count_text(items, len(items) - hidden, strict) == text
