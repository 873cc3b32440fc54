"""Directives of YAML 1.2.2 (section 6.8): which of them say nothing against reading on.

A `%YAML 1.1` file means something else by `no`, `010` or `<<` than this reader does, and
nobody knows what an unknown directive asks for, so these are refused instead of passed
over in silence. `%TAG` is harmless: what is not a core tag in the end is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DIRECTIVE = re.compile(r"^%[^\r\n]*", re.MULTILINE)
_IS_HARMLESS = re.compile(r"%YAML[ \t]+1\.2[ \t]*(?:[ \t]#.*)?|%TAG[ \t].*").fullmatch


def other_directives(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield offset and text of each directive in a part of a text that is not harmless."""
    for match in _DIRECTIVE.finditer(text, start, end):
        if not _IS_HARMLESS(match[0]):
            yield match.start(), match[0].rstrip()
