"""Environments (spec section 5)."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from fleet_contracts.environments import ResolvedEnvironment
from fleet_contracts.lower.scalars import (
    absent_if_empty,
    decimal,
    distinct_keys,
    each,
    image,
    members,
    size,
    tree_path,
)
from fleet_contracts.models import authoring as a
from fleet_contracts.models import content as c
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope


def lower_environment(resolved: ResolvedEnvironment) -> c.EnvironmentDocument:
    """Lower a resolved Environment; a builtin's name is not content, what it means is."""
    scope, at, authored = resolved.scope, resolved.at, resolved.authored
    reference_at = (*at, "builtin" if authored.image_ref is UNSET else "image_ref")
    workdir = authored.workdir
    if workdir is not UNSET:
        tree_path(scope, workdir, (*at, "workdir"))
    env = authored.env
    if env is not UNSET:
        distinct_keys(scope, env, (*at, "env"), "variable")
    endpoints = [
        c.Endpoint(name=endpoint.name, protocol=endpoint.protocol, port=endpoint.port)
        for endpoint in members(
            scope,
            each(resolved.endpoints, lambda item: item.name),
            (*at, "endpoints"),
            "endpoint",
            key="name",
        )
    ]
    tools = members(scope, each(resolved.native_tools, str), (*at, "native_tools"), "native tool")
    platforms = members(scope, each(authored.platforms, str), (*at, "platforms"), "platform")
    return c.EnvironmentDocument(
        schema="fleet.environment.v1alpha1",
        image=image(scope, resolved.image_ref, reference_at),
        env=absent_if_empty(env),
        workdir=workdir,
        user=authored.user,
        endpoints=absent_if_empty(endpoints),
        native_tools=absent_if_empty(tools),
        resources=_resources(scope, authored.resources, (*at, "resources")),
        network=_network(scope, authored.network, (*at, "network")),
        platforms=absent_if_empty(platforms),
    )


def _resources(
    scope: Scope, resources: a.Resources | UnsetType, at: Pointer
) -> c.Resources | UnsetType:
    if resources is UNSET:
        return UNSET
    cpus = resources.cpus
    lowered = c.Resources(
        cpus=UNSET if cpus is UNSET else _cpus(scope, cpus, (*at, "cpus")),
        memory_bytes=size(scope, resources.memory_bytes, (*at, "memory_bytes")),
        disk_bytes=size(scope, resources.disk_bytes, (*at, "disk_bytes")),
    )
    return UNSET if lowered == c.Resources() else lowered


def _cpus(scope: Scope, cpus: Any, at: Pointer) -> str:
    text = decimal(scope, cpus, at)
    if text == "0" or text.startswith("-"):
        message = f"expected more than 0 processors, found {text}"
        scope.report("FLT2015", message, at, help="write a number above 0, e.g. `0.5` or `2`")
    return text


def _network(
    scope: Scope, network: a.Network | UnsetType, at: Pointer
) -> c.AllowlistNetwork | c.OpenNetwork | UnsetType:
    if isinstance(network, a.OpenNetwork):
        return c.OpenNetwork()
    if not isinstance(network, a.AllowlistNetwork):
        return UNSET
    allow = members(scope, each(network.allow, str), (*at, "allow"), "address")
    return c.AllowlistNetwork(allow=absent_if_empty(allow))
