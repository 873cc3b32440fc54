"""What a Task names of its Environment (spec sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from fleet_contracts import validate
from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.names import unknown_name
from fleet_contracts.scope import Scope


def unknown_environment(scope: Scope, choice: str, known: Mapping[str, Any], at: Pointer) -> None:
    """Report a local name that `environments` does not have (FLT3010)."""
    message = "no Environment {} in `environments`"
    meant = validate.environment_for(choice)
    help = f"write `{meant}`" if meant else "declare it under `environments`"
    fix = Edit(choice, meant, bare=True) if meant else None
    unknown_name(scope, "FLT3010", choice, known, at, message=message, help=help, fix=fix)


def unknown_tool(scope: Scope, task: a.Task, native_tools: frozenset[str]) -> None:
    """Report granted tools that the Environment lacks (FLT4070)."""
    if task.tools is UNSET:
        return
    for index, tool in enumerate(task.tools):
        if tool not in native_tools:
            unknown_name(
                scope,
                "FLT4070",
                tool,
                native_tools,
                ("tools", index),
                message="no native tool {} in the Environment",
                help="remove it, or choose an Environment that has it",
            )
