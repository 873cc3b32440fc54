"""TaskSet documents and their pages (spec section 7)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fleet_contracts import canonical
from fleet_contracts.models import content as c
from fleet_contracts.store.model import ContentSink, Ref, TaskPack

INLINE_TASKS = 1000
PAGE_TASKS = 1000
PAGE_MODULUS = 512


class Entry(NamedTuple):
    """A Task key and the Task document it names."""

    key: str
    ref: Ref


class TaskSetContent(NamedTuple):
    """The TaskSet document, its generation, and its packs."""

    document: Ref
    generation: str
    packs: list[TaskPack]


def put_taskset(
    sink: ContentSink, entries: Sequence[Entry], task_generation: str
) -> TaskSetContent:
    """Put the TaskSet document and its pages; `entries` are sorted by the bytes of the keys."""
    if len(entries) <= INLINE_TASKS:
        inline = c.TaskSetV1alpha1(
            schema="fleet.taskset.v1alpha1",
            task_generation=task_generation,
            tasks=_blobs(entries),
        )
        ref = sink.put(canonical.encode(inline))
        return TaskSetContent(ref, "v1alpha1", [TaskPack(None, [e.ref for e in entries])])
    pages = []
    packs = []
    for page in split_pages(entries):
        document = c.TaskSetPage(schema="fleet.taskset_page.v1alpha1", tasks=_blobs(page))
        ref = sink.put(canonical.encode(document))
        packs.append(TaskPack(ref, [entry.ref for entry in page]))
        pages.append(
            c.PageEntry(
                first=page[0].key,
                last=page[-1].key,
                count=len(page),
                digest=ref.digest,
                size=ref.size,
            )
        )
    paged = c.TaskSetV1alpha2(
        schema="fleet.taskset.v1alpha2",
        task_generation=task_generation,
        task_count=len(entries),
        pages=pages,
    )
    return TaskSetContent(sink.put(canonical.encode(paged)), "v1alpha2", packs)


def split_pages(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Cut sorted entries into pages; only keys decide where.

    A page ends at 1,000 Tasks, or after a key whose SHA-256 starts with four bytes that
    are 0 modulo 512 when read big-endian.
    """
    page: list[Entry] = []
    for entry in entries:
        page.append(entry)
        if len(page) == PAGE_TASKS or ends_page(entry.key):
            yield page
            page = []
    if page:
        yield page


def ends_page(key: str) -> bool:
    """Return whether a page ends after this key whatever its length."""
    start = hashlib.sha256(key.encode()).digest()[:4]
    return int.from_bytes(start, "big") % PAGE_MODULUS == 0


def _blobs(entries: Sequence[Entry]) -> dict[str, c.Blob]:
    return {entry.key: c.Blob(digest=entry.ref.digest, size=entry.ref.size) for entry in entries}
