"""What a leaf may do to the target, and by which endpoints (spec section 6)."""

from __future__ import annotations

from msgspec import UNSET

from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.declared import Declared
from fleet_contracts.rules.names import unknown_name
from fleet_contracts.scope import Scope


def bindings_forbidden(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, inside: bool) -> None:
    """Report bindings beside `mode: none` (FLT4064)."""
    access = leaf.target_access
    if access is UNSET or access.mode != "none" or access.bindings is UNSET:
        return
    if access.bindings:
        scope.report(
            "FLT4064",
            "`mode: none` reaches no endpoint, but there are bindings",
            (*at, "target_access", "bindings"),
            key=True,
            help="remove `bindings`, or write `mode: read_only` or `mode: read_write`",
        )


def unknown_endpoint(scope: Scope, leaf: a.EvaluatorLeaf, at: Pointer, declared: Declared) -> None:
    """Report bindings that name no endpoint of the Environment (FLT4063)."""
    access = leaf.target_access
    if access is UNSET or access.bindings is UNSET or declared.endpoints is None:
        return
    for index, binding in enumerate(access.bindings):
        if binding.endpoint not in declared.endpoints:
            unknown_name(
                scope,
                "FLT4063",
                binding.endpoint,
                declared.endpoints,
                (*at, "target_access", "bindings", index, "endpoint"),
                message="no endpoint {} in the Environment",
                help="name an endpoint of the Environment",
            )
