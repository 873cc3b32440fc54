"""Evidence that a leaf selects, and where it sees it (spec section 6)."""

from __future__ import annotations

from msgspec import UNSET

from fleet_contracts.diagnostics.model import Related
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.declared import Declared
from fleet_contracts.rules.names import unknown_name
from fleet_contracts.scope import Scope

INPUTS = ("evidence", "inputs")


def declared_inputs(leaf: a.EvaluatorLeaf) -> list[a.EvidenceInput]:
    """Return the evidence inputs of a leaf, none where they are absent."""
    if leaf.evidence is UNSET or leaf.evidence.inputs is UNSET:
        return []
    return leaf.evidence.inputs


def unknown_capture(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, declared: Declared) -> None:
    """Report evidence that selects a capture which the Task lacks (FLT4060)."""
    for index, item in enumerate(declared_inputs(leaf)):
        select = item.select
        if isinstance(select, a.CaptureSelection) and select.id not in declared.captures:
            unknown_name(
                scope,
                "FLT4060",
                select.id,
                declared.captures,
                (*at, *INPUTS, index, "select", "id"),
                message="no capture {} in this Task",
                help="declare it under `captures`",
            )


def unknown_mount(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, declared: Declared) -> None:
    """Report evidence that selects a path in no seed mount of the Task (FLT4061)."""
    for index, item in enumerate(declared_inputs(leaf)):
        select = item.select
        if isinstance(select, a.SeedMountSelection) and not declared.has_mount(select.path):
            unknown_name(
                scope,
                "FLT4061",
                select.path,
                declared.mounts,
                (*at, *INPUTS, index, "select", "path"),
                message="no seed mount {} in this Task",
                help="declare it under `seed_mounts`",
            )


def exposed_twice(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report inputs that are exposed at one path (FLT4010)."""
    inputs = declared_inputs(leaf)
    if len(inputs) < 2:
        return
    first: dict[str, int] = {}
    for index, item in enumerate(inputs):
        if not isinstance(item.expose, a.FileExposure):
            continue
        earlier = first.setdefault(item.expose.path, index)
        if earlier != index:
            place = scope.origin(at).place((*at, *INPUTS, earlier, "expose", "path"))
            scope.report(
                "FLT4010",
                f"path {item.expose.path!r} exposes two evidence inputs",
                (*at, *INPUTS, index, "expose", "path"),
                help="give each input a path of its own",
                related=(Related("the first input", place),),
            )
