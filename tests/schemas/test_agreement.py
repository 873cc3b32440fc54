"""The fast validator, the slow one and the walk say the same about any document."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_kit import TASKSET, at, documents, every_field, pointers, slow

from fleet_contracts import validate
from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.pointer import Pointer

DOCUMENTS = documents()
DIGEST = "sha256:" + "0" * 64
TEXTS = [
    "", " ", "a", "A b", "a\n", "a\r", "é", "\U0001f600", "a\u0000b", "/", "/a/b", "../a", "a@v1",
    "0", "-0.0", "0.30", "1e3", ".5", "1" * 64, "1" * 65, "2GiB", "2 gib", "a:1", "linux/amd64",
    DIGEST, DIGEST + "\n", "a@" + DIGEST, "debian:12", "x" * 1025, "true", "none", "final", "file",
    "composite", "evaluator", "builtin.v1", "judge.v1", "constant", "decimal", "min", "kind",
]  # fmt: skip
OTHERS: list[Any] = [
    None, True, False, 0, 1, -1, 8080, 65536, 2**53 - 1, 2**53, 10**400, Decimal("0.5"),
    Decimal("-0.25"), Decimal("1e-400"), [], [None], ["a", "a"], [[]], {}, {"a": 1},
    {"file": "a"}, {"file": "a", "path": "b"}, {"mode": "none"}, {"kind": "threshold"},
]  # fmt: skip
KEYS = ["zzz", "", "a b", "kind", "type", "mode", "file", "id", "builtin", "Prompt", "x" * 1025]


def _explained(path: str, value: Any) -> Bag:
    bag = Bag()
    validate.explain(path, value, Place("a.yaml", ("base",)), bag)
    return bag


def _check(path: str, value: Any, bag: Bag) -> None:
    """Assert that a document's diagnostics are there, and are about places that exist."""
    assert len(bag) >= 1
    for item in bag:
        assert item.code in CODES
        assert item.message
        assert item.place.pointer[0] == "base"
        at(value, item.place.pointer[1:])


def _holder(value: Any, pointer: Pointer) -> Any:
    return at(value, pointer[:-1])


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, Any]:
    """A valid document after one to three changes at places of the author's choice."""
    path, document = draw(st.sampled_from(DOCUMENTS))
    value = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        places = list(pointers(value))
        if not places:
            break
        pointer = draw(st.sampled_from(places))
        holder, token = _holder(value, pointer), pointer[-1]
        change = draw(st.sampled_from(["text", "other", "delete", "copy", "rename", "add"]))
        if change == "text":
            holder[token] = draw(st.sampled_from(TEXTS) | st.text(max_size=8))
        elif change == "other":
            holder[token] = copy.deepcopy(draw(st.sampled_from(OTHERS)))
        elif change == "delete":
            del holder[token]
        elif change == "copy":
            holder[token] = copy.deepcopy(at(value, draw(st.sampled_from(places))))
        elif isinstance(holder, dict):
            item = holder.pop(token) if change == "rename" else holder[token]
            holder[draw(st.sampled_from(KEYS))] = item
    return path, value


@settings(max_examples=600, deadline=None)
@given(mutated())
def test_both_validators_and_the_walk_agree(case: tuple[str, Any]) -> None:
    path, value = case
    valid = validate.is_valid(path, value)
    assert slow(path).is_valid(value) is valid
    bag = _explained(path, value)
    if valid:
        assert not bag.items
    else:
        _check(path, value, bag)


@settings(max_examples=100, deadline=None)
@given(mutated())
def test_odd_numbers_of_any_document_are_looked_up(case: tuple[str, Any]) -> None:
    path, value = case
    odd = dict.fromkeys(pointers(value), "1e0")
    bag = Bag()
    validate.odd_decimals(path, value, odd, Place("a.yaml"), bag)
    assert {item.place.pointer for item in bag} <= odd.keys()


PLACES = list(pointers(every_field()))


def test_deleting_any_field_is_explained_where_it_matters() -> None:
    needed = 0
    for pointer in PLACES:
        value = every_field()
        del _holder(value, pointer)[pointer[-1]]
        bag = _explained(TASKSET, value)
        if validate.is_valid(TASKSET, value):
            assert not bag.items
        else:
            needed += 1
            _check(TASKSET, value, bag)
    assert needed > 100


@pytest.mark.parametrize("wrong", [None, -1, "\n", {"zzz": 1}], ids=str)
def test_mistyping_any_field_is_explained(wrong: Any) -> None:
    for pointer in PLACES:
        value = every_field()
        _holder(value, pointer)[pointer[-1]] = copy.deepcopy(wrong)
        bag = _explained(TASKSET, value)
        if validate.is_valid(TASKSET, value):
            assert not bag.items
        else:
            _check(TASKSET, value, bag)


def test_misspelling_any_key_is_one_mistake() -> None:
    for pointer in PLACES:
        key = pointer[-1]
        if not isinstance(key, str) or len(key) < 4:
            continue
        value = every_field()
        holder = _holder(value, pointer)
        holder[key[:-2] + key[-1] + key[-2]] = holder.pop(key)
        if validate.is_valid(TASKSET, value):
            continue
        (item,) = _explained(TASKSET, value)
        assert (item.code, item.help) == ("FLT2010", f"did you mean `{key}`?"), pointer
