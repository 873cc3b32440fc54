"""Tags of the core schema of YAML 1.2 (section 10.3): honoured, others refused."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from fleet_contracts.reading.core_schema import Refusal, resolve

_CORE = "tag:yaml.org,2002:"
_SCALAR_TAGS = ("str", "int", "float", "bool", "null")
_COLLECTION_TAGS = ("map", "seq")
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+").fullmatch
_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
    "map": "a map",
    "seq": "a list",
}


def tagged_value(tag: str, text: str) -> Any:
    """Return the value of a tagged scalar, or a `Refusal`.

    `!` is the non-specific tag: the scalar is a string, whatever it looks like
    (section 6.8.2), but nothing at all is refused. Refuses with FLT1030, FLT1031 or as
    the plain scalar would be.
    """
    name = _core_name(tag)
    if name is None:
        return _custom(tag)
    if name == "" and not text:
        return Refusal(
            "FLT1031",
            "the tag ! stands before nothing, which some readers take for null",
            'write "" for an empty string, or null',
        )
    if name in ("", "str"):
        return text
    if name in _COLLECTION_TAGS:
        return _mismatch(name, "a scalar")
    value = resolve(text)
    if type(value) is Refusal and name in ("int", "float"):
        return value
    fits = {
        "int": type(value) is int and bool(_INTEGER(text)),
        "float": type(value) in (int, Decimal) and not text.startswith(("0x", "0o")),
        "bool": type(value) is bool,
        "null": value is None,
    }
    return value if fits[name] else _mismatch(name, f'"{text[:40]}"')


def collection_refusal(tag: str, *, is_map: bool) -> Refusal | None:
    """Return why a map or list cannot have this tag, or None if it can."""
    name = _core_name(tag)
    if name is None:
        return _custom(tag)
    if name in ("", "map" if is_map else "seq"):
        return None
    return _mismatch(name, "a map" if is_map else "a list")


def has_bracket(tag: str) -> bool:
    """Tell whether the name of a tag holds a comma or bracket."""
    return any(character in tag.removeprefix(_CORE) for character in ",[]{}")


def _core_name(tag: str) -> str | None:
    """Return the short name of a core tag, empty for `!`, None for any other tag."""
    if tag == "!":
        return ""
    name = tag.removeprefix(_CORE)
    return name if name != tag and name in _SCALAR_TAGS + _COLLECTION_TAGS else None


def _custom(tag: str) -> Refusal:
    shown = f"!!{tag.removeprefix(_CORE)}" if tag.startswith(_CORE) else tag
    return Refusal(
        "FLT1030",
        f"the tag {shown} is not one of the core schema",
        "remove the tag, or quote the text if it starts with '!'; allowed are !!str, !!int,"
        " !!float, !!bool, !!null, !!map and !!seq",
    )


def _mismatch(name: str, found: str) -> Refusal:
    expected = _EXPECTED.get(name, "a string")
    return Refusal(
        "FLT1031",
        f"the tag !!{name} asks for {expected}, found {found}",
        "remove the tag, or correct the value",
    )
