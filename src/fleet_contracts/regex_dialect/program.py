"""A tree as a program: instructions that match one character each, and ways between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from fleet_contracts.regex_dialect.tree import (
    Anchor,
    AnchorKind,
    Chars,
    Choice,
    Group,
    Node,
    Ranges,
    Repeat,
    Sequence,
    can_be_empty,
)

AT_START, AT_END, AT_BOUNDARY = 1, 2, 4
"""Flags of a place in a text: what anchors hold there."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take one character of a set and go on; `number` counts these instructions from 0."""

    ranges: Ranges
    next: int
    number: int


@dataclass(frozen=True, slots=True)
class Fork:
    """Go on the first way, or on the second if there is no match that way."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Hold:
    """Go on if an anchor holds."""

    kind: AnchorKind
    next: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Note the place as the start (even slots) or the end (odd ones) of group `slot // 2`."""

    slot: int
    next: int


@dataclass(frozen=True, slots=True)
class Done:
    """The pattern has matched."""


Instruction: TypeAlias = Take | Fork | Hold | Mark | Done


@dataclass(slots=True)
class Program:
    """Instructions, most of them behind those that they lead to.

    `takes` are those that take a character, by their index. `start` is the index of the
    first instruction to run, `done` that of the only `Done`.
    """

    instructions: list[Instruction] = field(default_factory=list)
    takes: dict[int, Take] = field(default_factory=dict)
    start: int = 0
    done: int = 0

    def add(self, instruction: Instruction) -> int:
        """Append an instruction and return its index."""
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def after(self, index: int, flags: int) -> list[int]:
        """Return the instructions that one leads to without a character, the best first.

        `flags` are those of the place.
        """
        match self.instructions[index]:
            case Fork(first, second):
                return [first, second]
            case Hold(kind, next):
                return [next] if _holds(kind, flags) else []
            case Mark(_, next):
                return [next]
            case _:
                return []


def _holds(kind: AnchorKind, flags: int) -> bool:
    match kind:
        case "start":
            return bool(flags & AT_START)
        case "end":
            return bool(flags & AT_END)
        case "boundary":
            return bool(flags & AT_BOUNDARY)
        case "inside":
            return not flags & AT_BOUNDARY


def compile_program(node: Node) -> Program:
    """Return the program of a pattern, counted repeats written out."""
    program = Program()
    program.done = program.add(Done())
    program.start = _compile(program, node, program.done)
    return program


def _compile(program: Program, node: Node, next: int) -> int:
    """Add the instructions of a node that go on at `next`; return where they start."""
    match node:
        case Chars(ranges):
            take = Take(ranges, next, len(program.takes))
            index = program.add(take)
            program.takes[index] = take
            return index
        case Anchor(kind):
            return program.add(Hold(kind, next))
        case Sequence(parts):
            for part in reversed(parts):
                next = _compile(program, part, next)
            return next
        case Choice(branches):
            *starts, last = [_compile(program, branch, next) for branch in branches]
            for start in reversed(starts):
                last = program.add(Fork(start, last))
            return last
        case Group(body, number):
            end = program.add(Mark(2 * number + 1, next))
            return program.add(Mark(2 * number, _compile(program, body, end)))
        case Repeat():
            return _repeat(program, node, next)


def _repeat(program: Program, node: Repeat, next: int) -> int:
    exit = next
    least = node.least
    if node.most is None:
        again = program.add(Fork(exit, exit))  # replaced once it is known where the body starts
        body = _compile(program, node.body, again)
        program.instructions[again] = _fork(node, body, exit)
        if least:
            next, least = body, least - 1
        else:  # what may be empty is entered by a fork of its own, so that it is left only once
            next = program.add(_fork(node, body, exit)) if can_be_empty(node.body) else again
    else:
        for _ in range(node.most - least):
            next = program.add(_fork(node, _compile(program, node.body, next), exit))
    for _ in range(least):
        next = _compile(program, node.body, next)
    return next


def _fork(node: Repeat, body: int, exit: int) -> Fork:
    return Fork(exit, body) if node.lazy else Fork(body, exit)
