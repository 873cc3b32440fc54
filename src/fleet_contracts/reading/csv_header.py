"""Header rows of CSV files that name the columns otherwise than somebody meant."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

_SEPARATORS = {";": "';'", "\t": "a tab", "|": "'|'"}


class Misread(NamedTuple):
    """What is wrong with a header row, and how to mend it."""

    message: str
    help: str


def wrong_separator(columns: Collection[str], wanted: Collection[str] = ()) -> Misread | None:
    """Return what to say of a header whose columns look separated by something but commas.

    Where names are `wanted`, one of them must be found with that separator; without any, the
    header must be one column that holds it.
    """
    for separator, shown in _SEPARATORS.items():
        parts = [part.strip(" \"'") for column in columns for part in column.split(separator)]
        if len(parts) == len(columns):
            continue
        if any(name in parts for name in wanted) or (not wanted and len(columns) == 1):
            message = f"the columns look separated by {shown}, expected commas"
            return Misread(message, "save the file with commas between its columns")
    return None


def wrong_blank(columns: Collection[str], wanted: Collection[str]) -> Misread | None:
    """Return what to say of a header that has a wanted column, but for blanks around its name."""
    for column in columns:
        if column.strip() in wanted and column.strip() not in columns:
            side = "in front of" if column[0].isspace() else "behind"
            message = f"the column {column!r} has a blank {side} its name"
            return Misread(message, "write the names without blanks around them: `id,question`")
    return None
