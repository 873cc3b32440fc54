"""What each diagnostic means: the page `docs/diagnostics.md`, section by section.

The page ships inside the wheel; in a checkout it is read from `docs/`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fleet_contracts.errors import InternalError

_PACKAGE = Path(__file__).parent
_SHIPPED = _PACKAGE / "_docs" / "diagnostics.md"
PAGE_FILE = _SHIPPED if _SHIPPED.is_file() else _PACKAGE.parent.parent / "docs" / "diagnostics.md"

STAGES = {
    "1": "reading",
    "2": "shape",
    "3": "reference",
    "4": "meaning",
    "5": "lock",
    "6": "store",
}
"""The stages by the first digit of their codes, as the page and `fleet explain` call them."""

_HEADING = re.compile(r"### (FLT[0-9]{4}) (\S+)")
_SEVERITY = re.compile(r"\*(error|warning|note), since ([0-9.]+)\*")
_COMMENT = re.compile(r"<!-- .* -->")


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the page: what its head says, and the lines below the head.

    `severity` and `since` are empty where the head does not say them. `start` is the index
    of the heading's line in the page, `body_start` that of the first line of `body`.
    """

    code: str
    name: str
    severity: str
    since: str
    body: tuple[str, ...]
    start: int
    body_start: int


def outside_fences(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that stand in no code fence, with their indices."""
    inside = False
    for index, line in enumerate(lines):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield index, line


def read_sections(lines: Sequence[str]) -> list[Section]:
    """Return the sections of a page in the order in which they stand there."""
    starts = [index for index, line in outside_fences(lines) if re.match(r"#{1,3} ", line)]
    ends = [*starts[1:], len(lines)]
    found = []
    for start, end in zip(starts, ends, strict=True):
        heading = _HEADING.fullmatch(lines[start])
        if heading is None:
            continue
        at = next((n for n in range(start + 1, end) if lines[n]), end)
        severity = _SEVERITY.fullmatch(lines[at]) if at < end else None
        body_start = at + 1 if severity else start + 1
        words = (severity[1], severity[2]) if severity else ("", "")
        body = tuple(lines[body_start:end])
        found.append(Section(heading[1], heading[2], *words, body, start, body_start))
    return found


@functools.cache
def _bodies() -> dict[str, str]:
    lines = PAGE_FILE.read_text(encoding="utf-8").splitlines()
    return {each.code: _plain(each.body) for each in read_sections(lines)}


def _plain(body: Sequence[str]) -> str:
    """Return lines without the comments that only our own tools read."""
    comments = {index for index, line in outside_fences(body) if _COMMENT.fullmatch(line)}
    below = {index + 1 for index in comments if not "".join(body[index + 1 : index + 2])}
    kept = (line for index, line in enumerate(body) if index not in comments | below)
    return "\n".join(kept).strip("\n") + "\n"


def section(code: str) -> str:
    """Return the Markdown of a code's section without its head and without HTML comments.

    Raises `InternalError` when the page has no such section; a check shows that it has one
    for every code of the table.
    """
    body = _bodies().get(code)
    if body is None:
        raise InternalError(f"{PAGE_FILE.name} has no section {code}")
    return body
