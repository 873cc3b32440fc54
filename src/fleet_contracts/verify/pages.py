"""The Task keys of a TaskSet: their pages, and the order of both (spec section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fleet_contracts.pages import PAGE_TASKS, Entry, ends_page, split_pages
from fleet_contracts.verify.named import ref_of


def entries_of(tasks: dict[str, Any]) -> list[Entry]:
    """Return the Tasks of a document in the order in which it has them."""
    return [Entry(key, ref_of(value)) for key, value in tasks.items()]


def page_problems(
    page: dict[str, Any], entries: Sequence[Entry], *, is_last: bool
) -> Iterator[str]:
    """Yield what is wrong with one page, as a TaskSet names it and as it is."""
    found = (entries[0].key, entries[-1].key, len(entries))
    named = (page["first"], page["last"], page["count"])
    if found != named:
        told = " to ".join(map(repr, named[:2]))
        is_so = " to ".join(map(repr, found[:2]))
        yield f"is named as {told}, {named[2]:,} Tasks, and holds {is_so}, {found[2]:,} Tasks"
    if len(list(split_pages(entries))) > 1:
        yield "goes on after a key that ends a page"
    elif not (is_last or len(entries) == PAGE_TASKS or ends_page(entries[-1].key)):
        yield f"ends after {entries[-1].key!r}, where no page ends"


def order_problem(previous: str | None, entries: Sequence[Entry]) -> str | None:
    """Return what is wrong with the order of pages; `previous` is the last key before this one."""
    if previous is None or previous.encode() < entries[0].key.encode():
        return None
    return f"begins with {entries[0].key!r}, and the page before it ends with {previous!r}"
