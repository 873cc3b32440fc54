"""JSON with comments and trailing commas: read with positions, and added to, byte for byte.

What stands in a file stays as it is; only insertions and replacements of single values are
made. The form is the one of editor settings: RFC 8259 with `//` and `/* */` comments, and a
comma allowed before `}` and `]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

_GAP = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_DEEPEST = 100


class JsoncProblem(Exception):
    """A text that is no JSON with comments; `line` and `column` count from 1, in characters."""

    def __init__(self, message: str, text: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        before = text[:offset].removeprefix("\ufeff")
        self.line = before.count("\n") + 1
        self.column = len(before) - (before.rfind("\n") + 1) + 1


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands: `text[start:end]`.

    A map has `members`, of two with the same key the later one; a list has `items`. `last` is
    where the last member or item ends, None in an empty one.
    """

    start: int
    end: int
    value: Any
    members: dict[str, Node] = field(default_factory=dict)
    items: tuple[Node, ...] = ()
    last: int | None = None
    has_trailing_comma: bool = False


class Edit(NamedTuple):
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str


def parse(text: str) -> Node:
    """Return the value of a text; raises `JsoncProblem`. A byte order mark may stand first."""
    reader = _Reader(text)
    start = reader.gap(1 if text.startswith("\ufeff") else 0)
    node = reader.value(start, 0)
    rest = reader.gap(node.end)
    if rest < len(text):
        raise reader.problem("the end of the file", rest)
    return node


def is_blank(text: str) -> bool:
    """Tell whether there is nothing but white space and comments."""
    return _Reader(text).gap(1 if text.startswith("\ufeff") else 0) == len(text)


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return a text after edits, which do not overlap; at one place they keep their order."""
    parts, done = [], 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        parts += [text[done : edit.start], edit.new]
        done = edit.end
    return "".join([*parts, text[done:]])


def put_member(text: str, node: Node, key: str, value: Any) -> list[Edit]:
    """Return the edits that add a member, which is not there yet, at the end of a map."""
    return _put(text, node, lambda indent: f"{json.dumps(key)}: {_written(value, text, indent)}")


def put_item(text: str, node: Node, value: Any) -> list[Edit]:
    """Return the edits that add an item at the end of a list."""
    return _put(text, node, lambda indent: _written(value, text, indent))


def replace(text: str, node: Node, value: Any) -> list[Edit]:
    """Return the edits that put another value in the place of one."""
    return [Edit(node.start, node.end, _written(value, text, _indent_at(text, node.start)))]


class _Reader:
    """Reads one text; offsets are in characters."""

    def __init__(self, text: str) -> None:
        self.text = text

    def problem(self, expected: str, offset: int) -> JsoncProblem:
        rest = self.text[offset:]
        if rest.startswith("/*"):
            return JsoncProblem("a comment that starts here has no `*/`", self.text, offset)
        found = f"`{rest[0]}`" if rest[:1].isprintable() and rest else "the end of the file"
        if rest and not rest[0].isprintable():
            found = f"U+{ord(rest[0]):04X}"
        return JsoncProblem(f"expected {expected}, found {found}", self.text, offset)

    def gap(self, offset: int) -> int:
        """Return where white space and comments end."""
        found = _GAP.match(self.text, offset)
        assert found is not None  # it matches nothing, too
        return found.end()

    def value(self, start: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise JsoncProblem(f"nested more than {_DEEPEST} levels deep", self.text, start)
        opening = self.text[start : start + 1]
        if opening == "{":
            return self._map(start, depth)
        if opening == "[":
            return self._list(start, depth)
        pattern, expected = (_STRING, "a string") if opening == '"' else (_SCALAR, "a value")
        found = pattern.match(self.text, start)
        if found is None:
            raise self.problem(expected, start)
        return Node(start, found.end(), json.loads(found[0]))

    def _map(self, start: int, depth: int) -> Node:
        members: dict[str, Node] = {}
        at, last, comma = self.gap(start + 1), None, False
        while self.text[at : at + 1] != "}":
            if last is not None and not comma:
                raise self.problem("`,` or `}`", at)
            key = _STRING.match(self.text, at)
            if key is None:
                raise self.problem("a key in double quotes or `}`", at)
            colon = self.gap(key.end())
            if self.text[colon : colon + 1] != ":":
                raise self.problem("`:`", colon)
            node = self.value(self.gap(colon + 1), depth + 1)
            members[json.loads(key[0])] = node
            last, comma, at = self._after(node)
        value = {key: node.value for key, node in members.items()}
        return Node(start, at + 1, value, members=members, last=last, has_trailing_comma=comma)

    def _list(self, start: int, depth: int) -> Node:
        items: list[Node] = []
        at, last, comma = self.gap(start + 1), None, False
        while self.text[at : at + 1] != "]":
            if last is not None and not comma:
                raise self.problem("`,` or `]`", at)
            items.append(self.value(at, depth + 1))
            last, comma, at = self._after(items[-1])
        value = [node.value for node in items]
        found = tuple(items)
        return Node(start, at + 1, value, items=found, last=last, has_trailing_comma=comma)

    def _after(self, node: Node) -> tuple[int, bool, int]:
        """Return where a member ends, whether a comma follows, and where to go on."""
        at = self.gap(node.end)
        if self.text[at : at + 1] != ",":
            return node.end, False, at
        return node.end, True, self.gap(at + 1)


def _put(text: str, node: Node, write: Callable[[str], str]) -> list[Edit]:
    line_end = _line_end(text)
    outer = _indent_at(text, node.start)
    inner = outer + _unit(text)
    place = _end_of_content(text, node)
    edits = []
    if node.last is not None and not node.has_trailing_comma:
        edits.append(Edit(node.last, node.last, ","))
    comma = "," if node.has_trailing_comma else ""
    closing = "" if "\n" in text[place : node.end - 1] else line_end + outer
    edits.append(Edit(place, place, f"{line_end}{inner}{write(inner)}{comma}{closing}"))
    return edits


def _end_of_content(text: str, node: Node) -> int:
    """Return where what stands in a map or list ends, comments included."""
    place = node.start + 1
    for found in re.finditer(r"[^ \t\r\n]", text[node.start : node.end - 1]):
        place = node.start + found.end()
    return place


def _written(value: Any, text: str, indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return (_line_end(text) + indent).join(lines)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_at(text: str, offset: int) -> str:
    """Return the white space that the line of an offset starts with."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """Return one step of indentation: that of the first line that has one."""
    found = re.search(r"^([ \t]+)[\"{\[]", text, re.MULTILINE)
    return found[1] if found else "  "
