"""Searching in linear time: the match that a backtracking engine finds, without backtracking.

First the text is run through from its end to its start, which tells for each place what
leads to a match from there. Then the match is walked from its start, at each fork on the
first way that leads on, so that no way is ever left again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from operator import getitem
from typing import NamedTuple, TypeAlias

from fleet_contracts.regex_dialect.program import Done, Mark, Program, Take
from fleet_contracts.regex_dialect.reverse import Automaton, State

_BLOCK = 4096
"""How many states are kept at once; those of other blocks are worked out again."""

_Marks: TypeAlias = tuple[int, "_Marks"] | None
"""Slots that were passed, the last one first."""


class LinearMatch(NamedTuple):
    """What was found: the text, and where the match and each group start and end."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def span(self, group: int = 0, /) -> tuple[int, int]:
        """Return where a group starts and ends, (-1, -1) if it took no part."""
        return self.spans[group]

    def group(self, group: int = 0, /) -> str | None:
        """Return the text of a group, None if it took no part."""
        start, end = self.spans[group]
        return None if start < 0 else self.text[start:end]


class LinearMatcher:
    """A program that can be searched for.

    `steps` counts what all searches together have done: characters passed, bytes of sets
    looked at, and instructions met on the way through matches.
    """

    def __init__(self, program: Program, groups: int) -> None:
        """`groups` is the number of groups that capture."""
        self._program = program
        self._groups = groups
        self._automaton = Automaton(program)
        self._steps = 0

    @property
    def steps(self) -> int:
        """How much was done; it grows like the text times the size of the program at most."""
        return self._steps + self._automaton.steps

    def search(self, text: str) -> LinearMatch | None:
        """Return the first match, by the order of ways where several start at its place."""
        ends = [self._automaton.end]
        start = -1
        for end in range(len(text), 0, -_BLOCK):
            states = self._block(text, end, ends[-1])
            first = max(end - _BLOCK, 0)
            opened = next((n for n, each in enumerate(reversed(states[1:])) if each.opens), None)
            if opened is not None:
                start = first + opened + 1
            ends.append(states[-1])
        if self._automaton.opens_at_start(ends[-1]):
            start = 0
        return None if start < 0 else self._walk(text, start, ends)

    def _block(self, text: str, end: int, state: State) -> list[State]:
        """Return the states of the places from `end` down, given that of `end`."""
        block = text[max(end - _BLOCK, 0) : end]
        self._steps += len(block)
        return list(accumulate(reversed(block), getitem, initial=state))

    def _states(self, text: str, start: int, ends: list[State]) -> Iterator[State]:
        """Yield the states of the places from `start` to the end of the text."""
        for number in range((len(text) - start) // _BLOCK, -1, -1):
            end = len(text) - number * _BLOCK
            block = self._block(text, end, ends[number])
            yield from reversed(block[: end - start + 1])
            start = end + 1

    def _walk(self, text: str, start: int, ends: list[State]) -> LinearMatch:
        """Return the match that starts at a place."""
        slots = [-1] * (2 * self._groups + 2)
        slots[0] = start
        index = self._program.start
        before = text[start - 1 : start]
        for place, state in enumerate(self._states(text, start, ends), start):
            way = (index, state.flags(before))
            if way not in state.ways:
                state.ways[way] = self._way(index, state.takes, way[1])
            index, marks = state.ways[way]
            for slot in marks:
                slots[slot] = place
            if index == self._program.done:
                slots[1] = place
                break
            index = self._program.takes[index].next
            before = text[place : place + 1]
        return LinearMatch(text, tuple(zip(slots[::2], slots[1::2], strict=True)))

    def _way(self, start: int, takes: int, flags: int) -> tuple[int, tuple[int, ...]]:
        """Return the best instruction that leads on from one, and the slots on the way to it.

        It is one of those in the set `takes`, or the end of the pattern.
        """
        met: set[int] = set()
        ahead: list[tuple[int, _Marks]] = [(start, None)]
        while True:
            index, marks = ahead.pop()
            if index in met:
                continue
            met.add(index)
            self._steps += 1
            instruction = self._program.instructions[index]
            if isinstance(instruction, Done) or (
                isinstance(instruction, Take) and takes >> instruction.number & 1
            ):
                return index, tuple(_slots(marks))
            if isinstance(instruction, Mark):
                marks = (instruction.slot, marks)
            after = self._program.after(index, flags)
            ahead.extend((each, marks) for each in reversed(after))


def _slots(marks: _Marks) -> Iterator[int]:
    while marks is not None:
        slot, marks = marks
        yield slot
