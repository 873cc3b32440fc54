"""`python -m tools.check_schemas [--record]`: schemas only ever accept more.

The schemas are compared with those of the newest git tag. Without a tag, or without git, they are
compared with `fixtures/schemas/`, where `--record` puts new ones, and changed ones that break
nothing. A schema of content may not change at all; everything else may accept more, and never
less (`tools.schema_changes`). Exit 1 when something breaks or is not recorded.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from codegen.generations import MASTER
from tools.schema_changes import breaking_changes

ROOT = Path(__file__).resolve().parent.parent
CONTENT = "content/"
ADVICE = "take the change back, or add a new version and leave this one as it is"

Texts: TypeAlias = dict[str, bytes]
"""Schema files by path, relative to the schema folder."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The schemas that must go on to mean what they mean, and what they are called."""

    name: str
    texts: Texts
    is_recorded: bool


def read_folder(folder: Path) -> Texts:
    """Return the schema files of a folder."""
    files = sorted(folder.glob("*/*.json"))
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def find_baseline(root: Path) -> Baseline:
    """Return the schemas of the newest tag before the current commit, else the recorded ones."""
    tag = (_git(root, "describe", "--tags", "--abbrev=0") or b"").decode().strip()
    archive = _git(root, "archive", "--format=tar", tag, "schemas") if tag else None
    if archive is None:
        folder = root / "fixtures" / "schemas"
        return Baseline("fixtures/schemas", read_folder(folder), is_recorded=True)
    texts = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            path = member.name.removeprefix("schemas/")
            file = tar.extractfile(member)
            if file is not None and path.endswith(".json") and path.count("/") == 1:
                texts[path] = file.read()
    return Baseline(tag, texts, is_recorded=False)


def _git(root: Path, *words: str) -> bytes | None:
    """Return what git prints, None where it fails or is not there."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def problems(baseline: Baseline, now: Texts) -> list[str]:
    """Return one line for each schema that changed in a way that it may not."""
    old = {path: text for path, text in baseline.texts.items() if not path.startswith(CONTENT)}
    parsed = {path: json.loads(text) for path, text in now.items()}
    lines = breaking_changes({path: json.loads(text) for path, text in old.items()}, parsed)
    lines += [
        f"schemas/{path}: a schema of content changed or is gone"
        for path, text in baseline.texts.items()
        if path.startswith(CONTENT) and path != MASTER and now.get(path) != text
    ]
    return lines


def unrecorded(baseline: Baseline, now: Texts) -> list[str]:
    """Return the paths of schemas that nothing is compared with."""
    if not baseline.is_recorded:
        return []
    return [path for path in now if not path.startswith(CONTENT) and path not in baseline.texts]


def record(baseline: Baseline, now: Texts, folder: Path) -> list[str]:
    """Write what is new or changed into the folder of recorded schemas; return its paths."""
    changed = [
        path
        for path, text in now.items()
        if not path.startswith(CONTENT) and baseline.texts.get(path) != text
    ]
    for path in changed:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(now[path])
    return changed


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Compare, or record, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.check_schemas")
    parser.add_argument("--record", action="store_true", help="remember what breaks nothing")
    options = parser.parse_args(arguments)
    baseline, now = find_baseline(root), read_folder(root / "schemas")
    found = problems(baseline, now)
    if found:
        print("\n".join([*found, f"compared with {baseline.name}; {ADVICE}"]))
        return 1
    if options.record and baseline.is_recorded:
        for path in record(baseline, now, root / "fixtures" / "schemas"):
            print(f"recorded schemas/{path}")
        return 0
    missing = unrecorded(baseline, now)
    for path in missing:
        print(f"schemas/{path} is not recorded; run `python -m tools.check_schemas --record`")
    if not missing:
        print(f"{len(now)} schemas accept what those of {baseline.name} accept")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
