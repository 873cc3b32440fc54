"""SARIF 2.1.0: valid against its schema, and right for who reads it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import ValidationError

from fleet_contracts.diagnostics.codes import TABLE
from fleet_contracts.diagnostics.model import Diagnostic, Edit, Fix, Place, Related
from fleet_contracts.diagnostics.sarif import FINGERPRINT, SarifRun, render_sarif
from fleet_contracts.source import Source
from formats_kit import diagnostic, path_of, place, valid_sarif

SOURCES = {
    "a.yaml": Source("a.yaml", "one: 1\nkey: 'wrong'\n"),
    "wide.yaml": Source("wide.yaml", "- '😀😀' # é\n- {'😀': shel, b: '키'}\n"),
}
EVERYTHING = diagnostic(
    help="write `right`",
    code="FLT2013",
    at=place(line=2, columns=(6, 13), pointer=("key",)),
    related=(Related("first defined here", place("b/c d.yaml", 3, (1, 4))),),
    cases=(Related("with this row", place("rows.csv", 2, (1, 1))),),
    more_cases=1234,
    fix=Fix(place(line=2, columns=(6, 13)), Edit("'wrong'", "'right'")),
)


def explained(code: str) -> str:
    return f"What {code} means,\nin two lines.\n\n**How to fix it**\n\nMend it.\n"


def log_of(*items: Diagnostic, version: str = "1.2.3", exit_code: int = 1) -> dict[str, Any]:
    run = SarifRun(version, exit_code, lambda name: name, explained)
    log = render_sarif(items, SOURCES, run)
    read: dict[str, Any] = json.loads(json.dumps(log))
    return read


def run_of(*items: Diagnostic) -> dict[str, Any]:
    return valid_sarif(log_of(*items))


def result_of(item: Diagnostic) -> dict[str, Any]:
    (result,) = run_of(item)["results"]
    return dict(result)


def test_the_schema_can_say_no() -> None:
    wrongs: list[dict[str, Any]] = [
        {"level": "bad"},
        {"ruleIndex": "0"},
        {"locations": {}},
        {"x": 1},
    ]
    for wrong in wrongs:
        log = log_of(EVERYTHING)
        log["runs"][0]["results"][0] |= wrong
        with pytest.raises(ValidationError):
            valid_sarif(log)


def test_run_without_results() -> None:
    run = valid_sarif(log_of(exit_code=0))
    assert run["results"] == []
    assert run["tool"]["driver"] == {
        "name": "fleet-contracts",
        "version": "1.2.3",
        "semanticVersion": "1.2.3",
        "rules": [],
    }
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]
    assert run["columnKind"] == "utf16CodeUnits"
    before = valid_sarif(log_of(version="1.2.3.dev4"))["tool"]["driver"]
    assert before["version"] == "1.2.3.dev4"
    assert "semanticVersion" not in before


def test_result_with_everything() -> None:
    result = result_of(EVERYTHING)
    assert result["level"] == "error"
    lines = ["found x, expected y", "help: write `right`", "and 1,234 more"]
    assert result["message"] == {"text": "\n".join(lines)}
    here = {"startLine": 2, "startColumn": 6, "endLine": 2, "endColumn": 13}
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a.yaml", "uriBaseId": "%SRCROOT%"},
                "region": here,
            },
            "logicalLocations": [{"fullyQualifiedName": "/key"}],
        }
    ]
    first, row = result["relatedLocations"]
    assert (first["id"], first["message"]) == (1, {"text": "first defined here"})
    assert first["physicalLocation"]["artifactLocation"]["uri"] == "b/c%20d.yaml"
    assert (row["id"], row["message"], path_of(row)) == (2, {"text": "with this row"}, "rows.csv")
    (fix,) = result["fixes"]
    assert fix["description"] == {"text": "write `right`"}
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "a.yaml"
    assert change["replacements"] == [
        {"deletedRegion": here, "insertedContent": {"text": "'right'"}}
    ]


def test_what_is_not_known_is_left_out() -> None:
    result = result_of(diagnostic(at=Place("a.yaml")))
    (location,) = result["locations"]
    assert location.keys() == {"physicalLocation"}
    assert location["physicalLocation"].keys() == {"artifactLocation"}
    assert not {"relatedLocations", "fixes"} & result.keys()
    fix = Fix(Place("a.yaml"), Edit("a", "b"))
    assert "fixes" not in result_of(diagnostic(fix=fix))
    without_help = diagnostic(fix=Fix(place(), Edit("o", "b")))
    assert result_of(without_help)["fixes"][0]["description"]["text"] == "write b"


def test_rules_are_the_codes_that_were_met() -> None:
    codes = ["FLT4080", "FLT2010", "FLT5010", "FLT2010"]
    run = run_of(*(diagnostic(code=code) for code in codes))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["FLT2010", "FLT4080", "FLT5010"]
    assert [rule["name"] for rule in rules] == ["UnknownKey", "NeverFails", "PinDiffers"]
    assert [rule["properties"]["tags"] for rule in rules] == [["shape"], ["meaning"], ["lock"]]
    assert [result["level"] for result in run["results"]] == ["warning", "error", "note", "error"]
    assert rules[0]["shortDescription"] == {"text": "A key that does not belong here."}
    assert rules[0]["fullDescription"] == {"text": "What FLT2010 means, in two lines."}
    assert rules[0]["help"] == {"text": explained("FLT2010"), "markdown": explained("FLT2010")}


def test_every_code_makes_a_rule() -> None:
    run = run_of(*(diagnostic(code=row.id) for row in TABLE))
    names = [rule["name"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(names)) == len(TABLE)
    assert all(name.isalnum() and name[0].isupper() for name in names)


@pytest.mark.parametrize(
    ("line", "columns", "marked"),
    [(1, (3, 7), "'😀😀'"), (1, (10, 11), "é"), (2, (9, 13), "shel"), (2, (18, 21), "'키'")],
)
def test_columns_are_utf16(line: int, columns: tuple[int, int], marked: str) -> None:
    at = place("wide.yaml", line, columns)
    text = SOURCES["wide.yaml"].line(line)
    assert text[columns[0] - 1 : columns[1] - 1] == marked
    region = result_of(diagnostic(at=at))["locations"][0]["physicalLocation"]["region"]
    units = text.encode("utf-16-le")
    inside = units[2 * region["startColumn"] - 2 : 2 * region["endColumn"] - 2]
    assert inside.decode("utf-16-le") == marked


def test_a_fix_replaces_what_it_should() -> None:
    at = place("wide.yaml", 2, (9, 13))
    item = diagnostic(at=at, fix=Fix(at, Edit("shel", "shell")), help="did you mean 'shell'?")
    (change,) = result_of(item)["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    region = replacement["deletedRegion"]
    units = SOURCES["wide.yaml"].line(2).encode("utf-16-le")
    start, end = 2 * region["startColumn"] - 2, 2 * region["endColumn"] - 2
    new = replacement["insertedContent"]["text"].encode("utf-16-le")
    assert (units[:start] + new + units[end:]).decode("utf-16-le") == "- {'😀': shell, b: '키'}"


@pytest.mark.parametrize(
    "name",
    [
        "a b.yaml",
        "100%.yaml",
        "c:d/e.yaml",
        "q?x=1#y.yaml",
        "ünïcode/키.yaml",
        "[a]{b}|c^`.yaml",
        "new\nline\t.yaml",
        "//double.yaml",
        "/somewhere/else.yaml",
    ],
)
def test_addresses_of_files(name: str) -> None:
    name = name.removeprefix("/") if name.startswith("//") else name
    (location,) = result_of(diagnostic(at=place(name)))["locations"]
    assert path_of(location) == name
    assert location["physicalLocation"]["artifactLocation"]["uri"].isascii()


def test_names_that_are_no_unicode() -> None:
    at = place("bad\udcff.yaml", pointer=("key\ud800",))
    log = log_of(diagnostic("found \ud800\x1b[2J", at))
    (result,) = valid_sarif(log)["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "bad%FF.yaml"
    assert location["logicalLocations"] == [{"fullyQualifiedName": r"/key\ud800"}]
    assert result["message"]["text"] == r"found \ud800\x1b[2J"
    json.dumps(log, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("[click](https://example.com)", r"\[click](https://example.com)"),
        ("`[0-9]+(a)` and [b](1)", r"`[0-9]+(a)` and \[b](1)"),
        ("a list [1, 2] (or a map)", "a list [1, 2] (or a map)"),
        ("${row.x} {0} %1", "${row.x} {0} %1"),
    ],
)
def test_messages_hold_no_links(message: str, text: str) -> None:
    assert result_of(diagnostic(message))["message"]["text"] == text


def fingerprints(*items: Diagnostic) -> list[str]:
    return [result["partialFingerprints"][FINGERPRINT] for result in run_of(*items)["results"]]


def test_fingerprints_stay_when_lines_move() -> None:
    item = diagnostic(at=place(line=2, pointer=("a", "b")), help="do it")
    moved = replace(item, place=place(line=99, columns=(7, 9), pointer=("a", "b")), help="or not")
    renamed = replace(item, place=place("z.yaml", pointer=("a", "b")))
    others = [
        replace(item, message="found z"),
        replace(item, code="FLT2011"),
        replace(item, place=place(pointer=("a", "c"))),
    ]
    (first,) = fingerprints(item)
    assert fingerprints(moved) == fingerprints(renamed) == [first]
    assert len({first, *(each for other in others for each in fingerprints(other))}) == 4
    twice = fingerprints(item, moved, renamed)
    assert twice == [first, first.removesuffix(":1") + ":2", first]


SPANS = st.tuples(st.integers(1, 3), st.tuples(st.integers(1, 9), st.integers(1, 9)))


@given(
    message=st.text(min_size=1),
    help=st.text(),
    file=st.text(min_size=1).filter(lambda name: not name.startswith("/")),
    pointer=st.lists(st.text() | st.integers(0, 9), max_size=3),
    span=SPANS,
)
def test_any_text_gives_a_valid_log(
    message: str,
    help: str,
    file: str,
    pointer: list[str | int],
    span: tuple[int, tuple[int, int]],
) -> None:
    at = place(file, *span, pointer=tuple(pointer))
    log = log_of(diagnostic(message, at, help=help, related=(Related(message, at),)))
    (result,) = valid_sarif(log)["results"]
    assert path_of(result["locations"][0]) == file
    assert log == log_of(diagnostic(message, at, help=help, related=(Related(message, at),)))
    json.dumps(log, ensure_ascii=False).encode("utf-8")
