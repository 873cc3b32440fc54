"""The template of a Task is hinted at like a Task, and demands as little as before."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from fleet_contracts.editor.hints import SUFFIX, with_hints
from fleet_contracts.editor.schemas import editor_schema

TASKSET = editor_schema("taskset")
DEFINITIONS = TASKSET["$defs"]
HINTS = {name: part for name, part in DEFINITIONS.items() if name.endswith(SUFFIX)}
TEMPLATE = DEFINITIONS["TaskTemplate"]
OFFERS = {
    *("$ref", "title", "description", "markdownDescription", "defaultSnippets", "examples"),
    *("properties", "items", "additionalProperties", "allOf", "anyOf", "if", "then", "else"),
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["evaluator", "${row.a}", ""]),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "kind", "evaluator", "children", "node", "builtin_id", "zzz"]),
            inside,
            max_size=4,
        )
    ),
    max_leaves=20,
)


def described(name: str, path: list[str]) -> dict[str, Any]:
    """Return the schema at a path of keys below a definition, by way of references."""
    schema = DEFINITIONS[name]
    for key in path:
        schema = schema[key]
        while "$ref" in schema:
            schema = DEFINITIONS[schema["$ref"].removeprefix("#/$defs/")]
    return dict(schema)


def test_a_hint_offers_and_demands_nothing() -> None:
    assert len(HINTS) > 40
    for hint in HINTS.values():
        assert hint.keys() <= OFFERS
        assert hint.get("properties") != {}


@given(VALUES)
def test_a_template_accepts_anything_for_a_field(value: Any) -> None:
    fields = {"type": "object", "properties": TEMPLATE["properties"], "$defs": DEFINITIONS}
    fast = Draft202012Validator(fields)
    assert all(fast.is_valid({key: value}) for key in TEMPLATE["properties"])


def test_a_template_describes_each_field_as_a_task_does() -> None:
    task = DEFINITIONS["Task"]["properties"]
    assert TEMPLATE["properties"].keys() == task.keys()
    for key, hint in TEMPLATE["properties"].items():
        assert hint["description"] == task[key]["description"]


def test_choices_are_offered() -> None:
    kind = described("TaskTemplate", ["properties", "verifiers", "items", "properties", "type"])
    assert {snippet["body"] for snippet in kind["defaultSnippets"]} == {"evaluator", "composite"}
    assert "terminal@v1" in HINTS["BuiltinReference" + SUFFIX]["examples"]


def test_definitions_without_a_template_stay_as_they_are() -> None:
    definitions: dict[str, Any] = {"Task": {"properties": {}}}
    assert with_hints(definitions) is definitions
