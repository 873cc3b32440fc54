"""What a word of a command line names in a store: a root, a Task, or any object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fleet_contracts.diagnostics.text import visible
from fleet_contracts.errors import FleetError, UnresolvedError, UsageError
from fleet_contracts.inspecting.documents import broken
from fleet_contracts.inspecting.tasksets import entries, find_task, keys_near, read_taskset
from fleet_contracts.store.model import Ref
from fleet_contracts.store.reader import Store, StoredRoot
from fleet_contracts.suggest import closest

LEAST_DIGITS = 8
"""Hex digits that a digest needs when it is cut short."""

_ALL_DIGITS = 64
_PREFIX = "sha256:"
_HEX = re.compile(r"[0-9a-f]+")
_MOST_CHOICES = 10


@dataclass(frozen=True, slots=True)
class TaskPlace:
    """A TaskSet that is a root, and a key in it."""

    root: StoredRoot
    key: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a word names; `place` is where a Task that was named by its key stands."""

    ref: Ref
    place: TaskPlace | None = None


def find(store: Store, word: str) -> Found:
    """Return what `NAME`, `ROOT#key` or a digest names; a root's name comes first.

    A digest may be cut short to eight hex digits and go without `sha256:`. Raises
    `UnresolvedError` for what is not there, `UsageError` for a word that is no name of one
    thing, and what reading the store raises.
    """
    root = store.find(word)
    if root is not None:
        return Found(root.document)
    name, mark, key = word.rpartition("#")
    if mark:
        return _find_task(store, _taskset(store, name, key), key)
    digits = _digits(word)
    if digits is None:
        raise _unknown_name(store, word)
    return Found(_find_digest(store, digits))


def chunks_of(store: Store, ref: Ref) -> Iterator[bytes]:
    """Return the bytes of what was found, in pieces; raises what `Store.chunks` raises."""
    chunks = store.chunks(ref.digest) or store.carrier_chunks(ref.digest)
    assert chunks is not None  # it was found in this store
    return chunks


def places_of(store: Store, digest: str) -> Iterator[TaskPlace]:
    """Yield every place in the store's TaskSets where the Task with a digest stands."""
    for root in store.roots:
        if root.kind == "taskset":
            for entry in entries(store, read_taskset(store, root.document.digest)):
                if entry.ref.digest == digest:
                    yield TaskPlace(root, entry.key)


def _taskset(store: Store, name: str, key: str) -> StoredRoot:
    """Return the TaskSet that stands before the `#` of a word and the key behind it."""
    root = store.find(name)
    if root is None:
        digits = _digits(name)
        if digits is None:
            raise _unknown_name(store, name, key)
        ref = _find_digest(store, digits)
        root = next((root for root in store.roots if root.document == ref), None)
    if root is None or root.kind != "taskset":
        kind = "no root" if root is None else f"a root of kind {root.kind}"
        raise UsageError(
            f"{name!r} is {kind}, and only a TaskSet has Tasks",
            help="name a TaskSet; `fleet inspect` lists the roots",
        )
    return root


def _find_task(store: Store, root: StoredRoot, key: str) -> Found:
    content = read_taskset(store, root.document.digest)
    ref = find_task(store, content, key)
    if ref is not None:
        size = store.size(ref.digest)
        if size is None:
            broken(store, f"the store lacks the Task {ref.digest} of {_name(root)}")
        return Found(Ref(ref.digest, size), TaskPlace(root, key))
    shown = _name(root)
    guess = closest(key, keys_near(store, content, key))
    help = f"did you mean {shown}#{guess}?" if guess else f"`fleet inspect {shown}` lists its Tasks"
    raise UnresolvedError(f"the TaskSet {shown} has no Task {key!r}", help=help)


def _digits(word: str) -> str | None:
    """Return the hex digits of a digest; None for a word that is none.

    Raises `UsageError` for one that says it is a digest and cannot be.
    """
    says_so = word.lower().startswith(_PREFIX)
    digits = word.lower().removeprefix(_PREFIX)
    if not (_HEX.fullmatch(digits) and LEAST_DIGITS <= len(digits) <= _ALL_DIGITS):
        if says_so:
            raise UsageError(
                f"{word!r} is no digest",
                help=f"write sha256: and {LEAST_DIGITS} to {_ALL_DIGITS} hex digits",
            )
        return None
    return digits


def _find_digest(store: Store, digits: str) -> Ref:
    if len(digits) == _ALL_DIGITS:
        digest = _PREFIX + digits
        size = store.size(digest)
        ref = store.carrier(digest) if size is None else Ref(digest, size)
        found = [] if ref is None else [ref]
    else:
        found = store.starting(digits)
    if not found:
        raise _unknown_digest(store, digits)
    if len(found) > 1:
        few = ", ".join(ref.digest for ref in found[:_MOST_CHOICES])
        more = f" and {len(found) - _MOST_CHOICES:,} more" if len(found) > _MOST_CHOICES else ""
        raise UsageError(
            f"{digits} is the start of {len(found):,} digests: {few}{more}",
            help="give more of its hex digits",
        )
    return found[0]


def _unknown_digest(store: Store, digits: str) -> FleetError:
    """Return the error for a digest; a mistyped end still shows what was meant."""
    near = store.starting(digits[:LEAST_DIGITS])
    guess = near[0].digest if len(near) == 1 else closest(_PREFIX + digits, _root_digests(store))
    help = f"did you mean {guess}?" if guess else "`fleet inspect` lists the roots of the store"
    return UnresolvedError(f"no root holds {_PREFIX}{digits}", help=help)


def _unknown_name(store: Store, word: str, key: str | None = None) -> FleetError:
    """Return the error for a name that no root has; `key` is the Task that was asked for in it."""
    names = [root.name for root in store.roots if root.name is not None]
    near = closest(word, names)
    if near is not None and key is not None:
        near = f"{near}#{key}"
    guess = near or _root_with_task(store, word if key is None else key)
    help = "`fleet inspect` lists the roots of the store"
    if guess:
        help = f"did you mean {visible(guess)}?"
    elif _HEX.fullmatch(word) and len(word) < LEAST_DIGITS:
        help = f"give at least {LEAST_DIGITS} hex digits of a digest"
    elif 0 < len(names) <= _MOST_CHOICES:
        help = f"name one of {visible(', '.join(sorted(names)))}"
    return UnresolvedError(f"the store has no root {word!r}", help=help)


def _name(root: StoredRoot) -> str:
    return visible(root.name or root.document.digest)


def _root_with_task(store: Store, word: str) -> str | None:
    """Return `ROOT#key` where a word is the key of a Task in exactly one TaskSet."""
    holding = [
        _name(root)
        for root in store.roots
        if root.kind == "taskset"
        and find_task(store, read_taskset(store, root.document.digest), word) is not None
    ]
    return f"{holding[0]}#{word}" if len(holding) == 1 else None


def _root_digests(store: Store) -> list[str]:
    return [ref.digest for root in store.roots for ref in (root.document, root.manifest)]
