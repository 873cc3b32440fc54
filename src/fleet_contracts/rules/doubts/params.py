"""Params of builtin evaluators that make their score the same every time (spec section 6).

These are mistakes wherever the leaf stands. The range of its score is told as if the params
were right, so that nothing above the leaf repeats them.
"""

from __future__ import annotations

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.diagnostics.notation import Remedy
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.doubts.patterns import matches_every_text, matches_no_text
from fleet_contracts.rules.exact import exact, spelled
from fleet_contracts.scope import Scope

_MOST_SHOWN = 60
_SPACE = " \t\n\r\f"
_PARAMS = ("evaluator", "params")


def matches_always(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a pattern of `answer-matches` that every answer matches (FLT4080).

    Other text may not be there, or be no text, and that fails: files, and what `input` names.
    """
    if "input" in evaluator.params:
        return
    pattern = evaluator.params["pattern"]
    if matches_every_text(pattern):
        scope.report(
            "FLT4080",
            f"leaf {leaf.id!r} can never fail: every answer, even an empty one, "
            f"matches pattern {_shown(pattern)}",
            (*at, *_PARAMS, "pattern"),
            help="write a pattern that needs at least one character, e.g. with `+` for `*`",
        )


def matches_never(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a pattern that goes on after `$`, or begins before `^` (FLT4081)."""
    pattern = evaluator.params["pattern"]
    if not matches_no_text(pattern):
        return
    trimmed = pattern.rstrip(_SPACE)
    is_mended = trimmed != pattern and not matches_no_text(trimmed)
    scope.report(
        "FLT4081",
        f"leaf {leaf.id!r} can never pass: no text matches pattern {_shown(pattern)}, "
        "which goes on after `$` or begins before `^`",
        (*at, *_PARAMS, "pattern"),
        help=Remedy("pattern-end")
        if is_mended
        else "write `^` at the start of the pattern, and `$` at its end",
        fix=Edit(pattern, trimmed) if is_mended else None,
    )


def equals_never(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report an expected answer with white space around it, which answers lose (FLT4081)."""
    if "input" in evaluator.params:
        return
    expected = evaluator.params["expected"]
    trimmed = expected.strip(_SPACE)
    if trimmed != expected:
        scope.report(
            "FLT4081",
            f"leaf {leaf.id!r} can never pass: answers are compared without white space "
            f"around them, found {_shown(expected)}",
            (*at, *_PARAMS, "expected"),
            help=Remedy("no-white-space"),
            fix=Edit(expected, trimmed),
        )


def close_never(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a tolerance that no difference is within (FLT4081)."""
    tolerance = exact(evaluator.params["tolerance"])
    if tolerance is not None and tolerance < 0:
        scope.report(
            "FLT4081",
            f"leaf {leaf.id!r} can never pass: no difference is at most {spelled(tolerance)}",
            (*at, *_PARAMS, "tolerance"),
            help=f"write {spelled(-tolerance)}, or 0 for the exact number",
        )


def _shown(text: str) -> str:
    """Return the text for a message, its middle left out where it is long."""
    return repr(text) if len(text) <= _MOST_SHOWN else f"{text[:20]!r} … {text[-20:]!r}"
