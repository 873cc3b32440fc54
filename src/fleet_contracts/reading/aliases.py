"""What anchors name, and how much the aliases of a file may add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.core_schema import Refusal
from fleet_contracts.reading.yaml_spot import MAX_DEPTH, Spot

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


class Aliases:
    """The anchors of one document so far, and what its aliases may still stand for.

    A name may be defined again; an alias means the last definition before it
    (YAML 1.2.2 section 7.1).
    """

    def __init__(self) -> None:
        """Start a document."""
        self._anchors: dict[str, Anchor] = {}
        self._nodes_left = MAX_ALIAS_NODES

    def define(self, name: str, anchor: Anchor) -> None:
        """Remember what a name stands for."""
        self._anchors[name] = anchor

    def find(self, name: str, spot: Spot) -> Anchor | Refusal | None:
        """Return what an alias at a place names, or why it is refused.

        None once the limit has been refused: it is said only once a file.
        """
        anchor = self._anchors.get(name)
        if anchor is None:
            return Refusal(
                "FLT1043",
                f"the alias *{name} names no anchor defined before it",
                f"define &{name} first, or quote the text if it starts with '*'",
            )
        if spot.is_inside(anchor.value):
            return Refusal(
                "FLT1042",
                f"the alias *{name} stands inside what it names",
                "write out the value that is meant",
            )
        if self._nodes_left < 0:
            return None
        size = measure(anchor.value, self._nodes_left)
        self._nodes_left -= size.nodes
        if self._nodes_left < 0:
            return Refusal(
                "FLT1041",
                f"with *{name} the aliases of this file stand for more than"
                f" {MAX_ALIAS_NODES:,} values",
                "say it with fewer aliases, for example with `defaults` or `dataset`",
            )
        if len(spot.stack) + size.levels > MAX_DEPTH:
            return too_deep()
        return anchor


def too_deep() -> Refusal:
    """Return the refusal of nesting beyond the limit."""
    message = f"nesting is deeper than {MAX_DEPTH} levels"
    return Refusal("FLT1040", message, "flatten the structure")


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
