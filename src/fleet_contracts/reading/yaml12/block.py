"""Nodes by indentation (YAML 1.2.2 sections 8.2 and 8.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fleet_contracts.reading.yaml12.blocks import block_text
from fleet_contracts.reading.yaml12.cursor import (
    GAP,
    INDENT,
    NO_COLUMN,
    SyntaxProblem,
    comment_problem,
    glued_colon,
    tab_problem,
)
from fleet_contracts.reading.yaml12.flow import ALIAS, FlowParser
from fleet_contracts.reading.yaml12.nodes import NO_PROPERTIES, Properties
from fleet_contracts.reading.yaml12.scalars import QUOTED_LINE, inner_quote, never_closed

_NEXT_KEY = "expected the next key of the map here"
_NEXT_ITEM = "expected the next '-' of the list here"


class BlockParser(FlowParser):
    """Reads what indentation holds together.

    Each value leaves the parser at the first token of the line behind it. `left` tells of
    the collection that ended last: the start of the line before which it did, its column,
    and where it started.
    """

    left = (-1, NO_COLUMN, 0)

    def node(self, parent: int, *, is_compact: bool, may_align: bool) -> Iterator[Any]:
        """Yield the value behind an indicator.

        `parent` is the column of the collection around it; `is_compact` lets a
        collection start on the same line, `may_align` a list in the parent's column.
        """
        index = self.skip_blanks(self.index)
        self.tab = self.text.find("\t", self.index, index)
        may_open = is_compact and self.tab < 0
        yield self.node_at(index, parent, may_open=may_open, may_align=may_align)

    def node_at(
        self, index: int, parent: int, *, may_open: bool, may_align: bool = False
    ) -> Iterator[Any]:
        """Yield the value that starts here, or on a further line, or is not written.

        `may_open` tells whether a collection can start on this line.
        """
        written, column = index, index - self.line_start
        properties = NO_PROPERTIES
        while True:
            if self.end_line(index):
                column, index = self.column, self.index
                may_open = self.tab < 0
                is_aligned = may_align and may_open and self.is_indicator(index, "-")
                if column < parent or (column == parent and not is_aligned):
                    yield self.empty(written, properties)
                    return
            if may_open and self.is_indicator(index, "-"):
                yield self._block_list(index, column, properties)
                return
            if may_open and self._starts_map(index):
                yield self._block_map(index, column, properties)
                return
            if self.text[index] not in "&!":
                break
            properties, index = self._property(index, properties)
            written, may_open = index, False
        yield self._leaf(index, parent, properties)

    def _property(self, index: int, known: Properties) -> tuple[Properties, int]:
        properties, end = self.property_at(index, known)
        self.check_gap(end, in_flow=False)
        return properties, self.skip_blanks(end)

    def _leaf(self, index: int, parent: int, properties: Properties) -> Iterator[Any]:
        """Yield a scalar or what stands in brackets."""
        character = self.text[index]
        if character in "|>":
            value, end = block_text(self.text, index, parent)
            self.index = end
            yield self.scalar(value, character, index, properties)
            self.to_content(end)
            return
        if character in "-?:" and self.text[index + 1] in GAP:
            raise self._misplaced_indicator(index)
        tab = self.tab
        yield self.content(index, parent + 1, properties, in_flow=False)
        if not self.end_line(self.index):
            raise self._unexpected(index, parent, tab)

    def _starts_map(self, index: int) -> bool:
        return self.is_indicator(index, "?") or self.key_end(index, in_flow=False) >= 0

    def _block_list(self, index: int, column: int, properties: Properties) -> Iterator[Any]:
        yield self.opening(index, properties, is_map=False, in_flow=False)
        start = index
        while True:
            self.index = index + 1
            yield self.node(column, is_compact=True, may_align=False)
            index = self.index
            if self.column != column or self.tab >= 0 or not self.is_indicator(index, "-"):
                break
        if self.column > column:
            raise self._misplaced(_NEXT_ITEM, "list", start, column)
        self.left = self.line_start, column, start
        yield self.closing(index, is_map=False)

    def _block_map(self, index: int, column: int, properties: Properties) -> Iterator[Any]:
        yield self.opening(index, properties, is_map=True, in_flow=False)
        start = index
        while True:
            if self.is_indicator(index, "?"):
                yield self._explicit_entry(index, column)
            else:
                yield self._entry(index, column, start)
            index = self.index
            if self.column != column:
                break
            if self.tab >= 0:
                raise tab_problem(self.tab)
        if self.column > column:
            raise self._misplaced(_NEXT_KEY, "map", start, column)
        self.left = self.line_start, column, start
        yield self.closing(index, is_map=True)

    def _explicit_entry(self, index: int, column: int) -> Iterator[Any]:
        """Yield a key behind `?` and the value behind `:` on a line of its own."""
        self.index = index + 1
        yield self.node(column, is_compact=True, may_align=True)
        if self.column == column and self.tab < 0 and self.is_indicator(self.index, ":"):
            self.index += 1
            yield self.node(column, is_compact=True, may_align=True)
        else:
            yield self.empty(self.index)

    def _entry(self, index: int, column: int, start: int) -> Iterator[Any]:
        """Yield a key on one line and its value."""
        colon = self.key_end(index, in_flow=False)
        if colon < 0:
            raise self._no_key(index, start)
        properties = NO_PROPERTIES
        while self.text[index] in "&!":
            properties, index = self._property(index, properties)
        if index == colon:
            yield self.empty(index, properties)
        else:
            yield self.content(index, column, properties, in_flow=False)
        self.index = colon + 1
        yield self.node(column, is_compact=False, may_align=True)

    def _no_key(self, index: int, start: int) -> SyntaxProblem:
        if self.is_indicator(index, "-"):
            help = "remove the `- `, or indent the item below the key that it belongs to"
            return SyntaxProblem(index, _NEXT_KEY, help, context=("the map starts here", start))
        if self.text[index] in "\"'" and not QUOTED_LINE.match(self.text, index):
            return never_closed(self.text, index)
        glued = glued_colon(self.text, index)
        if glued:
            return glued
        alias = ALIAS.match(self.text, index)
        if alias and alias[0].endswith(":"):
            message = f"the ':' belongs to the name of the alias {alias[0]}"
            return SyntaxProblem(alias.end() - 1, message, "put a space before the ':'")
        return SyntaxProblem(
            index,
            "this line stands where a map's key is expected, but no ':' follows it",
            "write `key: value`; text of several lines needs quotes, `|` or a deeper indentation",
            context=("the map starts here", start),
        )

    def _deeper_key(self, start: int, colon: int, column: int) -> SyntaxProblem | None:
        """Return what is wrong with a key that goes on with the text of the key before it.

        `start` is where the text starts, `colon` where it cannot go on.
        """
        text = self.text
        key = INDENT.match(text, text.rfind("\n", 0, start) + 1)
        line = INDENT.match(text, text.rfind("\n", 0, colon) + 1)
        assert key
        assert line
        if start >= line.end() or self.key_end(line.end(), in_flow=False) != colon:
            return None
        if self.key_end(key.end(), in_flow=False) < 0:
            is_aligned = key.end() - key.start() == line.end() - line.start()
            return self._no_key(start, start) if is_aligned else None
        before = text[key.end() : self.key_end(key.end(), in_flow=False)]
        return SyntaxProblem(
            line.end(),
            f"this line is indented deeper than `{before}` before it, and so goes on with its text",
            f"indent it by {column} {'space' if column == 1 else 'spaces'},"
            " or add the line of the key that it belongs below",
            context=("the text starts here", start),
        )

    def _misplaced(self, message: str, kind: str, start: int, column: int) -> SyntaxProblem:
        if self.tab >= 0:
            return tab_problem(self.tab)
        help = f"indent it by {column} {'space' if column == 1 else 'spaces'}, like the {kind}"
        line_start, inner, inner_start = self.left
        if line_start == self.line_start:
            if inner == self.column:  # a list that does not go on
                context = ("the list starts here", inner_start)
                return SyntaxProblem(self.index, _NEXT_ITEM, "put `- ` before it", context=context)
            help += f", or by {inner} to go on with what stands above it"
        context = (f"the {kind} starts here", start)
        return SyntaxProblem(self.index, message, help, context=context)

    def _misplaced_indicator(self, index: int) -> SyntaxProblem:
        if self.tab >= 0:
            return tab_problem(self.tab)
        return SyntaxProblem(
            index,
            f"a '{self.text[index]}' cannot stand here",
            f"start a new line, or quote the text if the '{self.text[index]}' belongs to it",
        )

    def _unexpected(self, start: int, parent: int, tab: int) -> SyntaxProblem:
        """Return what is wrong with something behind a complete value that starts here.

        `parent` is the column of the collection around the value.
        """
        index = self.skip_blanks(self.index)
        character = self.text[index]
        if character == "#":
            return comment_problem(index)
        if character == ":" and tab >= 0:
            return tab_problem(tab)
        problem = (
            glued_colon(self.text, start)
            or inner_quote(self.text, start, self.index)
            or self._deeper_key(start, index, parent)
        )
        if problem:
            return problem
        message = f"a '{character}' cannot stand here: the value before it is already complete"
        if character != ":":
            return SyntaxProblem(index, message, "quote the text as a whole, or start a new line")
        return SyntaxProblem(
            index,
            message,
            "quote the text if the ':' belongs to it; otherwise start a line for the key,"
            " indented like its neighbours",
        )
