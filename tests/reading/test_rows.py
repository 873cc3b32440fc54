from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.errors import UnresolvedError
from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.csv_rows import Record, read_csv
from fleet_contracts.reading.decode import MOST_REFUSALS
from fleet_contracts.reading.numbers import NumberText
from fleet_contracts.reading.rows import Row, read_rows

Found = tuple[list[tuple[dict[str, Any], int]], list[str]]


class Files:
    """Reads rows from files that it writes first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bag = Bag()

    def start(self, name: str, data: bytes | str, pointer: Pointer = ()) -> Iterator[Row]:
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        self.bag = Bag()
        return read_rows(path, name, self.bag, pointer=pointer, max_bytes=None)

    def read(self, name: str, data: bytes | str, pointer: Pointer = ()) -> Found:
        """Return rows with their lines, and what was refused: code, line and columns."""
        rows = [(row.value, row.line) for row in self.start(name, data, pointer)]
        refused = []
        for item in self.bag:
            assert item.place.file == name
            assert item.help
            span = item.place.span
            where = f" {span.start.line}:{span.start.column}-{span.end.column}" if span else ""
            refused.append(item.code + where)
        return rows, refused

    def rows(self, name: str, data: bytes | str, pointer: Pointer = ()) -> list[dict[str, Any]]:
        rows, refused = self.read(name, data, pointer)
        assert not refused
        return [row for row, _ in rows]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


# any kind


@pytest.mark.parametrize("name", ["rows.yaml", "rows.ndjson", "rows", "rows.json.gz", ".csv"])
def test_other_endings(files: Files, name: str) -> None:
    assert files.read(name, "[]") == ([], ["FLT3034"])


@pytest.mark.parametrize("name", ["a.JSONL", "a.Json", "a.CSV"])
def test_endings_in_capitals(files: Files, name: str) -> None:
    text = {"a.JSONL": '{"x": "1"}', "a.Json": '[{"x": "1"}]', "a.CSV": "x\n1"}[name]
    assert files.rows(name, text) == [{"x": "1"}]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_a_path_is_for_json_files(files: Files, name: str) -> None:
    assert files.read(name, '{"x": 1}', ("x",)) == ([], ["FLT3034"])
    assert "(/x)" in files.bag.items[0].message


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_the_size_limit(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('[{"x": 1}]', "utf-8")
    bag = Bag()
    assert list(read_rows(path, name, bag, max_bytes=9)) == []
    assert [item.code for item in bag] == ["FLT1004"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_files_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnresolvedError, match="a cannot be read: No such file"):
        list(read_rows(tmp_path / name, "a", Bag(), max_bytes=None))
    (tmp_path / name).mkdir()
    with pytest.raises(UnresolvedError, match="a cannot be read"):
        list(read_rows(tmp_path / name, "a", Bag(), max_bytes=None))


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-32-be"])
def test_wide_encodings(files: Files, name: str, encoding: str) -> None:
    assert files.read(name, 'x,y\n1,2\n{"x": 1}'.encode(encoding)) == ([], ["FLT1002 1:1-2"])


# JSON lines


def test_json_lines(files: Files) -> None:
    text = '{"a": 1.0, "b": [true, null]}\r\n\r\n \t\n{"a": "x"}\n{}'
    assert files.read("a.jsonl", text) == (
        [({"a": NumberText("1.0"), "b": [True, None]}, 1), ({"a": "x"}, 4), ({}, 5)],
        [],
    )


def test_json_lines_with_a_byte_order_mark(files: Files) -> None:
    assert files.rows("a.jsonl", '\ufeff{"a": "x"}\n') == [{"a": "x"}]
    assert files.rows("a.jsonl", '\ufeff\n{"a": "x"}\n') == [{"a": "x"}]
    assert files.read("a.jsonl", '\ufeff{"a": x}')[1] == ["FLT1050 1:7-8"]
    assert files.read("a.jsonl", '{}\n\ufeff{"a": 1}')[1] == ["FLT1050 2:1-2"]


def test_line_separators_that_json_allows_inside_strings(files: Files) -> None:
    text = '{"a": "x\u2028y\x85z\u2029"}\n{"a": 1}\n'
    assert files.rows("a.jsonl", text)[0] == {"a": "x\u2028y\x85z\u2029"}


def test_bad_json_lines_are_left_out(files: Files) -> None:
    lines = [
        '{"a": 1}',
        '{"a": 1, "a": 2}',
        "{'a': 1}",
        "[1, 2]",
        '"text"',
        "null",
        '{"a": NaN}',
        '{"a": "\\ud800"}',
        '{"a": 1} {"a": 2}',
        "[" * 129 + "]" * 129,
        '{"a": 1e9999999999999999999}',
        "\f",
        '{"a": 2}',
        '{"a": ',
    ]
    rows, refused = files.read("a.jsonl", "\n".join(lines))
    assert rows == [({"a": NumberText("1")}, 1), ({"a": NumberText("2")}, 13)]
    assert refused == [
        "FLT1020 2:10-13",
        "FLT1050 3:2-3",
        "FLT3034 4:1-7",
        "FLT3034 5:1-7",
        "FLT3034 6:1-5",
        "FLT1033 7:7-10",
        "FLT1005 8:8-14",
        "FLT1050 9:10-11",
        "FLT1040 10:129-130",
        "FLT1034 11:7-28",
        "FLT1050 12:1-2",
        "FLT1050 14:6-7",
    ]
    kinds = [item.message for item in files.bag if item.code == "FLT3034"]
    assert [text.split(" as a row")[0] for text in kinds] == [
        "found a list",
        "found a string",
        "found null",
    ]


def test_json_lines_that_are_not_utf8(files: Files) -> None:
    rows, refused = files.read("a.jsonl", b'{"a": "x"}\n{"a": "\xc3\xa4\xff"}\n{"a": "y"}\n')
    assert [line for _, line in rows] == [1, 3]
    assert refused == ["FLT1001 2:9-10"]


def test_json_lines_are_streamed(files: Files) -> None:
    rows = files.start("a.jsonl", '{"a": 1}\n{"a": 2}\nbroken\n')
    assert [row.line for row in islice(rows, 2)] == [1, 2]
    assert not files.bag.items
    assert next(rows, None) is None
    assert len(files.bag) == 1


def test_only_so_many_bad_lines_are_told(files: Files) -> None:
    rows, refused = files.read("a.jsonl", "x\n" * (MOST_REFUSALS + 5) + "{}\n")
    assert (rows, len(refused)) == ([], MOST_REFUSALS)


# a list in a JSON file


def test_a_json_list(files: Files) -> None:
    text = '\ufeff[{"a": 1.50}, {"a":\n"x"},\n\n  {},{}\n, {"b": [\n1]}\n]\n'
    assert files.read("a.json", text) == (
        [
            ({"a": NumberText("1.50")}, 1),
            ({"a": "x"}, 1),
            ({}, 4),
            ({}, 4),
            ({"b": [NumberText("1")]}, 5),
        ],
        [],
    )


NESTED = """\
{"first": [{"a": 1}],
 "": {"x/y": {"m~n": [
   [{"no": 0}],
   [{"a": 1},
    {"a": 2}]]}}, "0": [{}], "é\\u0041": [{"z": "]}"}]
}
"""


@pytest.mark.parametrize(
    ("pointer", "lines"),
    [
        (("first",), [1]),
        (("", "x/y", "m~n", "1"), [4, 5]),
        (("", "x/y", "m~n", 0), [3]),
        (("0",), [5]),
        (("éA",), [5]),
    ],
)
def test_pointers_into_a_json_file(files: Files, pointer: Pointer, lines: list[int]) -> None:
    rows, refused = files.read("a.json", NESTED, pointer)
    assert [line for _, line in rows] == lines
    assert not refused


@pytest.mark.parametrize(
    ("text", "pointer", "message"),
    [
        ("{}", (), "found an empty map in the file"),
        ('{"examples": []}', (), "found a map with examples in the file"),
        ('"x"', (), "found a string in the file"),
        ("1", (), "found a number in the file"),
        ("null", (), "found null in the file"),
        ("true", (), "found a boolean in the file"),
        ('{"a": {"b": 1}}', ("a",), "found a map with b at /a"),
        ('{"a": 1}', ("b",), "found nothing at /b: there is a map with a around it"),
        ('{"a": 1}', ("a", "b"), "found nothing at /a/b: there is a number around it"),
        ("[[]]", ("1",), "found nothing at /1: there is a list around it"),
        ("[[]]", ("00",), "found nothing at /00"),
        ("[[]]", ("-",), "found nothing at /-"),
        ("[[]]", ("-1",), "found nothing at /-1"),
        ("[[]]", ("\u0661",), "found nothing at /\u0661"),
        ("[[]]", ("9" * 5000,), "found nothing at /999"),
    ],
)
def test_pointers_to_no_list(files: Files, text: str, pointer: Pointer, message: str) -> None:
    assert files.read("a.json", text, pointer) == ([], ["FLT3034"])
    assert files.bag.items[0].message.startswith(message)


def test_items_that_are_no_maps(files: Files) -> None:
    rows, refused = files.read("a.json", '[{"a": "x"}, 1,\n  "ä", [\n1], {}, null]')
    assert [line for _, line in rows] == [1, 3]
    assert refused == ["FLT3034 1:14-15", "FLT3034 2:3-6", "FLT3034 2:8-3", "FLT3034 3:9-13"]
    assert files.bag.items[2].place.span is not None
    assert files.bag.items[2].place.span.end.line == 3


def test_one_mistake_refuses_the_whole_json_file(files: Files) -> None:
    assert files.read("a.json", '[{"a": 1},\n {"a": NaN}]') == ([], ["FLT1033 2:8-11"])
    assert files.read("a.json", '[{"a": 1},\n {"a": 2}') == ([], ["FLT1050 2:10-11"])
    assert files.read("a.json", b'[{"a": "\xff"}]') == ([], ["FLT1001 1:9-10"])
    assert files.read("a.json", "") == ([], ["FLT1050 1:1-2"])
    assert files.bag.items[0].message == "expected a value"


def test_an_empty_list_has_no_rows(files: Files) -> None:
    assert files.read("a.json", " [ ] ") == ([], [])


# CSV


def test_csv(files: Files) -> None:
    text = 'id,name\r\n1,x\r\n\r\n007,"a, ""b""\r\nc"\r\n,\r\n"", 5 \r\nnull,true'
    assert files.read("a.csv", text) == (
        [
            ({"id": "1", "name": "x"}, 2),
            ({"id": "007", "name": 'a, "b"\r\nc'}, 4),
            ({"id": "", "name": ""}, 6),
            ({"id": "", "name": " 5 "}, 7),
            ({"id": "null", "name": "true"}, 8),
        ],
        [],
    )


def test_csv_with_a_byte_order_mark(files: Files) -> None:
    assert files.rows("a.csv", '\ufeff"id",b\nx,y\n') == [{"id": "x", "b": "y"}]


def test_a_csv_header_may_be_quoted_and_span_lines(files: Files) -> None:
    text = '\n"a\nb","c,d"\n1,2\n'
    assert files.read("a.csv", text) == ([({"a\nb": "1", "c,d": "2"}, 4)], [])


def test_one_column_of_csv(files: Files) -> None:
    assert files.rows("a.csv", 'a\nx\n\n""\n') == [{"a": "x"}, {"a": ""}]


@pytest.mark.parametrize("text", ["", "\n\r\n", "\ufeff"])
def test_csv_without_a_header(files: Files, text: str) -> None:
    assert files.read("a.csv", text) == ([], ["FLT1051 1:1-1"])


def test_csv_with_only_a_header(files: Files) -> None:
    assert files.read("a.csv", "a,b\n") == ([], [])


def test_csv_headers_that_cannot_be_used(files: Files) -> None:
    assert files.read("a.csv", "a,b,a,,\n1,2,3,4,5\n") == (
        [],
        ["FLT1020 1:1-1", "FLT1051 1:1-1", "FLT1051 1:1-1"],
    )
    assert files.read("a.csv", b"a,\xff\n1,2\n") == ([], ["FLT1001 1:3-4"])
    assert files.read("a.csv", '"a"b\n1,2\n') == ([], ["FLT1051 1:1-1"])


def test_ragged_csv_rows(files: Files) -> None:
    rows, refused = files.read("a.csv", 'a,b\n1\n1,2\n1,2,3\n"x\ny"\n3,4\n')
    assert [line for _, line in rows] == [3, 7]
    assert refused == ["FLT1051 2:1-1", "FLT1051 4:1-1", "FLT1051 5:1-1"]
    assert "found 1 cell, expected 2 cells" in files.bag.items[0].message
    assert "found 3 cells, expected 2 cells" in files.bag.items[1].message


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('a\n"x"y\n', 2, "closing quote"),
        ('a\nx\n"never\nclosed\n', 3, "never closed"),
        ("a\nx\ry\n", 2, "carriage return"),
        ("a\rb\r", 1, "carriage return"),
    ],
)
def test_bad_csv(files: Files, text: str, line: int, message: str) -> None:
    rows, refused = files.read("a.csv", text)
    assert refused == [f"FLT1051 {line}:1-1"]
    assert message in files.bag.items[0].message
    assert all(number < line for _, number in rows)


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("a,b\r1,2\r", "save the file with LF or CRLF line ends"),
        ('"a";"b"\n', "put a comma between two cells"),
        ('a\n"x\n', "quote a cell that holds a comma"),
    ],
)
def test_the_help_fits_what_is_wrong_with_csv(files: Files, text: str, help: str) -> None:
    assert len(files.read("a.csv", text)[1]) == 1
    assert files.bag.items[0].help.startswith(help)


def test_control_characters_in_csv(files: Files) -> None:
    assert files.read("a.csv", "a,b\nx,\0y\n\t,z\n\x1b\x7f,\u202e\n\x7f,\u2028\n") == (
        [({"a": "\t", "b": "z"}, 3), ({"a": "\x7f", "b": "\u2028"}, 5)],
        ["FLT1003 2:3-4", "FLT1003 4:1-2"],
    )
    assert files.read("a.csv", "\ufeffa\x01,b\n1,2\n") == ([], ["FLT1003 1:2-3"])


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_a_wrong_separator_is_told_once(files: Files, separator: str) -> None:
    header, row = separator.join("abc"), separator.join(["1", "2, then", "3"])
    rows, refused = files.read("a.csv", f"\n{header}\n{row}\n{row}\n")
    assert (rows, refused) == ([], ["FLT1051 2:1-1"])
    assert "look separated by" in files.bag.items[0].message


def test_one_column_may_have_any_name(files: Files) -> None:
    assert files.rows("a.csv", "a;b\nx\n") == [{"a;b": "x"}]


def test_csv_goes_on_behind_a_bad_record(files: Files) -> None:
    rows, refused = files.read("a.csv", b'a,b\n"x"y,1\n\xff,2\n"\n\xff",3\nz,4\n')
    assert rows == [({"a": "z", "b": "4"}, 6)]
    assert refused == ["FLT1051 2:1-1", "FLT1001 3:1-2", "FLT1001 5:1-2"]


def test_csv_is_streamed() -> None:
    def lines() -> Iterator[bytes]:
        yield b"a\n"
        number = 0
        while True:
            yield b"%d\n" % number
            number += 1

    bag = Bag()
    found = list(islice(read_csv(lines(), "a.csv", bag), 3))
    assert found == [
        Record({"a": "0"}, 2, 1),
        Record({"a": "1"}, 3, 1),
        Record({"a": "2"}, 4, 1),
    ]
    assert not bag.items


def test_a_very_long_csv_cell(files: Files) -> None:
    text = "x" * 200_000
    assert files.rows("a.csv", f"a\n{text}\n") == [{"a": text}]


def test_only_so_many_bad_csv_records_are_told(files: Files) -> None:
    rows, refused = files.read("a.csv", "a\n" + "1,2\n" * (MOST_REFUSALS + 5) + "1\n")
    assert (rows, len(refused)) == ([], MOST_REFUSALS)


# properties

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=8)


# RFC 4180 has no control characters but line ends; a tab does no harm.
PLAIN_CELLS = CELLS.map(lambda text: re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", " ", text))


@given(st.lists(st.tuples(PLAIN_CELLS, PLAIN_CELLS), max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_what_the_standard_library_writes_as_csv(rows: list[tuple[str, str]], end: str) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([("a", "b"), *rows])
    bag = Bag()
    data = io.BytesIO(text.getvalue().encode())
    found = list(read_csv(data, "a.csv", bag))
    assert not bag.items
    assert [tuple(row.values()) for row, *_ in found] == rows
    lines = text.getvalue().split("\n")
    assert all(lines[line - 1].startswith('"') for _, line, _ in found)


ITEMS = st.lists(st.dictionaries(CELLS, st.none() | CELLS | st.lists(CELLS)), max_size=5)


@given(ITEMS, st.sampled_from([None, 0, 2]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_json_rows_and_their_lines(
    files: Files, items: list[dict[str, Any]], indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps({"a": [0, items]}, indent=indent, ensure_ascii=ascii_only)
    rows, refused = files.read("a.json", text, ("a", "1"))
    assert not refused
    assert [row for row, _ in rows] == items
    lines = text.split("\n")
    assert all("{" in lines[line - 1] for _, line in rows)
    one_a_line = "".join(json.dumps(item, ensure_ascii=ascii_only) + "\n" for item in items)
    rows, refused = files.read("a.jsonl", one_a_line)
    assert not refused
    assert rows == [(item, number) for number, item in enumerate(items, 1)]
