"""Running a program from the end of a text to its start, in linear time.

At each place of the text there is a set of instructions: those that take the character
there and lead to a match. The set depends on the one behind it and on that character only.
So each pair of a set and a character is worked out once and looked up from then on, which is
known as a lazily built automaton. Sets are integers with a bit for each instruction.
"""

from __future__ import annotations

from fleet_contracts.regex_dialect.program import AT_BOUNDARY, AT_END, AT_START, Hold, Program
from fleet_contracts.regex_dialect.tree import Ranges

_MOST_REMEMBERED = 20_000
_MOST_TABLE_BYTES = 1 << 25
_WORD = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")


class State(dict[str, "State"]):
    """A place of a text: what leads to a match there, and what is known of what follows.

    As a dict, it maps a character to the state before that character. `opens` tells whether
    a match starts at the place *behind* this one. `ways` is for what else is worked out.
    """

    __slots__ = ("automaton", "before_word", "is_end", "opens", "takes", "ways")

    def __init__(
        self,
        automaton: Automaton,
        takes: int = 0,
        *,
        before_word: bool = False,
        opens: bool = False,
        is_end: bool = False,
    ) -> None:
        """`takes` is the set; `before_word` says that a word character follows."""
        super().__init__()
        self.automaton = automaton
        self.takes = takes
        self.before_word = before_word
        self.opens = opens
        self.is_end = is_end
        self.ways: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}

    def __missing__(self, char: str) -> State:
        found = self.automaton.before(self, char)
        self[char] = found
        return found

    def flags(self, char: str) -> int:
        """Return the flags that matter here, with the character before, "" for none."""
        flags = 0 if char else AT_START
        if self.is_end:
            flags |= AT_END
        if (char in _WORD) != self.before_word:
            flags |= AT_BOUNDARY
        return flags & self.automaton.relevant


class Automaton:
    """The states of a program. `steps` counts the bytes of sets that were looked at."""

    def __init__(self, program: Program) -> None:
        """Nothing is worked out yet."""
        self.steps = 0
        self.end = State(self, is_end=True)
        self._program = program
        self._start_bit = 1 << len(program.takes)
        self._size = len(program.takes) // 8 + 1
        anchors = {each.kind for each in program.instructions if isinstance(each, Hold)}
        self._sees_words = not anchors.isdisjoint(("boundary", "inside"))
        self.relevant = (
            AT_START * ("start" in anchors)
            | AT_END * ("end" in anchors)
            | AT_BOUNDARY * self._sees_words
        )
        self._takers: dict[Ranges, int] = {}
        for take in program.takes.values():
            self._takers[take.ranges] = self._takers.get(take.ranges, 0) | 1 << take.number
        self._by_char: dict[str, int] = {}
        self._tables: dict[int, _Table] = {}
        self._states: dict[tuple[int, bool, bool], State] = {}
        self._remembered = 0

    def opens_at_start(self, state: State) -> bool:
        """Tell whether a match starts at a place that no character stands before."""
        return bool(self._leading(state, "") & self._start_bit)

    def before(self, state: State, char: str) -> State:
        """Return the state before a character, given the one behind it."""
        self._remembered += 1
        if self._remembered > _MOST_REMEMBERED:
            self._forget()
        leading = self._leading(state, char)
        takes = leading & self._takers_of(char)
        before_word = self._sees_words and char in _WORD
        opens = bool(leading & self._start_bit)
        known = self._states.get((takes, before_word, opens))
        if known is None:
            known = State(self, takes, before_word=before_word, opens=opens)
            self._states[takes, before_word, opens] = known
        return known

    def _leading(self, state: State, char: str) -> int:
        """Return what leads to a match by taking the character before a place."""
        flags = state.flags(char)
        table = self._tables.get(flags)
        if table is None:
            table = self._tables[flags] = _Table(self._program, flags, self._size)
        self.steps += self._size
        return table.leading(state.takes)

    def _takers_of(self, char: str) -> int:
        known = self._by_char.get(char)
        if known is None:
            code = ord(char)
            known = 0
            for ranges, takers in self._takers.items():
                if any(first <= code <= last for first, last in ranges):
                    known |= takers
            self._by_char[char] = known
        return known

    def _forget(self) -> None:
        """Forget all states, and what states in use know of others."""
        for state in (self.end, *self._states.values()):
            state.clear()
            state.ways.clear()
        self._states.clear()
        self._by_char.clear()
        self._remembered = 0


class _Table:
    """What leads to the instructions of a set where some flags hold, by the bytes of the set."""

    def __init__(self, program: Program, flags: int, size: int) -> None:
        reach = _reach(program, flags)
        self._always = reach[program.done]
        self._reach = [0] * (8 * size)
        for index, take in program.takes.items():
            self._reach[take.number] = reach[index]
        self._known: list[dict[int, int]] = [{} for _ in range(size)]
        self._room = self._most = _MOST_TABLE_BYTES // size

    def leading(self, takes: int) -> int:
        found = self._always
        for place, byte in enumerate(takes.to_bytes(len(self._known), "little")):
            if byte:
                known = self._known[place].get(byte)
                found |= self._work_out(place, byte) if known is None else known
        return found

    def _work_out(self, place: int, byte: int) -> int:
        found = 0
        for bit in range(8):
            if byte >> bit & 1:
                found |= self._reach[8 * place + bit]
        self._room -= 1
        if self._room < 0:
            self._room = self._most
            for each in self._known:
                each.clear()
        self._known[place][byte] = found
        return found


def _reach(program: Program, flags: int) -> list[int]:
    """Return for each instruction those after which it is reached without a character.

    A bit beyond those of instructions stands for the start of the pattern.
    """
    reach = [0] * len(program.instructions)
    reach[program.start] = 1 << len(program.takes)
    for take in program.takes.values():
        reach[take.next] |= 1 << take.number
    changed = True
    while changed:
        changed = False
        for index in range(len(reach) - 1, -1, -1):
            for after in program.after(index, flags):
                if reach[index] & ~reach[after]:
                    reach[after] |= reach[index]
                    changed = True
    return reach
