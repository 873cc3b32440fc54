r"""Surrogate pairs as JSON writes them: `"\ud83d\ude02"` is one character.

libyaml refuses such escapes although YAML 1.2 means to hold all of JSON. So it is
given a text of the same length in which each surrogate escape is replaced by an
escape of a character that the file does not use otherwise, and each scalar is mapped
back afterwards. Nothing moves, so positions stay exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

OnLone: TypeAlias = Callable[[Any], None]
"""Called with each scalar event whose value holds half of a surrogate pair."""

# A surrogate escape behind an even number of backslashes. In a double-quoted scalar
# (the only place where escapes exist) an odd number would make it plain text.
_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u([dD][89a-fA-F][0-9a-fA-F]{2})")
_ESCAPE_LENGTH = 6

# First hexadecimal digits that may stand in for the `d`: private use first. A letter
# has two cases, so the case of the `d` can be restored too.
_STAND_INS = "efabc"


@dataclass(frozen=True, slots=True)
class StandIn:
    """A text without surrogate escapes, and the way back.

    `digit` is the hexadecimal digit that replaced each `d`.
    """

    text: str
    digit: str

    def restore(self, value: str, *, double_quoted: bool) -> str:
        """Return a scalar's value as the original text has it: each half a code point."""
        if double_quoted:
            found, base = self._characters(), int(self.digit, 16) << 12
            if not found.search(value):
                return value
            return found.sub(lambda match: chr(ord(match[0]) - base + 0xD000), value)
        if "\\u" not in value:
            return value
        return self._literals().sub(_restored_literal, value)

    def _characters(self) -> re.Pattern[str]:
        block = int(self.digit, 16) << 12
        return re.compile(f"[{chr(block + 0x800)}-{chr(block + 0xFFF)}]")

    def _literals(self) -> re.Pattern[str]:
        cases = self.digit + self.digit.upper()
        return re.compile(rf"\\u([{cases}])(?=[89a-fA-F][0-9a-fA-F]{{2}})")


def stand_in(text: str) -> StandIn | None:
    """Return a text that libyaml takes, or None if there is nothing to replace."""
    if "\\" not in text or ("\\ud" not in text and "\\uD" not in text):
        return None
    if not _ESCAPE.search(text):
        return None
    for digit in _STAND_INS:
        if not _uses(text, digit):
            return StandIn(_replaced(text, digit), digit)
    return None  # all five blocks are in use: libyaml will refuse the first escape


def settle_halves(event: Any, on_lone: OnLone | None) -> None:
    """Join the surrogate pairs in a scalar event's value.

    What is half of no pair becomes U+FFFD, after a call of `on_lone`.
    """
    try:
        event.value.encode("utf-8")
    except UnicodeEncodeError:
        utf16 = event.value.encode("utf-16-le", "surrogatepass")
        event.value = utf16.decode("utf-16-le", "replace")
        if on_lone is not None and "\ufffd" in event.value:
            on_lone(event)


def lone_escapes(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and end offsets of each escape that is half of no pair.

    `start` and `end` bound the part of the text to look at (RFC 8259 section 8.2).
    """
    high: tuple[int, int] | None = None
    for match in _ESCAPE.finditer(text, start, end):
        here = (match.end() - _ESCAPE_LENGTH, match.end())
        is_high = int(match[1], 16) < 0xDC00
        if high and high[1] == here[0] and not is_high:
            high = None
            continue
        if high:
            yield high
        high = None
        if is_high:
            high = here
        else:
            yield here
    if high:
        yield high


def _uses(text: str, digit: str) -> bool:
    """Tell whether the text holds a character of the block, raw or as an escape."""
    block = int(digit, 16) << 12
    raw = f"[{chr(block + 0x800)}-{chr(block + 0xFFF)}]"
    escaped = rf"\\(?:u|U0000)[{digit}{digit.upper()}][89a-fA-F]"
    return bool(re.search(f"{raw}|{escaped}", text))


def _replaced(text: str, digit: str) -> str:
    """Return the text with a digit in place of the `d` of each surrogate escape."""
    cases = {"d": digit, "D": digit.upper()}
    return _ESCAPE.sub(lambda match: f"{match[0][:-4]}{cases[match[1][0]]}{match[1][1:]}", text)


def _restored_literal(match: re.Match[str]) -> str:
    return "\\ud" if match[1].islower() else "\\uD"
