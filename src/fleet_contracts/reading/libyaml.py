"""The only door to libyaml: a stream of events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from _ruamel_yaml import CParser  # type: ignore[import-not-found] # a C extension, no stubs
from ruamel.yaml.events import ScalarEvent

from fleet_contracts.reading.flow_text import FlowText
from fleet_contracts.reading.surrogates import OnLone, StandIn, settle_halves, stand_in

NextEvent: TypeAlias = Callable[[], Any]
"""Returns the next event; raises `YAMLError` where the text cannot be parsed."""


def open_libyaml(text: str, flow: FlowText | None, on_lone: OnLone | None = None) -> NextEvent:
    """Return the function that yields the events of a text one by one.

    `flow` is what to read in place of the text (see `flow_text`).
    """
    ready = flow.text if flow else text
    halves = stand_in(ready)
    next_event: NextEvent = CParser(halves.text if halves else ready).get_event
    if flow is None and halves is None:
        return next_event
    return _restoring(next_event, flow, halves, on_lone)


def _restoring(
    get_event: NextEvent, flow: FlowText | None, halves: StandIn | None, on_lone: OnLone | None
) -> NextEvent:
    def next_event() -> Any:
        event = get_event()
        if type(event) is ScalarEvent:
            if halves is not None:
                is_double = event.style == '"'
                event.value = halves.restore(event.value, double_quoted=is_double)
                if is_double:
                    settle_halves(event, on_lone)
            if flow is not None:
                event.value = flow.restore(event.value)
        return event

    return next_event
