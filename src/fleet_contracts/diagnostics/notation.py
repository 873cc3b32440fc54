"""Help in the words of what a value is written in: YAML, or the rows of a dataset.

Where a template says `${row.q}`, quotes around the placeholder change nothing: what mends the
row's value is said of the data. A rule names the remedy; where the value came from decides
on the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from fleet_contracts.pointer import Pointer

Mend: TypeAlias = Literal[
    "as-text",  # `{new}` is the value as JSON text, with its quotes
    "as-number",
    "as-word",  # true or false
    "as-size",  # `{new}` is the number of bytes
    "as-short-form",  # `{new}` is the map that the value is short for
    "into-list",
    "item",
    "as-list",
    "as-map",
    "below-key",  # `{new}` is the key that one other belongs below
    "below-key-all",
    "no-null",
    "no-null-or-key",
    "no-line-break",
    "no-white-space",
    "pattern-end",
    "json-text",
]

Notation: TypeAlias = Mapping[Mend, str]
"""How each way to mend a value is said where the value is written."""

Notations: TypeAlias = Mapping[Pointer, Notation]
"""The notations of values that are not written in YAML, by their places in a file."""


class Remedy(NamedTuple):
    """How to mend a value, in no words yet; `new` is what to write, where that is known."""

    mend: Mend
    new: str = ""


YAML: Notation = {
    "as-text": "put quotes around it",
    "as-number": "remove the quotes",
    "as-word": "write `{new}`",
    "as-size": "write `{new}`, without quotes",
    "as-short-form": "write `{new}`",
    "into-list": "make it a list: put `- ` before it",
    "item": "put `- ` before it",
    "as-list": "write a list: each item starts with `- `",
    "as-map": "write `key: value` lines without `- `",
    "below-key": "write `{new}:` and indent it below it",
    "below-key-all": "write `{new}:` and indent them below it",
    "no-null": "write a value",
    "no-null-or-key": "write a value, or leave the key out",
    "no-line-break": (
        "it ends in a line break: write it on one line, or with `|-` in place of `|`"
    ),
    "no-white-space": "remove the white space around it; in a block scalar, write `|-` for `|`",
    "pattern-end": "end the pattern with `$`; in a block scalar, write `|-` for `|`",
    "json-text": """write JSON in a string, e.g. '{{"a": 1}}', or '"word"' for a string""",
}
"""What an author writes in place."""

JSON_ROW: Notation = {
    "as-text": "write it as text in the data: {new}",
    "as-number": "write it as a number in the data: {new} without quotes",
    "as-word": "write it as {new} in the data, without quotes",
    "as-size": "write `{new}B` in the data",
    "as-short-form": (
        "write a map in the template, like `{new}`, with the placeholder where the value stands"
    ),
    "into-list": "make it a list in the template: put `- ` before the placeholder",
    "item": "put `- ` before the placeholder in the template",
    "as-list": "make it a list in the data: [...]",
    "as-map": 'make it a map in the data: {{"key": ...}}',
    "below-key": "put it into a map under `{new}` in the data",
    "below-key-all": "put them into a map under `{new}` in the data",
    "no-null": "write a value in the data",
    "no-null-or-key": (
        "write a value in the data, or keep rows without one in a file and a dataset of their own"
    ),
    "no-line-break": "it ends in a line break: remove that from the data",
    "no-white-space": "remove the white space around it from the data",
    "pattern-end": "end the pattern in the data with `$`",
    "json-text": (
        'let the data hold JSON as text, e.g. {{"a": 1}}; a string has quotes of its own in it'
    ),
}
"""A value in a row of JSON, which has the type that it has there."""

CSV_ROW: Notation = {
    **JSON_ROW,
    "as-number": "keep the rows as JSON, with {new} as a number: all cells of a CSV file are text",
    "as-word": "keep the rows as JSON, with {new} in them: all cells of a CSV file are text",
}
"""A cell of a CSV file, which is text whatever it holds."""

PIECED: Notation = {
    **JSON_ROW,
    "as-number": (
        "let one field hold the number, and name nothing but that: what is captured or put "
        "together is text"
    ),
    "as-word": (
        "let one field hold {new}, and name nothing but that: what is captured or put together "
        "is text"
    ),
    "as-size": "add the unit: `{new}B`",
    "no-line-break": (
        "it ends in a line break: remove that from the data, or write `|-` in place of `|` in "
        "the template"
    ),
    "no-white-space": (
        "remove the white space around it from the data, and from the template: in a block "
        "scalar, write `|-` for `|`"
    ),
    "pattern-end": (
        "end the pattern with `$`, in the data or in the template: in a block scalar, write "
        "`|-` for `|`"
    ),
}
"""What a capture found, or a text made of several pieces."""

INDEX: Notation = {
    **JSON_ROW,
    "as-text": "write some text beside the placeholder: alone, the index is a number",
}
"""The number of a row."""


def said(help: str | Remedy, notation: Notation = YAML) -> str:
    """Return help in the words of a notation.

    >>> said(Remedy("as-word", "true")), said("shorten it")
    ('write `true`', 'shorten it')
    """
    return help if isinstance(help, str) else notation[help.mend].format(new=help.new)


def notation_at(notations: Notations | None, pointer: Pointer) -> Notation:
    """Return the notation of what stands at a place, or inside of what stands there."""
    for depth in range(len(pointer) if notations else 0, 0, -1):
        found = notations and notations.get(pointer[:depth])
        if found:
            return found
    return YAML
