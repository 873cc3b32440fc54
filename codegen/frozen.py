"""`schemas/frozen.json`: the digest of every content schema that may never change again."""

from __future__ import annotations

import hashlib
import json

from codegen.files import SCHEMAS, dump
from codegen.generations import MASTER

FROZEN = SCHEMAS / "frozen.json"


def content_digests() -> dict[str, str]:
    """Return the digest of each content schema file except the master, by path."""
    paths = sorted(str(p.relative_to(SCHEMAS)) for p in (SCHEMAS / "content").glob("*.json"))
    return {path: _digest(path) for path in paths if path != MASTER}


def _digest(path: str) -> str:
    return "sha256:" + hashlib.sha256((SCHEMAS / path).read_bytes()).hexdigest()


def recorded() -> dict[str, str]:
    """Return what `frozen.json` records."""
    frozen: dict[str, str] = json.loads(FROZEN.read_text(encoding="utf-8"))["frozen"]
    return frozen


def problems() -> list[str]:
    """Return one line for every schema that changed, vanished or was never frozen."""
    now, then = content_digests(), recorded()
    lines = [
        f"schemas/{path} changed although it is frozen; put it back and add a generation"
        for path, digest in then.items()
        if path in now and now[path] != digest
    ]
    lines += [f"schemas/{path} is frozen and must stay" for path in then if path not in now]
    lines += [
        f"schemas/{path} is not frozen; run `python -m codegen freeze`"
        for path in now
        if path not in then
    ]
    return lines


def freeze() -> list[str]:
    """Record new schemas and return their paths; what is recorded already stays as it is."""
    now, then = content_digests(), recorded() if FROZEN.exists() else {}
    added = [path for path in now if path not in then]
    FROZEN.write_text(dump({"frozen": dict(sorted((now | then).items()))}), encoding="utf-8")
    return added
