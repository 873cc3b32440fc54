"""Text of a dataset's template that other tools would take for a placeholder.

To us it is plain text (ADR 0013), which is right in a prompt about templates, and mostly a
slip elsewhere: every Task would get the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from fleet_contracts.diagnostics.model import Edit, Part
from fleet_contracts.pointer import Pointer, Token

_FIELD = r"row(?:\.\w+)+"
_LOOK_ALIKE = re.compile(
    rf"(?<![\w$])(?:\{{\{{? *(?P<braces>{_FIELD}|index) *\}}\}}?"
    rf"|\$(?P<bare>{_FIELD})"
    rf"|\$\( *(?P<round>{_FIELD}|index) *\)"
    rf"|%\((?P<percent>{_FIELD})\)s"
    rf"|<(?P<angle>{_FIELD})>)"
)


class LookAlike(NamedTuple):
    """Text that looks like a placeholder, and the placeholder that was most likely meant."""

    part: Part
    text: str
    meant: str

    @property
    def edit(self) -> Edit:
        """The edit that makes it the placeholder."""
        return Edit(self.text, self.meant)


def look_alikes(text: str) -> Iterator[LookAlike]:
    """Yield what looks like a placeholder in a string of a template.

    >>> [each.meant for each in look_alikes("{{ row.question }} or $row.answer")]
    ['${row.question}', '${row.answer}']
    >>> list(look_alikes("${row.question}, {question} and f(index)"))
    []
    """
    for found in _LOOK_ALIKE.finditer(text):
        name = next(each for each in found.groups() if each)
        yield LookAlike(Part(*found.span()), found[0], f"${{{name}}}")


def strings(value: Any, pointer: Pointer = ()) -> Iterator[tuple[Pointer, str]]:
    """Yield each string value of plain data and where it stands."""
    if isinstance(value, str):
        yield pointer, value
        return
    members: Iterable[tuple[Token, Any]] = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for token, item in members:
        yield from strings(item, (*pointer, token))
