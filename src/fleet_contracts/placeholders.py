"""What a row puts in the place of `${row.field}` and `${index}` (spec section 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fleet_contracts.diagnostics.model import Edit, Part
from fleet_contracts.reading.core_schema import shortened
from fleet_contracts.reading.numbers import NumberText
from fleet_contracts.regex_dialect import SharedPattern
from fleet_contracts.suggest import closest

_LONGEST = 60
_UNNAMEABLE = re.compile(r"[.|}]")  # what ends a name in a placeholder
_SAFE = re.compile(r"\w+(?:[ -]\w+)*")  # means itself in every style of YAML


class TemplateError(Exception):
    """A placeholder that cannot be read, or that a row does not fill.

    `code` is a diagnostic code: FLT3030 and FLT4011 before any row is read, FLT1040 and
    FLT3031 to FLT3033 with a row. `part` is the placeholder in its string, where that is
    known; `fix` the edit of the placeholder that mends it.
    """

    def __init__(self, code: str, message: str, help: str = "", fix: Edit | None = None) -> None:
        """`help` is the fix in one sentence."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help
        self.fix = fix
        self.part: Part | None = None


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One placeholder of a string.

    `source` is how it is written. `path` names a field of the row, and a field of the map
    in it for each further name; an empty path means the index of the row. `pattern` is
    that of a capture, `start` the offset in the string.
    """

    source: str
    path: tuple[str, ...]
    pattern: SharedPattern | None = None
    start: int = 0

    def value(self, row: dict[str, Any], index: int) -> Any:
        """Return what stands for the placeholder, with its type.

        Numbers of JSON rows are `NumberText`, `index` is int. Raises `TemplateError`
        with FLT3031 for a field that is missing, FLT3032 for a capture that finds nothing
        and FLT3033 for a capture of something that is no text.
        """
        if not self.path:
            found: Any = index
        else:
            found = row
            for depth, name in enumerate(self.path):
                if type(found) is not dict or name not in found:
                    raise self._missing(found, depth)
                found = found[name]
        return found if self.pattern is None else self._captured(self.pattern, found)

    def text(self, row: dict[str, Any], index: int) -> str:
        """Return what stands for the placeholder inside a longer string or a Task key.

        Raises `TemplateError` as `value` does, and FLT3033 for null, lists and maps.
        """
        found = self.value(row, index)
        if type(found) is str:
            return found
        if type(found) is NumberText:
            return found.text
        if type(found) is bool:
            return "true" if found else "false"
        if type(found) is int:
            return str(found)
        raise TemplateError(
            "FLT3033",
            f"`{self.name}` is {_kind(found)}, expected something that can stand in a text",
            "name a field that holds a string or a number",
        )

    @property
    def part(self) -> Part:
        """Where the placeholder stands in its string."""
        return Part(self.start, self.start + len(self.source))

    @property
    def name(self) -> str:
        """What the placeholder names, e.g. `row.answer`."""
        return ".".join(("row", *self.path)) if self.path else "index"

    def _captured(self, pattern: SharedPattern, found: Any) -> str:
        if type(found) is NumberText:
            found = found.text
        elif type(found) is int:
            found = str(found)
        elif type(found) is not str:
            raise TemplateError(
                "FLT3033",
                f"`{self.name}` is {_kind(found)}, expected a string or a number to capture from",
                "name a field that holds text",
            )
        match = pattern.search(found)
        captured = match[1] if match else None
        if captured is None:
            raise TemplateError(
                "FLT3032",
                f"the pattern of `{shortened(self.source)}` finds nothing in {_tail(found)!r}",
                "change the pattern, or correct the row",
            )
        return str(captured)

    def _missing(self, found: Any, depth: int) -> TemplateError:
        """Return the problem of a value in which the name at a depth of the path is missing."""
        around = ".".join(("row", *self.path[:depth]))
        name = self.path[depth]
        if type(found) is not dict:
            message = f"`{around}` is {_kind(found)}, expected a map with the field {name!r}"
            return TemplateError("FLT3031", message, "name a field that every row has")
        message = f"`{around}` has no field {name!r}, found {_fields(found)}"
        advice = _advice(found, self.path[depth:])
        if advice:
            return TemplateError("FLT3031", message, advice)
        guess = _closest_field(name, tuple(found))
        if guess is None:
            return TemplateError("FLT3031", message, "name a field that every row has")
        fix = self._renamed(depth, guess) if _SAFE.fullmatch(guess) else None
        return TemplateError("FLT3031", message, f"did you mean `{guess}`?", fix)

    def _renamed(self, depth: int, name: str) -> Edit:
        """Return the edit that puts another name at a depth of the path."""
        path = ".".join(("row", *self.path[:depth], name, *self.path[depth + 1 :]))
        return Edit(self.source, self.source.replace(self.name, path, 1))


@lru_cache(maxsize=64)  # the same field is missing in row after row
def _closest_field(name: str, fields: tuple[str, ...]) -> str | None:
    return closest(name, [field for field in fields if not _UNNAMEABLE.search(field)])


def _advice(found: dict[str, Any], names: tuple[str, ...]) -> str:
    """Return what to do in the data about fields that it has in another form, empty for none."""
    if len(names) > 1 and ".".join(names) in found:
        return "rename the field in the data: a name with a dot cannot be named here"
    return ""


def _fields(found: dict[str, Any]) -> str:
    names = ", ".join(repr(shortened(name)) for name in list(found)[:6]) or "none"
    return f"{names}, …" if len(found) > 6 else names


def _kind(value: Any) -> str:
    kinds = {dict: "a map", list: "a list", bool: "true or false", str: "a string"}
    return "null" if value is None else kinds.get(type(value), "a number")


def _tail(text: str) -> str:
    """Return the end of a text, where answers stand."""
    return text if len(text) <= _LONGEST else f"…{text[-_LONGEST:]}"
