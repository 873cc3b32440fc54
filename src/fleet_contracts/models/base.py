"""The base of every generated struct."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An immutable typed document or a part of one.

    Absent fields are `msgspec.UNSET`, which is not `None`; unknown fields are refused.
    """
