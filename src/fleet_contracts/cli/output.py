"""What stdout can take."""

from __future__ import annotations

import codecs
import sys


def takes_unicode() -> bool:
    """Whether stdout can take any text; elsewhere what is not ASCII is escaped."""
    return codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
