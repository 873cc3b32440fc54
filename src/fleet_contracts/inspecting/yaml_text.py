"""Plain data as YAML that every version of YAML reads alike."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# Whatever may look like something else is quoted: what is plain here is a string for all readers.
_PLAIN = re.compile(r"[A-Za-z_/](?:[A-Za-z0-9_./@,()+$'-]|:(?=[A-Za-z0-9/])| (?=[A-Za-z0-9(/]))*")
_WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])
_LONGEST_PLAIN = 120
_LONGEST_KEY = 1000
"""A key that is not announced by `?` has at most 1,024 characters (YAML 1.2, section 7.4)."""

_INDENT = "  "


@dataclass(frozen=True, slots=True)
class YamlWriter:
    """Writes JSON values as YAML; with `ascii_only` all other characters are escaped."""

    ascii_only: bool = False

    def lines(self, value: Any) -> Iterator[str]:
        """Yield the lines of a map or a list; keys stay in their order.

        Text of several lines is a literal block where one can hold it exactly.
        """
        if value and isinstance(value, dict):
            for key, item in value.items():
                yield from self._pair(self._scalar(key), item)
        elif value and isinstance(value, list):
            for item in value:
                if item and isinstance(item, dict | list):
                    head, *rest = self.lines(item)
                    yield f"- {head}"
                    yield from map(_indented, rest)
                else:
                    yield from self._placed("-", item)
        else:
            yield self._scalar(value)

    def _pair(self, key: str, value: Any) -> Iterator[str]:
        if len(key) <= _LONGEST_KEY:
            yield from self._placed(f"{key}:", value)
        else:
            yield f"? {key}"
            yield from self._placed(":", value)

    def _placed(self, head: str, value: Any) -> Iterator[str]:
        """Yield a value behind a key or a dash, below it when it is more than one line."""
        if value and isinstance(value, dict | list):
            yield head
            yield from map(_indented, self.lines(value))
        elif isinstance(value, str) and self._fits_block(value):
            yield f"{head} {'|' if value.endswith(chr(10)) else '|-'}"
            yield from map(_indented, value.removesuffix("\n").split("\n"))
        else:
            yield f"{head} {self._scalar(value)}"

    def _fits_block(self, text: str) -> bool:
        """Whether a literal block keeps a text: several lines, nothing that a reader changes."""
        lines = text.removesuffix("\n").split("\n")
        return (
            len(lines) > 1
            and bool(lines[0].strip())
            and not lines[0].startswith(" ")
            and bool(lines[-1])
            and all(line.isprintable() and (line.strip() or not line) for line in lines)
            and (text.isascii() or not self.ascii_only)
        )

    def _scalar(self, value: Any) -> str:
        if not isinstance(value, str):
            return json.dumps(value)
        is_plain = len(value) <= _LONGEST_PLAIN and _PLAIN.fullmatch(value)
        if is_plain and value.lower() not in _WORDS:
            return value
        return '"' + "".join(map(self._escaped, value)) + '"'

    def _escaped(self, character: str) -> str:
        if character in '"\\':
            return f"\\{character}"
        if character.isprintable() and (character.isascii() or not self.ascii_only):
            return character
        point = ord(character)
        if point < 0x10000:
            return f"\\u{point:04x}"
        return f"\\U{point:08x}"


def _indented(line: str) -> str:
    return _INDENT + line if line else ""
