"""What a reader hands on: plain data and the few facts plain data cannot hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.pointer import Pointer
from fleet_contracts.source import Source


@dataclass(frozen=True, slots=True)
class Document:
    """One read file.

    `value` is made of dict (with str keys), list, str, int, `decimal.Decimal`, bool
    and None; in JSON files numbers are `NumberText`. What an alias names is the same
    object at each place, so nothing may be changed in place.

    `odd_numbers` maps the pointer of each unquoted number that is not spelled as a
    plain decimal (`1e3`, `.5`, `5.`, `0x10`, `+1`) to its source text: at a decimal
    position such a spelling is refused although its value is fine (spec section 2).

    `warnings` are about the text alone, whatever its document is.
    """

    source: Source
    value: Any
    odd_numbers: Mapping[Pointer, str]
    warnings: Sequence[Diagnostic] = ()
