"""Params of builtin evaluators that make their score the same every time (spec section 6).

These are mistakes wherever the leaf stands. The range of its score is told as if the params
were right, so that nothing above the leaf repeats them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.regex_dialect import RegexError, compile_shared
from fleet_contracts.rules.builtins import MATCHING
from fleet_contracts.rules.exact import exact, spelled
from fleet_contracts.scope import Scope

_SPACE = " \t\n\r\f"
_PARAMS = ("evaluator", "params")

# In a translated pattern: what may hold an anchor as plain text, and the anchors themselves.
_ANCHOR = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\^", re.DOTALL)
_ALWAYS, _NEVER = "(?:)", "(?!)"
_AT_START = {"^": _ALWAYS, r"\A": _ALWAYS, r"\Z": _NEVER, r"\b": _NEVER, r"\B": _NEVER}
_AT_END = {"^": _NEVER, r"\A": _NEVER, r"\Z": _ALWAYS, r"\b": _NEVER, r"\B": _NEVER}


def matches_always(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a pattern that every answer matches (FLT4080).

    `file-matches` is left out: a file that is not there fails. So is an `input`, which may
    be no text.
    """
    if evaluator.builtin_id != "answer-matches" or "input" in evaluator.params:
        return
    pattern = evaluator.params["pattern"]
    if _matches_everything(pattern):
        scope.report(
            "FLT4080",
            f"leaf {leaf.id!r} can never fail: every answer, even an empty one, "
            f"matches pattern {pattern!r}",
            (*at, *_PARAMS, "pattern"),
            help="write a pattern that needs at least one character, e.g. with `+` for `*`",
        )


def matches_never(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a pattern that wants white space after `$`, the end of the text (FLT4081)."""
    if evaluator.builtin_id not in MATCHING:
        return
    pattern = evaluator.params["pattern"]
    if pattern[-1:] in _SPACE and _goes_on_after_end(pattern):
        scope.report(
            "FLT4081",
            f"leaf {leaf.id!r} can never pass: pattern {pattern!r} wants white space after `$`, "
            "the end of the text",
            (*at, *_PARAMS, "pattern"),
            help="end the pattern with `$`; in a block scalar, write `|-` for `|`",
            fix=Edit(pattern, pattern.rstrip(_SPACE)),
        )


def equals_never(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report an expected answer with white space around it, which answers lose (FLT4081)."""
    if evaluator.builtin_id != "answer-equals" or "input" in evaluator.params:
        return
    expected = evaluator.params["expected"]
    trimmed = expected.strip(_SPACE)
    if trimmed != expected:
        scope.report(
            "FLT4081",
            f"leaf {leaf.id!r} can never pass: answers are compared without white space "
            f"around them, found {_shown(expected)}",
            (*at, *_PARAMS, "expected"),
            help="remove the white space around it; in a block scalar, write `|-` for `|`",
            fix=Edit(expected, trimmed),
        )


def close_never(
    scope: Scope, leaf: a.EvaluatorLeaf, evaluator: a.BuiltinEvaluator, at: Pointer
) -> None:
    """Report a tolerance that no difference is within (FLT4081)."""
    if evaluator.builtin_id != "answer-close":
        return
    tolerance = exact(evaluator.params["tolerance"])
    if tolerance is not None and tolerance < 0:
        scope.report(
            "FLT4081",
            f"leaf {leaf.id!r} can never pass: no difference is at most {spelled(tolerance)}",
            (*at, *_PARAMS, "tolerance"),
            help=f"write {spelled(-tolerance)}, or 0 for the exact number",
        )


@lru_cache(maxsize=1024)
def _matches_everything(pattern: str) -> bool:
    """Tell whether a search finds the empty text at the start, or the end, of every text.

    >>> [_matches_everything(each) for each in (".*", "^", "x?$", "^.*$", "[0-9]+", r"\\b")]
    [True, True, True, False, False, False]
    """
    try:
        translated = compile_shared(pattern).pattern
    except RegexError:
        return False
    return any(_matches_empty(translated, anchors) for anchors in (_AT_START, _AT_END))


def _matches_empty(translated: str, anchors: dict[str, str]) -> bool:
    """Tell whether a pattern matches no characters at all where some anchors hold."""
    plain = _ANCHOR.sub(lambda found: anchors.get(found[0], found[0]), translated)
    return re.fullmatch(plain, "", re.ASCII) is not None


def _goes_on_after_end(pattern: str) -> bool:
    """Tell whether white space follows a final `$`, in a pattern without alternatives.

    >>> [_goes_on_after_end(each) for each in ("^42$\\n", "a$ ", "a \\n", "a|b$\\n", r"\\$ ")]
    [True, True, False, False, False]
    """
    before = pattern.rstrip(_SPACE)
    escapes = len(before[:-1]) - len(before[:-1].rstrip("\\"))
    return before.endswith("$") and escapes % 2 == 0 and "|" not in pattern


def _shown(text: str) -> str:
    """Return the text for a message, its middle left out where it is long."""
    return repr(text) if len(text) <= _MOST_SHOWN else f"{text[:20]!r} … {text[-20:]!r}"
