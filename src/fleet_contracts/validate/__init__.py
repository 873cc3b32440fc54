"""The shape of documents: a fast yes, or every mistake with its place (spec section 9)."""

from fleet_contracts.validate.check import explain, is_valid, odd_decimals, plain_numbers
from fleet_contracts.validate.glued import meant_key
from fleet_contracts.validate.misplaced import strays
from fleet_contracts.validate.short_forms import environment_for
from fleet_contracts.validate.version import check_version

__all__ = [
    "check_version",
    "environment_for",
    "explain",
    "is_valid",
    "meant_key",
    "odd_decimals",
    "plain_numbers",
    "strays",
]
