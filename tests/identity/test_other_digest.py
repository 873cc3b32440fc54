"""Another digest for every real change: one test a field (spec section 2)."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import msgspec
import pytest
from identity_base import base, constant
from identity_changes import change_for
from identity_kit import ARTIFACTS, Content, Pointer, RefusedError, Workshop, at, nodes, text_of

from fleet_contracts import schemas
from fleet_contracts.models import content as c
from fleet_contracts.models.base import Record

BASE = base(ARTIFACTS)
ALL = [p for p, _ in nodes(BASE) if len(p) > 2 and p[0] in ("tasks", "environments")]
LEAVES = [p for p in ALL if not isinstance(at(BASE, p), dict | list)]
CHANGEABLE = [p for p in LEAVES if change_for(BASE, p) is not None]
USERS = {"desk": {"a/forest"}, "builtin": {"b/builtins"}}


def changed_tasks(content: Content, expected: Content) -> set[str]:
    assert content.tasks.keys() == expected.tasks.keys()
    return {key for key, data in content.tasks.items() if data != expected.tasks[key]}


def owners(pointer: Pointer) -> set[str]:
    """Return the Tasks that a change at a pointer concerns."""
    name = str(pointer[1])
    return {name} if pointer[0] == "tasks" else USERS[name]


_CONTENT: dict[Pointer, Content] = {}


def with_change(workshop: Workshop, pointer: Pointer) -> Content:
    """Return the content with another value at a pointer; compiled once."""
    if pointer not in _CONTENT:
        document = base(ARTIFACTS)
        change = change_for(document, pointer)
        assert change is not None
        change(document, pointer)
        _CONTENT[pointer] = workshop.compile(document)
    return _CONTENT[pointer]


def test_nearly_every_leaf_can_change() -> None:
    fixed = [text_of(pointer) for pointer in LEAVES if pointer not in CHANGEABLE]
    assert len(CHANGEABLE) > 300
    assert all(text.endswith(("decision/kind", "decision/at_least")) for text in fixed)
    assert sum(text.endswith("at_least") for text in fixed) == 1  # that of the `all_of`


@pytest.mark.parametrize("pointer", CHANGEABLE, ids=text_of)
def test_another_value_is_another_digest(
    workshop: Workshop, expected: Content, pointer: Pointer
) -> None:
    content = with_change(workshop, pointer)
    assert changed_tasks(content, expected) == owners(pointer)
    assert content.digest != expected.digest
    if pointer[0] == "environments":
        (user,) = owners(pointer)
        assert content.environment(user) != expected.environment(user)


@pytest.mark.parametrize("pointer", ALL, ids=text_of)
def test_nothing_can_be_left_out_unnoticed(
    workshop: Workshop, expected: Content, pointer: Pointer
) -> None:
    document = base(ARTIFACTS)
    del at(document, pointer[:-1])[pointer[-1]]
    before = at(BASE, pointer)
    try:
        content = workshop.compile(document)
    except RefusedError:
        return
    if before == {"kind": "attempt"}:
        assert content.digest == expected.digest  # it is the default
        return
    assert changed_tasks(content, expected) == owners(pointer)


MAY_BE_LEFT_OUT = [
    "seed_mounts/1", "captures/0", "roster/1/required", "completion", "tools", "tools/0",
    "metadata", "metadata/topic", "verifiers/0", "verifiers/1", "verifiers/0/failure_policy",
    "verifiers/0/subject", "verifiers/1/failure_policy/max_attempts", "verifiers/1/evidence",
    "verifiers/1/evaluator/args", "verifiers/1/evidence/inputs/0", "verifiers/1/target_access",
    "verifiers/1/target_access/bindings", "verifiers/1/metrics/0", "verifiers/1/metrics/0/bounds",
    "verifiers/1/metrics/0/unit", "verifiers/1/metrics/3/categories/0", "prompt/0",
]  # fmt: skip


@pytest.mark.parametrize("text", MAY_BE_LEFT_OUT)
def test_leaving_out_is_another_digest(workshop: Workshop, expected: Content, text: str) -> None:
    document = base(ARTIFACTS)
    tokens = [int(token) if token.isdigit() else token for token in text.split("/")]
    pointer: Pointer = ("tasks", "a/forest", *tokens)
    del at(document, pointer[:-1])[pointer[-1]]
    assert changed_tasks(workshop.compile(document), expected) == {"a/forest"}


ADDED: dict[str, Any] = {
    "seed_mounts": {"artifact": ARTIFACTS[0], "path": "/third"},
    "captures": {"id": "third", "kind": "file.v1", "path": "third"},
    "roster": {"seat": "third", "role": "third"},
    "tools": "edit",
    "verifiers": constant("third"),
    "prompt": {"role": "user", "text": "third"},
    "args": "third",
    "inputs": {"name": "third", "select": {"source": "trace"}, "expose": {"as": "ctx"}},
    "bindings": {"name": "third", "endpoint": "db-port"},
    "metrics": {"name": "third", "type": "boolean"},
    "categories": "third",
    "scale": "third",
    "endpoints": {"name": "third", "protocol": "tcp", "port": 3},
    "native_tools": "third",
    "allow": "third.example.com:3",
    "platforms": "linux/arm",
    "children": {"id": "third", "node": constant("third")},
    "env": "third",
    "metadata": "third",
    "params": "third",
}
GROWING = [
    p
    for p in ALL
    if p[-1] in ADDED
    and isinstance(at(BASE, p), dict if p[-1] in ("env", "metadata", "params") else list)
    and not (p[-1] == "params" and "input" in at(BASE, p))
    and not (p[-1] == "params" and at(BASE, p).keys() == {"value"})
]


@pytest.mark.parametrize("pointer", GROWING, ids=text_of)
def test_one_member_more_is_another_digest(
    workshop: Workshop, expected: Content, pointer: Pointer
) -> None:
    document = base(ARTIFACTS)
    container, more = at(document, pointer), copy.deepcopy(ADDED[str(pointer[-1])])
    if isinstance(container, dict):
        container["third"] = more
    else:
        container.append(more)
    if pointer[-1] == "children" and "weight" in container[0]:
        container[0]["weight"] = container[2]["weight"] = "0.125"
    assert changed_tasks(workshop.compile(document), expected) == owners(pointer)


def test_a_renamed_task_is_another_taskset_of_the_same_task(
    workshop: Workshop, expected: Content
) -> None:
    document = base(ARTIFACTS)
    document["tasks"]["c/forest"] = document["tasks"].pop("a/forest")
    content = workshop.compile(document)
    assert content.digest != expected.digest
    assert content.tasks["c/forest"] == expected.tasks["a/forest"]


@pytest.mark.parametrize("key", sorted(BASE["tasks"]))
def test_one_task_less_is_another_taskset(workshop: Workshop, expected: Content, key: str) -> None:
    document = base(ARTIFACTS)
    del document["tasks"][key]
    content = workshop.compile(document)
    assert content.digest != expected.digest
    assert content.tasks == {k: v for k, v in expected.tasks.items() if k != key}


FILES_OF = {
    "prompts/question.md": {"a/forest"},
    "prompts/größe.md": {"b/builtins"},
    "code/aggregate.py": {"a/forest"},
    "code/measure.py": {"a/forest"},
    "code/rubric.md": {"a/forest"},
    "code/expected.txt": {"b/builtins"},
}


@pytest.mark.parametrize("name", FILES_OF)
@pytest.mark.parametrize("text", ["another", "another\n", "another\r\n"])
def test_other_bytes_of_a_file_are_another_digest(
    workshop: Workshop, expected: Content, name: str, text: str
) -> None:
    content = workshop.compile(base(ARTIFACTS), {name: text})
    assert changed_tasks(content, expected) == FILES_OF[name]
    again = workshop.compile(base(ARTIFACTS), {name: text + " "})
    assert again.digest != content.digest


# Every property of the content schemas takes part in some change, but these.
ONE_VALUE = {("Decision", "kind"), ("SeatSubject", "kind"), ("EnvironmentDocument", "schema")}


def properties(schema_name: str) -> set[tuple[str, str]]:
    """Return the objects of a content schema with their properties."""
    document = json.loads((schemas.SCHEMA_FOLDER / "content" / schema_name).read_bytes())
    definitions = {document["title"]: document, **document["$defs"]}
    return {
        (name, each)
        for name, definition in definitions.items()
        for each in definition.get("properties", {})
    }


def differences(one: Any, two: Any) -> set[tuple[str, str]]:
    """Return the struct fields in which two pieces of content differ, the tags included."""
    if isinstance(one, Record) and isinstance(two, Record):
        kinds = (type(one), type(two))
        if kinds[0] is not kinds[1]:
            return tags(one) | tags(two)
        found: set[tuple[str, str]] = set()
        for name in kinds[0].__struct_fields__:
            left, right = getattr(one, name), getattr(two, name)
            if left != right:
                found.add((kinds[0].__name__, name))
                found |= differences(left, right)
        if isinstance(one, c.BuiltinEvaluator) and isinstance(two, c.BuiltinEvaluator):
            found |= param_differences(one, two)
        return found
    if isinstance(one, list) and isinstance(two, list):
        # A renamed member of a set stands elsewhere, so equal ones are left out first.
        pairs = zip(missing_from(two, one), missing_from(one, two), strict=False)
        return set().union(*(differences(left, right) for left, right in pairs))
    return tags(one) | tags(two)


def missing_from(items: list[Any], others: list[Any]) -> list[Any]:
    """Return those of `others` that `items` lacks."""
    return [each for each in others if each not in items]


def tags(value: Any) -> set[tuple[str, str]]:
    """Return the tag of a struct that has one."""
    field = type(value).__struct_config__.tag_field if isinstance(value, Record) else None
    return {(type(value).__name__, field)} if field else set()


def param_differences(one: c.BuiltinEvaluator, two: c.BuiltinEvaluator) -> set[tuple[str, str]]:
    if one.builtin_id != two.builtin_id:
        return set()
    words = one.builtin_id.split("-")
    name = "".join(word.capitalize() for word in words) + "Params"
    return {(name, each) for each in one.params if one.params[each] != two.params.get(each)}


@cache
def decoded(data: bytes, kind: type[Record]) -> Record:
    return msgspec.json.decode(data, type=kind)


def test_every_property_of_content_takes_part_in_a_change(
    workshop: Workshop, expected: Content
) -> None:
    covered: set[tuple[str, str]] = set()
    for pointer in CHANGEABLE:
        content = with_change(workshop, pointer)
        for key in changed_tasks(content, expected):
            pairs = [
                (content.tasks[key], expected.tasks[key], c.Task),
                (content.environment(key), expected.environment(key), c.EnvironmentDocument),
            ]
            for one, two, kind in pairs:
                covered |= differences(decoded(one, kind), decoded(two, kind))
    wanted = properties("task.json") | properties("environment.v1alpha1.json")
    assert wanted - covered == ONE_VALUE
