"""What a Task names of its Environment (spec sections 4 and 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.names import unknown_name
from fleet_contracts.scope import Scope

_FILE_ENDINGS = (".yaml", ".yml", ".json")
_BUILTIN = re.compile(r"[a-z0-9][a-z0-9._-]*@v[1-9][0-9]*")
_PINNED = re.compile(r"(?:^|@)sha256:[0-9a-f]{64}$")


def unknown_environment(scope: Scope, choice: str, known: Mapping[str, Any], at: Pointer) -> None:
    """Report a local name that `environments` does not have (FLT3010)."""
    message = "no Environment {} in `environments`"
    meant = _meant(choice)
    help = f"write `{meant}`" if meant else "declare it under `environments`"
    fix = Edit(choice, meant, bare=True) if meant else None
    unknown_name(scope, "FLT3010", choice, known, at, message=message, help=help, fix=fix)


def _meant(choice: str) -> str:
    """Return the Environment that is written where the name of one belongs, if it is one."""
    if choice.endswith(_FILE_ENDINGS):
        return f"{{file: {choice}}}"
    if _BUILTIN.fullmatch(choice):
        return f"{{builtin: {choice}}}"
    return f'{{image_ref: "{choice}"}}' if _PINNED.search(choice) else ""


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
