"""What a fixture of `fixtures/compile/err/` looks like on a page: its input and our output.

The tests run every fixture and compare the output with its `expected.txt`, so an example
that equals its fixture has been executed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOTS = ("*.taskset.yaml", "*.environment.yaml")
MOST_LINES = 25
"""Longer files are shown around the first place that the output names in them."""

FEW_LINES = 5
"""How many lines of a longer file are shown that the output does not name."""

LARGEST = 128 * 1024

LANGUAGES = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".jsonl": "json",
    ".lock": "json",
    ".csv": "csv",
    ".py": "python",
}

LABEL = re.compile(
    r"`[^`]+`(?:, lines [0-9]+ to [0-9]+)?(?: \(`<…>` stands for what cannot be seen\))?:"
    r"|`[^`]+` cannot be shown here\."
)
"""The lines that stand before the fences of an example."""

# What a person cannot see, or what would change how the page itself reads; and bytes that
# are no UTF-8, which decoding turns into lone surrogates.
_UNSEEN = re.compile(
    "[\x01-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\ufeff\ufffe\uffff]"
)


def example(case: Path) -> list[str]:
    """Return the Markdown lines that show a fixture; the first is empty.

    Raises `ValueError` for a fixture that a page cannot show.
    """
    expected = (case / "expected.txt").read_text(encoding="utf-8")
    lines: list[str] = []
    for path in _shown_files(case / "input", expected):
        lines += ["", *_file(path, case / "input", expected)]
    lines += ["", "```text", f"$ {_command(case)}", *_without_summary(expected), "```"]
    if sum(line.startswith("```") for line in lines) != 2 * sum(line == "```" for line in lines):
        raise ValueError(f"{case.name}: a line looks like the end of a fence")
    return lines


def _shown_files(folder: Path, expected: str) -> Iterator[Path]:
    """Yield the roots, then all other files; of a store only what the output names."""
    roots = [path for pattern in ROOTS for path in sorted(folder.glob(pattern))]
    others = [path for path in sorted(folder.rglob("*")) if path.is_file() and path not in roots]
    yield from roots
    for path in others:
        name = path.relative_to(folder).as_posix()
        if not name.startswith("store/") or name in expected:
            yield path


def _file(path: Path, folder: Path, expected: str) -> list[str]:
    name = path.relative_to(folder).as_posix()
    data = path.read_bytes()
    if b"\0" in data or len(data) > LARGEST:
        return [f"`{name}` cannot be shown here."]
    lines = data.decode("utf-8", errors="surrogateescape").removesuffix("\n").split("\n")
    label = f"`{name}`"
    if len(lines) > MOST_LINES:
        place = re.search(rf"(?:^|: ){re.escape(name)}:([0-9]+):", expected, re.MULTILINE)
        count = MOST_LINES if place else FEW_LINES
        middle = int(place[1]) if place else 1
        first = max(1, min(middle - count // 2, len(lines) - count + 1))
        lines = lines[first - 1 : first - 1 + count]
        label += f", lines {first} to {first - 1 + count}"
    shown = [_UNSEEN.sub(_spelled, line) for line in lines]
    if shown != lines:
        label += " (`<…>` stands for what cannot be seen)"
    language = LANGUAGES.get(path.suffix, "text")
    return [f"{label}:", "", f"```{language}", *shown, "```"]


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"<0x{code - 0xDC00:02X}>"
    return f"<U+{code:04X}>"


def _command(case: Path) -> str:
    """Return the command that the tests run, without the project root they set."""
    folder = case / "input"
    roots = [path.name for pattern in ROOTS for path in sorted(folder.glob(pattern))]
    options = case / "options"
    extra = options.read_text(encoding="utf-8").splitlines() if options.exists() else []
    return shlex.join(["fleet", "check", *roots, *extra])


def _without_summary(expected: str) -> list[str]:
    """Return output without its last part: counts, roots and the exit code."""
    return expected.rpartition("\n\n")[0].split("\n")
