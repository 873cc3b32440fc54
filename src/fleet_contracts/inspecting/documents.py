"""Content documents read back from a store, each as the struct of its `schema` (spec section 7)."""

from __future__ import annotations

import re
from typing import Any, NoReturn, TypeAlias, TypeVar

import msgspec

from fleet_contracts.errors import UnresolvedError
from fleet_contracts.models import content as c
from fleet_contracts.models.base import Record
from fleet_contracts.models.since import NEWEST
from fleet_contracts.store.layout import corrupt
from fleet_contracts.store.reader import Store

MAX_DOCUMENT_BYTES = 64 << 20
"""What is larger is never looked into."""

TaskSetContent: TypeAlias = c.TaskSetV1alpha1 | c.TaskSetV1alpha2

KINDS: dict[str, type[Record]] = {
    "fleet.taskset.v1alpha1": c.TaskSetV1alpha1,
    "fleet.taskset.v1alpha2": c.TaskSetV1alpha2,
    "fleet.taskset_page.v1alpha1": c.TaskSetPage,
    "fleet.environment.v1alpha1": c.EnvironmentDocument,
    "fleet.artifact.v1alpha1": c.Artifact,
    "fleet.verifier.v1alpha1": c.VerifierDocument,
    **{f"fleet.task.v1alpha{number}": c.Task for number in range(1, NEWEST + 1)},
}
"""The structs of all documents that this release knows, by their `schema`."""

_OURS = re.compile(
    r"fleet\.(?:taskset|taskset_page|environment|artifact|verifier|task)\.v[0-9a-z]+"
)
_T = TypeVar("_T", bound=Record)


class _Head(msgspec.Struct):
    schema: str = ""


def read(store: Store, digest: str, kind: type[_T], what: str) -> _T:
    """Return the document that another one names; `what` says what it has to be.

    Raises `StoreError` FLT6001 when it is missing or something else, and `UnresolvedError`
    when its generation is not known.
    """
    document = read_any(store, digest, what)
    if not isinstance(document, kind):
        broken(store, f"the {what} {digest} is something else")
    return document


def read_any(store: Store, digest: str, what: str) -> Record:
    """Return a document of any kind that is called `what`; raises what `read` raises."""
    data = store.read(digest)
    if data is None:
        broken(store, f"the store lacks the {what} {digest}")
    schema = schema_of(data)
    if schema is None:
        broken(store, f"the {what} {digest} is no document")
    if schema not in KINDS:
        raise unknown(digest, schema)
    try:
        return msgspec.json.decode(data, type=KINDS[schema])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        broken(store, f"the {what} {digest} is not what it should be: {error}")


def sniff(digest: str, data: bytes) -> Record | None:
    """Return an object as the document it says it is; None for one that is no document.

    Raises `UnresolvedError` for a document of a generation that is not known.
    """
    schema = schema_of(data)
    if schema is None:
        return None
    if schema not in KINDS:
        raise unknown(digest, schema)
    try:
        return msgspec.json.decode(data, type=KINDS[schema])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def schema_of(data: bytes) -> str | None:
    """Return which content schema an object names, whether or not it keeps to it."""
    if not data.startswith(b"{"):
        return None
    try:
        schema = msgspec.json.decode(data, type=_Head).schema
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return schema if _OURS.fullmatch(schema) else None


def unknown(digest: str, schema: str) -> UnresolvedError:
    """Return the error for a document that must not be guessed at."""
    return UnresolvedError(
        f"{digest} is a {schema}, which this release does not know",
        help="use a newer release; `fleet cat` gives its bytes",
    )


def broken(store: Store, message: str) -> NoReturn:
    """Raise `StoreError` FLT6001 about a store."""
    corrupt(store.directory, message)


def plain(document: Record) -> Any:
    """Return a document as plain data."""
    return msgspec.to_builtins(document)
