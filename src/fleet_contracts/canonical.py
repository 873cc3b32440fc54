"""Values to canonical bytes to digests (RFC 8785 over an I-JSON subset, spec section 2)."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias

import msgspec

from fleet_contracts.errors import FleetError
from fleet_contracts.pointer import Pointer, format_pointer

MAX_INTEGER = 2**53 - 1
"""The largest magnitude of an integer in content (RFC 7493 section 2.2)."""

ProblemKind: TypeAlias = Literal["fraction", "big-integer", "lone-surrogate", "not-json"]

_WORDS: dict[ProblemKind, str] = {
    "fraction": "a number that is not a plain integer",
    "big-integer": "an integer beyond 2^53-1",
    "lone-surrogate": "a string with half of a surrogate pair",
    "not-json": "something that is no JSON value",
}

_encode = msgspec.json.Encoder(order="sorted").encode
_ASTRAL_LEADS = b"\xf0\xf1\xf2\xf3\xf4"  # first UTF-8 bytes of U+10000 and above
_UPPER_LEADS = b"\xee\xef"  # first UTF-8 bytes of U+E000 to U+FFFF
_OTHER_BYTES = bytes(set(range(256)) - set(_ASTRAL_LEADS) - set(_UPPER_LEADS))


class CanonicalError(FleetError, ValueError):
    """A value has no canonical bytes; `kind` says why and `pointer` where."""

    def __init__(self, kind: ProblemKind, pointer: Pointer, message: str = "") -> None:
        """Say what was found and where, unless `message` does."""
        where = format_pointer(pointer).encode("utf-8", "backslashreplace").decode()
        super().__init__(message or f"found {_WORDS[kind]} at {where or 'the top'}")
        self.kind = kind
        self.pointer = pointer


class FreeFormProblem(NamedTuple):
    """One thing in a free-form value that content cannot hold."""

    kind: ProblemKind
    pointer: Pointer


def digest(data: bytes) -> str:
    """Return the digest of raw bytes: `sha256:` and 64 lower-case hex digits (spec section 2)."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def check_free_form(value: Any, pointer: Pointer = ()) -> list[FreeFormProblem]:
    """Return all that keeps a plain value out of content, in document order (spec section 2).

    Types are compared exactly: dict with str keys, list, str, int, bool and None pass.
    A float or `Decimal` is a `fraction` whatever its value. `pointer` is where the value
    stands in its document. Raises `RecursionError` when the value is nested without end.
    """
    found: list[FreeFormProblem] = []
    _walk(value, pointer, found)
    return found


def _walk(value: Any, pointer: Pointer, found: list[FreeFormProblem]) -> None:
    kind = type(value)
    if kind is str:
        if not value.isascii() and not _is_unicode(value):
            found.append(FreeFormProblem("lone-surrogate", pointer))
    elif kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                found.append(FreeFormProblem("not-json", pointer))
            elif not key.isascii() and not _is_unicode(key):
                found.append(FreeFormProblem("lone-surrogate", (*pointer, key)))
            else:
                _walk(item, (*pointer, key), found)
    elif kind is list:
        for index, item in enumerate(value):
            _walk(item, (*pointer, index), found)
    elif kind is int:
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            found.append(FreeFormProblem("big-integer", pointer))
    elif kind is float or kind is Decimal:
        found.append(FreeFormProblem("fraction", pointer))
    elif kind is not bool and value is not None:
        found.append(FreeFormProblem("not-json", pointer))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def canonical_bytes(value: Any) -> bytes:
    """Return the canonical bytes of plain data (RFC 8785, spec section 2).

    Raises `CanonicalError` with the JSON Pointer of the first thing that content cannot
    hold (see `check_free_form`), or when the value is nested too deeply to be written.
    """
    try:
        problems = check_free_form(value)
        if problems:
            raise CanonicalError(*problems[0])
        data = _encode(value)
        return data if data.isascii() else _in_utf16_order(data)
    except RecursionError:
        raise CanonicalError("not-json", (), "found a value nested too deeply") from None


def encode(struct: msgspec.Struct) -> bytes:
    """Return the canonical bytes of a typed content document (RFC 8785, spec section 2).

    The struct must hold no floats, and its free-form fields must have passed
    `check_free_form`: neither is looked at again here.
    """
    data = _encode(struct)
    return data if data.isascii() else _in_utf16_order(data)


def _in_utf16_order(data: bytes) -> bytes:
    """Return sorted JSON with its keys in the order of UTF-16 units (RFC 8785 section 3.2.3).

    The encoder sorts by code points. The two orders differ only between characters beyond
    U+FFFF and those from U+E000 to U+FFFF, so bytes that do not hold both are right as they are.
    """
    leads = data.translate(None, _OTHER_BYTES)
    if not leads.translate(None, _UPPER_LEADS) or not leads.translate(None, _ASTRAL_LEADS):
        return data
    import rfc8785  # noqa: PLC0415 # rarely needed

    return rfc8785.dumps(msgspec.json.decode(data))


def canonical_json_text(text: str) -> bytes:
    """Return the RFC 8785 bytes of any strict JSON text, its numbers read as IEEE doubles.

    Raises `ValueError` for text that is not JSON (RFC 8259), duplicate keys, NaN, numbers
    that overflow a double, lone surrogates, and nesting too deep to be read.
    """
    import rfc8785  # noqa: PLC0415 # rarely needed

    try:
        value = json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_int=float,
            parse_constant=_refuse_constant,
        )
        return rfc8785.dumps(value)
    except json.JSONDecodeError as error:
        raise ValueError(_unreadable(text, error.pos)) from None
    except UnicodeEncodeError:
        raise ValueError("found a string with half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("found JSON nested too deeply") from None


def _unreadable(text: str, index: int) -> str:
    if index >= len(text):
        return "it ends too early"
    return f"found {text[index : index + 20]!r} at character {index + 1}"


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"found the key {twice!r} twice in one object")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"found {name}, which is not JSON")
