"""Where a comment goes that suppresses a diagnostic: `# fleet: ignore FLT4082`."""

from __future__ import annotations

import re
from typing import NamedTuple

from fleet_contracts.lsp.tree import Node, Tree
from fleet_contracts.reading.suppressions import find_suppressions
from fleet_contracts.source import Position, Source

_COMMENT = re.compile(r"(?:^|[ \t])#")
_BLOCK = frozenset("|>")


class Insertion(NamedTuple):
    """Text to insert, and where."""

    at: Position
    text: str


def suppression(code: str, line: int, source: Source, tree: Tree) -> Insertion | None:
    """Return the comment that suppresses a code on a line (1-based) of a YAML text.

    It goes to the codes that are suppressed there already, else to the end of the line, or on
    a line of its own above where the line has another comment or ends inside a text. None inside
    a text, and where the text cannot be read.
    """
    if not tree.is_whole or tree.root is None:
        return None
    for known in find_suppressions(source):
        if known.line == line and known.codes:
            return Insertion(known.listed.span.end, f", {code}")
    scalars = [node for node in tree.root.walk() if node.start.line <= line <= node.end.line]
    scalars = [node for node in scalars if node.text is not None and not node.is_alias]
    if any(_covers_start(node, line) for node in scalars):
        return None
    comment = f"# fleet: ignore {code}"
    shown = source.line(line)
    tail = shown[_last_column(scalars, line) - 1 :]
    if _COMMENT.search(tail) or any(_covers_end(node, line) for node in scalars):
        ending = "\r\n" if f"{shown}\r\n" in source.text else "\n"
        indent = shown[: len(shown) - len(shown.lstrip(" "))]
        return Insertion(Position(line, 1), f"{indent}{comment}{ending}")
    return Insertion(Position(line, len(shown.rstrip()) + 1), f"  {comment}")


def _covers_start(node: Node, line: int) -> bool:
    """Whether a line begins inside a text."""
    if node.style in _BLOCK:
        return node.start.line < line and (line, 1) < node.end
    return node.start.line < line <= node.end.line


def _covers_end(node: Node, line: int) -> bool:
    """Whether a line ends inside a text; behind the header of a block there is room."""
    return node.style not in _BLOCK and node.start.line <= line < node.end.line


def _last_column(scalars: list[Node], line: int) -> int:
    """Return where the last text ends that stands on a line: a '#' before is no comment."""
    ends = [node.end for node in scalars if node.end.line == line]
    ends += [node.key.end for node in scalars if node.key]
    return max((end.column for end in ends if end.line == line), default=1)
