"""The schema of each Task generation, cut out of the master `content/task.json`.

`x-fleet-since` in the master has two forms:

* a string, in a property or in a branch of a union: it exists from that generation on;
* an object, beside the keyword it speaks of: `{"optional": {NAME: G}}` (NAME is required
  before G), `{"enum": {VALUE: G}}` (VALUE exists from G on), `{"maxItems": {"before": G,
  "value": N}}` (at most N items before G).
"""

from __future__ import annotations

from typing import Any

from codegen.files import BASE, Schema, load

MASTER = "content/task.json"
SINCE = "x-fleet-since"
VERIFIER = "content/verifier.v1alpha1.json"


def generation_numbers() -> range:
    """Return the numbers of all Task generations, oldest first."""
    return range(1, len(load(MASTER)["properties"]["schema"]["enum"]) + 1)


def number(generation: str) -> int:
    """Return 7 for `v1alpha7`."""
    return int(generation.removeprefix("v1alpha"))


def cut(node: Any, generation: int) -> Any:
    """Return a schema node as it was in a generation, without `x-fleet-since`."""
    if isinstance(node, list):
        return [cut(item, generation) for item in node if _exists(item, generation)]
    if not isinstance(node, dict):
        return node
    result = {
        key: cut(value, generation)
        for key, value in node.items()
        if key != SINCE and _exists(value, generation)
    }
    rules = node.get(SINCE)
    if isinstance(rules, dict):
        _apply(result, rules, generation)
    return result


def _exists(node: Any, generation: int) -> bool:
    since = node.get(SINCE) if isinstance(node, dict) else None
    return not isinstance(since, str) or number(since) <= generation


def _apply(schema: Schema, rules: Schema, generation: int) -> None:
    for name, since in rules.get("optional", {}).items():
        if generation < number(since):
            schema["required"] = [*schema["required"], name]
    for value, since in rules.get("enum", {}).items():
        if generation < number(since):
            schema["enum"] = [item for item in schema["enum"] if item != value]
    limit = rules.get("maxItems")
    if limit and generation < number(limit["before"]):
        schema["maxItems"] = limit["value"]


def reachable(schema: Schema, definitions: Schema) -> Schema:
    """Return the definitions that a schema needs, in their order."""
    wanted: set[str] = set()
    todo: list[Any] = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, list):
            todo.extend(node)
        elif isinstance(node, dict):
            target = node.get("$ref", "")
            name = target.removeprefix("#/$defs/")
            if target and name not in wanted:
                wanted.add(name)
                todo.append(definitions[name])
            todo.extend(value for key, value in node.items() if key != "$defs")
    return {name: body for name, body in definitions.items() if name in wanted}


def task_schema(generation: int) -> tuple[str, Schema]:
    """Return path and schema of one Task generation."""
    master = load(MASTER)
    path = f"content/task.v1alpha{generation}.json"
    schema: Schema = cut(master, generation)
    identifier = f"fleet.task.v1alpha{generation}"
    schema["$id"] = BASE + path
    schema["title"] = f"TaskV1alpha{generation}"
    schema["description"] = f"A Task of generation v1alpha{generation}."
    schema["properties"]["schema"] = {"const": identifier, "description": "The Task generation."}
    for example in schema["examples"]:
        example["schema"] = identifier
    definitions = schema.pop("$defs")
    schema["$defs"] = reachable(schema, definitions)
    return path, schema


def verifier_schema() -> tuple[str, Schema]:
    """Return path and schema of the standalone Verifier document."""
    master = load(MASTER)
    newest = generation_numbers()[-1]
    schema: Schema = {
        "$schema": master["$schema"],
        "$id": BASE + VERIFIER,
        "title": "VerifierDocument",
        "description": "One Verifier node that stands alone, for re-verification.",
        "type": "object",
        "required": ["schema", "node"],
        "properties": {
            "schema": {
                "const": "fleet.verifier.v1alpha1",
                "description": "The Verifier generation.",
            },
            "node": {"$ref": "#/$defs/VerifierNode", "description": "The node."},
        },
        "additionalProperties": False,
        "examples": [
            {"schema": "fleet.verifier.v1alpha1", "node": example["verifiers"][0]}
            for example in master["examples"]
        ],
    }
    definitions = cut(master["$defs"], newest)
    schema["$defs"] = reachable(schema, definitions)
    return VERIFIER, schema


def generated_schemas() -> dict[str, Schema]:
    """Return every generated schema by path."""
    return dict([*(task_schema(n) for n in generation_numbers()), verifier_schema()])
