from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.reading.decode import decode
from fleet_contracts.source import Position, Span


def refused(data: bytes) -> list[tuple[str, Position]]:
    bag = Bag()
    assert decode(data, "a.yaml", bag) is None
    places = [item.place.span for item in bag]
    return [(item.code, span.start) for item, span in zip(bag, places, strict=True) if span]


def test_plain_text() -> None:
    bag = Bag()
    source = decode("a: ä\r\nb: 😀\n".encode(), "a.yaml", bag)
    assert source is not None
    assert (source.name, source.text) == ("a.yaml", "a: ä\r\nb: 😀\n")
    assert not bag.items


def test_byte_order_mark_is_dropped() -> None:
    source = decode(b"\xef\xbb\xbfa: 1", "a.yaml", Bag())
    assert source is not None
    assert source.text == "a: 1"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_wide_encodings(encoding: str) -> None:
    assert refused("name: x\n".encode(encoding)) == [("FLT1002", Position(1, 1))]


def test_not_utf8_is_located_in_characters() -> None:
    bag = Bag()
    assert decode("a: 1\nb: ä".encode() + b"\xe9\n", "a.yaml", bag) is None
    (item,) = bag
    assert item.code == "FLT1001"
    assert "0xE9 at offset 10" in item.message
    assert item.place.span == Span(Position(2, 5), Position(2, 6))


def test_not_utf8_behind_a_byte_order_mark() -> None:
    assert refused(b"\xef\xbb\xbfa\xff") == [("FLT1001", Position(1, 2))]


def test_too_large() -> None:
    bag = Bag()
    assert decode(b"12345", "a.yaml", bag, max_bytes=4) is None
    (item,) = bag
    assert item.code == "FLT1004"
    assert "--max-input-bytes" in item.help
    assert decode(b"12345", "a.yaml", Bag(), max_bytes=5) is not None
    assert decode(b"12345", "a.yaml", Bag(), max_bytes=None) is not None


@pytest.mark.parametrize(
    "character",
    [
        *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
        *"\u2028\u2029\u0085",
        *"\x00\x01\x08\x0b\x0c\x1b\x1f\x7f\x80\x9f\ufffe\uffff",
    ],
)
def test_refused_characters(character: str) -> None:
    bag = Bag()
    assert decode(f"ab: 'cd\nef{character}'".encode(), "a.yaml", bag) is None
    (item,) = bag
    assert item.code == "FLT1003"
    assert f"U+{ord(character):04X}" in item.message
    assert f"\\u{ord(character):04x}" in item.help
    assert item.place.span == Span(Position(2, 3), Position(2, 4))


def test_every_refused_character_is_located() -> None:
    data = "a\u202eb\x01\n\n\u2066😀\u2067".encode()
    assert refused(data) == [
        ("FLT1003", Position(1, 2)),
        ("FLT1003", Position(1, 4)),
        ("FLT1003", Position(3, 1)),
        ("FLT1003", Position(3, 3)),
    ]


@pytest.mark.parametrize("character", list("\t\n\r\u00a0\u00ad\u200b\u200d\u2010\u2030é漢😀\ufeff"))
def test_other_characters_are_read(character: str) -> None:
    assert decode(f"a{character}b".encode(), "a.yaml", Bag()) is not None


def test_rows_may_hold_any_character() -> None:
    bag = Bag()
    assert decode("\u2028\u202e".encode(), "a.json", bag, check_characters=False) is not None
    assert not bag.items


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    bag = Bag()
    source = decode(data, "a.yaml", bag)
    assert (source is None) == bool(bag.items)
    assert all(item.place.span for item in bag)
