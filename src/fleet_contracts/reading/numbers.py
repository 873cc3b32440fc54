"""Exact numbers from their source text; binary floating point is never involved."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

# From here on a whole number written with an exponent stays a Decimal, so that
# `1e999999999` is never written out.
_EXPANDED_DIGITS = 30

_ALL_ZERO = re.compile(r"[-+]?[0.]+(?:[eE].*)?").fullmatch
_NO_EXPONENT = re.compile(r"([-+]?[0-9]+)(?:\.0*)?").fullmatch
# A text this short cannot hold an exponent that `Decimal` refuses (18 digits).
_ALWAYS_EXACT = 18


@dataclass(frozen=True, slots=True)
class NumberText:
    """A number of a JSON file, kept as it is spelled.

    It is no `str` on purpose: a number that is used where text belongs should fail
    loudly.
    """

    text: str

    def to_number(self) -> int | Decimal:
        """Return the exact value, whole numbers as int (spec section 2)."""
        return exact_number(self.text)


def exact_number(text: str) -> int | Decimal:
    """Return the exact value of a decimal number's text.

    A whole value is an int, unless it is written with an exponent and has more than
    30 digits, or has more digits than Python converts; everything else is a Decimal.
    Raises `ValueError` when the exponent is beyond what a Decimal can hold.

    >>> exact_number("1.0"), exact_number("0.30"), exact_number("12e1")
    (1, Decimal('0.30'), 120)
    """
    if _ALL_ZERO(text):
        return 0
    whole = _NO_EXPONENT(text)
    if whole:
        try:
            return int(whole[1])
        except ValueError:  # more digits than `sys.get_int_max_str_digits()`
            return Decimal(whole[1])
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite():
        raise ValueError(f"the exponent of {text[:40]!r} is too large")
    if 0 <= value.adjusted() < _EXPANDED_DIGITS and value == value.to_integral_value():
        return int(value)
    return value


def can_be_exact(text: str) -> bool:
    """Tell whether `exact_number` takes the text."""
    if len(text) <= _ALWAYS_EXACT:
        return True
    try:
        exact_number(text)
    except ValueError:
        return False
    return True
