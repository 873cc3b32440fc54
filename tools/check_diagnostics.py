"""`python -m tools.check_diagnostics [--write]`: proves that docs/diagnostics.md is complete.

Every code of the table has exactly one section, in the order of the table; no section is of
another code. A section is

* the heading `### FLT2010 unknown-key` and a line `*error, since 0.1.0*`;
* what the code means, in more words than its summary;
* an example: the fixture that `<!-- example: FLT2010-misspelled-key -->` names, or a `console`
  fence that `tools.check_docs` runs and in which the code is reported;
* `**How to fix it**` on a line of its own, and how; YAML that is shown there can be read.

`fixtures/codes.json` remembers every code that there ever was: one that is gone or has
another name is refused. `--write` puts heads, examples and contents in place and new codes
into that file; a marker that names only a code gets its first fixture. Exit 1 while anything
is wrong.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts.diagnostics.codes import TABLE, Code
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.explain import STAGES, Section, outside_fences, read_sections
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source
from tools.code_history import check_history
from tools.fixture_examples import LABEL, example

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "diagnostics.md"
FIXTURES = ROOT / "fixtures" / "compile" / "err"
HISTORY = ROOT / "fixtures" / "codes.json"

FIX = "**How to fix it**"
CONTENTS = ("<!-- contents -->", "<!-- end of contents -->")

_MARKER = re.compile(r"<!-- example: ((FLT[0-9]{4})\S*) -->")


@dataclass(slots=True)
class Page:
    """A page while it is checked: its lines, and what is wrong with them.

    With `write`, what can be derived is put in place first.
    """

    lines: list[str]
    table: Sequence[Code]
    fixtures: Path
    write: bool = False
    problems: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Look at everything that a page promises."""
        rows = {row.id: row for row in self.table}
        if self.write:
            for section in reversed(read_sections(self.lines)):
                if section.code in rows:
                    self._write_section(section, rows[section.code])
            self._contents(write=True)
        sections = read_sections(self.lines)
        self._check_order([section.code for section in sections], list(rows))
        for section in sections:
            if section.code in rows:
                self._check_section(section, rows[section.code])
        self._contents(write=False)

    def _say(self, line: int, message: str) -> None:
        self.problems.append(f"line {line + 1}: {message}")

    def _check_order(self, found: list[str], wanted: list[str]) -> None:
        for code in wanted:
            if code not in found:
                self.problems.append(f"{code} has no section")
        for code, count in Counter(found).items():
            if code not in wanted:
                self.problems.append(f"{code} has a section, but stands in no table")
            elif count > 1:
                self.problems.append(f"{code} has {count} sections")
        known = [code for code in dict.fromkeys(found) if code in wanted]
        for code, expected in zip(known, [each for each in wanted if each in known], strict=True):
            if code != expected:
                self.problems.append(f"{code} stands where {expected} belongs")
                return

    def _check_section(self, section: Section, row: Code) -> None:
        if (section.name, section.severity, section.since) != (row.name, row.severity, row.since):
            self._say(section.start, f"the head should be {' / '.join(head(row))}")
        prose = list(outside_fences(section.body))
        examples = [at for at, line in prose if _MARKER.fullmatch(line)]
        consoles = list(_consoles(section.body, row.id))
        fixes = [at for at, line in prose if line == FIX]
        shown = sorted(examples + consoles)
        end = shown[0] if shown else (fixes[0] if fixes else len(section.body))
        words = _words(line for at, line in prose if at < end)
        if len(words) <= len(row.summary.split()):
            self._say(section.start, f"{row.id} needs to say more than its summary")
        if not shown:
            self._say(section.start, f"{row.id} has no example")
        for at in examples:
            self._check_example(section, at)
        if len(fixes) != 1 or fixes[0] < end:
            self._say(section.start, f"{row.id} needs one line {FIX} below its example")
        elif not _words(line for at, line in prose if at > fixes[0]):
            self._say(section.start, f"{row.id} does not say how to fix it")
        else:
            self._check_snippets(section, fixes[0])

    def _check_snippets(self, section: Section, start: int) -> None:
        """Read every YAML fence from an index of a section's body on; it is only a part."""
        for at in range(start, len(section.body)):
            if section.body[at] == "```yaml":
                text = "\n".join(section.body[at + 1 : section.body.index("```", at)])
                bag = Bag()
                read_yaml(Source(section.code, text + "\n"), bag)
                for item in bag:
                    self._say(
                        section.body_start + at, f"the snippet cannot be read: {item.message}"
                    )

    def _check_example(self, section: Section, at: int) -> None:
        """Compare the example below a marker with the fixture that the marker names."""
        line = section.body_start + at
        marker = _MARKER.fullmatch(self.lines[line])
        assert marker is not None
        case = self.fixtures / marker[1]
        if marker[2] != section.code:
            self._say(line, f"{marker[1]} is no fixture of {section.code}")
        elif not (case / "expected.txt").is_file():
            self._say(line, f"there is no fixture {marker[1]}")
        elif self.lines[line + 1 : _end(self.lines, line + 1)] != example(case):
            self._say(line, f"the example is not what {marker[1]} shows; run `make golden`")

    def _write_section(self, section: Section, row: Code) -> None:
        """Put the head and the examples of a section in place, from its end to its start."""
        places = [
            section.body_start + at
            for at, line in outside_fences(section.body)
            if _MARKER.fullmatch(line)
        ]
        for line in reversed(places):
            marker = _MARKER.fullmatch(self.lines[line])
            assert marker is not None
            case = self.fixtures / marker[1]
            if marker[1] == marker[2]:
                case = min(self.fixtures.glob(f"{marker[2]}-*"), default=case)
            if (case / "expected.txt").is_file():
                shown = [f"<!-- example: {case.name} -->", *example(case)]
                self.lines[line : _end(self.lines, line + 1)] = shown
        first, second = head(row)
        body = section.body_start
        gap = [""] if self.lines[body : body + 1] != [""] else []
        self.lines[section.start : body] = [first, "", second, *gap]

    def _contents(self, *, write: bool) -> None:
        """Compare the table of contents with the codes, or put it in place."""
        try:
            start, end = (self.lines.index(mark) for mark in CONTENTS)
        except ValueError:
            self.problems.append(f"the page needs {CONTENTS[0]} and {CONTENTS[1]}")
            return
        wanted = list(contents(self.table))
        if write:
            self.lines[start + 1 : end] = wanted
        elif self.lines[start + 1 : end] != wanted:
            self._say(start, "the contents are not those of the table; run `make golden`")


def head(row: Code) -> tuple[str, str]:
    """Return the two lines that a section begins with."""
    return f"### {row.id} {row.name}", f"*{row.severity}, since {row.since}*"


def contents(table: Sequence[Code]) -> Iterator[str]:
    """Yield the table of contents, a list for each stage."""
    for digit, stage in STAGES.items():
        rows = [row for row in table if row.id[3] == digit]
        if rows:
            yield from ("", f"**{digit}xxx {stage}**", "")
        for row in rows:
            anchor = f"{row.id}-{row.name}".lower()
            mark = "" if row.severity == "error" else f" ({row.severity})"
            yield f"- [{row.id}](#{anchor}) {row.name}{mark}"
    yield ""


def _words(lines: Iterator[str]) -> list[str]:
    """Return the words of some lines that are prose: no markers, no labels of files."""
    return [
        word
        for line in lines
        if not line.startswith("<!--") and not LABEL.fullmatch(line)
        for word in line.split()
    ]


def _consoles(body: Sequence[str], code: str) -> Iterator[int]:
    """Yield where a `console` fence begins that is run and reports a code."""
    for at, line in enumerate(body):
        if line != "```console":
            continue
        end = next((n for n in range(at, len(body)) if body[n] == "```"), len(body))
        above = "".join(body[:at][-2:])
        if "<!-- not run" not in above and any(f"[{code}]: " in each for each in body[at:end]):
            yield at


def _end(lines: Sequence[str], start: int) -> int:
    """Return where an example ends that starts at an index: behind its last fence.

    An example is made of labels and fences; prose below it belongs to the section.
    """
    end = at = start
    while at < len(lines):
        if lines[at].startswith("```"):
            at = next((n for n in range(at + 1, len(lines)) if lines[n] == "```"), len(lines)) + 1
            end = at
        elif not lines[at] or LABEL.fullmatch(lines[at]):
            at += 1
        else:
            break
    return min(end, len(lines))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the page and the history, and return the exit code."""
    parser = argparse.ArgumentParser(prog="check_diagnostics")
    parser.add_argument("--write", action="store_true", help="put what can be derived in place")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--fixtures", type=Path, default=FIXTURES)
    parser.add_argument("--history", type=Path, default=HISTORY)
    options = parser.parse_args(arguments)
    text = options.page.read_text(encoding="utf-8")
    page = Page(text.removesuffix("\n").split("\n"), TABLE, options.fixtures, options.write)
    page.check()
    written = "\n".join(page.lines) + "\n"
    if options.write and written != text:
        options.page.write_text(written, encoding="utf-8")
    problems = [f"{options.page}: {problem}" for problem in page.problems]
    problems += [
        f"{options.history}: {problem}"
        for problem in check_history(options.history, TABLE, write=options.write)
    ]
    for problem in problems:
        print(problem)
    print(f"{len(TABLE)} codes, {len(problems)} problems with how they are documented")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
