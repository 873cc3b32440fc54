"""What anchors name, and how much the aliases of a file may add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from fleet_contracts.pointer import Pointer

MAX_ALIAS_NODES = 10_000
"""Values that all aliases of a file may stand for, nested aliases counted each time."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A named value.

    `pointer` is where it stands (None: it is a key), `odd_start` how many odd numbers
    had been found before it.
    """

    value: Any
    pointer: Pointer | None
    odd_start: int


class Size(NamedTuple):
    """How much a value holds: values, itself included, and levels of collections."""

    nodes: int
    levels: int


def measure(value: Any, most_nodes: int) -> Size:
    """Return the size of a value, counting one object as often as it stands in it.

    Stops as soon as there are more than `most_nodes`, so that the work is bounded by
    the limit and not by what nested aliases would expand to.
    """
    nodes, levels = 0, 0
    level = [value]
    while level:
        nodes += len(level)
        if nodes > most_nodes:
            break
        below: list[Any] = []
        collections = False
        for item in level:
            if type(item) is dict:
                collections = True
                below.extend(item.values())
            elif type(item) is list:
                collections = True
                below.extend(item)
        levels += collections
        level = below
    return Size(nodes, levels)


def copied_odd_numbers(
    anchor: Anchor, pointer: Pointer, odd: list[tuple[Pointer, str]]
) -> list[tuple[Pointer, str]]:
    """Return the odd numbers inside an anchor as they stand at an alias.

    `odd` is in document order, so those of the anchor's value stand side by side.
    """
    if anchor.pointer is None:
        return []
    length = len(anchor.pointer)
    copies = []
    for number in range(anchor.odd_start, len(odd)):
        inside, text = odd[number]
        if inside[:length] != anchor.pointer:
            break
        copies.append((pointer + inside[length:], text))
    return copies
