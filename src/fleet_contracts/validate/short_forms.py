"""A value where a map belongs that holds it: `mode: none` written as `none`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from fleet_contracts import schemas
from fleet_contracts.validate.shapes import Shape, branches, follow, is_union, kinds, reference_of

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./@:-]*(?<!:)")
_WORD = re.compile(r"[A-Za-z]")


_FILE_ENDINGS = (".yaml", ".yml", ".json")
_BUILTIN = re.compile(r"[a-z0-9][a-z0-9._-]*@v[1-9][0-9]*")
_PINNED = re.compile(r"(?:^|@)sha256:[0-9a-f]{64}$")


def environment_for(text: str) -> str:
    """Return the Environment that text stands for where a local name belongs, empty for none."""
    if text.endswith(_FILE_ENDINGS):
        return f"{{file: {_scalar(text)}}}"
    if _BUILTIN.fullmatch(text):
        return f"{{builtin: {text}}}"
    return f'{{image_ref: "{text}"}}' if _PINNED.search(text) else ""


def as_map(shape: Shape, value: Any) -> str | None:
    """Return the one map, as YAML in brackets, that a string or number is short for.

    That is a map whose required keys have one value each, but for at most one, which takes
    the value. None where there is no such map, or more than one.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        return None
    found = list(dict.fromkeys(_maps(follow(shape), value)))
    return found[0] if len(found) == 1 else None


def _maps(shape: Shape, value: Any) -> Iterator[str]:
    if is_union(shape):
        for branch in branches(shape):
            yield from _maps(branch, value)
        return
    if shape.title == "Environment" and isinstance(value, str):
        meant = environment_for(value)
        if meant:
            yield meant
        return
    required = shape.schema.get("required")
    if "object" not in kinds(shape) or not required:
        return
    parts = {key: shape.part(shape.properties[key]) for key in required if key in shape.properties}
    constants = {key: each for key, part in parts.items() if (each := _constant(part)) is not None}
    rest = [key for key in parts if key not in constants]
    if not rest and value in constants.values():
        yield _flow(constants)
    elif len(rest) == 1 and _accepts(parts[rest[0]], value):
        yield _flow({key: constants.get(key, value) for key in parts})


def _constant(part: Shape) -> str | None:
    schema = follow(part).schema
    only = schema.get("enum", [schema.get("const")])
    return only[0] if len(only) == 1 and isinstance(only[0], str) else None


def _accepts(part: Shape, value: Any) -> bool:
    reference = reference_of(part)
    return reference is not None and schemas.validator(reference).is_valid(value)


def _flow(fields: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{key}: {_scalar(each)}" for key, each in fields.items()) + "}"


def _scalar(value: Any) -> str:
    if not isinstance(value, str):
        return str(value)
    is_plain = _PLAIN.fullmatch(value) and _WORD.match(value)
    return value if is_plain else json.dumps(value, ensure_ascii=False)
