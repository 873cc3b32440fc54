"""The only door to libyaml: a stream of events, and marks turned into positions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from _ruamel_yaml import CParser  # type: ignore[import-not-found] # a C extension, no stubs
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import ScalarEvent

from fleet_contracts.reading.flow_text import FlowText, flow_text
from fleet_contracts.reading.surrogates import StandIn, stand_in
from fleet_contracts.source import Position, Span

__all__ = ["MarkedYAMLError", "NextEvent", "Positions", "YAMLError", "open_events"]

NextEvent: TypeAlias = Callable[[], Any]
"""Returns the next event; raises `YAMLError` where the text cannot be parsed."""

_LONE_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")


def open_events(
    text: str,
    on_lone: Callable[[Any], None] | None = None,
    *,
    flow: FlowText | Literal["search"] | None = "search",
) -> NextEvent:
    """Return the function that yields the events of a text one by one.

    `on_lone` is called with each scalar event whose value holds half of a surrogate
    pair; its value has U+FFFD in place of the half. `flow` is the text to read by the
    rules of YAML 1.2 for brackets, if that is known already.
    """
    if flow == "search":
        flow = flow_text(text)
    halves = stand_in(flow.text if flow else text)
    if flow is None and halves is None:
        next_event: NextEvent = CParser(text).get_event
        return next_event
    ready = halves.text if halves else flow.text if flow else text
    return _restoring(CParser(ready).get_event, flow, halves, on_lone)


def _restoring(
    get_event: NextEvent,
    flow: FlowText | None,
    halves: StandIn | None,
    on_lone: Callable[[Any], None] | None,
) -> NextEvent:
    def next_event() -> Any:
        event = get_event()
        if type(event) is ScalarEvent:
            value = event.value
            if halves is not None:
                value = halves.restore(value, double_quoted=event.style == '"')
                if value is not event.value and not _is_whole(value):
                    utf16 = value.encode("utf-16-le", "surrogatepass")
                    value = utf16.decode("utf-16-le", "replace")
                    if on_lone is not None:
                        on_lone(event)
            event.value = value if flow is None else flow.restore(value)
        return event

    return next_event


def _is_whole(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class Positions:
    """Turns libyaml's marks into positions of one text.

    libyaml counts a carriage return without a line feed as a line break; a `Source`
    does not, so in such a text lines are counted again.
    """

    __slots__ = ("_line_starts", "_text", "_trust_marks")

    def __init__(self, text: str) -> None:
        """Lines are counted only when an offset is asked for."""
        self._text = text
        self._line_starts: list[int] | None = None
        self._trust_marks = "\r" not in text or not _LONE_CARRIAGE_RETURN.search(text)

    def of(self, mark: Any) -> Position:
        """Return the position of a mark."""
        if self._trust_marks:
            return Position(mark.line + 1, mark.column + 1)
        return self.at(mark.index)

    def at(self, offset: int) -> Position:
        """Return the position of an offset in the text."""
        if self._line_starts is None:
            self._line_starts = [0, *(match.end() for match in re.finditer("\n", self._text))]
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def span(self, event: Any) -> Span:
        """Return the span of an event, with its anchor and tag."""
        return Span(self.of(event.start_mark), self.of(event.end_mark))

    def first_line(self, event: Any) -> Span:
        """Return the span from the start of an event to the end of that line."""
        start = self.of(event.start_mark)
        offset = event.start_mark.index
        line_end = self._text.find("\n", offset)
        line = self._text[offset : line_end if line_end >= 0 else None].rstrip()
        return Span(start, Position(start.line, start.column + len(line)))

    def stretch(self, offset: int, length: int) -> Span:
        """Return the span of some characters of one line, from an offset on."""
        start = self.at(offset)
        return Span(start, Position(start.line, start.column + length))
