"""Patterns that a search finds in every text, or in none (spec section 6, the builtins)."""

from __future__ import annotations

from functools import lru_cache

from fleet_contracts.regex_dialect import RegexError, compile_shared
from fleet_contracts.regex_dialect.tree import (
    Anchor,
    Chars,
    Choice,
    Group,
    Node,
    Repeat,
    Sequence,
    can_be_empty,
)

_KEPT = 1024


@lru_cache(maxsize=_KEPT)
def matches_every_text(pattern: str) -> bool:
    """Tell whether a search finds the empty text at the start, or the end, of every text.

    False for patterns outside the dialect, and for some that match every text otherwise.

    >>> [matches_every_text(each) for each in (".*", "x?$", "[0-9]+", "a(")]
    [True, True, False, False]
    """
    try:
        return compile_shared(pattern).finds_nothing_everywhere()
    except RegexError:
        return False


@lru_cache(maxsize=_KEPT)
def matches_no_text(pattern: str) -> bool:
    """Tell whether a pattern wants characters after the end of a text, or before its start.

    False for patterns outside the dialect, and for some that match no text otherwise.

    >>> [matches_no_text(each) for each in ("^42$\\n", "a^b", "(a$|b^)+ ", "a|b$ ", "a$b?")]
    [True, True, False, False, False]
    """
    try:
        return _cannot_match(compile_shared(pattern).tree)
    except RegexError:
        return False


def _cannot_match(node: Node) -> bool:
    match node:
        case Sequence(parts):
            return _leaves_the_text(parts) or any(map(_cannot_match, parts))
        case Choice(branches):
            return all(map(_cannot_match, branches))
        case Group(body):
            return _cannot_match(body)
        case Repeat(body, least):
            return least > 0 and _cannot_match(body)
        case Chars() | Anchor():
            return False


def _leaves_the_text(parts: tuple[Node, ...]) -> bool:
    """Tell whether something that takes characters stands after `$` or before `^`."""
    has_begun = has_ended = False
    for part in parts:
        if isinstance(part, Anchor):
            if part.kind == "start" and has_begun:
                return True
            has_ended = has_ended or part.kind == "end"
        elif not can_be_empty(part):
            if has_ended:
                return True
            has_begun = True
    return False
