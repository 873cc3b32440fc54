"""Rows of data files: JSON lines, a list in a JSON file, CSV (spec section 4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.errors import UnresolvedError
from fleet_contracts.pointer import Pointer, format_pointer
from fleet_contracts.reading.csv_rows import read_csv
from fleet_contracts.reading.decode import (
    BOM,
    MOST_REFUSALS,
    decode,
    decode_utf8,
    is_wide,
    within_limit,
)
from fleet_contracts.reading.json import FAILED, StrictJson
from fleet_contracts.reading.numbers import NumberText
from fleet_contracts.source import Position, Span

_BAD_ROWS = "FLT3034"
_BLANKS = " \t\n\r"
_SPACE = re.compile(f"[{_BLANKS}]*")

# Finds where values end; what they are is known already.
_SKIP = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a data file.

    Numbers in `value` are `NumberText`, CSV cells are strings. `line` is where the row
    starts in the file (1-based), `header` the line that names the columns of CSV.
    """

    value: dict[str, Any]
    line: int
    header: int | None = None


def read_rows(
    path: Path,
    name: str,
    bag: Bag,
    *,
    pointer: Pointer = (),
    max_bytes: int | None,
) -> Iterator[Row]:
    """Yield the rows of a `.jsonl`, `.json` or `.csv` file in order.

    Bad rows are added to the bag and left out. `pointer` says where the list stands in
    a `.json` file. JSON lines and CSV are streamed. Adds FLT3034 for what is no list of
    maps, besides the codes of reading; raises `UnresolvedError` when the file cannot
    be read (spec section 4, RFC 4180, RFC 8259).
    """
    readers = {".jsonl": _json_lines, ".json": _json_list, ".csv": _csv}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        found = f"`{path.suffix}`" if path.suffix else "no ending"
        bag.add(
            _BAD_ROWS,
            f"rows are read from .jsonl, .json and .csv files; this file name has {found}",
            Place(name),
            help="convert the file to one of the three",
        )
        return
    if pointer and reader is not _json_list:
        bag.add(
            _BAD_ROWS,
            f"a path into the file ({format_pointer(pointer)}) is for .json files only",
            Place(name),
            help="remove `path`",
        )
        return
    try:
        size = path.stat().st_size
        if within_limit(size, name, bag, max_bytes=max_bytes):
            with path.open("rb") as file:
                yield from reader(file, name, bag, pointer)
    except OSError as error:
        raise UnresolvedError(f"{name} cannot be read: {error.strerror}") from error


def _json_lines(file: BinaryIO, name: str, bag: Bag, _: Pointer) -> Iterator[Row]:
    parser = StrictJson(name, bag)
    most = len(bag) + MOST_REFUSALS
    for number, raw in enumerate(file, 1):
        if number == 1 and is_wide(raw, name, bag):
            return
        text = decode_utf8(raw, name, bag, first_line=number)
        if text is not None:
            text = (text.removeprefix(BOM) if number == 1 else text).rstrip(_BLANKS)
            if not text:
                continue
            value = parser.parse(text, line=number)
            if type(value) is dict:
                yield Row(value, number)
            elif value is not FAILED:
                _refuse_row(value, name, bag, _span(text, number, 0, len(text)))
        if len(bag) >= most:
            return


def _csv(file: BinaryIO, name: str, bag: Bag, _: Pointer) -> Iterator[Row]:
    for record in read_csv(file, name, bag):
        yield Row(*record)


def _json_list(file: BinaryIO, name: str, bag: Bag, pointer: Pointer) -> Iterator[Row]:
    source = decode(file.read(), name, bag, max_bytes=None, check_characters=False)
    if source is None:
        return
    document = StrictJson(name, bag).parse(source.text)
    if document is FAILED:
        return
    value = document
    for depth, token in enumerate(pointer):
        inside = _inside(value, token)
        if inside is FAILED:
            at = format_pointer(pointer[: depth + 1])
            _refuse_list(name, bag, f"found nothing at {at}: there is {_kind(value)} around it")
            return
        value = inside
    if type(value) is not list:
        where = f"at {format_pointer(pointer)}" if pointer else "in the file"
        _refuse_list(name, bag, f"found {_kind(value)} {where}")
        return
    most = len(bag) + MOST_REFUSALS
    for row, (line, start, end) in zip(value, _row_places(source.text, pointer), strict=True):
        if type(row) is dict:
            yield Row(row, line)
        else:
            _refuse_row(row, name, bag, _span(source.text, line, start, end))
        if len(bag) >= most:
            return


def _inside(value: Any, token: str | int) -> Any:
    """Return what a pointer's token leads to, or `FAILED` (RFC 6901 section 4)."""
    if type(value) is dict:
        return value.get(str(token), FAILED)
    if type(value) is list and re.fullmatch(r"0|[1-9][0-9]{0,8}", str(token)):
        return value[int(token)] if int(token) < len(value) else FAILED
    return FAILED


def _row_places(text: str, pointer: Pointer) -> Iterator[tuple[int, int, int]]:
    """Yield the line of each item of the list at a pointer of a valid text, and its offsets."""
    offset = _after_space(text, 0)
    for token in pointer:
        offset = _offset_inside(text, offset, token)
    line, counted = 1, 0
    offset = _after_space(text, offset + 1)
    while text[offset] != "]":
        line += text.count("\n", counted, offset)
        counted = offset
        end = _SKIP(text, offset)[1]
        yield line, offset, end
        offset = _after_space(text, end)
        if text[offset] == ",":
            offset = _after_space(text, offset + 1)


def _offset_inside(text: str, offset: int, token: str | int) -> int:
    """Return where the value that a token leads to starts; `offset` is its map or list."""
    in_map = text[offset] == "{"
    number = 0
    offset = _after_space(text, offset + 1)
    while True:
        key: str | int = number
        if in_map:
            key, end = _SKIP(text, offset)
            offset = _after_space(text, _after_space(text, end) + 1)
        if str(key) == str(token):
            return offset
        end = _SKIP(text, offset)[1]
        offset = _after_space(text, _after_space(text, end) + 1)
        number += 1


def _after_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


def _span(text: str, line: int, start: int, end: int) -> Span:
    """Return the span between two offsets, of which the first is on a known line."""
    first_column = start - text.rfind("\n", 0, start)
    last_column = end - text.rfind("\n", 0, end)
    last_line = line + text.count("\n", start, end)
    return Span(Position(line, first_column), Position(last_line, last_column))


def _refuse_row(value: Any, name: str, bag: Bag, span: Span) -> None:
    bag.add(
        _BAD_ROWS,
        f"found {_kind(value)} as a row, expected a map",
        Place(name, span=span),
        help='write each row as {"field": value}',
    )


def _refuse_list(name: str, bag: Bag, found: str) -> None:
    bag.add(
        _BAD_ROWS,
        f"{found}, expected a list of maps",
        Place(name),
        help="point `path` at the list, for example /examples",
    )


def _kind(value: Any) -> str:
    if type(value) is dict:
        keys = ", ".join(list(value)[:5])
        return f"a map with {keys}" + (", …" if len(value) > 5 else "") if keys else "an empty map"
    kinds = {list: "a list", str: "a string", NumberText: "a number", bool: "a boolean"}
    return kinds.get(type(value), "null")
