"""Whether a store holds what it says, down to the last byte (spec sections 2, 3 and 7)."""

from fleet_contracts.verify.check import Verified, VerifiedRoot, verify_store

__all__ = ["Verified", "VerifiedRoot", "verify_store"]
