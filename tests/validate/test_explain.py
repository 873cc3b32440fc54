from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest
from validate_kit import FILE, Case, explained, load_cases, read, reference, render

from fleet_contracts import schemas, validate
from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.errors import InternalError
from fleet_contracts.reading.json import read_json
from fleet_contracts.reading.numbers import NumberText
from fleet_contracts.source import Position, Source, Span
from fleet_contracts.validate.shapes import Shape
from fleet_contracts.validate.walk import Walker

LOCK = "lock/lock.v2.json"
CASES = load_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}: {case.title}")
def test_what_is_said(case: Case) -> None:
    assert render(explained(case.name, read(case.snippet).value)) == case.findings


def test_every_code_of_a_shape_has_a_case() -> None:
    said = "\n".join(case.findings for case in CASES)
    elsewhere = {"FLT2001", "FLT2002", "FLT2003", "FLT2004", "FLT2005"}  # about versions
    elsewhere.add("FLT2018")  # about many rows
    codes = {code for code in CODES if code.startswith("FLT2")} - elsewhere
    assert {code for code in codes if code not in said} == set()


@pytest.mark.parametrize(
    ("name", "value", "finding"),
    [
        ("MetadataValue", "v" * 1025, "FLT2015 (top): expected at most 1024 characters, "
         "found 1025"),
        ("Decimal", "1" * 65, "FLT2021 (top): expected a decimal of "
         "at most 64 characters, found 65"),
        ("PositiveInteger", 10**5000, "FLT2015 (top): expected a whole number from 1 to "
         "9007199254740991, found a number of more than 1,000 digits"),
        ("AnswerEqualsParams", {"expected": 10**5000}, "FLT2012 /expected: expected a string, "
         "found a number of more than 1,000 digits"),
        ("PositiveInteger", Decimal("1e400"), "FLT2015 (top): expected a whole number from 1 to "
         "9007199254740991, found the number 1E+400"),
    ],
    ids=["text", "decimal", "whole number", "whole number for text", "exponent"],
)  # fmt: skip
def test_what_is_too_long_is_not_repeated(name: str, value: Any, finding: str) -> None:
    assert render(explained(name, value)).split("\n    help")[0] == f"  {finding}"


def test_too_many_entries_items_and_characters_of_a_key() -> None:
    metadata = {f"k{index}": "v" for index in range(32)} | {"k" * 1025: "v"}
    shown = "k" * 1025
    assert render(explained("Task", {"metadata": metadata, "verifiers": []})) == (
        "  FLT2015 key /metadata: expected at most 32 entries, found 33\n"
        "    help: remove some\n"
        f"  FLT2015 key /metadata/{shown}: expected at most 1024 characters, found 1025\n"
        "    help: shorten it\n"
        "  FLT2015 /verifiers: expected at least 1 item, found an empty list\n"
        "    help: add an item"
    )


def test_every_mistake_of_a_document_is_reported_in_its_order() -> None:
    document = read(
        """
        authoring: taskset/v1
        nam: x
        environments: {shell: {builtin: terminal}}
        tasks:
          a:
            prompt: [{role: me, text: 1}]
            verifiers:
              - id: one
                type: composite
                children:
                  - {id: x, weight: half, node: {id: x, type: evaluator}}
                  - node: {id: y, type: leaf}
                aggregation: {kind: all_of, weights: []}
          b: {tools: bash}
        """
    )
    found = [(item.code, item.place.pointer) for item in explained("taskset/v1", document.value)]
    node = ("tasks", "a", "verifiers", 0)
    assert found == [
        ("FLT2010", ("nam",)),
        ("FLT2014", ("environments", "shell", "builtin")),
        ("FLT2013", ("tasks", "a", "prompt", 0, "role")),
        ("FLT2012", ("tasks", "a", "prompt", 0, "text")),
        ("FLT2011", node),
        ("FLT2020", (*node, "children", 0, "weight")),
        ("FLT2011", (*node, "children", 0, "node")),
        ("FLT2011", (*node, "children", 1)),
        ("FLT2013", (*node, "children", 1, "node", "type")),
        ("FLT2010", (*node, "aggregation", "weights")),
        ("FLT2012", ("tasks", "b", "tools")),
    ]


def test_a_few_bad_tasks_are_found_among_many() -> None:
    task = schemas.load("authoring/tasks.v1.json")["examples"][0]["tasks"]["math/product"]
    tasks = {f"t{index}": task for index in range(1000)}
    tasks["t7"] = {**task, "prompt": 1}
    tasks["t900"] = {**task, "verifier": []}
    found = explained("tasks/v1", {"authoring": "tasks/v1", "tasks": tasks})
    assert [item.place.pointer for item in found] == [
        ("tasks", "t7", "prompt"),
        ("tasks", "t900", "verifier"),
    ]


def test_a_repeated_item_names_the_first() -> None:
    value = {"name": "a", "type": "category", "categories": ["x", "y", "x"]}
    (item,) = explained("Metric", value)
    assert [(each.message, each.place) for each in item.related] == [
        ("it stands here first", Place(FILE, ("categories", 0)))
    ]


def test_places_start_at_the_base() -> None:
    span = Span(Position(3, 1), Position(3, 9))
    bag = Bag()
    base = Place("rows.jsonl", ("tasks", "a"), span=span)
    validate.explain(reference("Task"), {"tools": [1]}, base, bag)
    assert [item.place for item in bag] == [
        Place("rows.jsonl", ("tasks", "a", "tools", 0), span=span)
    ]


def test_nothing_is_said_about_a_valid_document() -> None:
    bag = Bag()
    validate.explain(reference("Seat"), {"seat": "a", "role": "b"}, Place(FILE), bag)
    assert not bag.items


def test_validators_that_disagree_are_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Walker, "walk", lambda *_: None)
    with pytest.raises(InternalError, match=r"disagree about /tools/0 of a\.yaml"):
        explained("Task", {"tools": [1]})


def test_numbers_of_json_files_are_numbers() -> None:
    text = '{"name": "a", "protocol": "tcp", "port": 80}'
    document = read_json(Source("a.json", text), Bag())
    assert document is not None
    assert document.value["port"] == NumberText("80")
    assert validate.is_valid(reference("Endpoint"), document.value)
    assert not validate.is_valid(reference("Endpoint"), document.value | {"port": NumberText("0")})
    assert render(explained("Endpoint", document.value | {"port": NumberText("1.5")})) == (
        "  FLT2012 /port: expected a whole number, found the number 1.5"
    )


@pytest.mark.parametrize("name", ["Decimal", "Size", "PositiveInteger", "Regex", "Completion"])
@pytest.mark.parametrize("text", ["1", "0", "-1", "0.5", "1e3", "1E400"])
def test_a_number_as_text_is_judged_as_its_value(name: str, text: str) -> None:
    number = NumberText(text)
    expected = validate.is_valid(reference(name), number.to_number())
    assert validate.is_valid(reference(name), number) is expected


def test_numbers_deep_in_free_form_values_are_converted() -> None:
    value = {"a": [NumberText("1.0"), {"b": NumberText("0.30")}], "c": "1"}
    assert validate.plain_numbers(value) == {"a": [1, {"b": Decimal("0.30")}], "c": "1"}


def _walked(schema: dict[str, Any], value: Any) -> str:
    bag = Bag()
    Walker(Place(FILE), bag).walk(Shape(schema, "inline.json"), value)
    return render(bag)


OVERLAP = [{"type": "string", "maxLength": 3}, {"type": "string", "pattern": "^a"}]


def test_of_forms_that_overlap_the_nearest_is_explained() -> None:
    maps = [
        {"type": "object", "required": ["a", "b", "c"], "additionalProperties": True},
        {"type": "object", "required": ["d"], "additionalProperties": True},
    ]
    assert _walked({"oneOf": maps}, {}) == (
        "  FLT2011 key (top): missing `d` in this map\n    help: add `d`"
    )


def test_one_form_has_to_fit_unless_any_may() -> None:
    assert _walked({"oneOf": OVERLAP}, "bcd") == ""
    assert _walked({"oneOf": OVERLAP}, "abc") == (
        '  FLT2016 (top): expected only one form of a string or a string, found "abc"'
    )
    assert _walked({"anyOf": OVERLAP}, "abc") == ""
    assert _walked({"anyOf": OVERLAP}, "bcde").startswith("  FLT2015 (top)")


def test_items_are_compared_as_json() -> None:
    schema = {"type": "array", "uniqueItems": True}
    assert _walked(schema, [1, True, "1", [1], {"a": 1}, {"a": True}, [True]]) == ""
    assert _walked(schema, [{"a": [1], "b": 2}, {"b": 2, "a": [Decimal(1)]}]).startswith(
        "  FLT4010 /1: found a map with `b` and `a` a second time"
    )


def test_the_slow_library_is_never_loaded() -> None:
    program = (
        "import sys\n"
        "from fleet_contracts import validate\n"
        "from fleet_contracts.diagnostics.model import Bag, Place\n"
        "assert 'jsonschema_rs' not in sys.modules\n"
        "validate.explain('authoring/tasks.v1.json', {}, Place('a'), Bag())\n"
        "assert 'jsonschema' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
