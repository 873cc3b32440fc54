"""What is rewritten for editors accepts and refuses exactly the same documents."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator as Validator

from fleet_contracts import schemas
from fleet_contracts.bundle import bundle
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.editor.friendly import friendly
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.yaml import read_yaml
from node_kit import CHECKOUT

VALUES: list[Any] = [
    *(None, True, 0, 1, "", "a", "A b", "one", "evaluator", "composite", "builtin.v1", "judge.v1"),
    *("constant", "file-exists", "decimal", "code", "none", "open", "seat", "1e3", [], ["a"], {}),
    *({"file": "a"}, {"text": "a", "role": "user"}, {"builtin": "a@v1", "file": "a"}),
    *({"kind": "min"}, {"mode": "none"}, {"type": "composite"}),
]
KEYS = ("zzz", "kind", "type", "mode", "file", "builtin", "image_ref", "text", "source")


def read(path: Path) -> Iterator[Any]:
    """Yield what a file of a fixture holds; nothing if it is made to be unreadable."""
    bag = Bag()
    source = decode(path.read_bytes(), path.name, bag)
    document = source and read_yaml(source, bag)
    if document:
        yield document.value


def documents(*folders: str) -> dict[str, list[Any]]:
    """Return the schemas' examples and the documents in some folders, by authored version."""
    found = {
        version: list(schemas.load(path)["examples"]) for version, path in schemas.AUTHORED.items()
    }
    for version, values in found.items():
        pattern = f"*.{version.removesuffix('/v1')}.yaml"
        paths = sorted(path for each in folders for path in (CHECKOUT / each).rglob(pattern))
        values += [value for path in paths for value in read(path)]
    return found


def mutations(value: Any) -> Iterator[None]:
    """Change one thing in a value at a time, and undo it after each step."""
    if not isinstance(value, (dict, list)):
        return
    for token, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
        for other in VALUES:
            value[token] = other
            yield
        value[token] = item
        yield from mutations(item)
    if isinstance(value, dict):
        yield from _other_keys(value)


def _other_keys(value: dict[str, Any]) -> Iterator[None]:
    for key, item in list(value.items()):
        del value[key]
        yield
        for other in KEYS:
            if other not in value:
                value[other] = item
                yield
                del value[other]
        value[key] = item


def validators(version: str) -> tuple[Validator, Validator]:
    """Return the validators of a bundled schema and of its friendly form."""
    bundled = bundle(schemas.AUTHORED[version])
    return Validator(bundled), Validator(friendly(bundled))


def test_fixtures_and_examples_are_answered_alike() -> None:
    found = documents("examples", "fixtures")
    answers = {True: 0, False: 0}
    for version in schemas.AUTHORED:
        before, after = validators(version)
        for document in found[version]:
            answers[before.is_valid(document)] += 1
            assert before.is_valid(document) == after.is_valid(document), document
    assert all(answers.values()), answers


@pytest.mark.parametrize("version", schemas.AUTHORED)
def test_every_change_of_a_document_is_answered_alike(version: str) -> None:
    before, after = validators(version)
    answers = {True: 0, False: 0}
    for document in copy.deepcopy(documents("examples", "tests/schemas")[version]):
        for _ in mutations(document):
            answer = before.is_valid(document)
            assert after.is_valid(document) == answer, document
            answers[answer] += 1
    assert all(answers.values()), answers


@pytest.mark.parametrize("version", schemas.AUTHORED)
def test_no_union_is_left_to_trying_branches(version: str) -> None:
    bundled = bundle(schemas.AUTHORED[version])
    before = copy.deepcopy(bundled)
    text = json.dumps(friendly(bundled))
    assert '"oneOf"' in json.dumps(bundled)
    assert '"oneOf"' not in text
    assert bundled == before


def test_a_union_that_nothing_tells_apart_stays_as_it_is() -> None:
    union = {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "string", "minLength": 5}]}
    assert friendly(union) == union


def test_the_error_message_of_a_pattern_says_what_is_expected() -> None:
    schema = {"type": "string", "pattern": "^a$", "description": "The letter a."}
    assert friendly(schema)["patternErrorMessage"] == "Expected: The letter a."
