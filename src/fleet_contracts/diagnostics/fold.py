"""One mistake in a template, made once more by every row, told once (spec section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fleet_contracts.diagnostics.model import Diagnostic, Place


def fold(items: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the items without repetitions: same code, message and place.

    What stays is the first, with its related places and how many more there were.
    """
    first: dict[tuple[str, str, Place], Diagnostic] = {}
    more: dict[tuple[str, str, Place], int] = {}
    for item in items:
        same = (item.code, item.message, item.place)
        if same in first:
            more[same] = more.get(same, 0) + 1
        else:
            first[same] = item
    return [_counted(item, more.get(same, 0)) for same, item in first.items()]


def _counted(item: Diagnostic, more: int) -> Diagnostic:
    if not more:
        return item
    times = "once more" if more == 1 else f"{more:,} more times"
    return replace(item, message=f"{item.message} (and {times})")
