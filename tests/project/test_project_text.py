"""What no file of the project says: where somebody's machine keeps it, or where packages are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Written in pieces, so that this file does not say them either.
MACHINE = (
    f"{ROOT}/",
    *([f"{Path.home()}/"] if Path.home().name else []),
    "/".join(("", "root", "")),
    "/".join(("", "work", "main")),
    "/".join(("", "work", "shared")),
    "/".join(("", "tmp", "w", "")),
)
REGISTRIES = tuple(
    ".".join(names)
    for names in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"))
)


def tracked() -> list[Path]:
    """Return every file that git tracks, or would; skip where there is no git checkout."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no git checkout")
    paths = [ROOT / name for name in done.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


@pytest.mark.parametrize("words", [MACHINE, REGISTRIES], ids=["machine", "registries"])
def test_files_name_no_place_outside_the_project(words: tuple[str, ...]) -> None:
    found = [
        f"{path.relative_to(ROOT)} says {word}"
        for path in tracked()
        for text in [path.read_bytes()]
        for word in words
        if word.encode() in text
    ]
    assert not found


def test_constraints_are_plain_names_and_versions() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines, key=str.lower)
    for line in lines:
        name, equals, version = line.partition("==")
        assert equals, line
        assert name.replace("-", "").replace("_", "").replace(".", "").isalnum(), line
        assert version[0].isdigit(), line
        assert not set(version) & set(" ;@#"), line
