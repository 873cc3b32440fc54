"""`python -m tools.check_docs [--write] [PAGE...]`: runs what the pages show.

Each page gets an empty temporary folder. From top to bottom:

* a fence behind `<!-- file: NAME -->` is written to the file NAME;
* `<!-- copy: PATH -->` copies a file or folder of the checkout to the same path;
* a `console` fence is run: each line `$ COMMAND` (with `> ` for further lines of it), and the
  lines below must be its output, stdout and stderr together. The commands of a fence share one
  shell. `<!-- not run: REASON -->` before the fence excuses it.

In expected output `…` stands for anything within a line, and a line that is only `…` for any
lines. A command that prints nothing must succeed; `$ echo $?` shows the code of another.
`--write` puts the real output in place where it differs; times and the tail of digests become
`…` there. Exit 1 when something differs, and when nothing was run at all.
"""

from __future__ import annotations

import argparse
import difflib
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.doc_pages import Command, Step, matches, read_commands, read_steps, settled

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 120
MARK = "\x1e"


@dataclass(frozen=True, slots=True)
class Result:
    """What a command printed, line by line, and its exit code."""

    lines: list[str]
    code: int


NEVER_RUN = Result(["(was not run)"], 1)


def run(commands: Sequence[Command], folder: Path) -> list[Result]:
    """Run commands in one shell, in a folder; one that the shell never reached has no result."""
    note = f"__code=$?; printf '\\n{MARK}%s\\n' $__code; (exit $__code)\n"
    script = "exec 2>&1\n" + "".join(f"{each.text}\n{note}" for each in commands)
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env=surroundings(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    parts = f"0\n{done.stdout.decode()}".split("\n" + MARK)
    results = []
    for part, following in itertools.pairwise(parts):
        output = part.partition("\n")[2]
        lines = output.removesuffix("\n").split("\n") if output else []
        results.append(Result(lines, int(following.partition("\n")[0])))
    return results


def surroundings(folder: Path) -> dict[str, str]:
    """Return the environment of commands: this interpreter's programs first, no settings."""
    ours = ("FLEET_", "GIT_")  # a hook of git is told where its repository is
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    scripts = str(Path(sys.executable).parent)
    path = scripts + os.pathsep + kept.get("PATH", os.defpath)
    return {**kept, "PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


@dataclass(slots=True)
class Page:
    """A page while it is checked: how many commands ran, and what is wrong."""

    path: Path
    commands: int = 0
    problems: int = 0

    def check(self, *, write: bool) -> None:
        """Follow the page's steps; put real output into it with `write`."""
        lines = self.path.read_text(encoding="utf-8").split("\n")
        steps = list(read_steps(lines))
        with tempfile.TemporaryDirectory() as name:
            replaced = [(step, self._follow(step, Path(name).resolve())) for step in steps]
        if write and self.problems:
            for step, body in reversed(replaced):
                lines[step.start : step.start + len(step.body)] = body
            self.path.write_text("\n".join(lines), encoding="utf-8")

    def _follow(self, step: Step, folder: Path) -> list[str]:
        """Do what a step asks for and return the lines that its fence should have."""
        target = folder / step.name
        if step.action == "run":
            return self._run(step, folder)
        if not Path(os.path.normpath(target)).is_relative_to(folder):
            raise ValueError(f"{self.path}: {step.name!r} leaves the folder of the page")
        target.parent.mkdir(parents=True, exist_ok=True)
        if step.action == "file":
            target.write_text("".join(line + "\n" for line in step.body), encoding="utf-8")
        elif (ROOT / step.name).is_dir():
            shutil.copytree(ROOT / step.name, target)
        else:
            shutil.copy2(ROOT / step.name, target)
        return step.body

    def _run(self, step: Step, folder: Path) -> list[str]:
        commands = read_commands(step.body)
        results = run(commands, folder)
        body: list[str] = []
        for index, command in enumerate(commands):
            self.commands += 1
            result = results[index] if index < len(results) else NEVER_RUN
            right = bool(result.lines) or result.code == 0
            if right and matches(command.expected, result.lines):
                body += command.shown + command.expected
            else:
                self._tell(step, command, result)
                body += command.shown + [settled(line) for line in result.lines]
        return body

    def _tell(self, step: Step, command: Command, result: Result) -> None:
        self.problems += 1
        found = result.lines or [f"(nothing, and exit code {result.code})"]
        print(f"{self.path}:{step.start + 1}: `{command.text}` prints something else")
        for line in difflib.unified_diff(command.expected, found, "page", "found", lineterm=""):
            print(f"  {line}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Check pages and return the exit code."""
    parser = argparse.ArgumentParser(prog="check_docs")
    parser.add_argument("--write", action="store_true", help="put the real output in place")
    parser.add_argument("pages", nargs="*", type=Path, help="default: README.md and docs/")
    options = parser.parse_args(arguments)
    paths = options.pages or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    pages = [Page(path) for path in paths]
    for page in pages:
        page.check(write=options.write)
    commands, problems = (sum(getattr(p, name) for p in pages) for name in ("commands", "problems"))
    print(f"{commands} documented commands, {problems} with other output")
    return 1 if commands == 0 or (problems and not options.write) else 0


if __name__ == "__main__":
    sys.exit(main())
