"""The rules that schema files follow, so that every tool understands them alike."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from schema_kit import (
    PATHS,
    ROOTS,
    TASKSET,
    Spot,
    all_spots,
    every_field,
    slow,
    spots,
    used_properties,
)

from fleet_contracts import schemas, validate
from fleet_contracts.validate.shapes import Shape, branches, follow, is_union, kinds, tagged
from fleet_contracts.validate.walk import ANNOTATIONS, KEYWORDS

SPOTS = all_spots()


def _breaking(rule: Any) -> list[str]:
    return [str(spot) for spot in SPOTS if not rule(spot)]


def _shape(spot: Spot) -> Shape:
    return Shape(spot.schema, spot.path)


@pytest.mark.parametrize("path", PATHS)
def test_the_metaschema_accepts_it(path: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schemas.load(path))


@pytest.mark.parametrize("path", PATHS)
def test_it_is_named_once_and_is_written_as_it_is_read(path: str) -> None:
    schema = schemas.load(path)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == schemas.BASE + path
    text = (schemas.SCHEMA_FOLDER / path).read_text(encoding="utf-8")
    assert text == json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def test_only_the_top_has_an_id_and_definitions() -> None:
    only_at_top = {"$id", "$schema", "$defs", "examples"}
    assert _breaking(lambda spot: not spot.pointer or not only_at_top & spot.schema.keys()) == []


def test_every_keyword_is_one_that_the_walk_obeys() -> None:
    used = {keyword for spot in SPOTS for keyword in spot.schema}
    assert used - KEYWORDS - ANNOTATIONS == set()


@pytest.mark.parametrize("path", PATHS)
def test_every_reference_leads_somewhere_in_the_folder(path: str) -> None:
    for spot in spots(path):
        if "$ref" in spot.schema:
            assert re.fullmatch(r"(?:[a-z0-9_.]+\.json)?#/\$defs/[A-Za-z0-9]+", spot.schema["$ref"])
            follow(_shape(spot))


def test_a_reference_stands_beside_nothing_but_words() -> None:
    words = {"$ref", "description", "x-fleet-since"}
    assert _breaking(lambda spot: "$ref" not in spot.schema or spot.schema.keys() <= words) == []


def test_every_file_and_definition_has_a_title_and_a_description() -> None:
    def named(spot: Spot) -> bool:
        is_definition = spot.pointer[:1] == ("$defs",) and len(spot.pointer) == 2
        if spot.pointer and not is_definition:
            return True
        titled = not is_definition or spot.schema["title"] == spot.pointer[1]
        return titled and bool(spot.schema["title"]) and bool(spot.schema["description"])

    assert _breaking(named) == []


def test_every_property_has_a_description() -> None:
    def described(spot: Spot) -> bool:
        is_property = len(spot.pointer) > 1 and spot.pointer[-2] == "properties"
        if not is_property or spot.is_condition:
            return True
        text = spot.schema.get("description", "")
        return bool(text) and text == text.strip()

    assert _breaking(described) == []


def test_every_map_says_which_keys_it_has() -> None:
    def closed(spot: Spot) -> bool:
        if spot.schema.get("type") != "object":
            return True
        rest = spot.schema.get("additionalProperties")
        return rest is False if spot.schema.get("properties") else rest is not None

    assert _breaking(closed) == []


def test_every_required_key_is_a_property() -> None:
    def known(spot: Spot) -> bool:
        required = set(spot.schema.get("required", ()))
        return spot.is_condition or required <= spot.schema.get("properties", {}).keys()

    assert _breaking(known) == []


def test_every_union_can_be_told_apart() -> None:
    def tells_apart(spot: Spot) -> bool:
        shape = _shape(spot)
        if not is_union(shape):
            return True
        each = branches(shape)
        union = tagged(shape)
        if union is not None:
            required = all(union.key in one.schema["required"] for one in each)
            return required and len(union.branches) >= len(each)
        return sum(len(kinds(one)) for one in each) == len(frozenset().union(*map(kinds, each)))

    assert _breaking(tells_apart) == []


def test_conditions_between_keys_are_of_two_kinds() -> None:
    def understood(spot: Spot) -> bool:
        options = spot.schema.get("oneOf", ())
        if "type" not in spot.schema or not options:
            return "anyOf" not in spot.schema
        if "discriminator" in spot.schema:
            key = spot.schema["discriminator"]["propertyName"]
            return key in spot.schema["required"] and all(
                option.keys() == {"properties"}
                and "const" in option["properties"][key]
                and option["properties"].keys() <= spot.schema["properties"].keys()
                for option in options
            )
        return all(
            len(option["required"]) == 1
            and option.keys() <= {"required", "maxProperties", "properties"}
            and option.get("maxProperties", 1) == 1
            and set(option.get("properties", {}).values()) <= {False}
            for option in options
        )

    assert _breaking(understood) == []


def test_discriminators_name_every_choice_of_their_key() -> None:
    for spot in SPOTS:
        union = tagged(_shape(spot))
        if union is None or is_union(_shape(spot)):
            continue
        assert set(union.branches) == set(spot.schema["properties"][union.key]["enum"])


def test_choices_are_scalars() -> None:
    def scalar(spot: Spot) -> bool:
        choices = [*spot.schema.get("enum", ()), spot.schema.get("const", "")]
        return all(isinstance(choice, (str, bool)) for choice in choices)

    assert _breaking(scalar) == []


def test_defaults_are_for_authors_only() -> None:
    assert _breaking(lambda spot: "default" not in spot.schema or "authoring/" in spot.path) == []


def test_generations_are_marked_in_the_master_schema_only() -> None:
    marked = {spot.path for spot in SPOTS if "x-fleet-since" in spot.schema}
    assert marked == {"content/task.json"}


PATTERNS = sorted({spot.schema["pattern"] for spot in SPOTS if "pattern" in spot.schema})


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_engine_reads_a_pattern_alike(pattern: str) -> None:
    assert pattern.startswith("^")
    assert pattern.endswith(r"$(?!\n)")
    body = pattern.removesuffix(r"$(?!\n)")
    assert body.isascii()
    assert not re.search(r"\(\?(?!:)", body), "groups are plain or non-capturing"
    assert not re.search(r"\\[^.\\/nru-]", body), "no escapes but of punctuation and code points"
    assert not re.search(r"[+*}]\)[+*{]", body), "no nested quantifiers"
    assert not re.search(r"^\^[^(]*\|", body), "alternatives stand in a group"
    re.compile(pattern)


@pytest.mark.parametrize("pattern", [each for each in PATTERNS if r"[^\u0000]" not in each])
def test_no_pattern_accepts_a_line_break_at_the_end(pattern: str) -> None:
    for text in ("", "a", "0", "0.5", "/", "/a", "a/b", "a:1", "a@v1", "1GB"):
        assert not re.search(pattern, text + "\n")


@pytest.mark.parametrize("path", ROOTS)
def test_examples_are_valid_for_both_validators(path: str) -> None:
    examples = schemas.load(path)["examples"]
    assert examples
    for example in examples:
        assert validate.is_valid(path, example)
        assert list(slow(path).iter_errors(example)) == []


def test_every_file_but_shared_definitions_is_a_root() -> None:
    assert set(PATHS) - set(ROOTS) == {"authoring/definitions.json"}
    assert {reference.partition("#")[0] for reference in schemas.AUTHORED.values()} <= set(ROOTS)


def test_the_document_of_every_field_has_every_field() -> None:
    used = used_properties(TASKSET, every_field())
    for spot in SPOTS:
        is_property = spot.pointer[-2:-1] == ("properties",) and not spot.is_condition
        if spot.path in (TASKSET, "authoring/definitions.json") and is_property:
            assert id(spot.schema) in used, spot
