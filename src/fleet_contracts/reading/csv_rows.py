"""CSV with a header row (RFC 4180), every cell a string."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.reading.csv_header import wrong_separator
from fleet_contracts.reading.decode import (
    BOM,
    MOST_REFUSALS,
    decode_utf8,
    is_wide,
    refuse_controls,
)
from fleet_contracts.source import Position, Span

# The csv module's own limit of 128 KiB a cell is for the whole process; a file's size
# is limited before.
_LONGEST_CELL = 2**31 - 1

# The csv module's sentences by how they start.
_SYNTAX_HELP = (
    'quote a cell that holds a comma, a quote or a line break, and double each quote in it ("")'
)
_SYNTAX = (
    ("unexpected end of data", "a quoted cell is never closed", _SYNTAX_HELP),
    (
        "'",
        "a closing quote is followed by more text",
        'put a comma between two cells, and double each quote inside a quoted one ("")',
    ),
    (
        "new-line character",
        "a carriage return without a line feed",
        "save the file with LF or CRLF line ends",
    ),
)


class Record(NamedTuple):
    """A record by the names of its columns, its first line, and that of the header."""

    cells: dict[str, str]
    line: int
    header: int


def read_csv(lines: Iterable[bytes], name: str, bag: Bag) -> Iterator[Record]:
    """Yield each record.

    `lines` are the lines of the file with their line feeds; blank ones are skipped.
    Records that cannot be read are left out, after adding FLT1001, FLT1002, FLT1003 (a
    control character, which RFC 4180 does not have), FLT1020 (a column named twice) or
    FLT1051. A header that makes every record unreadable is told in place of them.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    records = csv.reader(_decoded(lines, name, bag), strict=True)
    start = len(bag)
    header: list[str] | None = None
    header_line = 0
    while len(bag) < start + MOST_REFUSALS:
        line, before = records.line_num + 1, len(bag)
        try:
            cells = next(records, None)
        except csv.Error as error:
            _refuse(bag, name, line, *_explained(error))
            cells = []
        if cells is None:
            break
        if header is None:
            if len(bag) > before or (cells and not _is_good_header(cells, name, bag, line)):
                return
            header, header_line = cells or None, line
        elif cells and len(bag) == before:
            if len(cells) == len(header):
                yield Record(dict(zip(header, cells, strict=True)), line, header_line)
            else:
                misread = wrong_separator(header)
                if misread is not None:
                    _refuse(bag, name, header_line, *misread)
                    return
                message = (
                    f"found {_cells(len(cells))}, expected {_cells(len(header))} as in the header"
                )
                _refuse(bag, name, line, message, _SYNTAX_HELP)
    if header is None and len(bag) == start:
        _refuse(bag, name, 1, "the file has no header row", "start it with the column names")


def _decoded(lines: Iterable[bytes], name: str, bag: Bag) -> Iterator[str]:
    """Yield the text of each line; after a refused one reading goes on with U+FFFD."""
    for number, raw in enumerate(lines, 1):
        if number == 1 and is_wide(raw, name, bag):
            return
        text = decode_utf8(raw, name, bag, first_line=number)
        if text is None:
            text = raw.decode("utf-8", "replace")
        else:
            refuse_controls(text, name, bag, line=number)
        yield text.removeprefix(BOM) if number == 1 else text


def _is_good_header(names: list[str], name: str, bag: Bag, line: int) -> bool:
    before = len(bag)
    seen: set[str] = set()
    for number, column in enumerate(names, 1):
        if not column:
            message = f"column {number} of the header has no name"
            _refuse(bag, name, line, message, "name each column")
        elif column in seen:
            message = f'the header has the column "{column}" twice'
            _refuse(bag, name, line, message, "rename one of them", code="FLT1020")
        seen.add(column)
    return len(bag) == before


def _explained(error: csv.Error) -> tuple[str, str]:
    """Return what is wrong with a record, and how to mend it."""
    text = str(error)
    for start, sentence, help in _SYNTAX:
        if text.startswith(start):
            return sentence, help
    return f"the record is not CSV: {text}", _SYNTAX_HELP


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _refuse(
    bag: Bag, name: str, line: int, message: str, help: str, *, code: str = "FLT1051"
) -> None:
    span = Span(Position(line, 1), Position(line, 1))
    bag.add(code, message, Place(name, span=span), help=help)
