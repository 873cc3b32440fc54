"""Tasks written as YAML, and what the rules say about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from fleet_contracts import rules, schemas
from fleet_contracts.diagnostics.model import Bag, Diagnostic
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import format_pointer
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.scope import Location, Scope

LEAF = """\
type: evaluator
evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "42"}}
"""
CODE_LEAF = """\
type: evaluator
evaluator:
  kind: code.v1
  entrypoint: {file: grade.py}
  image_ref: sha256:0000000000000000000000000000000000000000000000000000000000000000
"""
DECISION = "decision: {kind: threshold, at_least: 1}\n"


def plain(text: str) -> Any:
    """Return the plain data of a YAML text, read as the compiler reads it."""
    bag = Bag()
    source = decode(text.encode(), "test.yaml", bag)
    document = read_yaml(source, bag) if source else None
    assert document is not None, list(bag)
    return document.value


def found(text: str, **names: tuple[str, ...]) -> list[Diagnostic]:
    """Return the errors that the rules find in the Task of a YAML text, as `judged` reads it."""
    return [item for item in judged(text, **names) if item.severity == "error"]


def doubts(text: str, **names: tuple[str, ...]) -> list[Diagnostic]:
    """Return the warnings of the rules about the Task of a YAML text, as `judged` reads it."""
    return [item for item in judged(text, **names) if item.severity == "warning"]


def judged(
    text: str, *, endpoints: tuple[str, ...] = (), native_tools: tuple[str, ...] = ()
) -> list[Diagnostic]:
    """Return what the rules say about the Task of a YAML text, whose shape must be valid.

    `prompt` and `environment` are added where they are missing.
    """
    value = {"prompt": "p", "environment": "e", **plain(text)}
    schemas_say = schemas.validator(schemas.AUTHORED_TASK)
    assert schemas_say.is_valid(value), [str(each) for each in schemas_say.iter_errors(value)]
    bag = Bag()
    scope = Scope(bag, Location(Path("test.yaml"), "test.yaml"))
    task = msgspec.convert(value, a.Task)
    rules.check_task(scope, task, frozenset(endpoints), frozenset(native_tools))
    assert scope.failed == bool(bag.errors)
    return list(bag)


def found_in(leaf: str, **names: tuple[str, ...]) -> list[Diagnostic]:
    """Return what the rules say about a Task whose one Verifier is a leaf of id `a`."""
    return found(f"verifiers:\n  - id: a\n{indented(leaf, 4)}", **names)


def found_below(leaf: str, **names: tuple[str, ...]) -> list[Diagnostic]:
    """Return what the rules say about a leaf of id `a` that is the child of a `min`."""
    head = "verifiers:\n  - id: top\n    type: composite\n    aggregation: {kind: min}\n"
    child = f"    {DECISION}    children:\n      - id: a\n        node:\n          id: a\n"
    return found(head + child + indented(leaf, 10), **names)


def composite(kind: str, *weights: str, at_least: str = "1") -> str:
    """Return a Task of one composite, with an edge `e0`, `e1`, … for each weight.

    An empty weight is absent.
    """
    lines = [
        "verifiers:",
        "  - id: top",
        "    type: composite",
        f"    aggregation: {kind}",
        f"    decision: {{kind: threshold, at_least: {at_least}}}",
        "    children:",
    ]
    for index, weight in enumerate(weights):
        lines.append(f"      - id: e{index}")
        if weight:
            lines.append(f"        weight: {weight}")
        lines += ["        node:", f"          id: n{index}", indented(LEAF + DECISION, 10)]
    return "\n".join(lines)


def indented(text: str, spaces: int) -> str:
    """Return lines moved to the right."""
    return "".join(f"{' ' * spaces}{line}\n" for line in text.splitlines())


def told(diagnostics: list[Diagnostic]) -> list[tuple[str, str, str, str]]:
    """Return code, pointer, message and help of each; a place that is a key ends in `~`."""
    return [
        (
            item.code,
            format_pointer(item.place.pointer) + ("~" if item.place.at == "key" else ""),
            item.message,
            item.help,
        )
        for item in diagnostics
    ]


def related(diagnostics: list[Diagnostic]) -> list[list[tuple[str, str]]]:
    """Return message and pointer of the related places of each diagnostic."""
    return [
        [(each.message, format_pointer(each.place.pointer)) for each in item.related]
        for item in diagnostics
    ]
