"""Nodes in brackets (YAML 1.2.2 section 7.4), and what a key on one line is (7.4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fleet_contracts.reading.yaml12.cursor import (
    BREAK,
    FLOW,
    GAP,
    SyntaxProblem,
    comment_problem,
    shallow_problem,
    tab_problem,
)
from fleet_contracts.reading.yaml12.nodes import NO_PROPERTIES, NodeParser, Properties
from fleet_contracts.reading.yaml12.scalars import PLAIN, PLAIN_IN_FLOW, QUOTED_LINE, inner_quote

LONGEST_KEY = 1024
"""Characters of a key without `?` (YAML 1.2.2 section 7.4.2)."""

_ENDS_INDICATOR = GAP + FLOW
_COMMENT = re.compile(rf"\#[^\r\n]*+{BREAK}")
_BREAK = re.compile(BREAK)
_KEY_PROPERTIES = re.compile(r"(?:(?:!<[^ \t\r\n>]*+>|[&!][^ \t\r\n,\[\]{}]*+)[ \t]++)*+")
ALIAS = re.compile(r"\*[^ \t\r\n,\[\]{}]++")
_LAST_WORD = re.compile(r"\s(\S+)$")
_TOKEN = re.compile(
    r"(?<![^\s,:\[\]{}])(?:\"(?:[^\"\\]++|\\[\s\S])*+\"|'(?:[^']++|'')*+'|\#[^\r\n]*+)|[\[\]{}]"
)
_IN_BRACKETS = re.compile(rf"[ \t,]++|{PLAIN_IN_FLOW.pattern}|[^\r\n\[\]{{}}\"']")


class FlowParser(NodeParser):
    """Reads lists and maps in brackets.

    Among the events that a method yields are generators of further ones (see
    `StreamParser.events`).
    """

    def content(
        self, index: int, indent: int, properties: Properties, *, in_flow: bool
    ) -> Iterator[Any]:
        """Yield the events of a value without its properties, and go behind it."""
        character = self.text[index]
        if character == "[":
            yield self._list(index, indent, properties)
        elif character == "{":
            yield self._map(index, indent, properties)
        else:
            yield self.scalar_at(index, indent, properties, in_flow=in_flow)

    def key_end(self, index: int, *, in_flow: bool) -> int:
        """Return the offset of the `:` behind a key on one line that starts here, or -1.

        The key may have properties and may be empty.
        """
        text = self.text
        properties = _KEY_PROPERTIES.match(text, index)
        start = properties.end() if properties else index
        is_json = text[start] in "\"'[{"
        end = self._key_content_end(start, in_flow=in_flow)
        if end < 0:
            return -1
        end = self.skip_blanks(end)
        if end - index > LONGEST_KEY or not self._is_colon(end, in_flow and is_json):
            return -1
        return end if in_flow or text[end + 1] in GAP else -1

    def _key_content_end(self, index: int, *, in_flow: bool) -> int:
        """Return the end of a value on one line that starts here, or -1."""
        text, character = self.text, self.text[index]
        if character in "[{":
            return self._brackets_end(index)
        if character in "\"'":
            match = QUOTED_LINE.match(text, index)
        elif character == "*":
            match = ALIAS.match(text, index)
        else:
            match = (PLAIN_IN_FLOW if in_flow else PLAIN).match(text, index)
            if not match and character == ":":
                return index  # the key is empty
        return match.end() if match else -1

    def _brackets_end(self, index: int) -> int:
        """Return the end of brackets that close on the same line, or -1."""
        text, end, depth = self.text, index, 0
        while end - index <= LONGEST_KEY:
            if text[end] in "[{":
                depth += 1
                end += 1
            elif text[end] in "]}":
                depth -= 1
                end += 1
                if depth == 0:
                    return end
            elif self.is_comment(end):
                return -1
            else:
                part = (QUOTED_LINE if text[end] in "\"'" else _IN_BRACKETS).match(text, end)
                if not part:
                    return -1
                end = part.end()
        return -1

    def _is_colon(self, index: int, is_json: bool) -> bool:
        text = self.text
        return text[index] == ":" and (is_json or text[index + 1] in _ENDS_INDICATOR)

    def _list(self, index: int, indent: int, properties: Properties) -> Iterator[Any]:
        yield self.opening(index, properties, is_map=False, in_flow=True)
        start = index
        index = self._to_entry(index + 1, indent, start)
        while self.text[index] != "]":
            if self._is_question(index) or self.key_end(index, in_flow=True) >= 0:
                yield self.opening(index, NO_PROPERTIES, is_map=True, in_flow=True)
                yield self._pair(index, indent, start, may_fold=False)
                yield self.closing(self.index, is_map=True)
            else:
                yield self._value(index, indent, start)
            index = self._next_entry(indent, start, "]")
        self.index = index + 1
        yield self.closing(self.index, is_map=False)

    def _map(self, index: int, indent: int, properties: Properties) -> Iterator[Any]:
        yield self.opening(index, properties, is_map=True, in_flow=True)
        start = index
        index = self._to_entry(index + 1, indent, start)
        while self.text[index] != "}":
            yield self._pair(index, indent, start, may_fold=True)
            index = self._next_entry(indent, start, "}")
        self.index = index + 1
        yield self.closing(self.index, is_map=True)

    def _pair(self, index: int, indent: int, start: int, *, may_fold: bool) -> Iterator[Any]:
        """Yield a key and its value; `may_fold` lets the `:` stand on another line."""
        if self._is_question(index):
            index = self._separate(index + 1, indent, start)
            may_fold = True
            if self.text[index] in ",]}":
                self.index = index
                yield self.empty(index)
                yield self.empty(index)
                return
        is_json = False
        if self._is_colon(index, False):
            yield self.empty(index)
            end = index
        else:
            properties, index = self._properties(index, indent, start)
            is_json = self.text[index] in "\"'[{"
            yield self._value(index, indent, start, properties)
            end = self.index
        index = self._separate(end, indent, start) if may_fold else self.skip_blanks(end)
        if not self._is_colon(index, is_json):
            yield self.empty(end)
            return
        index = self._separate(index + 1, indent, start)
        yield self._value(index, indent, start)

    def _value(
        self, index: int, indent: int, start: int, properties: Properties = NO_PROPERTIES
    ) -> Iterator[Any]:
        """Yield a value, which may be empty, and go behind it."""
        properties, index = self._properties(index, indent, start, properties)
        if self.text[index] in ",]}" or self._is_colon(index, False):
            self.index = index
            yield self.empty(index, properties)
        else:
            yield self.content(index, indent, properties, in_flow=True)

    def _properties(
        self, index: int, indent: int, start: int, properties: Properties = NO_PROPERTIES
    ) -> tuple[Properties, int]:
        while self.text[index] in "&!":
            properties, index = self.property_at(index, properties)
            self.check_gap(index, in_flow=True)
            index = self._separate(index, indent, start)
        return properties, index

    def _is_question(self, index: int) -> bool:
        return self.text[index] == "?" and self.text[index + 1] in GAP

    def _next_entry(self, indent: int, start: int, bracket: str) -> int:
        """Return the offset of the next entry or of the closing bracket."""
        end = self.index
        index = self._separate(end, indent, start)
        character = self.text[index]
        if character == bracket:
            return index
        if character != ",":
            raise self._unclosed(index if self.line_start <= end else end, start)
        return self._to_entry(index + 1, indent, start)

    def _to_entry(self, index: int, indent: int, start: int) -> int:
        """Return the offset of the first token behind a bracket or comma."""
        index = self._separate(index, indent, start)
        if self.text[index] == ",":
            raise SyntaxProblem(index, "expected a value here", "remove the ','")
        return index

    def _separate(self, index: int, indent: int, start: int) -> int:
        """Return the offset of the next token, on this line or a further one."""
        text = self.text
        index = self.skip_blanks(index)
        comment = _COMMENT.match(text, index)
        if comment and not self.is_comment(index):
            raise comment_problem(index)
        line_break = comment or _BREAK.match(text, index)
        if not line_break:
            return index
        self.to_content(line_break.end())
        index = self.index
        if index >= len(text) or self.is_marker(self.line_start):
            raise self._unclosed(index, start)
        spaces = self.column
        if spaces < indent and not (text[index] in "]}" and spaces >= indent - 1):
            if self.tab >= 0:
                raise tab_problem(self.tab)
            if not self._is_ever_closed(start):
                raise self._unclosed(index, start)
            raise shallow_problem(index, "list" if text[start] == "[" else "map", start)
        return index

    def _unclosed(self, index: int, start: int) -> SyntaxProblem:
        kind, bracket = ("list", "]") if self.text[start] == "[" else ("map", "}")
        if not self._is_ever_closed(start):
            message = f"the {kind} that starts here is never closed"
            help = f"close it with '{bracket}'"
            if self.text[start + 1] == self.text[start]:
                help += f", or remove one '{self.text[start]}'"
            return SyntaxProblem(start, message, help)
        if self._is_behind_scalar(index):
            problem = inner_quote(self.text, self.last_scalar, self.scalar_end)
            if problem:
                return problem
            word = _LAST_WORD.search(self.text[self.last_scalar : self.scalar_end])
            if self.text[index] == ":" and word:
                index = self.last_scalar + word.start(1)
        return SyntaxProblem(
            index,
            f"expected ',' or '{bracket}' here",
            f"close the {kind} with '{bracket}'"
            if self.text[index] in "]}"
            else f"put a ',' before it, or close the {kind} with '{bracket}'",
            context=(f"the {kind} starts here", start),
        )

    def _is_behind_scalar(self, index: int) -> bool:
        """Tell whether nothing but white space is between the last scalar and this offset."""
        return not self.text[self.scalar_end : index].strip()

    def _is_ever_closed(self, start: int) -> bool:
        """Tell whether the rest of the text closes the bracket that opens here."""
        depth = 0
        for token in _TOKEN.finditer(self.text, start):
            if token[0] in "[{":
                depth += 1
            elif token[0] in "]}":
                depth -= 1
            if depth == 0:
                return True
        return False
