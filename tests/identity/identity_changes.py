"""Another valid value for every leaf of the base TaskSet."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from identity_base import IMAGE_ID, NAMED_IMAGE, Plain, constant
from identity_kit import ARTIFACTS, Pointer, at, nodes, text_of

Change: TypeAlias = Callable[[Plain, Pointer], None]
"""Changes a document at a pointer, and elsewhere what must follow to stay valid."""

JUDGE: Plain = {"kind": "judge.v1", "rubric": "Another rubric", "model_slot": "other"}
WHOLE = {"minimum": 0, "maximum": 1}
CONSTANT: Plain = {"kind": "builtin.v1", "builtin_id": "constant", "params": {"value": "0.25"}}


def put(document: Plain, pointer: Pointer, value: Any) -> None:
    at(document, pointer[:-1])[pointer[-1]] = value


def to(value: Any) -> Change:
    """Write another value."""
    return lambda document, pointer: put(document, pointer, value)


def above(levels: int, value: Any) -> Change:
    """Write another value so many levels above: a tag changes with all that hangs on it."""
    return lambda document, pointer: put(document, pointer[:-levels], value)


def by(function: Callable[[Any], Any]) -> Change:
    """Write what a function makes of the old value."""
    return lambda document, pointer: put(document, pointer, function(at(document, pointer)))


def merge(values: Plain) -> Change:
    """Write several fields of the map that holds the leaf."""
    return lambda document, pointer: at(document, pointer[:-1]).update(values)


def rename(document: Plain, pointer: Pointer) -> None:
    """Write another name where it is declared and wherever it is used."""
    old = at(document, pointer)
    for each, value in list(nodes(document)):
        if value == old and type(value) is type(old):
            put(document, each, f"/new{old}" if old.startswith("/") else f"new-{old}")


def exchange_weights(document: Plain, pointer: Pointer) -> None:
    """Give both edges other weights that still add up to 1."""
    for edge, weight in zip(at(document, pointer[:-2]), ("0.5", "0.5"), strict=True):
        edge["weight"] = weight


def without_weights(kind: str) -> Change:
    """Write an aggregation that takes no weights."""

    def change(document: Plain, pointer: Pointer) -> None:
        put(document, pointer[:-1], {"kind": kind, "on_child_error": "zero"})
        for edge in at(document, pointer[:-2])["children"]:
            edge.pop("weight", None)

    return change


def another_environment(document: Plain, pointer: Pointer) -> None:
    """Write an Environment that differs from the named one."""
    name = at(document, pointer)
    put(document, pointer, {**document["environments"][name], "user": "another"})


def longer(text: str) -> str:
    return text + "x"


def raised(number: int) -> int:
    return number + 1


def wrapped(document: Plain, pointer: Pointer) -> None:
    """Turn a leaf into a composite of one constant with the same id and subject."""
    leaf = at(document, pointer[:-1])
    children = [{"id": "inside", "node": constant("inside")}]
    node = {"id": leaf["id"], "type": "composite", "children": children}
    kept = {name: leaf[name] for name in ("subject", "failure_policy") if name in leaf}
    decision = {"kind": "threshold", "at_least": "1"}
    put(
        document,
        pointer[:-1],
        {**node, "aggregation": {"kind": "min"}, "decision": decision, **kept},
    )


def unwrapped(document: Plain, pointer: Pointer) -> None:
    """Turn a composite into a constant with the same id and subject."""
    node = at(document, pointer[:-1])
    kept = {name: node[name] for name in ("subject", "failure_policy") if name in node}
    put(document, pointer[:-1], {**constant(node["id"]), **kept})


CHANGES: list[tuple[str, Change]] = [
    # Prompts and files
    ("*/prompt/*/role", by(lambda role: {"system": "user", "user": "system"}[role])),
    ("*/prompt/*/text", by(longer)),
    ("*/prompt", by(longer)),
    ("*/prompt/*file", to("prompts/other.md")),
    ("*/file", to("code/other.py")),
    # Environments
    ("tasks/*/environment", another_environment),
    ("*/builtin", to("python@v1")),
    ("environments/desk/image_ref", to(IMAGE_ID)),
    ("tasks/plain/environment/image_ref", to("sha256:" + "3" * 64)),
    ("*/image_ref", by(lambda ref: NAMED_IMAGE if ref == IMAGE_ID else IMAGE_ID)),
    ("*/env/*", by(longer)),
    ("*/workdir", to("/home")),
    ("*/user", to("root")),
    ("*/endpoints/*/name", rename),
    ("*/endpoints/*/protocol", to("mcp")),
    ("*/endpoints/*/port", by(raised)),
    ("*/native_tools/*", rename),
    ("*/cpus", to("0.25")),
    ("*_bytes", by(raised)),
    ("environments/desk/network/mode", above(1, {"mode": "open"})),
    ("*/network/mode", above(1, {"mode": "allowlist"})),
    ("*/allow/*", by(lambda address: "new." + address.lstrip("*."))),
    ("*/platforms/*", to("linux/riscv64")),
    # Seed mounts and captures
    ("*/artifact", by(lambda digest: ARTIFACTS[1 - ARTIFACTS.index(digest)])),
    ("*/seed_mounts/*/path", rename),
    ("*/read_only", to(True)),
    ("*/captures/*/id", rename),
    ("*/captures/1/kind", to("fs-diff.v1")),
    ("*/captures/*/kind", by(lambda k: {"fs-diff.v1": "file.v1", "file.v1": "fs-diff.v1"}[k])),
    ("*/captures/*/path", by(longer)),
    ("*/when", to("final")),
    ("*/max_files", by(raised)),
    # Roster, completion, tools, metadata
    ("*/roster/*/seat", rename),
    ("*/roster/*/role", by(longer)),
    ("*/roster/*/required", to(True)),
    ("*/completion/mode", by(lambda mode: mode)),
    ("*/max_turns", by(raised)),
    ("*/deadline_seconds", by(raised)),
    ("*/tools/*", to("edit")),
    ("*/metadata/*", by(longer)),
    # Evaluators
    ("*/builtin_id", above(1, {**CONSTANT, "params": {"value": "0.75"}})),
    ("*/evaluator/kind", above(1, JUDGE)),
    ("*/model_slot", by(longer)),
    ("*/rubric", by(longer)),
    ("*/args/*", by(longer)),
    ("*/params/expected", by(lambda text: f"[{text}]" if text.startswith("{") else "7")),
    ("*/params/pattern", to("^z$")),
    ("*/params/tolerance", to("0.02")),
    ("*/params/value", to("0.125")),
    ("*/params/path", by(longer)),
    ("*/params/input", to("second")),
    ("*/params/scale/2", to(False)),
    ("*/params/scale/3/deep", to(False)),
    ("*/params/scale/*", by(raised)),
    ("*/params/*", by(longer)),
    # Evidence and access
    ("*/evidence/inputs/*/name", rename),
    ("*/select/source", by(lambda source: source)),
    ("*/select/id", to("diff")),
    ("*/inputs/3/select/path", to("/more")),
    ("*/select/path", by(longer)),
    ("*/cardinality", to("one")),
    ("*/inputs/*/required", to(True)),
    ("*/expose/path", by(longer)),
    ("*/target_access/mode", to("read_write")),
    ("*/bindings/*/name", by(longer)),
    ("*/bindings/*/endpoint", by(lambda n: {"web-port": "db-port", "db-port": "web-port"}[n])),
    # Metrics, objectives, decisions
    ("*/metrics/*/name", rename),
    ("*/minimum", by(lambda text: "-0.25" if text == "-0.5" else "0.125" if "." in text else "1")),
    ("*/maximum", by(lambda text: "1" if "." in text else "99")),
    ("*/unit", by(longer)),
    ("*/categories/*", by(longer)),
    ("*/objective/metric", by(lambda name: {"part": "whole", "done": "lines"}[name])),
    ("*/objective/reducer", to("max")),
    ("*/at_least", by(lambda text: "1" if "." in text else "0.875")),
    # Trees
    ("*/verifiers/*/id", by(longer)),
    ("*/node/id", by(longer)),
    ("*/children/*/id", by(longer)),
    ("*/weight", exchange_weights),
    ("*/on_child_error", to("propagate")),
    ("*/subject/seat", to("agent")),
    ("*/timeout_seconds", by(raised)),
    ("*/max_attempts", by(raised)),
]

MODES: list[tuple[str, str, Change]] = [
    ("*/completion/mode", "max_turns", above(1, {"mode": "deadline", "deadline_seconds": 9})),
    ("*/completion/mode", "deadline", above(1, {"mode": "max_turns", "max_turns": 9})),
    ("*/select/source", "submission", above(1, {"source": "trace"})),
    ("*/select/source", "trace", above(1, {"source": "submission"})),
    ("*/select/source", "capture", above(1, {"source": "seed_mount", "path": "/data"})),
    ("*/select/source", "seed_mount", above(1, {"source": "capture", "id": "diff"})),
    ("*/expose/as", "ctx", above(1, {"as": "file", "path": "/new"})),
    ("*/expose/as", "file", above(1, {"as": "ctx"})),
    ("*/subject/kind", "seat", above(1, {"kind": "attempt"})),
    ("*/subject/kind", "attempt", above(1, {"kind": "seat", "seat": "agent"})),
    ("*/evaluator/kind", "judge.v1", above(1, CONSTANT)),
    ("*/builtin_id", "constant", merge({"builtin_id": "file-exists", "params": {"path": "a"}})),
    ("*/aggregation/kind", "weighted_sum", without_weights("min")),
    ("*/aggregation/kind", "min", above(1, {"kind": "all_of", "on_child_error": "zero"})),
    ("*/aggregation/kind", "all_of", above(1, {"kind": "min", "on_child_error": "zero"})),
    ("*/aggregation/kind", "code", above(1, {"kind": "min", "on_child_error": "zero"})),
    ("*/type", "evaluator", wrapped),
    ("*/type", "composite", unwrapped),
    (
        "*/metrics/*/type",
        "decimal",
        merge({"type": "integer", "bounds": WHOLE}),
    ),
    ("*/metrics/*/type", "integer", to("decimal")),
    ("*/metrics/*/type", "boolean", merge({"type": "decimal"})),
    ("*/metrics/*/type", "category", above(1, {"name": "grade", "type": "boolean"})),
]
"""Tags, whose change depends on the old value; they come before `CHANGES`."""


def change_for(document: Plain, pointer: Pointer) -> Change | None:
    """Return the change for a leaf, None where no other value is valid."""
    text, value = text_of(pointer), at(document, pointer)
    if fnmatchcase(text, "*/decision/kind"):
        return None  # `threshold` is the only one
    if fnmatchcase(text, "*/decision/at_least"):
        node = at(document, pointer[:-2])
        if node.get("aggregation", {}).get("kind") == "all_of":
            return None  # it is exactly 1
    for pattern, old, change in MODES:
        if value == old and fnmatchcase(text, pattern):
            return change
    for pattern, change in CHANGES:
        if fnmatchcase(text, pattern):
            return change
    raise AssertionError(f"no change is known for {text}")
