"""What a page of documentation asks to be done, and whether output is what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_COMMENT = re.compile(r"<!-- (file|copy|not run): (.+?) -->")
_SECONDS = re.compile(r"\b[0-9]+\.[0-9]{2} s\b")
_DIGEST = re.compile(r"(sha256:[0-9a-f]{12})[0-9a-f]{52}")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a page asks for: `action` is file, copy, run; `body` the lines of its fence.

    `start` is the index of the body's first line in the page.
    """

    action: str
    name: str
    body: list[str]
    start: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a `console` fence as it is written, and the output it is said to have."""

    shown: list[str]
    expected: list[str]

    @property
    def text(self) -> str:
        """The command without prompts."""
        return "\n".join(line[2:] for line in self.shown)


def read_steps(lines: Sequence[str]) -> Iterator[Step]:
    """Yield the steps of a page in order; raises `ValueError` for a fence without an end."""
    asked = ("", "")
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        comment = _COMMENT.fullmatch(line)
        if comment and comment[1] == "copy":
            yield Step("copy", comment[2], [], index)
        elif comment:
            asked = (comment[1], comment[2])
        elif line.startswith("```"):
            end = next((n for n in range(index, len(lines)) if lines[n] == "```"), None)
            if end is None:
                raise ValueError(f"line {index}: the fence has no end")
            body = list(lines[index:end])
            if asked[0] == "file":
                yield Step("file", asked[1], body, index)
            elif line == "```console" and not asked[0]:
                yield Step("run", "", body, index)
            asked = ("", "")
            index = end + 1
        elif line:
            asked = ("", "")


def read_commands(body: Iterable[str]) -> list[Command]:
    """Return the commands of a fence; raises `ValueError` for output before any command."""
    commands: list[Command] = []
    for line in body:
        if line.startswith("$ "):
            commands.append(Command([line], []))
        elif not commands:
            raise ValueError("a `console` fence begins with `$ `")
        elif line.startswith("> ") and not commands[-1].expected:
            commands[-1].shown.append(line)
        else:
            commands[-1].expected.append(line)
    return commands


def matches(expected: Sequence[str], found: Sequence[str]) -> bool:
    """Tell whether output is what a page says, `…` standing for anything."""
    pattern = ""
    for line in expected:
        if line == "…":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".+".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


def settled(line: str) -> str:
    """Return a line of output with `…` for what differs from run to run or is long."""
    return _DIGEST.sub(r"\1…", _SECONDS.sub("… s", line))
