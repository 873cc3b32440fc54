"""Files that are no roots, looked at alone: files of Tasks, standalone Verifiers (spec section 4).

What only a root can say is not asked for: its `defaults`, its Environments, and so what a
Task declares that a Verifier may name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET

from fleet_contracts import canonical
from fleet_contracts.lower.files import STAND_IN, Files
from fleet_contracts.lower.task import lower_task
from fleet_contracts.lower.verifier import lower_node
from fleet_contracts.models import authoring as a
from fleet_contracts.models import content as c
from fleet_contracts.nodes import NodeDigest, node_digests
from fleet_contracts.rules import check_node, check_verifiers
from fleet_contracts.rules.keys import check_key
from fleet_contracts.scope import Location, Scope
from fleet_contracts.store.model import Ref

VERIFIER = "verifier/v1"
PARTS = ("tasks/v1", VERIFIER)


@dataclass(frozen=True, slots=True)
class CompiledVerifier:
    """What a standalone Verifier became: its document, the blobs it names, and its nodes.

    `name` is for people, taken from the file: a Verifier is no root, and nothing names it but
    digests. The first of `nodes` is the whole tree.
    """

    name: str
    document: Ref
    blobs: tuple[Ref, ...]
    nodes: tuple[NodeDigest, ...]
    generation: str = "fleet.verifier.v1alpha1"

    @property
    def digest(self) -> str:
        """The digest of the document."""
        return self.document.digest

    @property
    def node_digest(self) -> str:
        """The digest of the node, which is the same in a Task (spec section 6)."""
        return self.nodes[0].digest


def compile_verifier(
    top: Scope, files: Files, value: dict[str, Any], name: str
) -> CompiledVerifier | None:
    """Lower a standalone Verifier of valid shape and put it and its blobs into the sink.

    `top` is the scope of the whole document. None when it has errors.
    """
    at = ("node",)
    authored = msgspec.convert(value, a.AuthoredVerifier).node
    check_node(top, authored, at)
    node = lower_node(top, files, authored, at, root=True)
    if top.failed:
        return None
    document = c.VerifierDocument(schema="fleet.verifier.v1alpha1", node=node)
    return CompiledVerifier(
        name=name,
        document=files.sink.put(canonical.encode(document)),
        blobs=tuple(files.closure.values()),
        nodes=tuple(node_digests(node, at)),
    )


def check_tasks(top: Scope, files: Files, value: dict[str, Any]) -> None:
    """Report what is wrong with a file of Tasks of valid shape.

    `top` is the scope of the whole document; files that it names are read and hashed.
    """
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
