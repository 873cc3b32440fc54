"""CSV with a header row (RFC 4180), every cell a string."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.reading.decode import BOM, MOST_REFUSALS, decode_utf8, is_wide
from fleet_contracts.source import Position, Span

# The csv module's own limit of 128 KiB a cell is for the whole process; a file's size
# is limited before.
_LONGEST_CELL = 2**31 - 1

# The csv module's sentences by how they start.
_SYNTAX = (
    ("unexpected end of data", "a quoted cell is never closed"),
    ("'", "a closing quote is followed by more text"),
    ("new-line character", "a carriage return without a line feed"),
)
_SYNTAX_HELP = (
    'quote a cell that holds a comma, a quote or a line break, and double each quote in it ("")'
)


def read_csv(lines: Iterable[bytes], name: str, bag: Bag) -> Iterator[tuple[dict[str, str], int]]:
    """Yield each record as a map from column names to cells, with its first line.

    `lines` are the lines of the file with their line feeds; blank ones are skipped.
    Records that cannot be read are left out, after adding FLT1001, FLT1002, FLT1020 (a
    column named twice) or FLT1051.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    records = csv.reader(_decoded(lines, name, bag), strict=True)
    start = len(bag)
    header: list[str] | None = None
    while len(bag) < start + MOST_REFUSALS:
        line, before = records.line_num + 1, len(bag)
        try:
            cells = next(records, None)
        except csv.Error as error:
            _refuse(bag, name, line, _explained(error), _SYNTAX_HELP)
            cells = []
        if cells is None:
            break
        if header is None:
            if len(bag) > before or (cells and not _is_good_header(cells, name, bag, line)):
                return
            header = cells or None
        elif cells and len(bag) == before:
            if len(cells) == len(header):
                yield dict(zip(header, cells, strict=True)), line
            else:
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


def _explained(error: csv.Error) -> str:
    text = str(error)
    for start, sentence in _SYNTAX:
        if text.startswith(start):
            return sentence
    return f"the record is not CSV: {text}"


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _refuse(
    bag: Bag, name: str, line: int, message: str, help: str, *, code: str = "FLT1051"
) -> None:
    span = Span(Position(line, 1), Position(line, 1))
    bag.add(code, message, Place(name, span=span), help=help)
