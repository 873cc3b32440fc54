"""Did you mean: the one choice that a mistyped word most likely stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SEPARATORS = re.compile(r"[^a-z0-9]+")
_LONGEST = 80


def closest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that `word` is a misspelling of, or None when that is not clear.

    A choice that differs only in case and separators wins; then a short one with its letters
    in another order; then one that is at most a
    third of its letters away (insert, delete, replace or swap of neighbours, at most 3);
    then one of which `word` is the first part. Two equally good ones are none.

    >>> closest("promt", ["prompt", "environment"])
    'prompt'
    >>> closest("maxTurns", ["max_turns", "max_files"])
    'max_turns'
    >>> closest("image", ["builtin", "image_ref"])
    'image_ref'
    >>> closest("answer", ["answer-equals", "answer-close"]) is None
    True
    """
    if len(word) > _LONGEST:
        return None
    others = sorted({choice for choice in choices if choice != word})
    bare = _bare(word)
    same = [choice for choice in others if bare and _bare(choice) == bare]
    if same:
        return _only(same)
    turned = [choice for choice in others if len(choice) < 4 and sorted(choice) == sorted(word)]
    if turned:
        return _only(turned)
    near: dict[int, list[str]] = {}
    for choice in others:
        limit = min(3, max(len(word), len(choice)) // 3)
        distance = _distance(word.lower(), choice.lower(), limit)
        if distance <= limit:
            near.setdefault(distance, []).append(choice)
    if near:
        return _only(near[min(near)])
    return _only([choice for choice in others if _is_first_part(word, choice)])


def _only(found: list[str]) -> str | None:
    return found[0] if len(found) == 1 else None


def _bare(word: str) -> str:
    return _SEPARATORS.sub("", word.lower())


def _is_first_part(word: str, choice: str) -> bool:
    size = len(word)
    return size >= 3 and choice.startswith(word) and not choice[size : size + 1].isalnum()


def _distance(left: str, right: str, limit: int) -> int:
    """Return the optimal string alignment distance, or more than `limit` early."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
