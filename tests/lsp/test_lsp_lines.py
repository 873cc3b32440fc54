from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.lsp.lines import Encoding, Lines, Spot, units
from fleet_contracts.source import Position

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
LETTERS = st.text(st.sampled_from("ab\n\r é😀𝒳 \u2028\x0b\ud800"), max_size=40)


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)])
def test_characters_are_counted_in_the_units_of_the_encoding(
    encoding: Encoding, character: int
) -> None:
    lines = Lines("x\né😀: y", encoding)
    assert lines.spot(Position(2, 3)) == (1, character)
    assert lines.position_of(Spot(1, character)) == (2, 3)


@pytest.mark.parametrize("text", ["a\nb😀c\n", "a\r\nb😀c\r\n", "a\rb😀c\n"])
def test_every_line_break_of_the_protocol_ends_a_line(text: str) -> None:
    lines = Lines(text, "utf-16")
    place = lines.position(text.index("c"))
    assert lines.spot(place) == (1, 3)
    assert lines.position_of(Spot(1, 3)) == place


def test_only_line_breaks_of_the_protocol_end_a_line() -> None:
    text = "a\u2028b\x0cc\x85d\n"
    assert Lines(text, "utf-16").spot(Position(1, 8)) == (0, 7)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_lies_behind_the_end_means_the_end(encoding: Encoding) -> None:
    lines = Lines("ab\r\ncd", encoding)
    assert lines.position_of(Spot(0, 99)) == (1, 3)
    assert lines.position_of(Spot(9, 0)) == (2, 3)
    assert lines.spot(Position(1, 99)) == (0, 2)
    assert lines.spot(Position(99, 1)) == (1, 2)


def test_the_middle_of_a_surrogate_pair_means_its_end() -> None:
    assert Lines("😀b", "utf-16").position_of(Spot(0, 1)) == (1, 2)


@given(text=LETTERS, encoding=st.sampled_from(ENCODINGS), data=st.data())
def test_positions_come_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        return  # between the two characters of one line break nobody can stand
    lines = Lines(text, encoding)
    assert lines.offset(lines.position_of(lines.spot_at(offset))) == offset


@given(text=LETTERS, encoding=st.sampled_from(ENCODINGS))
def test_units_add_up(text: str, encoding: Encoding) -> None:
    assert units(text, encoding) == sum(units(each, encoding) for each in text)
