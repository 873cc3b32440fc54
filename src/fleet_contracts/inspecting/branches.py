"""Trees of text lines, drawn with box characters or with ASCII."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from fleet_contracts.diagnostics.text import visible

MOST_CHARACTERS = 100
"""Of a text that a document holds, in one line."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Branch:
    """A line, further lines of running text below it, then smaller branches."""

    line: str
    children: Sequence[Branch] = ()
    body: Sequence[str] = ()


class Marks(NamedTuple):
    """What stands before a child, before the last one, and below either."""

    child: str
    last: str
    beside: str
    below: str
    more: str


BOXES = Marks("├── ", "└── ", "│   ", "    ", "…")
ASCII = Marks("|-- ", "`-- ", "|   ", "    ", "...")


def draw(branch: Branch, marks: Marks) -> Iterator[str]:
    """Yield the lines of a tree; characters that cannot be seen are escaped."""
    yield _shown(branch.line, marks)
    yield from _below(branch, "", marks)


def _below(branch: Branch, indent: str, marks: Marks) -> Iterator[str]:
    beside = marks.beside if branch.children else marks.below
    for line in branch.body:
        yield f"{indent}{beside}{_shown(line, marks)}".rstrip()
    for index, child in enumerate(branch.children):
        is_last = index == len(branch.children) - 1
        yield f"{indent}{marks.last if is_last else marks.child}{_shown(child.line, marks)}"
        yield from _below(child, indent + (marks.below if is_last else marks.beside), marks)


def _shown(line: str, marks: Marks) -> str:
    return visible(line.replace(BOXES.more, marks.more)).rstrip()


def first(items: Iterable[_T], most: int | None) -> list[_T]:
    """Return the first items, all of them where `most` is None, without asking for more."""
    if most is None:
        return list(items)
    return [item for _, item in zip(range(most), items, strict=False)]


def more(total: int, shown: int) -> list[Branch]:
    """Return the line that says how many items are left out, none where there are none."""
    return [Branch(f"… {total - shown:,} more; --all")] if total > shown else []


def many(count: int, word: str) -> str:
    """Return a number with a word in its right form.

    >>> many(1, "Task"), many(1209, "Task"), many(2, "Seed mount")
    ('1 Task', '1,209 Tasks', '2 Seed mounts')
    """
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def short(digest: str) -> str:
    """Return enough of a digest for `fleet inspect`: `sha256:` and 12 hex digits."""
    return digest[:19]


def cut(text: str, most: int | None) -> str:
    """Return text of bounded length for one line, whole where `most` is None."""
    return (
        text if most is None or len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
    )
