"""Exact decimals: from authored scalars to the one canonical spelling (spec section 2).

No binary floating point is involved anywhere; arithmetic on normalised texts is done on
whole numbers scaled by 10^18.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

MAX_LENGTH = 64
MAX_FRACTION = 18

AUTHORED = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_CANONICAL = re.compile(r"0|-?[1-9][0-9]*|-?(?:0|[1-9][0-9]*)\.[0-9]*[1-9]")
_MAX_BITS = 213  # 10^64 needs this many, so longer numbers are never spelled out


class DecimalError(ValueError):
    """A scalar that is not a decimal, or one with too many digits."""


@lru_cache(maxsize=4096, typed=True)  # the same few weights and thresholds stand everywhere
def normalise(value: object) -> str:
    """Return the canonical spelling of an authored decimal.

    Takes text as authors may write it (`0.30`), whole numbers, and `Decimal` from a
    source text or a JSON row, whose exponent is expanded exactly. Raises `DecimalError`.

    >>> normalise("0.30"), normalise("-0.0"), normalise(1), normalise(Decimal("25e-2"))
    ('0.3', '0', '1', '0.25')
    """
    if type(value) is str:
        text = value
        if len(text) <= MAX_LENGTH and _CANONICAL.fullmatch(text):
            return text
        if not AUTHORED.fullmatch(text):
            raise DecimalError(f"{text!r} is not a plain decimal")
        text = _strip(text)
    elif type(value) is int:
        text = str(value) if value.bit_length() <= _MAX_BITS else "9" * (MAX_LENGTH + 1)
    elif type(value) is Decimal and value.is_finite():
        text = _expand(value)
    else:
        raise DecimalError(f"{value!r} is not a decimal")
    if len(text) > MAX_LENGTH:
        raise DecimalError(f"a decimal has at most {MAX_LENGTH} characters")
    return text


def fraction_digits(text: str) -> int:
    """Return how many digits a canonical decimal has after its point.

    >>> fraction_digits("0.25"), fraction_digits("3")
    (2, 0)
    """
    return len(text.partition(".")[2])


def scaled(text: str) -> int:
    """Return a canonical decimal of at most 18 fractional digits times 10^18.

    >>> scaled("0.5") + scaled("0.5") == scaled("1")
    True
    """
    whole, _, fraction = text.partition(".")
    magnitude = int(whole.lstrip("-") + fraction.ljust(MAX_FRACTION, "0"))
    return -magnitude if text.startswith("-") else magnitude


def _expand(value: Decimal) -> str:
    _, digits, exponent = value.as_tuple()
    if not value:
        return "0"
    trailing = len(digits) - len("".join(map(str, digits)).rstrip("0"))
    assert isinstance(exponent, int)  # the caller has made sure that the value is finite
    if value.adjusted() > MAX_LENGTH or exponent + trailing < -MAX_LENGTH:
        return "9" * (MAX_LENGTH + 1)
    return _strip(format(value, "f"))


def _strip(text: str) -> str:
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
