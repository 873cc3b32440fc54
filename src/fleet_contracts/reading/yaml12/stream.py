"""Documents (YAML 1.2.2 chapter 9) and directives (section 6.8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import GeneratorType
from typing import Any

from ruamel.yaml.events import DocumentEndEvent, DocumentStartEvent, StreamEndEvent

from fleet_contracts.reading.yaml12.block import BlockParser
from fleet_contracts.reading.yaml12.cursor import NO_COLUMN, SyntaxProblem
from fleet_contracts.reading.yaml12.nodes import CORE_HANDLES

_YAML = re.compile(r"%YAML[ \t]+[0-9]+\.[0-9]+(?:[ \t]+(?:#.*)?)?").fullmatch
_TAG = re.compile(r"%TAG[ \t]+(!(?:[0-9A-Za-z-]*!)?)[ \t]+([^ \t]+)(?:[ \t]+(?:#.*)?)?").fullmatch
_LINE = re.compile(r"[^\r\n]*")


class StreamParser(BlockParser):
    """Reads a whole text, which must end in a line break."""

    def events(self) -> Iterator[Any]:
        """Yield the events of the text; raises `SyntaxProblem` where it is not YAML.

        The methods below yield events, and generators in place of all that these yield:
        so an event costs the same at any depth.
        """
        running = [self._stream()]
        while running:
            for event in running[-1]:
                if type(event) is GeneratorType:
                    running.append(event)
                    break
                yield event
            else:
                running.pop()

    def _stream(self) -> Iterator[Any]:
        self.to_content(0)
        while self.index < len(self.text):
            if self._is_at("..."):
                self._document_end()
            else:
                yield self._document()
        yield StreamEndEvent(self.mark(self.index), self.mark(self.index))

    def _document(self) -> Iterator[Any]:
        start = self.index
        self._directives()
        if self._is_at("---"):
            self.index += 3
            yield DocumentStartEvent(self.mark(start), self.mark(self.index), True)
            yield self.node(NO_COLUMN, is_compact=False, may_align=False)
        else:
            yield DocumentStartEvent(self.mark(start), self.mark(start + 1), False)
            yield self.node_at(self.index, NO_COLUMN, may_open=self.tab < 0)
        if self.column != NO_COLUMN:
            message = "the document's value is complete before this"
            help = "check the indentation of this line and the brackets before it"
            raise SyntaxProblem(self.index, message, help)
        yield DocumentEndEvent(self.mark(self.index), self.mark(self.index))
        if self._is_at("..."):
            self._document_end()

    def _is_at(self, marker: str) -> bool:
        at_marker = self.column == NO_COLUMN and self.index < len(self.text)
        return at_marker and self.text.startswith(marker, self.index)

    def _document_end(self) -> None:
        if not self.end_line(self.index + 3):
            index = self.skip_blanks(self.index + 3)
            message = "nothing but a comment can follow `...`"
            raise SyntaxProblem(index, message, "remove it, or start a new line")

    def _directives(self) -> None:
        """Read the lines that start with '%'; what is unknown is left out (section 6.8)."""
        self.handles = dict(CORE_HANDLES)
        seen: set[str] = set()
        start = self.index
        while self.column == 0 and self.tab < 0 and self.text[self.index] == "%":
            line = _LINE.match(self.text, self.index)
            assert line
            self._directive(line[0], seen)
            self.to_content(line.end())
        if self.index > start and not self._is_at("---"):
            message = "expected the line `---` after the directives"
            raise SyntaxProblem(self.index, message, "add the line", code="FLT1014")

    def _directive(self, line: str, seen: set[str]) -> None:
        name = line.split(maxsplit=1)[0]
        if name not in ("%YAML", "%TAG"):
            return
        match = _YAML(line) if name == "%YAML" else _TAG(line)
        if not match:
            raise self._bad_directive(f"the directive {name} is malformed")
        key = match[1] if name == "%TAG" else name
        if key in seen:
            raise self._bad_directive(f"the directive {name} is there twice")
        seen.add(key)
        if name == "%TAG":
            self.handles[match[1]] = match[2]

    def _bad_directive(self, message: str) -> SyntaxProblem:
        return SyntaxProblem(self.index, message, "remove the line", code="FLT1014")
