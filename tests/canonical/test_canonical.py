"""Canonical bytes against `rfc8785`, against the published vectors, and what they refuse."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.canonical import (
    CanonicalError,
    FreeFormProblem,
    canonical_bytes,
    canonical_json_text,
    check_free_form,
    digest,
    encode,
)
from fleet_contracts.errors import FleetError

VECTORS = Path(__file__).parents[2].parent / "shared" / "cases" / "jcs"

# Characters where the order of UTF-16 units and that of code points part, and their neighbours.
EDGES = '\x00\x1f"\\/\x7f\x80é\u2028\ud7ff\ue000\ufb33\uffff\U00010000\U0001f602\U0010ffff'
characters = st.one_of(st.sampled_from(EDGES), st.characters(exclude_categories=["Cs"]))
texts = st.text(characters, max_size=8)
integers = st.integers(-(2**53) + 1, 2**53 - 1)
leaves = st.one_of(st.none(), st.booleans(), integers, texts)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=5)),
    max_leaves=20,
)


class Leaf(msgspec.Struct, tag_field="type", tag="leaf", kw_only=True, omit_defaults=True):
    zone: str
    id: str
    params: Any = None
    labels: dict[str, str] = {}


def vectors() -> list[str]:
    return sorted(path.stem for path in (VECTORS / "input").glob("*.json")) or ["(absent)"]


@given(trees)
def test_equals_rfc8785(tree: Any) -> None:
    assert canonical_bytes(tree) == rfc8785.dumps(tree)


@given(trees)
def test_parsing_and_writing_again_changes_nothing(tree: Any) -> None:
    data = canonical_bytes(tree)
    assert canonical_bytes(msgspec.json.decode(data)) == data
    assert canonical_json_text(data.decode()) == data


@given(texts, texts, trees, st.dictionaries(texts, texts, max_size=5))
def test_a_struct_equals_its_plain_data(
    zone: str, name: str, params: Any, labels: dict[str, str]
) -> None:
    struct = Leaf(zone=zone, id=name, params=params, labels=labels)
    assert encode(struct) == canonical_bytes(msgspec.to_builtins(struct))


@given(st.dictionaries(characters, st.just(0), min_size=2, max_size=6))
def test_keys_are_ordered_by_utf16_units(value: dict[str, int]) -> None:
    ordered = msgspec.json.decode(canonical_bytes(value), type=dict[str, int])
    assert list(ordered) == sorted(value, key=lambda key: key.encode("utf-16-be"))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_json_text_numbers_are_doubles(number: float) -> None:
    assert canonical_json_text(repr(number)) == rfc8785.dumps(number)


@pytest.mark.parametrize("name", vectors())
def test_published_vectors(name: str) -> None:
    if not VECTORS.is_dir():
        pytest.skip(f"the published vectors are not at {VECTORS.parent.name}/{VECTORS.name}")
    text = (VECTORS / "input" / f"{name}.json").read_text(encoding="utf-8")
    found = canonical_json_text(text)
    assert found == (VECTORS / "output" / f"{name}.json").read_bytes()
    assert found == bytes.fromhex((VECTORS / "outhex" / f"{name}.txt").read_text())
    if name != "values":  # the only one with numbers that content refuses
        value = msgspec.json.decode(text.replace("56.0", "56"))
        assert canonical_bytes(value) == found


def test_order_across_the_surrogate_gap() -> None:
    value = {"\ufb33": 1, "\U0001f602": 2}
    expected = '{"\U0001f602":2,"\ufb33":1}'.encode()
    assert canonical_bytes(value) == expected
    assert encode(Leaf(zone="z", id="i", params=value)) == (
        b'{"id":"i","params":' + expected + b',"type":"leaf","zone":"z"}'
    )


class Text(str):
    pass


@pytest.mark.parametrize(
    ("value", "kind", "pointer"),
    [
        ({"a": [1, 0.5]}, "fraction", ("a", 1)),
        ({"a": 1.0}, "fraction", ("a",)),
        ({"a": Decimal("0.3")}, "fraction", ("a",)),
        (float("nan"), "fraction", ()),
        ([2**53], "big-integer", (0,)),
        ([-(2**53)], "big-integer", (0,)),
        ({"a/b": "\ud800"}, "lone-surrogate", ("a/b",)),
        ({"\udfff": 1}, "lone-surrogate", ("\udfff",)),
        ({"a": (1, 2)}, "not-json", ("a",)),
        ({"a": b"bytes"}, "not-json", ("a",)),
        ({"a": {1, 2}}, "not-json", ("a",)),
        ({"a": {1: 2}}, "not-json", ("a",)),
        ({"a": Text("x")}, "not-json", ("a",)),
        ({Text("a"): 1}, "not-json", ()),
    ],
)
def test_what_content_refuses(value: Any, kind: str, pointer: tuple[str | int, ...]) -> None:
    assert check_free_form(value) == [(kind, pointer)]
    assert check_free_form(value, ("p", 0)) == [(kind, ("p", 0, *pointer))]
    with pytest.raises(CanonicalError) as caught:
        canonical_bytes(value)
    assert (caught.value.kind, caught.value.pointer) == (kind, pointer)
    assert isinstance(caught.value, FleetError)
    assert isinstance(caught.value, ValueError)


def test_all_problems_are_found_in_order() -> None:
    value = {"a": 0.5, "b": [2**60, "fine", "\ud800"], "c": {"d": object()}}
    assert check_free_form(value) == [
        FreeFormProblem("fraction", ("a",)),
        FreeFormProblem("big-integer", ("b", 0)),
        FreeFormProblem("lone-surrogate", ("b", 2)),
        FreeFormProblem("not-json", ("c", "d")),
    ]


def test_the_message_names_the_pointer() -> None:
    with pytest.raises(CanonicalError, match=r"a number that is not a plain integer at /a~1b/1"):
        canonical_bytes({"a/b": [0, 0.5]})
    with pytest.raises(CanonicalError, match="at the top"):
        canonical_bytes(0.5)
    with pytest.raises(CanonicalError, match=r"at /\\ud800"):
        canonical_bytes({"\ud800": 1})


def test_endless_nesting_is_refused() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(CanonicalError, match="too deeply"):
        canonical_bytes(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("56.0", b"56"),
        ("-0", b"0"),
        ("-0.0", b"0"),
        ("1e21", b"1e+21"),
        ("9007199254740993", b"9007199254740992"),
        ('{"b":1,"a":"\\/"}', b'{"a":"/","b":1}'),
        (" [ true , null ] \n", b"[true,null]"),
    ],
)
def test_json_text(text: str, expected: bytes) -> None:
    assert canonical_json_text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "01",
        "1 2",
        "{'a':1}",
        "[1,]",
        "NaN",
        "[-Infinity]",
        "1e400",
        "1" * 5000,
        '{"a":1,"\\u0061":2}',
        '"\\ud800"',
        '"\ud800"',
        '{"\\udc00":1}',
        '"\n"',
        "\ufeff1",
        "[" * 100_000,
    ],
)
def test_json_text_that_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        canonical_json_text(text)


def test_digest() -> None:
    assert digest(b"{}") == (
        "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    )
