"""Verifier nodes (spec section 6)."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from fleet_contracts import canonical
from fleet_contracts.lower.files import Files
from fleet_contracts.lower.scalars import (
    absent_if_empty,
    decimal,
    each,
    image,
    members,
    score,
    tree_path,
)
from fleet_contracts.models import authoring as a
from fleet_contracts.models import content as c
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope


def lower_node(
    scope: Scope, files: Files, node: a.EvaluatorLeaf | a.Composite, at: Pointer, *, root: bool
) -> c.EvaluatorLeaf | c.Composite:
    """Lower one node and all below it; only a root keeps its subject."""
    if type(node) is a.EvaluatorLeaf:
        return _leaf(scope, files, node, at, root=root)
    assert isinstance(node, a.Composite)
    decision = c.Decision(
        kind="threshold",
        at_least=score(scope, node.decision.at_least, (*at, "decision", "at_least")),
    )
    return c.Composite(
        id=node.id,
        children=[
            _edge(scope, files, edge, (*at, "children", index))
            for index, edge in enumerate(node.children)
        ],
        aggregation=_aggregation(scope, files, node.aggregation, (*at, "aggregation")),
        decision=decision,
        subject=_subject(node.subject) if root else UNSET,
        failure_policy=_failure_policy(node.failure_policy),
    )


def _edge(scope: Scope, files: Files, edge: a.Edge, at: Pointer) -> c.Edge:
    weight: str | UnsetType = UNSET
    if edge.weight is not UNSET:
        weight = score(scope, edge.weight, (*at, "weight"))
    node = lower_node(scope, files, edge.node, (*at, "node"), root=False)
    return c.Edge(id=edge.id, node=node, weight=weight)


def _leaf(
    scope: Scope, files: Files, leaf: a.EvaluatorLeaf, at: Pointer, *, root: bool
) -> c.EvaluatorLeaf:
    decision: c.Decision | UnsetType = UNSET
    if leaf.decision is not UNSET:
        at_least = score(scope, leaf.decision.at_least, (*at, "decision", "at_least"))
        decision = c.Decision(kind="threshold", at_least=at_least)
    objective: c.Objective | UnsetType = UNSET
    if leaf.objective is not UNSET:
        objective = c.Objective(metric=leaf.objective.metric, reducer=leaf.objective.reducer)
    return c.EvaluatorLeaf(
        id=leaf.id,
        evaluator=_evaluator(scope, files, leaf.evaluator, (*at, "evaluator")),
        evidence=UNSET if leaf.evidence is UNSET else _evidence(scope, leaf.evidence, at),
        target_access=_target_access(scope, leaf.target_access, at),
        metrics=UNSET if leaf.metrics is UNSET else _metrics(scope, leaf.metrics, (*at, "metrics")),
        objective=objective,
        decision=decision,
        subject=_subject(leaf.subject) if root else UNSET,
        failure_policy=_failure_policy(leaf.failure_policy),
    )


def _subject(subject: a.AttemptSubject | a.SeatSubject | UnsetType) -> c.SeatSubject | UnsetType:
    if isinstance(subject, a.SeatSubject):
        return c.SeatSubject(kind="seat", seat=subject.seat)
    return UNSET


def _failure_policy(policy: a.FailurePolicy | UnsetType) -> c.FailurePolicy | UnsetType:
    if policy is UNSET or (policy.timeout_seconds is UNSET and policy.max_attempts is UNSET):
        return UNSET
    return c.FailurePolicy(timeout_seconds=policy.timeout_seconds, max_attempts=policy.max_attempts)


def _aggregation(
    scope: Scope, files: Files, kind: a.Aggregation, at: Pointer
) -> c.WeightedSum | c.Minimum | c.AllOf | c.CodeAggregation:
    zero: Any = "zero" if kind.on_child_error == "zero" else UNSET
    match kind:
        case a.WeightedSum():
            return c.WeightedSum(on_child_error=zero)
        case a.Minimum():
            return c.Minimum(on_child_error=zero)
        case a.AllOf():
            return c.AllOf(on_child_error=zero)
        case a.CodeAggregation():
            return c.CodeAggregation(
                entrypoint=files.blob(scope, kind.entrypoint.file, (*at, "entrypoint", "file")),
                image=image(scope, kind.image_ref, (*at, "image_ref")),
                args=absent_if_empty(kind.args),
                on_child_error=zero,
            )


def _evaluator(
    scope: Scope, files: Files, evaluator: a.Evaluator, at: Pointer
) -> c.BuiltinEvaluator | c.CodeEvaluator | c.JudgeEvaluator:
    if type(evaluator) is a.BuiltinEvaluator:
        params = _builtin_params(scope, files, evaluator.params, (*at, "params"))
        return c.BuiltinEvaluator(builtin_id=evaluator.builtin_id, params=params)
    if type(evaluator) is a.CodeEvaluator:
        return c.CodeEvaluator(
            entrypoint=files.blob(scope, evaluator.entrypoint.file, (*at, "entrypoint", "file")),
            image=image(scope, evaluator.image_ref, (*at, "image_ref")),
            args=absent_if_empty(evaluator.args),
        )
    assert isinstance(evaluator, a.JudgeEvaluator)
    if isinstance(evaluator.rubric, str):
        rubric = files.put(evaluator.rubric.encode())
    else:
        rubric = files.blob(scope, evaluator.rubric.file, (*at, "rubric", "file"))
    params = {} if evaluator.params is UNSET else evaluator.params
    check_free_form(scope, params, (*at, "params"))
    return c.JudgeEvaluator(
        rubric=rubric, model_slot=evaluator.model_slot, params=absent_if_empty(params)
    )


def _builtin_params(
    scope: Scope, files: Files, params: dict[str, Any], at: Pointer
) -> dict[str, Any]:
    """Return a builtin's params; each name means one thing in all builtins but `expected`.

    `expected` is a decimal only beside a `tolerance`.
    """
    lowered: dict[str, Any] = {}
    for name, value in params.items():
        if name == "content":
            blob = files.blob(scope, value["file"], (*at, name, "file"))
            lowered[name] = {"digest": blob.digest, "size": blob.size}
        elif name == "path":
            lowered[name] = tree_path(scope, value, (*at, name))
        elif name == "value":
            lowered[name] = score(scope, value, (*at, name))
        elif name == "tolerance" or (name == "expected" and "tolerance" in params):
            text = lowered[name] = decimal(scope, value, (*at, name))
            if name == "tolerance" and text.startswith("-"):
                message = f"expected a tolerance of at least 0, found {text}"
                scope.report("FLT2015", message, (*at, name), help="write 0 or more")
        else:
            lowered[name] = value
    return lowered


FREE_FORM = {
    "fraction": (
        "FLT4012",
        "found a fractional number in a free-form value, where content has none",
        "write it as a string; to compare JSON with fractions use `json-equals`, "
        "whose `expected` is JSON text",
    ),
    "big-integer": (
        "FLT4013",
        "found an integer beyond 2^53-1, which JSON readers do not keep exactly",
        "write it as a string",
    ),
}


def check_free_form(scope: Scope, value: Any, at: Pointer) -> None:
    """Report what content cannot hold in a free-form value (spec section 2)."""
    for problem in canonical.check_free_form(value, at):
        code, message, help = FREE_FORM[problem.kind]
        scope.report(code, message, problem.pointer, help=help)


def _evidence(scope: Scope, evidence: a.Evidence, at: Pointer) -> c.Evidence | UnsetType:
    place = (*at, "evidence", "inputs")
    inputs = [] if evidence.inputs is UNSET else evidence.inputs
    lowered = [
        (item.name, _evidence_input(scope, item, (*place, index)))
        for index, item in enumerate(inputs)
    ]
    if not lowered:
        return UNSET
    return c.Evidence(inputs=members(scope, lowered, place, "evidence input", key="name"))


def _evidence_input(scope: Scope, item: a.EvidenceInput, at: Pointer) -> c.EvidenceInput:
    return c.EvidenceInput(
        name=item.name,
        select=_selection(scope, item.select, (*at, "select")),
        expose=_exposure(item.expose),
        cardinality="many" if item.cardinality == "many" else UNSET,
        required=False if item.required is False else UNSET,
    )


def _exposure(exposure: a.Exposure) -> c.ContextExposure | c.FileExposure:
    if isinstance(exposure, a.FileExposure):
        return c.FileExposure(path=exposure.path)
    return c.ContextExposure()


def _selection(
    scope: Scope, select: a.Selection, at: Pointer
) -> c.SubmissionSelection | c.TraceSelection | c.CaptureSelection | c.SeedMountSelection:
    if isinstance(select, a.TraceSelection):
        return c.TraceSelection()
    path = select.path
    if path is not UNSET:
        tree_path(scope, path, (*at, "path"))
    match select:
        case a.CaptureSelection():
            return c.CaptureSelection(id=select.id, path=select.path)
        case a.SeedMountSelection():
            return c.SeedMountSelection(path=select.path)
    return c.SubmissionSelection(path=path)


def _target_access(
    scope: Scope, access: a.TargetAccess | UnsetType, at: Pointer
) -> c.TargetAccess | UnsetType:
    if access is UNSET or access.mode == "none":
        return UNSET
    bindings = [
        c.Binding(name=binding.name, endpoint=binding.endpoint)
        for binding in members(
            scope,
            each(access.bindings, lambda item: item.name),
            (*at, "target_access", "bindings"),
            "binding",
            key="name",
        )
    ]
    return c.TargetAccess(mode=access.mode, bindings=absent_if_empty(bindings))


def _metrics(scope: Scope, metrics: list[a.Metric], at: Pointer) -> list[c.Metric] | UnsetType:
    lowered = [
        (metric.name, _metric(scope, metric, (*at, index))) for index, metric in enumerate(metrics)
    ]
    return absent_if_empty(members(scope, lowered, at, "metric", key="name"))


def _metric(scope: Scope, metric: a.Metric, at: Pointer) -> c.Metric:
    match metric:
        case a.BooleanMetric():
            return c.BooleanMetric(name=metric.name)
        case a.CategoryMetric():
            return c.CategoryMetric(name=metric.name, categories=metric.categories)
        case a.DecimalMetric():
            bounds = _bounds(scope, metric.bounds, (*at, "bounds"))
            return c.DecimalMetric(name=metric.name, bounds=bounds, unit=metric.unit)
        case a.IntegerMetric():
            bounds = _bounds(scope, metric.bounds, (*at, "bounds"))
            return c.IntegerMetric(name=metric.name, bounds=bounds, unit=metric.unit)


def _bounds(scope: Scope, bounds: a.Bounds | UnsetType, at: Pointer) -> c.Bounds | UnsetType:
    if bounds is UNSET or (bounds.minimum is UNSET and bounds.maximum is UNSET):
        return UNSET
    low, high = bounds.minimum, bounds.maximum
    return c.Bounds(
        minimum=UNSET if low is UNSET else score(scope, low, (*at, "minimum")),
        maximum=UNSET if high is UNSET else score(scope, high, (*at, "maximum")),
    )
