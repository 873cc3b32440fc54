"""Which parser reads a text, and in which form.

libyaml is fast, but refuses or misreads some of YAML 1.2. So a text is tried in one
way after the other until one finds no syntax error in it: by libyaml; by libyaml with
characters in place of what it would misread (`flow_text`); by the grammar (`yaml12`),
which takes some ten times as long.

A text always ends in a line break: one that is missing would otherwise decide whether
a block of text ends in one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import StreamEndEvent

from fleet_contracts.reading.flow_text import flow_text, may_be_misread
from fleet_contracts.reading.libyaml import NextEvent, open_libyaml
from fleet_contracts.reading.surrogates import OnLone
from fleet_contracts.reading.yaml12.stream import StreamParser

Open: TypeAlias = Callable[[OnLone | None], NextEvent]
"""Starts a pass over the events; U+FFFD stands in place of each lone surrogate."""


class Way(NamedTuple):
    """A way to read a text; `is_strict` if it accepts nothing but YAML 1.2."""

    open: Open
    is_strict: bool


# Names that go on to YAML 1.2, but end before their last character here to libyaml.
_LONG_ANCHOR = re.compile(r"(?<![^\s,\[\]{}])&[0-9A-Za-z_-]+[?:%@`]")
_LONG_ALIAS = re.compile(r"(?<![^\s,\[\]{}])\*[0-9A-Za-z_-]+[?:%@`]")
_ANCHOR = re.compile(r"(?<![^\s,\[\]{}])&[0-9A-Za-z_-]")


def ways(text: str) -> Iterator[Way]:
    """Yield the ways to read a text, the preferred one first, the grammar always last."""
    if not text.endswith("\n"):
        text += "\n"
    if not _has_long_names(text):
        is_misread = may_be_misread(text)
        if not is_misread:
            yield Way(partial(open_libyaml, text, None), is_strict=False)
        flow = flow_text(text)
        if is_misread or flow is not None:
            yield Way(partial(open_libyaml, text, flow), is_strict=False)
    yield Way(partial(_open_grammar, text), is_strict=True)


def way_of(text: str) -> Way:
    """Return the way in which the reader took a text, or would take it."""
    taken = _taken(text)
    if not taken:
        taken.append(next(way for way in ways(text) if way.is_strict or _is_readable(way)))
    return taken[0]


def remember_way(text: str, way: Way) -> None:
    """Let `way_of` know in which way a text was taken, which saves it a pass over the events."""
    _taken(text)[:] = [way]


@lru_cache(maxsize=8)
def _taken(text: str) -> list[Way]:
    """Return the way of a text as far as it is known; what is put into it stays."""
    return []


def _open_grammar(text: str, on_lone: OnLone | None) -> NextEvent:
    return StreamParser(text, on_lone).events().__next__


def _is_readable(way: Way) -> bool:
    next_event = way.open(None)
    try:
        while type(next_event()) is not StreamEndEvent:
            pass
    except YAMLError:
        return False
    return True


def _has_long_names(text: str) -> bool:
    if "&" not in text:
        return False
    if _LONG_ANCHOR.search(text):
        return True
    return bool(_LONG_ALIAS.search(text) and _ANCHOR.search(text))
