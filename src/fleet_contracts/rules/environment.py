"""What a Task names of its Environment (spec sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.names import unknown_name
from fleet_contracts.scope import Scope

_FILE_ENDINGS = (".yaml", ".yml", ".json")


def unknown_environment(scope: Scope, choice: str, known: Mapping[str, Any], at: Pointer) -> None:
    """Report a local name that `environments` does not have (FLT3010)."""
    help = "declare it under `environments`"
    if choice.endswith(_FILE_ENDINGS):
        help = f"write `{{file: {choice}}}` to name a file"
    message = "no Environment {} in `environments`"
    unknown_name(scope, "FLT3010", choice, known, at, message=message, help=help)


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
