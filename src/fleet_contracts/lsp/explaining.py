"""What codes mean, for a hover: the same words as `fleet explain`."""

from __future__ import annotations

from collections.abc import Iterable

from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.explain import section


def explained(codes: Iterable[str]) -> str:
    """Return Markdown about some codes, empty for none."""
    return "\n---\n".join(_one(code) for code in codes)


def _one(code: str) -> str:
    row = CODES[code]
    return f"**{code} {row.name}**: {row.summary}\n\n{section(code)}"
