"""Half of the YAML test suite: what is read reads equal, and each refusal has its reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.yaml import read_yaml

# What spec section 9 refuses although it is YAML 1.2, by the codes of the refusal.
DELIBERATE = {
    "FLT1012": "9DXL 9KAX JHB9 KSS4 M7A3 RZT7 U9NS UT92",  # several documents
    "FLT1012 FLT1030": "6WLZ",
    "FLT1013": "98YD DK95/07 HWV9",  # no document
    "FLT1013 FLT1014": "MUS6/02 MUS6/03 MUS6/04 MUS6/05 MUS6/06",  # a directive, no document
    "FLT1014": "2LFX",  # a directive that nobody defines
    "FLT1021": "2JQS 6PBE 9MMW CFD4 DFF7 FRK4 KK5P LX3P M5DY SBG9 UKK6/00 V9D5 X38W XW4D",
    "FLT1030": "J7PZ M5C3 UGM3",  # tags of an application
    "FLT1031": "UKK6/02",  # `!` before nothing: null to some readers, text to others
}
REASONS = {case: codes for codes, cases in DELIBERATE.items() for case in cases.split()}


def read(text: str) -> tuple[Any, str]:
    """Return the value, or the codes of all that is wrong."""
    bag = Bag()
    source = decode(text.encode(), "case.yaml", bag)
    document = read_yaml(source, bag) if source else None
    if document is None:
        assert bag.items
        assert all(item.place.span for item in bag)
        return None, " ".join(sorted({item.code for item in bag}))
    assert not bag.items
    return document.value, ""


def plain(value: Any) -> Any:
    """Return a value in which equal numbers are equal and true is not 1."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return ("number", Decimal(value))
    return (type(value).__name__, value)


@pytest.fixture(scope="module")
def suite(cases_dir: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(
        (cases_dir / "yaml-test-suite" / "cases.json").read_text(encoding="utf-8")
    )
    return cases


def unexplained(suite: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each case that is neither right nor refused for a known reason."""
    for case in suite:
        name = f"{case['id']} ({case['name']})"
        value, codes = read(case["yaml"])
        if case["error"]:
            if not codes:
                yield f"{name} is no YAML, and was read as {value!r}"
        elif codes:
            if REASONS.get(case["id"]) != codes:
                yield f"{name} was refused with {codes}"
        elif case["id"] in REASONS:
            yield f"{name} was read, and should be refused with {REASONS[case['id']]}"
        elif plain(value) != plain(json.loads(case["json"], parse_float=Decimal)):
            yield f"{name} was read as {value!r}, expected {case['json']}"


def test_every_case_is_read_equal_or_refused_for_a_reason(suite: list[dict[str, Any]]) -> None:
    assert len(suite) > 150
    assert list(unexplained(suite)) == []


def test_the_check_itself_finds_what_differs() -> None:
    wrong: list[dict[str, Any]] = [
        {"id": "A", "name": "", "yaml": "a: 1", "json": '{"a": "1"}', "error": False},
        {"id": "B", "name": "", "yaml": "a: 1", "json": None, "error": True},
        {"id": "C", "name": "", "yaml": "a: [", "json": "{}", "error": False},
        {"id": "2LFX", "name": "", "yaml": "a: 1", "json": '{"a": 1}', "error": False},
    ]
    assert len(list(unexplained(wrong))) == len(wrong)
