"""Pinned images and sizes, as authors write them (spec sections 2 and 5)."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal, NamedTuple

_IMAGE_ID = re.compile(r"sha256:[0-9a-f]{64}")
_NAMED = re.compile(r"([^@]+)@(sha256:[0-9a-f]{64})")
_COMPONENT = r"[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*"
_REPOSITORY = re.compile(
    r"(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]{1,5})?/)?"
    rf"{_COMPONENT}(?:/{_COMPONENT})*"
)
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([kKMGT]?i?B)")
_UNITS = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}
MAX_SIZE = 2**53 - 1


class PinnedImage(NamedTuple):
    """An image ID or a named image; the two are never converted into each other."""

    kind: Literal["image_id", "named"]
    value: str


class TagBeside(ValueError):
    """An image with a tag beside its digest; `bare` is the reference without the tag."""

    def __init__(self, message: str, bare: str) -> None:
        super().__init__(message)
        self.bare = bare


def parse_image(text: str) -> PinnedImage:
    """Return a pinned image.

    Raises `ValueError` when the reference is not pinned, and `TagBeside` when it carries a
    tag, too.

    >>> parse_image("debian:12@sha256:" + "0" * 64)
    Traceback (most recent call last):
    ...
    fleet_contracts.images.TagBeside: 'debian:12' has a tag beside the digest
    """
    if _IMAGE_ID.fullmatch(text):
        return PinnedImage("image_id", text)
    named = _NAMED.fullmatch(text)
    if named is None:
        raise ValueError(f"{text!r} is not pinned by a digest")
    repository = named[1]
    path, slash, name = repository.rpartition("/")
    if ":" in name:
        bare = f"{path}{slash}{name.partition(':')[0]}@{named[2]}"
        raise TagBeside(f"{repository!r} has a tag beside the digest", bare)
    if not _REPOSITORY.fullmatch(repository):
        raise ValueError(f"{repository!r} is no image repository: lower-case names between '/'")
    return PinnedImage("named", text)


def parse_size(value: int | str) -> int:
    """Return a number of bytes, from 1 to 2^53-1.

    Takes a whole number or text with a unit. Raises `ValueError` when it is not a whole
    number of bytes or outside that range.

    >>> parse_size("1.5KiB"), parse_size("2 MB"), parse_size(7)
    (1536, 2000000, 7)
    """
    size = value if isinstance(value, int) else _parse_unit(value)
    if not 1 <= size <= MAX_SIZE:
        raise ValueError("a size is from 1 to 2^53-1 bytes")
    return size


def _parse_unit(text: str) -> int:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a size")
    unit = match[2]
    factor = (1024 if "i" in unit else 1000) ** _UNITS[unit.rstrip("B").rstrip("i")]
    size = Decimal(match[1]) * factor
    if size != int(size):
        raise ValueError(f"{text!r} is not a whole number of bytes")
    return int(size)
