"""All structural rules of one complete Task (spec sections 4 and 6)."""

from __future__ import annotations

from msgspec import UNSET

from fleet_contracts.models import authoring as a
from fleet_contracts.rules.declared import Declared, declared_by
from fleet_contracts.rules.environment import unknown_tool
from fleet_contracts.rules.tree import duplicate_verifier
from fleet_contracts.rules.walk import check_node
from fleet_contracts.scope import Scope

DECLARES_NOTHING = frozenset(
    {"prompt", "environment", "verifiers", "completion", "tools", "metadata"}
)
"""Fields of a Task that have no names for its Verifiers; the Environment's are known apart."""


def check_task(
    scope: Scope,
    task: a.Task,
    endpoints: frozenset[str] | None,
    native_tools: frozenset[str] | None,
) -> None:
    """Report what is wrong with a Task that has all it takes from `defaults`.

    What its Verifiers may name is not known where a field that may say so was refused.
    `endpoints` and `native_tools` are the names that its Environment has; None where it has
    mistakes of its own, and nothing is said about them then.
    """
    verifiers = [] if task.verifiers is UNSET else task.verifiers
    is_known = scope.refused <= DECLARES_NOTHING
    check_verifiers(scope, verifiers, declared_by(task, endpoints) if is_known else None)
    if native_tools is not None:
        unknown_tool(scope, task, native_tools)


def check_verifiers(
    scope: Scope, verifiers: list[a.VerifierNode], declared: Declared | None
) -> None:
    """Report what is wrong with the Verifiers of a Task; `declared` as for `check_node`."""
    duplicate_verifier(scope, verifiers)
    for index, node in enumerate(verifiers):
        check_node(scope, node, ("verifiers", index), declared)
