"""Tasks (spec section 4)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from fleet_contracts.generations import task_generation
from fleet_contracts.lower.files import Files
from fleet_contracts.lower.scalars import (
    absent_if_empty,
    distinct_keys,
    each,
    members,
    size,
    tree_path,
)
from fleet_contracts.lower.verifier import lower_node
from fleet_contracts.models import authoring as a
from fleet_contracts.models import content as c
from fleet_contracts.scope import Scope

DEFAULT_ROSTER = [c.Seat(seat="agent", role="agent")]


def lower_task(
    scope: Scope, files: Files, task: a.Task, environment: c.Blob, mounts: list[c.SeedMount]
) -> c.Task:
    """Lower a complete Task; its Environment and seed mounts are resolved already."""
    roster = _roster(scope, task.roster)
    assert task.prompt is not UNSET and task.verifiers is not UNSET
    lowered = c.Task(
        schema="fleet.task.v1alpha1",
        prompt=_prompt(scope, files, task.prompt),
        environment=environment,
        seed_mounts=absent_if_empty(mounts),
        captures=UNSET if task.captures is UNSET else _captures(scope, task.captures),
        verifiers=[
            lower_node(scope, files, node, ("verifiers", index), root=True)
            for index, node in enumerate(task.verifiers)
        ],
        roster=UNSET if roster == DEFAULT_ROSTER else absent_if_empty(roster),
        completion=_completion(task.completion),
        tools=UNSET if task.tools is UNSET else _tools(scope, task.tools),
        metadata=UNSET if task.metadata is UNSET else _metadata(scope, task.metadata),
    )
    generation = task_generation(lowered)
    if generation == 1:
        return lowered
    schema: Any = f"fleet.task.v1alpha{generation}"
    return msgspec.structs.replace(lowered, schema=schema)


def _prompt(scope: Scope, files: Files, prompt: a.Prompt) -> str | list[c.Message]:
    if isinstance(prompt, str):
        return prompt
    if isinstance(prompt, a.File):
        return files.text(scope, prompt.file, ("prompt", "file"))
    messages = [
        c.Message(
            role=message.role,
            text=message.text
            if message.text is not UNSET
            else files.text(scope, str(message.file), ("prompt", index, "file")),
        )
        for index, message in enumerate(prompt)
    ]
    if len(messages) == 1 and messages[0].role == "user":
        return messages[0].text
    return messages


def _captures(scope: Scope, captures: list[a.Capture]) -> list[c.Capture] | UnsetType:
    lowered = [
        (capture.id, _capture(scope, capture, index)) for index, capture in enumerate(captures)
    ]
    return absent_if_empty(members(scope, lowered, ("captures",), "capture", key="id"))


def _capture(scope: Scope, capture: a.Capture, index: int) -> c.Capture:
    at = ("captures", index)
    path = tree_path(scope, capture.path, (*at, "path"))
    limits_at = (*at, "limits", "max_bytes")
    if isinstance(capture, a.FsSnapshotCapture):
        max_bytes = size(scope, capture.limits.max_bytes, limits_at)
        assert max_bytes is not UNSET
        limits = c.SnapshotLimits(max_files=capture.limits.max_files, max_bytes=max_bytes)
        return c.FsSnapshotCapture(id=capture.id, path=path, limits=limits)
    when: Any = "checkpoint" if capture.when == "checkpoint" else UNSET
    bounds: c.Limits | UnsetType = UNSET
    if capture.limits is not UNSET:
        max_files = capture.limits.max_files
        most = size(scope, capture.limits.max_bytes, limits_at)
        if max_files is not UNSET or most is not UNSET:
            bounds = c.Limits(max_files=max_files, max_bytes=most)
    if isinstance(capture, a.FsDiffCapture):
        return c.FsDiffCapture(id=capture.id, path=path, when=when, limits=bounds)
    return c.FileCapture(id=capture.id, path=path, when=when, limits=bounds)


def _roster(scope: Scope, roster: list[a.Seat] | UnsetType) -> list[c.Seat]:
    seats = members(scope, each(roster, lambda seat: seat.seat), ("roster",), "seat", key="seat")
    return [
        c.Seat(seat=seat.seat, role=seat.role, required=False if seat.required is False else UNSET)
        for seat in seats
    ]


def _completion(completion: a.Completion | UnsetType) -> c.Completion | UnsetType:
    match completion:
        case a.MaxTurns():
            return c.MaxTurns(max_turns=completion.max_turns)
        case a.Deadline():
            return c.Deadline(deadline_seconds=completion.deadline_seconds)
    return UNSET


def _tools(scope: Scope, tools: list[str]) -> list[str]:
    """Return the granted tools; an empty list grants none and stays."""
    return members(scope, each(tools, str), ("tools",), "tool")


def _metadata(scope: Scope, metadata: dict[str, str]) -> dict[str, str] | UnsetType:
    distinct_keys(scope, metadata, ("metadata",), "metadata key")
    return absent_if_empty(metadata)
