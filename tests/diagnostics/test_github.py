"""Annotations of GitHub Actions: read back as a runner reads them, and no way in for documents."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.github import render_github
from fleet_contracts.diagnostics.model import Diagnostic, Place, Related
from formats_kit import Annotation, annotation, diagnostic, place

HOSTILE = [
    "::set-output name=x::y",
    "\n::error::x",
    "\r\n::add-mask::x",
    "a%0A::stop-commands::x",
    "##[add-path]/bin",
    "x,line=99::y",
    "\x85\u2028\u2029::warning::x",
    "\x1b[2K\r::debug::x",
]


def lines(*items: Diagnostic) -> list[str]:
    return list(render_github(items, lambda name: f"repo/{name}"))


def read(item: Diagnostic) -> Annotation:
    (line,) = lines(item)
    return annotation(line)


def test_whole_line() -> None:
    item = diagnostic(
        "100% wrong: a, b",
        place("a b,c:d.yaml", 3, (5, 9), pointer=("tasks", "x/y")),
        help="write `z`",
        related=(Related("first defined here", place("b.yaml", 1, (1, 2))),),
        cases=(Related("with this row", Place("rows.csv")),),
        more_cases=7,
    )
    assert lines(item) == [
        "::error file=repo/a b%2Cc%3Ad.yaml,line=3,endLine=3,col=5,endColumn=9,"
        "title=FLT2010 unknown-key::100%25 wrong: a, b%0Ahelp: write `z`%0Aat /tasks/x~1y"
        "%0Afirst defined here: repo/b.yaml:1:1%0Awith this row: repo/rows.csv%0Aand 7 more"
    ]


@pytest.mark.parametrize(
    ("code", "command"), [("FLT2010", "error"), ("FLT2004", "warning"), ("FLT5010", "notice")]
)
def test_commands(code: str, command: str) -> None:
    assert read(diagnostic(code=code)).command == command


def test_columns_only_within_a_line() -> None:
    whole = read(diagnostic(at=place(line=2, columns=(3, 1), last=4))).properties
    assert whole == {
        "file": "repo/a.yaml",
        "line": "2",
        "endLine": "4",
        "title": "FLT2010 unknown-key",
    }
    nowhere = read(diagnostic(at=Place("a.yaml"))).properties
    assert nowhere.keys() == {"file", "title"}


@pytest.mark.parametrize("text", HOSTILE)
def test_documents_give_no_commands(text: str) -> None:
    at = place(f"{text}.yaml", pointer=(text,))
    found = lines(diagnostic(text, at, help=text, related=(Related(text, at),)), diagnostic())
    assert len(found) == 2
    for line in found:
        assert line.splitlines() == [line]
        assert not any(category(each) == "Cc" for each in line)
    seen = annotation(found[0])
    assert seen.command == "error"
    assert seen.properties.keys() == {"file", "line", "endLine", "col", "endColumn", "title"}
    assert seen.properties["line"] == "1"
    assert len(seen.data.split("\n")) == 4


def test_names_of_files_stay_as_they_are() -> None:
    for name in ("ünïcode/키 x.yaml", "a\u3000b\xa0c.yaml", "a=1,b:2;%41.yaml"):
        assert read(diagnostic(at=place(name))).properties["file"] == f"repo/{name}"
    odd = read(diagnostic(at=place("a\nb\x1b\udcff.yaml"))).properties["file"]
    assert odd == r"repo/a\nb\x1b\udcff.yaml"


@given(message=st.text(), file=st.text(), key=st.text(), help=st.text())
def test_any_text_is_one_line_and_reads_back(message: str, file: str, key: str, help: str) -> None:
    (line,) = lines(diagnostic(message, place(file, pointer=(key,)), help=help))
    assert line.splitlines() == [line]
    seen = annotation(line)
    assert seen.properties["title"] == "FLT2010 unknown-key"
    assert len(seen.data.split("\n")) == 2 + bool(help)
    if file.isprintable():
        assert seen.properties["file"] == f"repo/{file}"
    if message.isprintable():
        assert seen.data.split("\n")[0] == message
