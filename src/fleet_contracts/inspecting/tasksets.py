"""The Tasks that a TaskSet names, inline or in pages (spec section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from fleet_contracts.inspecting.documents import TaskSetContent, broken, read, read_any
from fleet_contracts.models import content as c
from fleet_contracts.models.base import Record
from fleet_contracts.pages import Entry
from fleet_contracts.store.model import Ref
from fleet_contracts.store.reader import Store


def is_taskset(document: Record | None) -> TypeGuard[TaskSetContent]:
    """Whether a document is a TaskSet."""
    return isinstance(document, c.TaskSetV1alpha1 | c.TaskSetV1alpha2)


def read_taskset(store: Store, digest: str) -> TaskSetContent:
    """Return a TaskSet document. Raises what `documents.read` raises."""
    document = read_any(store, digest, "TaskSet")
    if not is_taskset(document):
        broken(store, f"the TaskSet {digest} is something else")
    return document


def task_count(content: TaskSetContent) -> int:
    """Return how many Tasks a TaskSet has."""
    return content.task_count if isinstance(content, c.TaskSetV1alpha2) else len(content.tasks)


def entries(store: Store, content: TaskSetContent) -> Iterator[Entry]:
    """Yield the Tasks of a TaskSet in key order; pages are read as they are needed."""
    if isinstance(content, c.TaskSetV1alpha1):
        yield from listed(content.tasks)
        return
    for page in content.pages:
        yield from listed(read(store, page.digest, c.TaskSetPage, "TaskSet page").tasks)


def find_task(store: Store, content: TaskSetContent, key: str) -> Ref | None:
    """Return the Task with a key; of the pages, only the one that may hold it is read."""
    if isinstance(content, c.TaskSetV1alpha1):
        tasks = content.tasks
    else:
        page = next((page for page in content.pages if page.first <= key <= page.last), None)
        if page is None:
            return None
        tasks = read(store, page.digest, c.TaskSetPage, "TaskSet page").tasks
    blob = tasks.get(key)
    return None if blob is None else Ref(blob.digest, blob.size)


def keys_near(store: Store, content: TaskSetContent, key: str) -> list[str]:
    """Return all inline keys, or those of the page where a key would stand and its neighbours."""
    if isinstance(content, c.TaskSetV1alpha1):
        return list(content.tasks)
    here = sum(page.first <= key for page in content.pages) - 1
    pages = content.pages[max(0, here - 1) : here + 2]
    near = [read(store, page.digest, c.TaskSetPage, "TaskSet page") for page in pages]
    return [key for page in near for key in page.tasks]


def listed(tasks: dict[str, c.Blob]) -> Iterator[Entry]:
    """Yield the Tasks of a map by the bytes of their keys."""
    for key in sorted(tasks):  # keys are ASCII
        yield Entry(key, Ref(tasks[key].digest, tasks[key].size))
