"""A pattern of the shared dialect, ready to be searched for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from fleet_contracts.regex_dialect.effort import LONGEST, longest_text
from fleet_contracts.regex_dialect.matching import LinearMatch, LinearMatcher
from fleet_contracts.regex_dialect.parser import parse
from fleet_contracts.regex_dialect.program import compile_program
from fleet_contracts.regex_dialect.refusals import RegexError
from fleet_contracts.regex_dialect.translation import to_python
from fleet_contracts.regex_dialect.tree import AnchorKind, Node, matches_empty, size

MOST_SIZE = 20_000
"""Of a program. Beyond it RE2 gets near the end of the memory that it allows itself."""
MOST_LINEAR_SIZE = 5_000
"""Of a program that a long text may be searched for in linear time."""

_AT_START: frozenset[AnchorKind] = frozenset(("start",))
_AT_END: frozenset[AnchorKind] = frozenset(("end",))

Match: TypeAlias = re.Match[str] | LinearMatch
"""`group(n)` is the text of group n, None if it took no part; `span(n)` is its place."""


@dataclass(slots=True)
class SharedPattern:
    """A pattern and its searches.

    `groups` is how many groups capture. Texts of up to `longest` characters are searched
    by Python's `re`, as that cannot take long then; longer ones in linear time.
    """

    pattern: str
    tree: Node
    groups: int
    longest: int
    _python: re.Pattern[str] = field(repr=False)
    _linear: LinearMatcher | None = field(default=None, repr=False)

    def search(self, text: str) -> Match | None:
        """Return the first match in a text."""
        if len(text) <= self.longest:
            return self._python.search(text)
        return self.linear().search(text)

    def linear(self) -> LinearMatcher:
        """Return the matcher of linear time, which finds what `search` does."""
        if self._linear is None:
            self._linear = LinearMatcher(compile_program(self.tree), self.groups)
        return self._linear

    def finds_nothing_everywhere(self) -> bool:
        """Tell whether each text has the empty text matched at its start, or at its end.

        >>> patterns = (".*", "^", "x?$", "^.*$", "[0-9]+", r"\\b")
        >>> [compile_shared(each).finds_nothing_everywhere() for each in patterns]
        [True, True, True, False, False, False]
        """
        return any(matches_empty(self.tree, holding) for holding in (_AT_START, _AT_END))


def compile_shared(pattern: str) -> SharedPattern:
    """Return the compiled pattern; raises `RegexError` outside the shared dialect.

    >>> compile_shared("#### (-?[0-9.,]+)$").search("x #### 1,000").group(1)
    '1,000'
    >>> compile_shared("a$").search("a\\n") is None
    True
    """
    tree, groups = parse(pattern)
    longest = longest_text(tree)
    most = MOST_SIZE if longest == LONGEST else MOST_LINEAR_SIZE
    if size(tree) > most:
        raise RegexError(
            "the program",
            None,
            f" is too large: {size(tree):,} steps with its repeats written out, at most {most:,}",
            help="write smaller counts, or `*` and `+` without a limit",
        )
    return SharedPattern(pattern, tree, groups, longest, re.compile(to_python(tree), re.ASCII))
