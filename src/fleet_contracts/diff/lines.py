"""Text line by line: what stands in place of what."""

from __future__ import annotations

import difflib

MOST_LINES = 5_000
"""Of a text. Longer ones are told by their size: comparing them takes ages and helps nobody."""

NO_END = "\\ no line break at the end"


def line_diff(old: str, new: str) -> tuple[str, ...]:
    """Return what differs between two texts in the unified form, without a head.

    Empty for equal texts and for ones of too many lines.

    >>> line_diff("a\\nb\\n", "a\\nc\\n")
    ('@@ -1,2 +1,2 @@', ' a', '-b', '+c')
    """
    before, after = _lines(old), _lines(new)
    if max(len(before), len(after)) > MOST_LINES:
        return ()
    found: list[str] = []
    for line in list(difflib.unified_diff(before, after))[2:]:
        found.append(line.removesuffix("\n"))
        if not line.endswith("\n"):
            found.append(NO_END)
    return tuple(found)


def _lines(text: str) -> list[str]:
    """Return the lines with their line feeds; nothing else ends a line."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines
