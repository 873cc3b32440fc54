"""Documents of every kind and generation: those of the fixtures, and what chance makes of them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, cast

import pytest
from verify_kit import sha

from fleet_contracts.canonical import canonical_bytes
from fleet_contracts.verify.documents import DocumentKind, read_document

OK = Path(__file__).resolve().parents[2] / "fixtures" / "compile" / "ok"
MUTANTS = 600


def documents() -> list[tuple[DocumentKind, dict[str, Any]]]:
    found = [json.loads(path.read_bytes()) for path in sorted(OK.glob("*/expected/content.json"))]
    every = [value for content in found for value in content.values()]
    return [(cast("DocumentKind", value["schema"].split(".")[1]), value) for value in every]


def codes(kind: DocumentKind, data: bytes) -> str | None:
    problem = read_document(kind, sha(data), data)[1]
    return problem.code if problem else None


def test_every_document_of_the_fixtures_is_as_it_should_be() -> None:
    found = documents()
    assert {kind for kind, _ in found} >= {"taskset", "task", "environment", "artifact"}
    assert {codes(kind, canonical_bytes(value)) for kind, value in found} == {None}


def mutated(value: Any, chance: random.Random) -> Any:
    """Return a copy with one thing changed somewhere."""
    copy = json.loads(json.dumps(value))
    holders = [copy]
    for each in holders:
        inside = each.values() if isinstance(each, dict) else each
        holders.extend(item for item in inside if isinstance(item, dict | list) and item)
    holder = chance.choice(holders)
    key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    odd: list[Any] = [None, True, -1, 2**53 - 1, "", "\0", "x" * 5000, [], {}, [[]], {"a": 1}]
    if chance.random() < 0.2:
        del holder[key]
    elif chance.random() < 0.2 and isinstance(holder, dict):
        holder[chance.choice(["colour", "id", "digest", ""])] = chance.choice(odd)
    else:
        holder[key] = chance.choice([*odd, chance.choice(holders)])
    return json.loads(json.dumps(copy))


def test_what_chance_makes_of_a_document_is_told_in_words() -> None:
    chance = random.Random(6014)
    every = documents()
    refused = 0
    for _ in range(MUTANTS):
        kind, value = chance.choice(every)
        try:
            data = canonical_bytes(mutated(value, chance))
        except ValueError:  # it holds itself
            continue
        problem = read_document(kind, sha(data), data)[1]
        if problem is not None:
            refused += 1
            assert problem.code in ("FLT6014", "FLT6015")
            assert problem.message.startswith("the ")
            assert problem.help
    assert refused > MUTANTS // 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"null",
        b"[]",
        b"0.5",
        b'{"schema":1}',
        b'{"schema":"fleet.task.v1alpha1/../x"}',
        b'{"schema":"fleet.task.v1alpha1","x":' + b"9" * 5000 + b"}",
        b'{"schema":"fleet.task.v1alpha1","x":"\\ud800"}',
        b'{"schema":"fleet.task.v1alpha1","x":' + b"[" * 300 + b"]" * 300 + b"}",
        b'{"schema":"fleet.task.v1alpha1","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_bytes_that_are_no_document(data: bytes) -> None:
    assert codes("task", data) == "FLT6014"
