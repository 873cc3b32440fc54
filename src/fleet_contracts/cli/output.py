"""What stdout can take: colours, Unicode, JSON."""

from __future__ import annotations

import codecs
import json
import os
import sys
from typing import Any

COLORS = ("auto", "always", "never")
FORCING = ("FORCE_COLOR", "CLICOLOR_FORCE")


def wants_colours(choice: str) -> bool:
    """Tell whether text gets colours: as was asked for, else by variables, else on a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in FORCING):
        return True
    return os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def takes_unicode() -> bool:
    """Whether stdout can take any text; elsewhere what is not ASCII is escaped."""
    return codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"


def dumped(document: dict[str, Any]) -> str:
    """Return a document as JSON text that a person can read, too."""
    return json.dumps(document, indent=2, ensure_ascii=not takes_unicode())
