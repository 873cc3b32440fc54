"""Unified diffs of texts that differ in few places, in time that grows like the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NO_END = "\n\\ No newline at end of file\n"
_CONTEXT = 3


class _Block(NamedTuple):
    """Lines `first` to `last` of one text that stand in place of others, ends exclusive."""

    old: tuple[int, int]
    new: tuple[int, int]


def unified(before: str, after: str, name: str) -> Iterator[str]:
    """Yield the lines of a diff that `patch` takes, nothing for texts that are the same.

    Only a line feed ends a line; a carriage return belongs to its line.

    >>> print("".join(unified("a\\nb\\n", "a\\nc\\n", "x")), end="")
    --- x
    +++ x
    @@ -1,2 +1,2 @@
     a
    -b
    +c
    """
    old, new = _LINE.findall(before), _LINE.findall(after)
    hunks = list(_hunks(_blocks(old, new)))
    if hunks:
        yield from (f"--- {name}\n", f"+++ {name}\n")
    for hunk in hunks:
        for line in _lines(hunk, old, new):
            yield line if line.endswith("\n") else line + _NO_END


def _blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[_Block]:
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old[i] == new[j]:
            i, j = i + 1, j + 1
            continue
        i_end, j_end = _alike_again(old, new, i, j)
        yield _Block((i, i_end), (j, j_end))
        i, j = i_end, j_end


def _alike_again(old: Sequence[str], new: Sequence[str], i: int, j: int) -> tuple[int, int]:
    """Return the nearest places from which on lines are the same, or both ends.

    One line is enough where as many lines stand in place of others.
    """
    for distance in range(1, len(old) - i + len(new) - j):
        for more in range(distance + 1):
            i_end, j_end = i + more, j + distance - more
            if i_end > len(old) or j_end > len(new):
                continue
            needed = 1 if i_end - i == j_end - j else _CONTEXT
            if old[i_end : i_end + needed] == new[j_end : j_end + needed]:
                return i_end, j_end
    return len(old), len(new)


def _hunks(blocks: Iterator[_Block]) -> Iterator[list[_Block]]:
    """Yield blocks together that stand so near that they share their context."""
    hunk: list[_Block] = []
    for block in blocks:
        if hunk and block.old[0] - hunk[-1].old[1] > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(block)
    if hunk:
        yield hunk


def _lines(hunk: Sequence[_Block], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    lead = min(_CONTEXT, hunk[0].old[0])
    start, end = hunk[0].old[0] - lead, min(hunk[-1].old[1] + _CONTEXT, len(old))
    new_start = hunk[0].new[0] - lead
    new_end = hunk[-1].new[1] + end - hunk[-1].old[1]
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
    for block in hunk:
        yield from (f" {line}" for line in old[start : block.old[0]])
        yield from (f"-{line}" for line in old[slice(*block.old)])
        yield from (f"+{line}" for line in new[slice(*block.new)])
        start = block.old[1]
    yield from (f" {line}" for line in old[start:end])


def _range(start: int, end: int) -> str:
    """Return lines as a hunk names them: the first one and how many; of none the one before."""
    count = end - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"
