"""The syntax problem of a long text, without reading all of it by the grammar.

The grammar takes some ten times as long as libyaml. Where libyaml stops, it has understood
what stands before: whole entries of the outer two maps can be left out, and the grammar
says what is wrong with the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from fleet_contracts.reading.libyaml import NextEvent
from fleet_contracts.reading.yaml12.cursor import SyntaxProblem
from fleet_contracts.reading.yaml12.stream import StreamParser

SHORT = 100_000
"""Characters that the grammar reads soon enough; so far behind libyaml's end it looks."""

LEVELS = 2
"""Maps inside each other whose entries are left out: those of a document, and its Tasks."""


@dataclass(slots=True)
class _Level:
    """A block map around the problem: where its second and its last entry start."""

    second: int | None = None
    last: int = 0
    items: int = 0  # keys and values so far


@dataclass(slots=True)
class _Outline:
    """The open collections at the problem; only maps in maps are followed."""

    text: str
    depth: int = 0
    levels: list[_Level] = field(default_factory=list)
    end: int = 0  # where the last event starts

    def read(self, next_event: NextEvent) -> None:
        """Take events up to the problem, or up to the end."""
        try:
            while type(event := next_event()) is not StreamEndEvent:
                self._take(event)
        except YAMLError:
            return

    def _take(self, event: Any) -> None:
        kind = type(event)
        self.end = event.start_mark.index
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            self.depth -= 1
            del self.levels[self.depth :]
            return
        if not isinstance(event, NodeEvent):
            return
        if self.depth == len(self.levels) > 0:
            self._entry(self.levels[-1], event)
        if kind is MappingStartEvent or kind is SequenceStartEvent:
            is_block_map = isinstance(event, MappingStartEvent) and not event.flow_style
            if is_block_map and self.depth == len(self.levels) < LEVELS:
                self.levels.append(_Level())
            self.depth += 1

    def _entry(self, level: _Level, event: Any) -> None:
        """Note where an entry starts, if its key is the first thing on its line."""
        level.items += 1
        if level.items == 1 or level.items % 2 == 0:
            return  # the first entry stays: a map starts there
        offset = event.start_mark.index
        line = self.text.rfind("\n", 0, offset) + 1
        if not self.text[line:offset].strip(" "):
            level.second = line if level.second is None else level.second
            level.last = line

    def cuts(self) -> list[tuple[int, int]]:
        """Return the stretches that can be left out, in their order."""
        found = [(each.second, each.last) for each in self.levels if each.second is not None]
        return [(first, last) for first, last in found if first < last]


def first_problem(text: str, next_event: NextEvent) -> SyntaxProblem | None:
    """Return what is wrong with a long text that `next_event` cannot read to its end.

    None for a short text, and where the rest alone shows no problem soon: then the grammar
    has to read all of it.
    """
    if len(text) < SHORT:
        return None
    outline = _Outline(text)
    outline.read(next_event)
    cuts = outline.cuts()
    rest = text if text.endswith("\n") else text + "\n"
    for first, last in reversed(cuts):
        rest = rest[:first] + rest[last:]
    end = outline.end + SHORT - sum(last - first for first, last in cuts)
    try:
        for event in StreamParser(rest, None).events():
            if event.start_mark.index > end:
                return None
    except SyntaxProblem as problem:
        return _moved(problem, cuts)
    return None


def _moved(problem: SyntaxProblem, cuts: list[tuple[int, int]]) -> SyntaxProblem:
    """Return a problem of the rest as one of the whole text."""
    context = problem.context
    return SyntaxProblem(
        _original(problem.index, cuts),
        problem.message,
        problem.help,
        code=problem.code,
        context=context and (context[0], _original(context[1], cuts)),
    )


def _original(offset: int, cuts: list[tuple[int, int]]) -> int:
    """Return the offset in the whole text of an offset in the rest."""
    for first, last in cuts:
        if offset >= first:
            offset += last - first
    return offset
