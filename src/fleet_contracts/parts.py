"""Files that are no roots, looked at alone: files of Tasks, standalone Verifiers (spec section 4).

What only a root can say is not asked for: its `defaults`, its Environments, and so what a
Task declares that a Verifier may name.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from fleet_contracts.lower.files import STAND_IN, Files
from fleet_contracts.lower.task import lower_task
from fleet_contracts.lower.verifier import lower_node
from fleet_contracts.models import authoring as a
from fleet_contracts.rules import check_node, check_verifiers
from fleet_contracts.rules.keys import check_key
from fleet_contracts.scope import Location, Scope

PARTS = ("tasks/v1", "verifier/v1")


def check_part(top: Scope, files: Files, value: dict[str, Any]) -> None:
    """Report what is wrong with a document of valid shape that is no root.

    `top` is the scope of the whole document; files that it names are read and hashed.
    """
    if value["authoring"] == "verifier/v1":
        node = msgspec.convert(value, a.AuthoredVerifier).node
        check_node(top, node, ("node",))
        lower_node(top, files, node, ("node",), root=True)
        return
    for key, plain in value["tasks"].items():
        check_key(top, key, ("tasks", key))
        location: Location = top.location.below("tasks", key)
        _check_task(Scope(top.bag, location), files, msgspec.convert(plain, a.Task))


def _check_task(scope: Scope, files: Files, task: a.Task) -> None:
    """Look at what a Task says itself; nothing stands for what a root may add."""
    prompt = "" if task.prompt is UNSET else task.prompt
    verifiers = [] if task.verifiers is UNSET else task.verifiers
    check_verifiers(scope, verifiers, None)
    complete = msgspec.structs.replace(task, prompt=prompt, verifiers=verifiers)
    lower_task(scope, files, complete, STAND_IN, [])
