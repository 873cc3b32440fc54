"""What a plain scalar means in the core schema of YAML 1.2 (section 10.3)."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, NamedTuple

from fleet_contracts.reading.numbers import exact_number

NUMBER_START = frozenset("0123456789+-.")
"""First characters of plain scalars that may be numbers."""

WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
"""Plain scalars that are neither strings nor numbers."""

_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|0o[0-7]+"
    r"|0x[0-9a-fA-F]+"
).fullmatch
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)").fullmatch
_LEADING_ZEROS = re.compile(r"([-+]?)0+(?=[0-9])")
_PLAIN_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?").fullmatch

# Python reads longer ones, but does not print them.
_LONGEST_HEXADECIMAL = 1_000


class Refusal(NamedTuple):
    """A plain scalar that is a number in name only, and why it is refused."""

    code: str
    message: str
    help: str


def resolve(text: str) -> Any:
    """Return the value of a plain scalar, or a `Refusal`.

    Numbers are exact: int if whole, else Decimal (spec section 2).

    >>> resolve("0.30"), resolve("no"), resolve("0x10"), resolve("007").code
    (Decimal('0.30'), 'no', 16, 'FLT1032')
    """
    if text in WORDS:
        return WORDS[text]
    if text[0] not in NUMBER_START:
        return text
    if _NUMBER(text):
        return _number(text)
    if _NOT_FINITE(text):
        return Refusal(
            "FLT1033",
            f"found {text}, expected a number that can be written down",
            f'quote it if the text is meant: "{text}"',
        )
    return text


def is_number(text: str) -> bool:
    """Tell whether a plain scalar has the form of a number, however large."""
    return bool(_NUMBER(text))


def is_odd(text: str, value: Any) -> bool:
    """Tell whether a resolved scalar is a number with an unusual spelling.

    Usual is `-?(0|[1-9][0-9]*)(.[0-9]+)?` (spec section 2).
    """
    return type(value) in (int, Decimal) and not _PLAIN_DECIMAL(text)


def _number(text: str) -> Any:
    if text.startswith(("0x", "0o")):
        return int(text, 0) if len(text) <= _LONGEST_HEXADECIMAL else _out_of_range(text)
    zeros = _LEADING_ZEROS.match(text)
    if zeros:
        return Refusal(
            "FLT1032",
            f"found {shortened(text)}, a number with a leading zero, which readers understand"
            " differently",
            f"write {shortened(zeros[1] + text[zeros.end() :])}, or quote it to keep the zeros:"
            f" {quoted(text)}",
        )
    try:
        return exact_number(text)
    except ValueError:
        return _out_of_range(text)


def _out_of_range(text: str) -> Refusal:
    return Refusal(
        "FLT1034",
        f"found {shortened(text)}, a number that is too large or too small to be kept exactly",
        "write a shorter number, or quote it if the text is meant",
    )


def shortened(text: str) -> str:
    """Return a text that fits into a message."""
    return text if len(text) <= 60 else f"{text[:57]}..."


def quoted(text: str) -> str:
    """Return a text in double quotes, shortened."""
    return f'"{shortened(text)}"'
