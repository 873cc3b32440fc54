"""A key and its value without `: ` between them, which YAML reads as one text."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from fleet_contracts.diagnostics.model import Edit

_GLUED = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)(:| *=+ *| +)([^\s/:=][^\r\n]*)")
_STARTS_VALUE = tuple("\"'[{")


class Glued(NamedTuple):
    """The key and what stands right behind its `:`, as far as it was read as one text."""

    name: str
    gap: str
    rest: str

    @property
    def starts_value(self) -> bool:
        """Whether a bracket or quote says that the rest is no part of the key."""
        return self.rest.startswith(_STARTS_VALUE)

    @property
    def apart(self) -> str:
        """Both as they were meant."""
        return f"{self.name}: {self.rest}"

    @property
    def edit(self) -> Edit:
        """The edit that puts `: ` between them."""
        return Edit(f"{self.name}{self.gap}{self.rest}", self.apart, bare=True)

    @property
    def help(self) -> str:
        """What to do about it."""
        return "put a space after the ':'" if self.gap == ":" else f"put ':' behind `{self.name}`"


def glued_text(text: str) -> Glued | None:
    """Return what a text consists of that was most likely meant as a key and its value.

    >>> glued_text("expected:42")
    Glued(name='expected', gap=':', rest='42')
    >>> glued_text("https://example.org") is None
    True
    """
    found = _GLUED.fullmatch(text)
    return Glued(*found.groups()) if found else None


def glued_key(key: str, value: Any) -> Glued | None:
    """Return what a key consists of that has swallowed its value or the start of it.

    >>> glued_key("expected:42", None)
    Glued(name='expected', gap=':', rest='42')
    >>> glued_key("shell {builtin", "terminal@v1")
    Glued(name='shell', gap=' ', rest='{builtin')
    """
    found = glued_text(key)
    return found if found and (value is None or found.starts_value) else None


def meant_key(key: str, value: Any) -> str:
    """Return the key without what it has swallowed."""
    found = glued_key(key, value)
    return found.name if found else key
