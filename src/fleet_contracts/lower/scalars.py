"""Scalars of authored documents in the one spelling content has (spec section 2)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from fleet_contracts import decimal_text, images
from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.models import content as c
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope

T = TypeVar("T")

_STAND_IN_IMAGE = c.ImageId(value="sha256:" + "0" * 64)


def decimal(scope: Scope, value: Any, at: Pointer, *, fraction: int | None = None) -> str:
    """Return a decimal's canonical text.

    `fraction` limits the digits after the point (18 for what is computed with).
    """
    try:
        text = decimal_text.normalise(value)
    except decimal_text.DecimalError as error:
        scope.report("FLT2021", str(error), at, help="write fewer digits")
        return "0"
    if fraction is not None and "." in text and decimal_text.fraction_digits(text) > fraction:
        found = decimal_text.fraction_digits(text)
        message = f"found {found} digits after the point, at most {fraction} are exact here"
        scope.report("FLT2021", message, at, help="round it to the digits that matter")
        return "0"
    return text


def score(scope: Scope, value: Any, at: Pointer) -> str:
    """Return the canonical text of a bound, weight, threshold or reading."""
    return decimal(scope, value, at, fraction=decimal_text.MAX_FRACTION)


def image(scope: Scope, text: str, at: Pointer) -> c.ImageId | c.NamedImage:
    """Return a pinned image."""
    try:
        pinned = images.parse_image(text)
    except images.TagBeside as error:
        help = "remove the tag; the digest alone is the pin"
        scope.report("FLT2022", str(error), at, help=help, fix=Edit(text, error.bare))
        return _STAND_IN_IMAGE
    except ValueError as error:
        scope.report("FLT2022", str(error), at, help="write `repository@sha256:<64 hex>`")
        return _STAND_IN_IMAGE
    if pinned.kind == "image_id":
        return c.ImageId(value=pinned.value)
    return c.NamedImage(value=pinned.value)


def size(scope: Scope, value: int | str | UnsetType, at: Pointer) -> int | UnsetType:
    """Return a size in bytes, absent where it is absent."""
    if value is UNSET:
        return UNSET
    try:
        return images.parse_size(value)
    except ValueError as error:
        scope.report("FLT2023", str(error), at, help="write whole bytes, e.g. 2GiB")
        return 1


def tree_path(scope: Scope, path: str, at: Pointer) -> str:
    """Return a path of `/`-separated segments unchanged, after looking at each segment."""
    body = path[1:] if path.startswith("/") else path
    segments = body.split("/") if body else []
    if any(segment in ("", ".", "..") for segment in segments):
        tidy = "/".join(segment for segment in segments if segment not in ("", "."))
        root = "/" if path.startswith("/") else ""
        scope.report(
            "FLT3003",
            f"{path!r} has an empty, '.' or '..' segment",
            at,
            help="write it without '..'" if ".." in segments else f"write {root + tidy!r}",
        )
    return path


def members(
    scope: Scope,
    items: Iterable[tuple[str, T]],
    at: Pointer,
    what: str,
    *,
    key: str = "",
) -> list[T]:
    """Return the members of a set sorted by the UTF-8 bytes of their keys.

    `items` pairs each member with its key, in authored order; a key that stands twice is
    reported at its second place. `key` is the field that holds the key, if there is one.
    """
    found: dict[str, T] = {}
    for index, (name, item) in enumerate(items):
        if name in found:
            place = (*at, index, key) if key else (*at, index)
            scope.report("FLT4010", f"{what} {name!r} is listed twice", place, help="remove one")
        found.setdefault(name, item)
    return [found[name] for name in sorted(found)]


def distinct_keys(scope: Scope, keys: Iterable[str], at: Pointer, what: str) -> None:
    """Report keys that differ only by Unicode normal form or letter case."""
    seen: dict[str, str] = {}
    for name in keys:
        folded = unicodedata.normalize("NFC", name).casefold()
        other = seen.setdefault(folded, name)
        if other != name:
            message = f"{what} {name!r} and {other!r} differ only by letter case or Unicode form"
            scope.report("FLT1023", message, (*at, name), key=True, help="rename one of them")


def absent_if_empty(value: T) -> T | UnsetType:
    """Return an empty collection as absent."""
    return value if value else UNSET


def each(items: list[T] | UnsetType, name: Callable[[T], str]) -> list[tuple[str, T]]:
    """Return the members of an authored set with their keys, none where it is absent."""
    return [] if items is UNSET else [(name(item), item) for item in items]
