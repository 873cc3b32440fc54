"""`fleet.lock`: what builtin Environments expand to (spec section 5).

The lock is construction data, never content. Compiling uses what is locked and adds what
is missing; it never moves a pin.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from fleet_contracts import canonical, validate
from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.errors import UnresolvedError
from fleet_contracts.models.lock import Lock, LockedBuiltin
from fleet_contracts.project import open_regular
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.json import read_json
from fleet_contracts.source import Position, Source, Span
from fleet_contracts.validate.words import shown

LOCK_NAME = "fleet.lock"
LOCK_SCHEMAS = {"fleet.lock.v2": "lock/lock.v2.json", "fleet.lock.v1": "lock/lock.v1.json"}
_NO_LOCK = "restore it from version control, or delete it and run `fleet lock`"
CONFLICT_MARK = re.compile(r"^(?:<{7}|={7}|>{7})(?= |\r?$)", re.MULTILINE)


def entry_digest(entry: dict[str, Any]) -> str:
    """Return `catalog_entry`: the digest of `{ref, image, endpoints, native_tools}`."""
    fields = ("ref", "image", "endpoints", "native_tools")
    return canonical.digest(canonical.canonical_bytes({name: entry[name] for name in fields}))


@dataclass(slots=True)
class LockFile:
    """The lock of a project as it was read; `pins` is empty where there is no file.

    `text` is what stands in it, empty where there is none. `first_generation` says that the
    file is a `fleet.lock.v1`, which only `fleet lock` rewrites.
    """

    path: Path
    name: str = LOCK_NAME
    text: str = ""
    first_generation: bool = False
    exists: bool = False
    pins: dict[str, LockedBuiltin] = field(default_factory=dict)


def read_lock(root: Path, bag: Bag, sources: dict[str, Source]) -> LockFile | None:
    """Return the lock of a project root; None when it is refused, which is in the bag then."""
    path = root / LOCK_NAME
    lock = LockFile(path)
    try:
        with open_regular(path) as file:
            data = file.read()
    except FileNotFoundError:
        return lock
    except OSError as error:
        if path.is_file():
            raise UnresolvedError(f"cannot read {path}: {error.strerror}") from None
        message = f"expected a file, but {LOCK_NAME} is {'a folder' if path.is_dir() else 'none'}"
        bag.add(
            "FLT5001", message, Place(LOCK_NAME), help="move it away; `fleet lock` writes the file"
        )
        return None
    source = decode(data, LOCK_NAME, bag)
    if source is None:
        return None
    sources[LOCK_NAME] = source
    lock.exists = True
    lock.text = source.text
    value = _parse(source, bag)
    if value is None:
        return None
    before = bag.errors
    lock.first_generation = value["schema"] == "fleet.lock.v1"
    for index, entry in enumerate(value["builtins"]):
        pinned = {"endpoints": [], "native_tools": [], **entry}
        if not lock.first_generation and entry_digest(pinned) != entry["catalog_entry"]:
            bag.add(
                "FLT5001",
                f"the pin of {entry['ref']} was edited: its catalog_entry does not fit",
                Place(LOCK_NAME, ("builtins", index, "catalog_entry")),
                help="restore the file, or delete the entry and run `fleet lock`",
            )
        if entry["ref"] in lock.pins:
            bag.add(
                "FLT5001",
                f"{entry['ref']} is pinned twice",
                Place(LOCK_NAME, ("builtins", index, "ref")),
                help="delete one of the entries",
            )
        lock.pins[entry["ref"]] = msgspec.convert(pinned, LockedBuiltin)
    return None if bag.errors > before else lock


def _parse(source: Source, bag: Bag) -> dict[str, Any] | None:
    conflict = CONFLICT_MARK.search(source.text)
    if conflict is not None:
        line = source.text.count("\n", 0, conflict.start()) + 1
        span = Span(Position(line, 1), Position(line, 1 + len(conflict[0])))
        bag.add(
            "FLT5002",
            "found conflict markers",
            Place(LOCK_NAME, span=span),
            help="take either side as it is, e.g. `git checkout --ours -- fleet.lock`, then run"
            " `fleet lock`, which adds what is missing",
        )
        return None
    if not source.text.strip():
        bag.add("FLT5001", "the file is empty, expected a lock", Place(LOCK_NAME), help=_NO_LOCK)
        return None
    document = read_json(source, bag)
    if document is None:
        return None
    value = validate.plain_numbers(document.value)
    if not isinstance(value, dict):
        message = f"found {shown(value)}, expected the map of a lock"
        bag.add("FLT5001", message, Place(LOCK_NAME), help=_NO_LOCK)
        return None
    generation = value.get("schema")
    if generation not in LOCK_SCHEMAS:
        version = "no `schema`" if generation is None else f"generation {generation!r}"
        bag.add(
            "FLT5003",
            f"found {version}, this release reads fleet.lock.v1 and v2",
            Place(LOCK_NAME, ("schema",)),
            help="read it with a newer release, or restore the file of this one",
        )
        return None
    reference = LOCK_SCHEMAS[generation]
    if not validate.is_valid(reference, value):
        found = Bag()
        validate.explain(reference, value, Place(LOCK_NAME), found)
        for item in found:
            bag.add("FLT5001", item.message, item.place, help=item.help)
        return None
    lock: dict[str, Any] = value
    return lock


def lock_text(pins: dict[str, LockedBuiltin]) -> str:
    """Return the text of a lock: sorted by `ref`, one field a line, LF."""
    lock = Lock(schema="fleet.lock.v2", builtins=[pins[ref] for ref in sorted(pins)])
    return json.dumps(msgspec.to_builtins(lock), indent=2, ensure_ascii=False) + "\n"


def add_pins(lock: LockFile, added: dict[str, LockedBuiltin]) -> None:
    """Add pins to the lock file as it is now, all at once; what is pinned there stays.

    Another compile may have added pins since `lock` was read. Raises `UnresolvedError` when
    the file cannot be read or written any more.
    """
    with _alone(lock) as now:
        if now is None:
            raise UnresolvedError(
                f"{lock.path} was changed meanwhile, and cannot be read now",
                help="run the command again to see what is wrong with it",
            )
        _replace(lock.path, lock_text({**added, **now.pins}))


def replace_lock(lock: LockFile, text: str) -> None:
    """Give the lock file another text, all at once, if it still is what was read.

    Raises `UnresolvedError` when it is not, and when the file cannot be written.
    """
    with _alone(lock) as now:
        if now is None or (now.exists, now.text) != (lock.exists, lock.text):
            raise UnresolvedError(
                f"{lock.path} was changed meanwhile, so it was left as it is",
                help="run the command again",
            )
        _replace(lock.path, text)


@contextmanager
def _alone(lock: LockFile) -> Iterator[LockFile | None]:
    """Wait until no other process writes the lock, and read it anew, as `read_lock` does."""
    folder = lock.path.parent
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield read_lock(folder, Bag(), {})
        finally:
            os.close(handle)
    except OSError as error:
        raise UnresolvedError(f"cannot write {lock.path}: {error.strerror}") from None


def _replace(path: Path, text: str) -> None:
    """Write a file beside the lock and put it in its place."""
    waiting = path.with_name(f".{path.name}.new")
    with waiting.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        waiting.chmod(path.stat().st_mode & 0o777)
    waiting.replace(path)
