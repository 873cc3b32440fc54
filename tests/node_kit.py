"""Where the node tools are that some tests use, and whether they are there."""

from __future__ import annotations

import shutil
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
WANTED = CHECKOUT / "tools" / "node" / "package.json"
INSTALLED = CHECKOUT / "build" / "node"


def what_is_missing() -> str | None:
    """Say why tests cannot use the node tools; none if they can."""
    if shutil.which("node") is None:
        return "node is not installed; `make node` installs it on Debian"
    stamp = INSTALLED / "installed.json"
    if not stamp.is_file():
        return "the node tools are not installed; run `make node`"
    if stamp.read_bytes() != WANTED.read_bytes():
        return "the node tools are out of date; run `make node`"
    return None


def node_command(script: str, *arguments: str) -> list[str]:
    """The command that runs a script of an installed package, such as `NAME/bin/NAME`."""
    node = shutil.which("node")
    assert node is not None
    return [node, str(INSTALLED / "node_modules" / script), *arguments]
