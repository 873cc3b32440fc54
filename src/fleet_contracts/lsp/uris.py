"""URIs of an editor and files of this machine (RFC 3986, RFC 8089)."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

UNTITLED = "untitled"
_NO_NAME = re.compile(r"[^a-z0-9._-]+")


def path_of(uri: str, folder: Path) -> Path | None:
    """Return the file that a URI names, without symbolic links; None when it is none here.

    A text that was never saved (`untitled:`) gets a path in `folder`, so that what it names
    is found; no such file needs to exist. Other schemes are views that an editor made itself,
    e.g. of an older revision, and are left alone.
    """
    try:
        parts = urlsplit(uri)
        if parts.scheme == UNTITLED:
            return folder.resolve() / untitled_name(unquote(parts.path))
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            return None
        path = Path(unquote(parts.path, errors="surrogateescape")).resolve()
        return path if parts.path.startswith("/") and _may_exist(path) else None
    except (RuntimeError, ValueError):
        return None  # links in a circle, a zero character


def _may_exist(path: Path) -> bool:
    """Whether the system takes the name at all: it may be too long."""
    try:
        path.stat()
    except OSError as error:
        return error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES)
    return True


def untitled_name(shown: str) -> str:
    """Return a file name for a text without one, e.g. `untitled-1.yaml` for `Untitled-1`."""
    name = _NO_NAME.sub("-", Path(shown).name.lower()).strip("-.")
    return name if name.endswith((".yaml", ".yml", ".json")) else f"{name or UNTITLED}.yaml"
