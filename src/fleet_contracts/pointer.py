"""JSON Pointers (RFC 6901) as tuples of tokens."""

from __future__ import annotations

from typing import TypeAlias

Token: TypeAlias = str | int
Pointer: TypeAlias = tuple[Token, ...]


def format_pointer(pointer: Pointer) -> str:
    """Return the text form of a pointer.

    >>> format_pointer(("tasks", "a/b", "verifiers", 0))
    '/tasks/a~1b/verifiers/0'
    >>> format_pointer(())
    ''
    """
    return "".join(f"/{str(token).replace('~', '~0').replace('/', '~1')}" for token in pointer)


def parse_pointer(text: str) -> tuple[str, ...]:
    """Return the tokens of a pointer's text form; every token is a string.

    Raises `ValueError` when the text is not empty and does not start with `/`, or
    holds a `~` that is not followed by `0` or `1` (RFC 6901 section 3).

    >>> parse_pointer("/tasks/a~1b/0")
    ('tasks', 'a/b', '0')
    """
    if not text:
        return ()
    if not text.startswith("/"):
        raise ValueError(f"a JSON Pointer starts with '/', found {text!r}")
    tokens = []
    for raw in text[1:].split("/"):
        rest = raw.replace("~0", "").replace("~1", "")
        if "~" in rest:
            raise ValueError(f"'~' must be written '~0' in a JSON Pointer, found {text!r}")
        tokens.append(raw.replace("~1", "/").replace("~0", "~"))
    return tuple(tokens)
