"""A pattern to its tree; whatever RE2 and Python do not read alike is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fleet_contracts.regex_dialect import tree
from fleet_contracts.regex_dialect.classes import read_class, read_escape
from fleet_contracts.regex_dialect.refusals import (
    NOT_IN_RE2,
    RegexError,
    bad_group,
    replaced,
    shown,
)
from fleet_contracts.regex_dialect.tree import Anchor, Chars, Choice, Group, Node, Repeat, Sequence

MAX_REPEAT = 1000
"""What RE2 repeats at most, counted repeats inside each other multiplied."""
MAX_DEPTH = 100

_QUANTIFIER = re.compile(r"[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\}")
_NO_LEAST = re.compile(r"\{,([0-9]*)\}")
_GROUP_NAME = re.compile(r"\(\?P<([A-Za-z_][A-Za-z0-9_]*)>")
_SIGNS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def parse(pattern: str) -> tuple[Node, int]:
    """Return the tree of a pattern and how many groups it has; raises `RegexError`."""
    parser = _Parser(pattern)
    node = parser.choice(0)
    if parser.position < len(pattern):
        help = r"remove it, or write `\)` for a plain `)`"
        raise RegexError("found `)`", parser.position, ", which closes no group", help=help)
    return node, parser.groups


@dataclass(slots=True)
class _Parser:
    pattern: str
    position: int = 0
    groups: int = 0
    names: set[str] = field(default_factory=set)

    def choice(self, depth: int) -> Node:
        """Read branches up to the end of the pattern or of the group."""
        branches = [self._sequence(depth)]
        while self.pattern.startswith("|", self.position):
            self.position += 1
            branches.append(self._sequence(depth))
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.position < len(self.pattern) and self.pattern[self.position] not in "|)":
            self._refuse_quantifier("with nothing to repeat")
            node = self._one(depth)
            if isinstance(node, Anchor):
                self._refuse_quantifier("but anchors cannot be repeated")
            parts.append(self._repeated(node))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _one(self, depth: int) -> Node:
        """Read one character, class, anchor or group, without its quantifier."""
        start = self.position
        char = self.pattern[start]
        if char == "(":
            return self._group(depth)
        if char == "[":
            ranges, self.position = read_class(self.pattern, start)
            return Chars(ranges)
        if char == "\\":
            node, self.position = read_escape(self.pattern, start)
            return node
        self.position += 1
        if char == "^":
            return Anchor("start")
        if char == "$":
            return Anchor("end")
        return Chars(tree.NO_LINE_FEED if char == "." else ((ord(char), ord(char)),))

    def _group(self, depth: int) -> Node:
        start = self.position
        if depth == MAX_DEPTH:
            after = f" is inside {MAX_DEPTH} others"
            help = "remove parentheses that change nothing"
            raise RegexError("the group that opens", start, after, help=help)
        number = self._opening()
        body = self.choice(depth + 1)
        if self.position == len(self.pattern):
            help = r"close it with `)`, or write `\(` for a plain `(`"
            raise RegexError("the group that opens", start, " is never closed", help=help)
        self.position += 1
        return Group(body, number) if number else body

    def _opening(self) -> int:
        """Read what opens a group; return its number, 0 if it does not capture."""
        start = self.position
        if self.pattern.startswith("(?:", start):
            self.position += 3
            return 0
        named = _GROUP_NAME.match(self.pattern, start)
        if named:
            if named[1] in self.names:
                after = ", a name that a group before it has"
                help = "rename it, or write just `(…)`"
                raise RegexError(f"found {shown(named[0])}", start, after, help=help)
            self.names.add(named[1])
            self.position = named.end()
        elif self.pattern.startswith("(?", start):
            raise bad_group(self.pattern, start)
        else:
            self.position += 1
        self.groups += 1
        return self.groups

    def _repeated(self, node: Node) -> Node:
        """Read the quantifier behind a node, if there is one."""
        start = self.position
        quantifier = _QUANTIFIER.match(self.pattern, start)
        if quantifier is None:
            return node
        self.position = quantifier.end()
        if quantifier[0] in _SIGNS:
            least, most = _SIGNS[quantifier[0]]
        else:
            least, most = self._counts(quantifier)
        lazy = self.pattern.startswith("?", self.position)
        self.position += lazy
        if not lazy and self.pattern.startswith("+", self.position):
            raise RegexError(
                f"found the possessive {shown(self.pattern[start : self.position + 1])}",
                start,
                NOT_IN_RE2,
                help=f"write {shown(quantifier[0])}; matching never takes long here",
            )
        self._refuse_quantifier("but what stands before it is a repeat already")
        repeat = Repeat(node, least, most, lazy)
        if tree.copies(repeat) > MAX_REPEAT:
            after = f" comes to more than {MAX_REPEAT:,} copies"
            help = "write a smaller count, or `*` or `+` without a limit"
            raise RegexError(f"the repeat {shown(quantifier[0])}", start, after, help=help)
        if most != 1 and tree.has_group(node) and tree.can_be_empty(node):
            raise RegexError(
                f"the repeat {shown(quantifier[0])}",
                start,
                " is of a group that may be empty, and RE2 and Python capture different text",
                help="write `(?:…)` for groups inside, or `+` for `*` so that nothing is empty",
            )
        return repeat

    def _counts(self, quantifier: re.Match[str]) -> tuple[int, int | None]:
        """Return the least and the most of a counted repeat."""
        found, start = shown(quantifier[0]), quantifier.start()
        texts = [text for text in quantifier.group(1, 3) if text]
        if any(len(text.lstrip("0")) > 4 or int(text[-5:]) > MAX_REPEAT for text in texts):
            help = "write a smaller count, or `*` or `+` without a limit"
            after = f", expected at most {MAX_REPEAT:,}"
            raise RegexError(f"found {found}", start, after, help=help)
        least = int(texts[0])
        most = int(texts[1]) if len(texts) > 1 else None if quantifier[2] else least
        if most is not None and most < least:
            new = f"{{{most},{least}}}"
            mended = replaced(self.pattern, start, quantifier.end(), new)
            after = ", whose least count is above its most"
            help = f"write `{new}`"
            raise RegexError(f"found {found}", start, after, help=help, mended=mended)
        return least, most

    def _refuse_quantifier(self, why: str) -> None:
        """Refuse a quantifier at a place that has nothing for it, and `{,n}` everywhere."""
        start = self.position
        limit = _NO_LEAST.match(self.pattern, start)
        if limit:
            new = f"{{0,{limit[1]}}}" if limit[1] else "*"
            after = ", a repeat in Python and plain text in RE2"
            help = rf"write `{new}`, or `\{limit[0]}` for the plain text"
            raise RegexError(f"found `{limit[0]}`", start, after, help=help)
        found = _QUANTIFIER.match(self.pattern, start)
        if found:
            help = rf"remove it, or write `\{found[0]}` for a plain `{found[0]}`"
            if found[0] == "*" and self.position == 0:
                help = r"write `.*` for any text, or `\*` for a plain `*`"
            raise RegexError(f"found {shown(found[0])}", start, f", {why}", help=help)
