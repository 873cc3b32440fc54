"""Task keys, which behave like paths in a tree (spec section 4)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope

MAX_KEY = 255
MAX_SEGMENT = 64

_SEGMENT = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_KEY = re.compile(rf"{_SEGMENT.pattern}(?:/{_SEGMENT.pattern})*")
_FOREIGN = re.compile(r"[^a-z0-9._-]+")


def check_name(name: str) -> bool:
    """Tell whether a name is one Task-key segment, as registry names are."""
    return _SEGMENT.fullmatch(name) is not None


def check_key(scope: Scope, key: str, at: Pointer) -> None:
    """Report a Task key that breaks the rules for keys (FLT4001).

    `at` is where the Task stands under its key, or the template that a row filled in.
    """
    if len(key) <= MAX_KEY and _KEY.fullmatch(key):
        return
    mended = _mended(key)
    scope.report(
        "FLT4001",
        _problem(key),
        at,
        key=scope.row is None,
        help=f"write {mended!r}" if mended else "use lower-case letters, digits, '.', '_' and '-'",
        fix=Edit(key, mended) if mended and scope.row is None else None,
    )


def directory_keys(keys: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each key that is also a directory of another, with the first such other key.

    >>> list(directory_keys(["a/b/c", "a", "a/b", "ab"]))
    [('a', 'a/b/c'), ('a/b', 'a/b/c')]
    """
    known = frozenset(keys)
    found: set[str] = set()
    for key in keys:
        end = key.find("/")
        while end >= 0:
            directory = key[:end]
            if directory in known and directory not in found:
                found.add(directory)
                yield directory, key
            end = key.find("/", end + 1)


def _problem(key: str) -> str:
    if len(key) > MAX_KEY:
        return f"a Task key has at most {MAX_KEY} characters, found {len(key)}"
    segment = next(each for each in key.split("/") if not check_name(each))
    if not segment:
        return f"Task key {key!r} is empty or has an empty segment"
    if len(segment) > MAX_SEGMENT and _FOREIGN.search(segment) is None:
        found = len(segment)
        return f"a segment of a Task key has at most {MAX_SEGMENT} characters, found {found}"
    what = "" if segment == key else f"segment {segment!r} of "
    return (
        f"{what}Task key {key!r} must start with a-z or 0-9 "
        "and hold only a-z, 0-9, '.', '_' and '-'"
    )


def _mended(key: str) -> str:
    """Return a good key that looks like the bad one, empty where there is none."""
    plain = unicodedata.normalize("NFKD", key.lower())
    text = "".join(each for each in plain if not unicodedata.combining(each))
    segments = (_FOREIGN.sub("-", each).strip("._-") for each in text.split("/"))
    mended = "/".join(each for each in segments if each)
    return mended if len(mended) <= MAX_KEY and _KEY.fullmatch(mended) else ""
