"""Scalars that tools for YAML 1.1 read differently: which they are, and where they are told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fleet_contracts.diagnostics.model import Bag, Diagnostic, distinct
from fleet_contracts.documents import Reader
from fleet_contracts.project import Project
from fleet_contracts.reading.core_schema import Refusal, resolve
from fleet_contracts.reading.look_alikes import yaml11
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source
from reading_kit import spelled

TRUE = "y Y yes Yes YES on On ON"
FALSE = "n N no No NO off Off OFF"

NUMBERS = {
    "1_000": "1000",
    "+1_0": "10",
    "1_000.50": "1000.5",
    "1_0.5e+3": "10500",
    "._5": None,
    ".5_0": "0.5",
    "-.5_": "-0.5",
    "0b101": "5",
    "-0b1_1": "-3",
    "0_17": "15",
    "0_8": None,
    "0x_1F": "31",
    "-0x1f": "-31",
    "+0x1F": "31",
    "1:30": "90",
    "-1:30": "-90",
    "1:5": "65",
    "1:60": None,
    "01:30": None,
    "12:30:00": "45000",
    "190:20:30": "685230",
    "1:30.5": "90.5",
    "0:30.": "30",
    "0:30": None,
    "22:22": "1342",
    "1:30:": None,
    "0b": None,
    "0b2": None,
    "0b_": None,
}
"""Plain text of YAML 1.2, and the number that YAML 1.1 reads, if any."""

DATES = {
    "2024-01-01": "a date",
    "2024-13-45": "a date",
    "2024-1-1": None,
    "2024-01": None,
    "2024-01-01T10:00:00Z": "a timestamp",
    "2024-1-1 1:00:00": "a timestamp",
    "2024-01-01 10:00:00.25 -5": "a timestamp",
    "2024-01-01t10:00:00+01:00": "a timestamp",
    "2024-01-01 10:00": None,
}

TEXT = "1e3 1E3 1.5e3 1e-3 1e+3 -1.e3 .5e3 0o17"
"""Numbers of YAML 1.2 that are text to YAML 1.1."""

ALIKE = """
    a none null Null ~ true True FALSE nope yep yES nO oN y1 yes. 0 -1 +1 1.5 1. .5 -.5 0x1F 1.5e+3
    1.5e-3 -.5E+10 1.2.3 1-2 1,000 10%% e3 - . .. -- == <<< 127.0.0.1 a:1 0o8 ::1
"""


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        *[(text, "the boolean true") for text in TRUE.split()],
        *[(text, "the boolean false") for text in FALSE.split()],
        *[(text, number and f"the number {number}") for text, number in NUMBERS.items()],
        *DATES.items(),
        *[(text, "text") for text in TEXT.split()],
        *[(text, None) for text in ALIKE.split()],
        ("=", "a default value"),
        ("<<", "a merge key"),
        ("1" + "_" * 100 + "0", "the number 10"),
        ("1_" + "0" * 100, "a number"),
        ("1_0.0e+9999999999999999999999", "a number"),
        ("1_0.0e+99", "a number"),
    ],
)
def test_what_is_read_by_yaml_1_1(text: str, reading: str | None) -> None:
    assert yaml11(text) == reading


def test_long_texts_are_judged_at_once() -> None:
    digits = "1" * 1_000_000
    for text in (f"{digits}_x", f"0b{digits}x", f"1:{digits}", f"{digits}:1x", f"1.{digits}_x"):
        assert yaml11(text) is None
    for text in (f"{digits}_1", f"0b{digits}", ":".join(["1"] * 1_000_000), f"1_.{digits}"):
        assert yaml11(text) == "a number"


# What PyYAML does not do although the types say so, and what it breaks down on.
NOT_IN_PYYAML = frozenset("yYnN")
SIGN_BEFORE_POINT = ("-.", "+.")
NO_DIGITS = ("0b_", "0x_")

SEEDS = """
    no yes on off 1_000 1:30 12:30:00 1:30.5 2024-01-01 2024-01-01T10:00:00Z 0b101 0o17 0x1F 1e3
    1e-3 1.5e3 1.5e+3 .5 5. = << ~ null true -0x1f +1 1.2.3 0.5 190:20:30.15 .inf 0_7 685_230.15
"""
LETTERS = "0123456789_:.-+eExobTZ yYnN=<~"


def generated(count: int) -> Iterator[str]:
    """Yield scalars that look like something special, or nearly."""
    chance = random.Random(11)
    seeds = SEEDS.split()
    for _ in range(count):
        if chance.random() < 0.3:
            yield "".join(chance.choice(LETTERS) for _ in range(chance.randint(1, 6)))
            continue
        text = list(chance.choice(seeds))
        for _ in range(chance.randint(0, 3)):
            at = chance.randrange(len(text) + 1)
            text[at : at + chance.randint(0, 1)] = chance.choice(["", *LETTERS])
        yield "".join(text)


def is_same(value: Any, other: Any) -> bool:
    """Tell whether YAML 1.2 and YAML 1.1 read the same; 1 and 1.0 are the same number."""
    if isinstance(value, bool) or value is None or isinstance(other, bool):
        return value is other
    if isinstance(value, int | Decimal):
        return isinstance(other, int | float) and float(value) == float(other)
    return bool(value == other)


def is_excepted(text: str) -> bool:
    return (
        text in NOT_IN_PYYAML
        or text.startswith(SIGN_BEFORE_POINT)
        or text.lstrip("+-").rstrip("_") + "_" in NO_DIGITS
    )


def test_warns_where_pyyaml_reads_something_else() -> None:
    # No types are installed for it, and nothing but this test uses it.
    yaml: Any = pytest.importorskip("yaml", reason="PyYAML is not installed")
    compared = differing = 0
    for text in {text.strip() for text in generated(20_000)}:
        try:
            scalars = [each for each in yaml.parse(f"- {text}") if hasattr(each, "style")]
        except yaml.YAMLError:
            continue
        if [each.value for each in scalars] != [text] or scalars[0].style:
            continue
        value = resolve(text)
        if isinstance(value, Refusal) or is_excepted(text):
            continue
        try:
            other = yaml.safe_load(f"- {text}")[0]
        except (yaml.YAMLError, ValueError):  # `=`, `<<`, and dates that do not exist
            other = object()
        reading = yaml11(text)
        assert (reading is None) is is_same(value, other), (text, value, other, reading)
        if reading and reading.startswith("the number "):
            assert float(reading.removeprefix("the number ")) == pytest.approx(float(other))
        compared += 1
        differing += reading is not None
    assert compared > 3_000
    assert differing > 500


def warned(text: str) -> list[Diagnostic]:
    bag = Bag()
    document = read_yaml(Source("a.yaml", text), bag)
    assert document is not None, bag.items
    assert not bag.items
    assert {item.code for item in document.warnings} <= {"FLT1035"}
    return list(document.warnings)


def told(text: str) -> list[str]:
    return [spelled(item).removeprefix("FLT1035 ") for item in warned(text)]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a: no", ["1:4-1:6 /a"]),
        ("a: [no, {b: yes}, on]", ["1:5-1:7 /a/0", "1:13-1:16 /a/1/b", "1:19-1:21 /a/2"]),
        ("- 1:30\n- - 2024-01-01 # today\n", ["1:3-1:7 /0", "2:5-2:15 /1/0"]),
        ("on:\n  y: 1\n", ["1:1-1:3 /on", "2:3-2:4 /on/y"]),
        ("{y: 1, ? no : 2}", ["1:2-1:3 /y", "1:10-1:12 /no"]),
        ("a: no\nb: no\nc: no\n", ["1:4-1:6 /a", "2:4-2:6 /b", "3:4-3:6 /c"]),
        ("- y: 1\n- y: 2\n", ["1:3-1:4 /0/y", "2:3-2:4 /1/y"]),
        ("a: &x no\nb: *x\nc: [*x]\n", ["1:4-1:9 /a"]),
        ("&x on: 1\nb: {*x : 2}\n", ["1:1-1:6 /on"]),
        ("a: &x\n  on\n", ["1:4-2:5 /a"]),
        ("a: 2024-01-01\n  10:00:00\n", ["1:4-2:11 /a"]),
        ("a: 1e3", ["1:4-1:7 /a"]),
        ("日: no", ["1:4-1:6 /日"]),
        ("a: [x?y, no]", ["1:10-1:12 /a/1"]),
        ("b: =\nc: <<\n", ["1:4-1:5 /b", "2:4-2:6 /c"]),
    ],
)
def test_each_is_told_once_where_it_is_written(text: str, places: list[str]) -> None:
    assert told(text) == places


@pytest.mark.parametrize(
    "text",
    [
        'a: "no"\n"on": \'yes\'\n',
        "a: |\n  no\nb: >-\n  1:30\n",
        "a: !!str no\nb: ! 1:30\nc: !!float 1.5e+3\n",
        "a: no way\nb: yes\n  indeed\nc: on.\n",
        "a: 1.5\nb: -3\nc: 0x1F\nd: true\ne: null\nf: ~\n",
        "a: node\nb: overall\nc: yellow\nd: <none>\ne: =1\n",
    ],
)
def test_what_reads_the_same_is_not_told(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "message", "help", "edit"),
    [
        (
            "no",
            "`no` is text here, but the boolean false to tools for YAML 1.1",
            'quote it: "no"',
            ("no", '"no"'),
        ),
        (
            "&x 2024-01-01",
            "`2024-01-01` is text here, but a date to tools for YAML 1.1",
            'quote it: "2024-01-01"',
            ("2024-01-01", '"2024-01-01"'),
        ),
        (
            "1.5e3",
            "`1.5e3` is the number 1500 here, but text to tools for YAML 1.1",
            "write `1500`",
            ("1.5e3", "1500"),
        ),
        (
            "0o17",
            "`0o17` is the number 15 here, but text to tools for YAML 1.1",
            "write `15`",
            ("0o17", "15"),
        ),
        (
            "1e300",
            "`1e300` is a number here, but text to tools for YAML 1.1",
            'write out the number, or quote it: "1e300"',
            None,
        ),
        (
            "2024-01-01\n   10:00:00",
            "`2024-01-01 10:00:00` is text here, but a timestamp to tools for YAML 1.1",
            'quote it: "2024-01-01 10:00:00"',
            None,
        ),
    ],
)
def test_says_what_is_read_and_how_to_mend_it(
    text: str, message: str, help: str, edit: tuple[str, str] | None
) -> None:
    source = Source("a.yaml", f"a: {text}\n")
    (item,) = resolve_places(warned(source.text), {"a.yaml": source})
    assert (item.message, item.help) == (message, help)
    if edit is None:
        assert item.fix is None
        return
    assert item.fix is not None
    assert tuple(item.fix.edit)[:2] == edit
    span = item.fix.place.span
    assert span is not None
    line = source.line(1)
    mended = line[: span.start.column - 1] + edit[1] + line[span.end.column - 1 :]
    assert warned(mended) == []


def test_keys_are_mended_too() -> None:
    source = Source("a.yaml", "a: {on : 1}\n")
    (item,) = resolve_places(warned(source.text), {"a.yaml": source})
    assert item.place.at == "key"
    assert item.fix is not None
    assert item.fix.edit.new == '"on"'


def test_what_only_the_grammar_reads_is_told_as_well() -> None:
    assert told("{a\n  b: no, c: yes}\n") == ["2:6-2:8 /a b", "2:13-2:16 /c"]


def test_more_than_the_most_are_counted() -> None:
    warnings = warned("- no\n" * 10_400)
    assert len(warnings) == 10_000
    assert "more scalars" not in warnings[-2].message
    assert warnings[-1].message.endswith("; so are 400 more scalars of this file")


def test_repeated_and_forgotten_scalars_are_told_each_time() -> None:
    many = "".join(f"- n{index}\n" for index in range(10_100))
    assert len(warned(f"{many}- no\n- no\n- 1:30\n")) == 3


def test_nothing_is_told_of_a_file_that_is_refused() -> None:
    bag = Bag()
    assert read_yaml(Source("a.yaml", "a: no\na: 007\n"), bag) is None
    assert "FLT1035" not in {item.code for item in bag}


def load(folder: Path, name: str, text: str) -> list[Diagnostic]:
    path = folder / name
    path.write_text(text, "utf-8")
    bag = Bag()
    reader = Reader(Project(folder))
    reader.load(path, ("environment/v1",), bag)
    return distinct(resolve_places(bag, reader.sources))


def test_beside_an_error_it_is_not_told(tmp_path: Path) -> None:
    text = "authoring: environment/v1\nbuiltin: a@v1\nenv: {A: 1:30}\nworkdir: &x no\non: 1\n"
    codes = [(item.code, item.place.pointer) for item in load(tmp_path, "a.yaml", text)]
    assert ("FLT1035", ("env", "A")) in codes
    assert ("FLT2010", ("on",)) in codes
    assert ("FLT2014", ("workdir",)) in codes
    assert len(codes) == 3


def test_json_has_one_meaning(tmp_path: Path) -> None:
    text = '{"authoring": "environment/v1", "builtin": "a@v1", "endpoints": [{"port": 8e3}]}'
    for name, expected in (("a.json", False), ("a.yaml", True)):
        codes = {item.code for item in load(tmp_path, name, text)}
        assert ("FLT1035" in codes) is expected
