"""Events of nodes, with their anchors and tags (YAML 1.2.2 sections 6.8, 6.9 and 7.1)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from fleet_contracts.reading.surrogates import OnLone, settle_halves
from fleet_contracts.reading.yaml12.cursor import BREAK, GAP, Cursor, SyntaxProblem
from fleet_contracts.reading.yaml12.scalars import Scalar, plain, quoted

CORE_HANDLES = {"!": "!", "!!": "tag:yaml.org,2002:"}

_NAME = re.compile(r"[&*]([^ \t\r\n,\[\]{}]+)")
_VERBATIM_TAG = re.compile(r"!<([^ \t\r\n<>{}]+)>")
_TAG = re.compile(r"(!(?:[0-9A-Za-z-]*!)?)([0-9A-Za-z#;/?:@&=+$_.~*'()%-]*)")
_LINE_START = re.compile(BREAK)


class Mark:
    """A place as libyaml tells it, its line and column counted only when asked for."""

    __slots__ = ("_lines", "index")

    def __init__(self, index: int, lines: Sequence[int]) -> None:
        """`lines` holds the offset of each line's start."""
        self.index = index
        self._lines = lines

    @property
    def line(self) -> int:
        """The line, zero-based."""
        return bisect_right(self._lines, self.index) - 1

    @property
    def column(self) -> int:
        """The column, zero-based."""
        return self.index - self._lines[self.line]


class Properties(NamedTuple):
    """The anchor and tag of a node; `start` is -1 if it has neither."""

    anchor: str | None = None
    tag: str | None = None
    start: int = -1


NO_PROPERTIES = Properties()


class NodeParser(Cursor):
    """What block nodes and nodes in brackets have in common."""

    def __init__(self, text: str, on_lone: OnLone | None = None) -> None:
        """Start at the first character; `on_lone` is told of lone surrogates."""
        super().__init__(text)
        self.handles = dict(CORE_HANDLES)
        self._on_lone = on_lone
        self.last_scalar, self.scalar_end = 0, 0  # offsets of the last scalar that was read
        self._lines = [0, *(match.end() for match in _LINE_START.finditer(text))]

    def mark(self, index: int) -> Mark:
        """Return the mark of an offset."""
        return Mark(index, self._lines)

    def property_at(self, index: int, known: Properties) -> tuple[Properties, int]:
        """Return the properties with the anchor or tag that starts here, and its end."""
        start = index if known.start < 0 else known.start
        if self.text[index] == "&":
            name = _NAME.match(self.text, index)
            if not name:
                raise _nameless(index)
            if known.anchor is not None:
                raise SyntaxProblem(index, "a second anchor of one value", "remove one of them")
            return Properties(name[1], known.tag, start), name.end()
        if known.tag is not None:
            raise SyntaxProblem(index, "a second tag of one value", "remove one of them")
        tag, end = self._tag(index)
        return Properties(known.anchor, tag, start), end

    def _tag(self, index: int) -> tuple[str, int]:
        verbatim = _VERBATIM_TAG.match(self.text, index)
        if verbatim:
            return verbatim[1], verbatim.end()
        tag = _TAG.match(self.text, index)
        assert tag
        handle, suffix = tag.groups()
        if handle not in self.handles:
            message = f"the handle of the tag {tag[0]} is not defined"
            raise SyntaxProblem(index, message, "remove the tag", code="FLT1030")
        if not suffix and handle != "!":
            message = f"the tag {tag[0]} has no name"
            raise SyntaxProblem(index, message, "remove the tag, or quote the text")
        return self.handles[handle] + unquote(suffix), tag.end()

    def check_gap(self, index: int, *, in_flow: bool) -> None:
        """Refuse what touches the anchor or tag that ends here."""
        character = self.text[index]
        if character not in GAP and not (in_flow and character in ",]}"):
            message = f"expected white space behind an anchor or tag, found '{character}'"
            raise SyntaxProblem(index, message, "add a space, or quote the text")

    def scalar_at(
        self, index: int, indent: int, properties: Properties, *, in_flow: bool
    ) -> AliasEvent | ScalarEvent:
        """Return the event of the scalar or alias that starts here, and go behind it."""
        character = self.text[index]
        if character == "*":
            return self._alias(index, properties)
        if character in "\"'":
            scalar: Scalar | None = quoted(self.text, index, indent)
            style = character
        else:
            scalar = plain(self.text, index, indent, in_flow=in_flow)
            style = ""
        if scalar is None:
            raise SyntaxProblem(
                index, f"a plain value cannot start with '{character}'", "quote the text"
            )
        self.index = scalar.end
        self.last_scalar, self.scalar_end = index, scalar.end
        event = self.scalar(scalar.value, style, index, properties)
        if style == '"':
            settle_halves(event, self._on_lone)
        return event

    def _alias(self, index: int, properties: Properties) -> AliasEvent:
        name = _NAME.match(self.text, index)
        if not name:
            raise _nameless(index)
        if properties.start >= 0:
            message = "an alias cannot have an anchor or tag"
            raise SyntaxProblem(index, message, "remove what stands before the alias")
        self.index = name.end()
        return AliasEvent(name[1], self.mark(index), self.mark(name.end()))

    def scalar(self, value: str, style: str, index: int, properties: Properties) -> ScalarEvent:
        """Return the event of a scalar that ends where the parser is."""
        start = index if properties.start < 0 else properties.start
        return ScalarEvent(
            properties.anchor,
            properties.tag,
            (style == "" and properties.tag is None, style != ""),
            value,
            self.mark(start),
            self.mark(self.index),
            style,
        )

    def empty(self, index: int, properties: Properties = NO_PROPERTIES) -> ScalarEvent:
        """Return the event of a value that is not written."""
        start, end = self.mark(index if properties.start < 0 else properties.start), index
        return ScalarEvent(
            properties.anchor, properties.tag, (True, False), "", start, self.mark(end), ""
        )

    def opening(
        self, index: int, properties: Properties, *, is_map: bool, in_flow: bool
    ) -> MappingStartEvent | SequenceStartEvent:
        """Return the event of the start of a collection."""
        kind = MappingStartEvent if is_map else SequenceStartEvent
        start = self.mark(index if properties.start < 0 else properties.start)
        end = self.mark(index + 1 if in_flow else index)
        implicit = properties.tag is None
        return kind(properties.anchor, properties.tag, implicit, start, end, flow_style=in_flow)

    def closing(self, index: int, *, is_map: bool) -> MappingEndEvent | SequenceEndEvent:
        """Return the event of the end of a collection."""
        kind = MappingEndEvent if is_map else SequenceEndEvent
        return kind(self.mark(index), self.mark(index))


def _nameless(index: int) -> SyntaxProblem:
    return SyntaxProblem(
        index + 1,
        "expected the name of an anchor or alias here",
        "quote the text if it starts with '&' or '*'",
    )
