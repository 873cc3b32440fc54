"""One document of a store: its bytes, its generation, and its generation's schema."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from fleet_contracts import schemas, validate
from fleet_contracts.canonical import CanonicalError, canonical_bytes
from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.errors import InternalError
from fleet_contracts.pointer import format_pointer

DocumentKind: TypeAlias = Literal["taskset", "taskset_page", "task", "environment", "artifact"]

_SCHEMA = re.compile(r"fleet\.([a-z_]+)\.(v[0-9][0-9a-z]*)")
_WORDS: dict[DocumentKind, str] = {
    "taskset": "TaskSet",
    "taskset_page": "TaskSet page",
    "task": "Task",
    "environment": "Environment",
    "artifact": "Artifact",
}
MEND = "compile it again from its source; if that gives the same digest, report it"
USE_NEWER = "use a release that knows it; nothing is wrong with what this one does know"


class Problem(NamedTuple):
    """What is wrong with a document."""

    code: str
    message: str
    help: str


def read_document(
    kind: DocumentKind, digest: str, data: bytes
) -> tuple[dict[str, Any], None] | tuple[None, Problem]:
    """Return a document as plain data, or the first thing that is wrong with it.

    FLT6015 for a generation that this release does not know; FLT6014 for bytes that are not
    canonical (spec section 2), and for what the schema of the generation that the document
    names does not allow (spec section 7).
    """
    title = f"the {_WORDS[kind]} {digest}"
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return None, _invalid(f"{title} is no JSON: {error}")
    named = value.get("schema") if isinstance(value, dict) else None
    match = _SCHEMA.fullmatch(named) if isinstance(named, str) else None
    if match is None or match[1] != kind:
        found = "no schema" if named is None else f"the schema {named!r}"
        return None, _invalid(f"{title} names {found}, expected one like 'fleet.{kind}.v1alpha1'")
    path = schema_path(kind, match[2])
    if path not in _KNOWN:
        message = f"{title} is of the generation {named}, which this release does not know"
        return None, Problem("FLT6015", message, USE_NEWER)
    if not _is_canonical(value, data):
        return None, _invalid(f"{title} is not written in canonical bytes (RFC 8785)")
    if not _is_valid(path, value):
        return None, _invalid(f"{title} is not valid under {named}: {_why_not(path, value)}")
    return value, None


def schema_path(kind: DocumentKind, generation: str) -> str:
    """Return the path of the schema of one generation."""
    return f"content/{kind}.{generation}.json"


def _invalid(message: str) -> Problem:
    return Problem("FLT6014", message, MEND)


def _is_canonical(value: Any, data: bytes) -> bool:
    try:
        return canonical_bytes(value) == data
    except CanonicalError:
        return False


def _is_valid(path: str, value: Any) -> bool:
    try:
        return validate.is_valid(path, value)
    except ValueError:  # deeper than any document can be
        return False


def _why_not(path: str, value: Any) -> str:
    """Return the first mistake of a document, and where it is."""
    found = Bag()
    try:
        validate.explain(path, value, Place(path), found)
    except (InternalError, ValueError, RecursionError):  # no document that a compiler writes
        return "it has another shape"
    first = next(iter(found))
    return f"{first.message}, at {format_pointer(first.place.pointer) or 'the top'}"


_KNOWN = frozenset(schemas.schema_paths())
