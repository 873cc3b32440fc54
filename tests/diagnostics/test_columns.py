"""Columns: of terminals, for carets, and in UTF-16 units, for editors."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.excerpt import CONTEXT, MOST_COLUMNS, Excerpts
from fleet_contracts.source import Lines, Position, Source, Span, utf16_column


def marked(line: str, start: int, end: int) -> tuple[str, str]:
    span = Span(Position(1, start), Position(1, end))
    found = Excerpts({"a.yaml": Source("a.yaml", line)}).excerpt("a.yaml", span)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "carets"),
    [
        pytest.param("名前: x", 5, 6, "名前: x", "      ^", id="wide"),
        pytest.param("名前: x", 1, 3, "名前: x", "^^^^", id="under-wide"),
        pytest.param("ｱｲ: x", 5, 6, "ｱｲ: x", "    ^", id="halfwidth"),
        pytest.param("ＡＢ: x", 5, 6, "ＡＢ: x", "      ^", id="fullwidth"),
        pytest.param("e\u0301\u0302: x", 6, 7, "e\u0301\u0302: x", "   ^", id="two-marks"),
        pytest.param("e\u0301: x", 1, 3, "e\u0301: x", "^", id="under-mark"),
        pytest.param("ae\u0301: x", 3, 4, "ae\u0301: x", " ^", id="mark-alone"),
        pytest.param("\u1112\u1161\u11ab: x", 6, 7, "\u1112\u1161\u11ab: x", "    ^", id="jamo"),
        pytest.param("❤\ufe0f: x", 5, 6, "❤: x", "   ^", id="emoji-of-sign"),
        pytest.param("☎\ufe0e: x", 5, 6, "☎: x", "   ^", id="sign-of-emoji"),
        pytest.param("1\ufe0f\u20e3: x", 6, 7, "1\u20e3: x", "   ^", id="keycap"),
        pytest.param("👩\u200d🚀: x", 6, 7, "👩·🚀: x", "       ^", id="joined"),
        pytest.param("👍🏽: x", 5, 6, "👍·: x", "     ^", id="skin"),
        pytest.param("🇩🇪: x", 5, 6, "🇩🇪: x", "    ^", id="flag"),
        pytest.param("葛\U000e0100: x", 5, 6, "葛: x", "    ^", id="ideographic-variation"),
        pytest.param("a\u00a0b\u3000c: x", 8, 9, "a·b·c: x", "       ^", id="other-spaces"),
        pytest.param("\ufeffa\u200d\u2060: x", 7, 8, "·a··: x", "      ^", id="invisible"),
        pytest.param("\u0378\ue000\U0010ffff: x", 6, 7, "···: x", "     ^", id="unassigned"),
        pytest.param("\t\tk: x", 6, 7, "        k: x", "           ^", id="tabs"),
        pytest.param("a: 键", 5, 5, "a: 键", "     ^", id="empty-at-end"),
        pytest.param("a: 键", 99, 99, "a: 键", "     ^", id="past-the-end"),
        pytest.param("a: 键", 4, 4, "a: 键", "   ^", id="empty-before-wide"),
    ],
)
def test_carets(line: str, start: int, end: int, shown: str, carets: str) -> None:
    assert marked(line, start, end) == (shown, carets)


@pytest.mark.parametrize("character", ["键", "e\u0301\u0302", "👍🏽", "a"])
@pytest.mark.parametrize("at", [0, 1, 30, 100, 999])
def test_long_lines_are_cut_by_columns(character: str, at: int) -> None:
    size = len(character)
    line = character * 1000
    shown, carets = marked(line, at * size + 1, (at + 1) * size + 1)
    widths = {"键": 2, "👍🏽": 3}
    width = widths.get(character, 1)
    columns = sum(
        2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in shown
        if not unicodedata.combining(each)
    )
    assert columns <= MOST_COLUMNS + 2
    assert carets.count("^") == width
    assert len(carets) <= CONTEXT + 1 + width
    assert shown.startswith("…") is (at * width > CONTEXT)


def test_marks_without_end_do_not_make_a_line_without_end() -> None:
    line = "e" + "\u0301" * 100_000
    shown, carets = marked(line, 50_000, 50_001)
    assert len(shown) < 400
    assert carets.strip() == "^"
    assert len(marked("\u0301" * 5000, 1, 2)[0]) < 400


@given(
    line=st.text(st.characters(exclude_characters="\n\r"), max_size=300),
    start=st.integers(1, 320),
    length=st.integers(0, 40),
)
def test_any_line_has_carets_below_it(line: str, start: int, length: int) -> None:
    shown, carets = marked(line, start, start + length)
    assert shown.isprintable()
    assert set(carets.lstrip(" ")) == {"^"}
    assert len(carets) <= 2 * len(shown) + 1


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("", 1, 1),
        ("abc", 3, 3),
        ("é键x", 3, 3),
        ("😀x", 1, 1),
        ("😀x", 2, 3),
        ("😀x", 3, 4),
        ("😀x", 5, 6),
        ("😀😀x", 3, 5),
        ("\ue000\uffff\U00010000x", 4, 5),
    ],
)
def test_utf16_columns(line: str, column: int, expected: int) -> None:
    assert utf16_column(line, column) == expected


@given(st.text(), st.data())
def test_utf16_columns_count_units(line: str, data: st.DataObject) -> None:
    column = data.draw(st.integers(1, len(line) + 1))
    assert utf16_column(line, column) == len(line[: column - 1].encode("utf-16-le")) // 2 + 1


def test_lines_of_sources() -> None:
    lines = Lines({"a.yaml": Source("a.yaml", "one\r\ntwo\n"), "b.yaml": Source("b.yaml", "")})
    assert [lines.line("a.yaml", number) for number in range(5)] == [None, "one", "two", "", None]
    assert lines.line("b.yaml", 1) == ""
    assert lines.line("c.yaml", 1) is None
