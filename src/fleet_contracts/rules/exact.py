"""Authored decimals as whole numbers, so that rules compare and add them exactly."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fleet_contracts import decimal_text

ONE = decimal_text.scaled("1")


@lru_cache(maxsize=4096)
def exact(value: Any) -> int | None:
    """Return an authored decimal times 10^18.

    None where it is absent, or no decimal of at most 18 fractional digits, which lowering
    reports.
    """
    try:
        text = decimal_text.normalise(value)
    except decimal_text.DecimalError:
        return None
    if decimal_text.fraction_digits(text) > decimal_text.MAX_FRACTION:
        return None
    return decimal_text.scaled(text)


def spelled(scaled: int) -> str:
    """Return the canonical text of a decimal times 10^18.

    >>> spelled(ONE // 4), spelled(3 * ONE), spelled(-1)
    ('0.25', '3', '-0.000000000000000001')
    """
    whole, fraction = divmod(abs(scaled), ONE)
    digits = str(fraction).rjust(decimal_text.MAX_FRACTION, "0").rstrip("0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"
