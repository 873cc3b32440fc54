"""A bundle stands alone, follows the rules of strict validators, and means the same."""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given, settings
from schema_kit import ROOTS, documents, every_field, pointers
from test_agreement import mutated

from fleet_contracts import schemas, validate
from fleet_contracts.bundle import bundle
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.editor.kinds import KINDS
from fleet_contracts.editor.schemas import editor_schema
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.yaml import read_yaml
from node_kit import INSTALLED, node_command, what_is_missing

CHECKOUT = Path(__file__).parents[2]
AUTHORED = {schemas.AUTHORED[f"{kind.name}/v1"]: kind.name for kind in KINDS}
NODE = "authoring/definitions.json#/$defs/VerifierNode"
BUNDLES = {reference: bundle(reference) for reference in [*ROOTS, NODE]}
FAST = {
    path: [
        jsonschema_rs.Draft202012Validator(schema)
        for schema in (
            BUNDLES[path],
            bundle(path, strict=False),
            *([editor_schema(AUTHORED[path])] if path in AUTHORED else []),
        )
    ]
    for path in ROOTS
}


def every_schema(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield each map in a document that may be a schema: all but those in values."""
    if isinstance(schema, list):
        for each in schema:
            yield from every_schema(each)
    elif isinstance(schema, dict):
        yield schema
        for keyword, value in schema.items():
            if keyword in ("properties", "$defs"):
                yield from (found for each in value.values() for found in every_schema(each))
            elif keyword not in ("const", "enum", "examples", "default"):
                yield from every_schema(value)


@pytest.mark.parametrize("reference", BUNDLES)
def test_it_stands_alone(reference: str) -> None:
    schema = BUNDLES[reference]
    jsonschema.Draft202012Validator.check_schema(schema)
    used = set()
    for each in every_schema(schema):
        assert not {key for key in each if key == "discriminator" or key.startswith("x-fleet-")}
        assert each is schema or not each.keys() & {"$id", "$schema", "$defs"}
        if "$ref" in each:
            name = each["$ref"].removeprefix("#/$defs/")
            assert name in schema["$defs"]
            used.add(name)
    assert used == schema.get("$defs", {}).keys()


@pytest.mark.parametrize("reference", BUNDLES)
def test_required_keys_are_properties_and_no_schema_has_several_types(reference: str) -> None:
    for each in every_schema(BUNDLES[reference]):
        assert set(each.get("required", ())) <= each.get("properties", {}).keys()
        assert isinstance(each.get("type", ""), str)


def test_a_root_keeps_its_id_and_a_definition_has_none() -> None:
    assert BUNDLES[ROOTS[0]]["$id"] == schemas.BASE + ROOTS[0]
    assert "$id" not in BUNDLES[NODE]


def test_a_definition_that_refers_to_itself_is_kept_once() -> None:
    schema = BUNDLES[NODE]
    assert schema["$ref"] == "#/$defs/VerifierNode"
    assert schema["$defs"]["Edge"]["properties"]["node"]["$ref"] == "#/$defs/VerifierNode"
    fast = jsonschema_rs.Draft202012Validator(schema)
    node = schemas.load("authoring/verifier.v1.json")["examples"][0]["node"]
    assert fast.is_valid(node)
    assert not fast.is_valid(node | {"type": "composite"})


def test_it_does_not_change_what_it_was_made_of() -> None:
    before = {path: copy.deepcopy(schemas.load(path)) for path in schemas.schema_paths()}
    for reference in BUNDLES:
        bundle(reference)
    assert {path: schemas.load(path) for path in before} == before


def test_the_same_reference_gives_the_same_bytes() -> None:
    for reference, schema in BUNDLES.items():
        assert json.dumps(bundle(reference)) == json.dumps(schema)
        assert next(iter(schema)) == "$schema"
        assert list(schema.get("$defs", ())) == sorted(schema.get("$defs", ()))


def test_definitions_of_one_name_in_several_files_get_names_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files: dict[str, Any] = {
        "a/main.json": {
            "type": "array",
            "items": {
                "oneOf": [
                    {"$ref": "#/$defs/Name"},
                    {"$ref": "other.v1.json#/$defs/Name"},
                    {"$ref": "../b/other.v1.json#/$defs/Name"},
                    {"$ref": "other.v1.json"},
                ]
            },
            "$defs": {"Name": {"const": "main"}, "Unused": {"$ref": "#/$defs/Name"}},
        },
        "a/other.v1.json": {
            "$id": "x",
            "title": "Whole",
            "type": "object",
            "properties": {"again": {"$ref": "#"}, "$id": {"$ref": "#/$defs/Name"}},
            "$defs": {"Name": {"const": "other"}},
        },
        "b/other.v1.json": {"$defs": {"Name": {"const": "far"}}},
    }
    monkeypatch.setattr(schemas, "load", files.__getitem__)
    schema = bundle("a/main.json")
    assert {name: part.get("const") for name, part in schema["$defs"].items()} == {
        "AOtherV1Name": "other",
        "BOtherV1Name": "far",
        "Name": "main",
        "Whole": None,
    }
    assert schema["$defs"]["Whole"]["properties"] == {
        "again": {"$ref": "#/$defs/Whole"},
        "$id": {"$ref": "#/$defs/AOtherV1Name"},
    }
    fast = jsonschema_rs.Draft202012Validator(schema)
    assert fast.is_valid(["main", "other", "far", {"again": {"$id": "other"}}])
    assert not fast.is_valid([{"again": {"$id": "main"}}])


def _agree(path: str, value: Any) -> None:
    valid = validate.is_valid(path, value)
    assert [each.is_valid(value) for each in FAST[path]] == [valid] * len(FAST[path])


@settings(max_examples=600, deadline=None)
@given(mutated())
def test_it_accepts_what_the_original_accepts(case: tuple[str, Any]) -> None:
    _agree(*case)


@pytest.mark.parametrize("wrong", [None, -1, "\n", {"zzz": 1}, []], ids=str)
def test_it_refuses_each_field_that_the_original_refuses(wrong: Any) -> None:
    for path, document in documents():
        for pointer in pointers(document):
            value = copy.deepcopy(document)
            holder = value
            for token in pointer[:-1]:
                holder = holder[token]
            holder[pointer[-1]] = wrong
            _agree(path, value)


def test_they_agree_on_every_fixture() -> None:
    seen = 0
    for file in sorted((CHECKOUT / "fixtures" / "compile").rglob("*.yaml")):
        source = decode(file.read_bytes(), file.name, Bag())
        document = read_yaml(source, Bag()) if source else None
        value = document.value if document else None
        path = schemas.AUTHORED.get(str(value.get("authoring"))) if isinstance(value, dict) else ""
        if path:
            _agree(path, value)
            seen += 1
    assert seen > 50


@pytest.mark.skipif(bool(what_is_missing()), reason=what_is_missing() or "")
def test_ajv_in_strict_mode_takes_each_of_them() -> None:
    program = """
    const Ajv = require(process.argv[1] + "/node_modules/ajv/dist/2020").default;
    const bundles = JSON.parse(require("fs").readFileSync(0));
    const said = [];
    const logger = {log() {}, warn: (text) => said.push(text), error: (text) => said.push(text)};
    const judged = bundles.map(([schema, right, wrong]) => {
        const validate = new Ajv({strict: true, logger}).compile(schema);
        return [validate(right), validate(wrong)];
    });
    console.log(JSON.stringify({said, judged}));
    """
    examples = {path: schemas.load(path)["examples"][0] for path in ROOTS}
    cases = [[BUNDLES[path], example, {"zzz": 1}] for path, example in examples.items()]
    cases.append([BUNDLES[schemas.AUTHORED["taskset/v1"]], json_only(every_field()), []])
    done = subprocess.run(
        [node_command("")[0], "-e", program, str(INSTALLED)],
        input=json.dumps(cases).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    report = json.loads(done.stdout)
    assert report == {"said": [], "judged": [[True, False]] * len(cases)}


def json_only(value: Any) -> Any:
    """Return a document as JSON has it: decimals are written as texts."""
    return json.loads(json.dumps(value, default=str))
