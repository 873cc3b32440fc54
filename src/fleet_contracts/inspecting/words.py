"""What parts of content are called in a line of text; absent fields mean their defaults.

A `most` of None leaves nothing out.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from fleet_contracts.inspecting.branches import cut, many, short
from fleet_contracts.models import content as c
from fleet_contracts.store.reader import StoredRoot

ROOT_KINDS = {"taskset": "TaskSet", "environment": "Environment", "artifact": "Artifact"}


def root_words(root: StoredRoot) -> str:
    """Return kind and name of a root, its digest where it has no name."""
    return f"{ROOT_KINDS[root.kind]} {root.name or root.document.digest}"


def size_words(size: int) -> str:
    """Return a number of bytes."""
    return many(size, "byte")


def blob_words(blob: c.Blob) -> str:
    """Return digest and size of a blob."""
    return f"{short(blob.digest)} ({size_words(blob.size)})"


def completion_words(completion: c.Completion | UnsetType) -> str:
    """Return when an attempt ends."""
    if isinstance(completion, c.MaxTurns):
        return f"when the agent submits, at the latest after {many(completion.max_turns, 'turn')}"
    if isinstance(completion, c.Deadline):
        seconds = many(completion.deadline_seconds, "second")
        return f"when the agent submits, at the latest after {seconds}"
    return "when the agent submits"


def network_words(network: c.Network | UnsetType) -> str:
    """Return what an Environment may reach."""
    if isinstance(network, c.OpenNetwork):
        return "open"
    if isinstance(network, c.AllowlistNetwork):
        return "only " + ", ".join(network.allow) if network.allow else "nothing (an empty list)"
    return "none"


def resources_words(resources: c.Resources) -> str:
    """Return what an Environment needs of a machine."""
    parts = []
    if resources.cpus is not UNSET:
        parts.append(f"{resources.cpus} {'CPU' if resources.cpus == '1' else 'CPUs'}")
    if resources.memory_bytes is not UNSET:
        parts.append(f"{size_words(resources.memory_bytes)} of memory")
    if resources.disk_bytes is not UNSET:
        parts.append(f"{size_words(resources.disk_bytes)} of disk")
    return ", ".join(parts)


def capture_words(capture: c.Capture) -> str:
    """Return what is captured, when, and the most that is kept."""
    parts = [f"{capture.id}  {capture.__struct_config__.tag}  {capture.path}"]
    if not isinstance(capture, c.FsSnapshotCapture) and capture.when is not UNSET:
        parts.append("at each checkpoint")
    limits = capture.limits
    if limits is not UNSET:
        if limits.max_files is not UNSET:
            parts.append(f"at most {many(limits.max_files, 'file')}")
        if limits.max_bytes is not UNSET:
            parts.append(f"at most {size_words(limits.max_bytes)}")
    return ", ".join(parts)


def seat_words(seat: c.Seat) -> str:
    """Return a place of the roster."""
    return f"{seat.seat}  {seat.role}" + ("" if seat.required is UNSET else ", optional")


def evaluator_words(evaluator: c.Evaluator, most: int | None) -> str:
    """Return an evaluator and what it is given."""
    if isinstance(evaluator, c.BuiltinEvaluator):
        return f"builtin.v1 {evaluator.builtin_id} {_compact(evaluator.params, most)}"
    if isinstance(evaluator, c.CodeEvaluator):
        return f"code.v1 {_program(evaluator, most)}"
    params = "" if evaluator.params is UNSET else f" {_compact(evaluator.params, most)}"
    return f"judge.v1 rubric {blob_words(evaluator.rubric)}, model {evaluator.model_slot}{params}"


def aggregation_words(aggregation: c.Aggregation, most: int | None) -> str:
    """Return how the scores of children become one."""
    kind = str(aggregation.__struct_config__.tag)
    words = (
        f"{kind} {_program(aggregation, most)}"
        if isinstance(aggregation, c.CodeAggregation)
        else kind
    )
    return words if aggregation.on_child_error is UNSET else f"{words}, on_child_error zero"


def input_words(item: c.EvidenceInput) -> str:
    """Return a piece of evidence, from where it comes and where it is put."""
    select = item.select
    source = str(select.__struct_config__.tag)
    if isinstance(select, c.CaptureSelection):
        source += f" {select.id}"
    if not isinstance(select, c.TraceSelection) and select.path is not UNSET:
        source += f" {select.path}"
    to = f"file {item.expose.path}" if isinstance(item.expose, c.FileExposure) else "ctx"
    several = "" if item.cardinality is UNSET else ", any number"
    optional = "" if item.required is UNSET else ", optional"
    return f"{item.name}: {source} as {to}{several}{optional}"


def target_words(access: c.TargetAccess) -> str:
    """Return what an evaluator may do to the target."""
    bindings = [] if access.bindings is UNSET else access.bindings
    names = ", ".join(f"{each.name} is {each.endpoint}" for each in bindings)
    return f"{access.mode}, {names}" if names else access.mode


def metric_words(metric: c.Metric, most: int | None) -> str:
    """Return a metric, its bounds and unit, or its categories."""
    words = f"{metric.name}: {metric.__struct_config__.tag}"
    if isinstance(metric, c.CategoryMetric):
        return f"{words} of {cut(', '.join(metric.categories), most)}"
    if isinstance(metric, c.BooleanMetric):
        return words
    if metric.bounds is not UNSET:
        low, high = metric.bounds.minimum, metric.bounds.maximum
        words += "" if low is UNSET else f", at least {low}"
        words += "" if high is UNSET else f", at most {high}"
    return words if metric.unit is UNSET else f"{words}, in {metric.unit}"


def policy_words(policy: c.FailurePolicy) -> str:
    """Return how long and how often an evaluator is tried."""
    parts = []
    if policy.timeout_seconds is not UNSET:
        parts.append(f"at most {many(policy.timeout_seconds, 'second')}")
    if policy.max_attempts is not UNSET:
        parts.append(f"at most {many(policy.max_attempts, 'attempt')}")
    return ", ".join(parts)


def _program(part: c.CodeEvaluator | c.CodeAggregation, most: int | None) -> str:
    args = "" if part.args is UNSET else f" {_compact(part.args, most)}"
    return f"{blob_words(part.entrypoint)}{args}"


def _compact(value: object, most: int | None) -> str:
    return cut(msgspec.json.encode(value).decode(), most)
