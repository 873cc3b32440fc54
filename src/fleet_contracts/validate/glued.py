"""A key and its value without a space between them, which YAML reads as one text."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from fleet_contracts.diagnostics.model import Edit

_GLUED = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):([^\s/:][^\r\n]*)")
_STARTS_VALUE = tuple("\"'[{")


class Glued(NamedTuple):
    """The key and what stands right behind its `:`, as far as it was read as one text."""

    name: str
    rest: str

    @property
    def apart(self) -> str:
        """Both with the space that is missing."""
        return f"{self.name}: {self.rest}"

    @property
    def edit(self) -> Edit:
        """The edit that puts the space there."""
        return Edit(f"{self.name}:{self.rest}", self.apart, bare=True)


def glued_text(text: str) -> Glued | None:
    """Return what a text consists of that was most likely meant as a key and its value.

    >>> glued_text("expected:42")
    Glued(name='expected', rest='42')
    >>> glued_text("https://example.org") is None
    True
    """
    found = _GLUED.fullmatch(text)
    return Glued(found[1], found[2]) if found else None


def glued_key(key: str, value: Any) -> Glued | None:
    """Return what a key consists of that has swallowed its value or the start of it.

    >>> glued_key("expected:42", None)
    Glued(name='expected', rest='42')
    >>> glued_key("shell:{builtin", "terminal@v1")
    Glued(name='shell', rest='{builtin')
    """
    found = glued_text(key)
    return found if found and (value is None or found.rest.startswith(_STARTS_VALUE)) else None
