"""What nothing reads, and what a program reads that it should not trust (spec section 6)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from fleet_contracts.diagnostics.model import Related
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.declared import Declared, is_within
from fleet_contracts.rules.evidence import INPUTS, declared_inputs
from fleet_contracts.rules.metrics import declared_metrics, objective_metric
from fleet_contracts.scope import Scope


def unread_metric(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report metrics beside the one that the objective names (FLT4083).

    A leaf without an objective is there to record all its metrics. A builtin with several
    is an error.
    """
    if leaf.objective is UNSET or type(leaf.evaluator) is a.BuiltinEvaluator:
        return
    read = objective_metric(leaf)
    if read is None:
        return
    for index, metric in enumerate(declared_metrics(leaf)):
        if metric.name != read[1].name:
            scope.report(
                "FLT4083",
                f"nothing reads metric {metric.name!r}, the objective is {read[1].name!r}",
                (*at, "metrics", index, "name"),
                help="remove it, or record it in a top-level leaf without an `objective`",
            )


def agent_writable_evidence(
    scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, declared: Declared
) -> None:
    """Report a program that grades by what is seeded where the agent can write (FLT4084)."""
    if not declared.writable or type(leaf.evaluator) is not a.CodeEvaluator:
        return
    for path, place in (*_selected(leaf), *_named(leaf, leaf.evaluator, declared)):
        mount = declared.mount_of(path)
        index = declared.writable.get(mount or "")
        if index is None:
            continue
        mount_at = ("seed_mounts", index, "read_only")
        scope.report(
            "FLT4084",
            f"this program grades by {path!r}, but the agent can write to seed mount {mount!r}",
            (*at, *place),
            help="mount what it grades by with `read_only: true`, or grade a capture",
            related=(Related("where it is mounted", scope.origin(mount_at).place(mount_at)),),
        )


def _selected(leaf: a.EvaluatorLeaf) -> Iterator[tuple[str, Pointer]]:
    """Yield the paths of seed mounts that are evidence, and where the leaf says so."""
    for index, item in enumerate(declared_inputs(leaf)):
        if isinstance(item.select, a.SeedMountSelection):
            yield item.select.path, (*INPUTS, index, "select", "path")


def _named(
    leaf: a.EvaluatorLeaf, evaluator: a.CodeEvaluator, declared: Declared
) -> Iterator[tuple[str, Pointer]]:
    """Yield the paths inside seed mounts that the args of a program in the target name.

    A mount as a whole is left out, and so is what the Task captures: that is the agent's work.
    So is what hides behind evidence that is exposed as a file.
    """
    access = leaf.target_access
    if access is UNSET or access.mode == "none" or evaluator.args is UNSET:
        return
    for index, argument in enumerate(evaluator.args):
        path = argument if argument.startswith("/") else argument.partition("=")[2]
        if path in declared.mounts or declared.captures_path(path) or _is_exposed(leaf, path):
            continue
        yield path, ("evaluator", "args", index)


def _is_exposed(leaf: a.EvaluatorLeaf, path: str) -> bool:
    exposed = [each.expose for each in declared_inputs(leaf)]
    return any(isinstance(each, a.FileExposure) and is_within(path, each.path) for each in exposed)
