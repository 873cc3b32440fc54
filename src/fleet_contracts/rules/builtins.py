"""What the builtin evaluators need beyond the shape of their params (spec section 6)."""

from __future__ import annotations

from functools import lru_cache

from msgspec import UNSET

from fleet_contracts import canonical
from fleet_contracts.diagnostics.notation import Remedy
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.regex_dialect import RegexError, compile_shared
from fleet_contracts.rules.evidence import declared_inputs
from fleet_contracts.rules.exact import ONE, exact, spelled
from fleet_contracts.rules.metrics import declared_metrics
from fleet_contracts.rules.names import unknown_name
from fleet_contracts.scope import Scope

MATCHING = frozenset({"answer-matches", "file-matches"})


def category_verdict(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a category metric of a builtin, whose verdict is a number (FLT4054)."""
    for index, metric in enumerate(declared_metrics(leaf)):
        if type(metric) is a.CategoryMetric:
            scope.report(
                "FLT4054",
                f"`{evaluator.builtin_id}` reports a number, "
                f"but metric {metric.name!r} is a category",
                (*at, "metrics", index, "type"),
                help="write `type: boolean`, or use a `code.v1` or `judge.v1` evaluator",
            )


def several_metrics(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a builtin with more than one metric (FLT4055)."""
    metrics = declared_metrics(leaf)
    if len(metrics) > 1:
        scope.report(
            "FLT4055",
            f"`{evaluator.builtin_id}` reports one reading of its only metric, "
            f"found {len(metrics)} metrics",
            (*at, "metrics"),
            key=True,
            help="keep one metric; grade the others in leaves of their own",
        )


def score_range(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a `constant` that is a legacy score outside [0, 1] (FLT4056)."""
    if evaluator.builtin_id != "constant" or leaf.objective is not UNSET or declared_metrics(leaf):
        return
    value = exact(evaluator.params["value"])
    if value is not None and not 0 <= value <= ONE:
        scope.report(
            "FLT4056",
            f"a score without a metric lies from 0 to 1, found {spelled(value)}",
            (*at, "evaluator", "params", "value"),
            help="write a value from 0 to 1, or declare a metric and an objective",
        )


def bad_regex(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a pattern outside the shared dialect (FLT4011)."""
    if evaluator.builtin_id not in MATCHING:
        return
    problem = _regex_problem(evaluator.params["pattern"])
    if problem:
        scope.report(
            "FLT4011",
            problem,
            (*at, "evaluator", "params", "pattern"),
            help="write a pattern that RE2 and Python read alike",
        )


def not_json_text(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report an `expected` of `json-equals` that has no RFC 8785 bytes (FLT4014)."""
    if evaluator.builtin_id != "json-equals":
        return
    problem = _json_problem(evaluator.params["expected"])
    if problem:
        scope.report(
            "FLT4014",
            f"`expected` is not JSON text: {problem}",
            (*at, "evaluator", "params", "expected"),
            help=Remedy("json-text"),
        )


def unknown_input(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report an `input` that is no evidence input of the leaf (FLT4062)."""
    name = evaluator.params.get("input")
    if name is None:
        return
    known = [each.name for each in declared_inputs(leaf)]
    if name not in known:
        unknown_name(
            scope,
            "FLT4062",
            name,
            known,
            (*at, "evaluator", "params", "input"),
            message="no evidence input {} in this leaf",
            help="declare it under `evidence.inputs`",
        )


@lru_cache(maxsize=1024)
def _regex_problem(pattern: str) -> str:
    try:
        compile_shared(pattern)
    except RegexError as error:
        return str(error)
    return ""


@lru_cache(maxsize=16)
def _json_problem(text: str) -> str:
    try:
        canonical.canonical_json_text(text)
    except ValueError as error:
        return str(error)
    return ""
