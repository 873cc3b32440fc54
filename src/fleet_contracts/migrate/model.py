"""What a step from one authoring version to the next consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from fleet_contracts.pointer import Pointer
from fleet_contracts.source import Position, Source

Kind: TypeAlias = Literal["mapped", "approximated", "dropped"]

KINDS: tuple[Kind, ...] = ("mapped", "approximated", "dropped")
"""What becomes of a field: the same in other words, nearly the same, or nothing."""


class Edit(NamedTuple):
    """A stretch of a text by its offsets, what stands there instead, and why.

    `message` is what a person reads: what the field was and what it is.
    """

    start: int
    end: int
    new: str
    kind: Kind
    pointer: Pointer
    message: str


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one field, and where the field stood before."""

    kind: Kind
    pointer: Pointer
    message: str
    start: Position


@dataclass(frozen=True, slots=True)
class Step:
    """The way from one authoring version to the next.

    `upgrade` does with plain data what `edits` do with the text; so each can be checked by the
    other. Both get a document that is valid under the schema of the old version.
    """

    new: str
    upgrade: Callable[[dict[str, Any]], dict[str, Any]]
    edits: Callable[[Source, dict[str, Any]], Iterable[Edit]]


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after edits that do not overlap; all else stays as it is, to the letter.

    >>> edited("a: b # c", [Edit(3, 4, "{d: b}", "mapped", ("a",), "")])
    'a: {d: b} # c'
    """
    parts = []
    done = 0
    for edit in sorted(edits):
        parts += [text[done : edit.start], edit.new]
        done = edit.end
    return "".join([*parts, text[done:]])
