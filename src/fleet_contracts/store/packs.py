"""Which objects stand in which layer of a root, and the bytes of a pack (spec section 3).

A pack is the canonical JSON `[[digest, size], ...]`, a line feed, then the bytes of the
objects in that order. Everything here follows from digests and sizes alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import msgspec

from fleet_contracts.store.model import BIG_OBJECT, Ref, Root, StoreError

MAX_LAYERS = 300
MAX_COMMON_OBJECTS = 1_000
MAX_COMMON_BYTES = 64 << 20
MAX_TABLE_BYTES = 1 << 20
"""No table of 1,001 entries comes near this; a longer first line is no table."""

_DIGEST_LENGTH = len("sha256:") + 64


@dataclass(frozen=True, slots=True)
class Layout:
    """The layers of one root after its document, in manifest order."""

    big: tuple[Ref, ...]
    packs: tuple[tuple[Ref, ...], ...]


def lay_out(root: Root) -> Layout:
    """Return which layers a root needs (spec section 3).

    Raises `StoreError` FLT6003 when there are more than 300, the document's among them.
    """
    seen = {root.document.digest}
    big: dict[str, Ref] = {}
    packs: list[tuple[Ref, ...]] = []
    for pack in root.task_packs:
        wanted = pack.tasks if pack.page is None else (pack.page, *pack.tasks)
        small = {ref.digest: ref for ref in wanted if ref.size < BIG_OBJECT}
        big.update((ref.digest, ref) for ref in wanted if ref.size >= BIG_OBJECT)
        if small:
            packs.append(tuple(small.values()))
    common: list[Ref] = []
    for ref in root.common:
        if ref.digest in seen:
            continue
        seen.add(ref.digest)
        if ref.size < BIG_OBJECT:
            common.append(ref)
        else:
            big[ref.digest] = ref
    big.pop(root.document.digest, None)
    packs.extend(cut_common(sorted(common)))
    layers = 1 + len(big) + len(packs)
    if layers > MAX_LAYERS:
        raise StoreError(
            "FLT6003",
            f"the root {root.name!r} needs {layers} layers, at most {MAX_LAYERS} are possible: "
            f"one for each of its {len(big)} objects of 1 MiB or more, {len(packs)} for all "
            "smaller ones, one for the root document",
            "",
            help="split it into several roots, or make fewer of its objects 1 MiB or larger",
        )
    return Layout(tuple(sorted(big.values())), tuple(packs))


def cut_common(refs: Iterable[Ref]) -> Iterator[tuple[Ref, ...]]:
    """Cut objects, sorted by digest, into common packs (spec section 3).

    A pack ends after a digest whose first four bytes, big-endian, are 0 modulo 512, at
    1,000 objects, or before its objects would pass 64 MiB.
    """
    pack: list[Ref] = []
    size = 0
    for ref in refs:
        if pack and size + ref.size > MAX_COMMON_BYTES:
            yield tuple(pack)
            pack, size = [], 0
        pack.append(ref)
        size += ref.size
        if len(pack) == MAX_COMMON_OBJECTS or int(ref.digest[7:15], 16) % 512 == 0:
            yield tuple(pack)
            pack, size = [], 0
    if pack:
        yield tuple(pack)


def frame(refs: Sequence[Ref]) -> bytes:
    """Return what stands before the objects in a pack: the table and a line feed."""
    return msgspec.json.encode(refs) + b"\n"


def read_table(file: BinaryIO, size: int, name: str) -> tuple[list[Ref], int]:
    """Read the table of a pack of `size` bytes; return it and where the objects begin.

    Only the table is read. Raises `StoreError` FLT6001, with `name` as the file at fault,
    when it is no table or does not add up to `size`.
    """
    line = file.readline(MAX_TABLE_BYTES)
    try:
        table = msgspec.json.decode(line, type=list[tuple[str, int]])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        table = []
    refs = [Ref(*entry) for entry in table]
    whole = len(line) + sum(ref.size for ref in refs)
    if not refs or line != frame(refs) or whole != size or not all(map(_is_entry, refs)):
        raise StoreError(
            "FLT6001",
            f"the pack {name} does not begin with a table of what it holds",
            name,
            help="copy the store again from where it came from, or compile it anew",
        )
    return refs, len(line)


def _is_entry(ref: Ref) -> bool:
    return 0 <= ref.size < BIG_OBJECT and is_digest(ref.digest)


def is_digest(text: str) -> bool:
    """Whether a text is `sha256:` and 64 lower-case hex digits (spec section 2)."""
    return (
        len(text) == _DIGEST_LENGTH
        and text.startswith("sha256:")
        and not text[7:].strip("0123456789abcdef")
    )
