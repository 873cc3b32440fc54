"""Single lines of data files, for the excerpts of what is wrong with them.

Data files are streamed and not kept. A line is read again only for a diagnostic.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from pathlib import Path

from fleet_contracts.reading.decode import BOM
from fleet_contracts.source import Source

_LONGEST = 1_000_000  # characters; a longer line is cut before an excerpt is


def with_lines(path: Path, name: str, numbers: Collection[int]) -> Source | None:
    """Return a file of which only some lines (1-based) are filled in, the others empty.

    None when it cannot be read any more. Bytes that are not UTF-8 become U+FFFD.
    """
    last = max(numbers)
    try:
        with path.open("rb") as file:
            lines = [
                line if number in numbers else b"\n"
                for number, line in enumerate(islice(file, last), 1)
            ]
    except OSError:
        return None
    text = "\n".join(line.decode("utf-8", "replace").rstrip("\r\n")[:_LONGEST] for line in lines)
    return Source(name, text.removeprefix(BOM))
