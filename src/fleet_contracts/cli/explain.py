"""`fleet explain`: what a diagnostic means, and how to mend what it is about."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator

import click
from click.shell_completion import CompletionItem

from fleet_contracts.cli.exits import Exit
from fleet_contracts.diagnostics.codes import CODES, TABLE, Code
from fleet_contracts.errors import UsageError
from fleet_contracts.explain import STAGES, section
from fleet_contracts.suggest import closest

PREFIX = "FLT"
NAMES = {row.name: row for row in TABLE}

_HEADING = re.compile(r"#{1,6} (.*)")
# Code comes first: what stands in it is no mark-up.
_MARKUP = re.compile(r"(?P<code>(`+).+?\2)|\*\*(?P<strong>.+?)\*\*|\[(?P<link>[^]]+)\]\([^)]+\)")


def _completions(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the codes and names that start like a word, each with its summary."""
    found = [(row.id, row) for row in TABLE if row.id.startswith(incomplete.upper())]
    found += [(row.name, row) for row in TABLE if incomplete and row.name.startswith(incomplete)]
    return [CompletionItem(value, help=row.summary) for value, row in found]


@click.command("explain")
@click.argument("codes", metavar="[CODE]...", nargs=-1, shell_complete=_completions)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What is printed; JSON is an object for one CODE, else a list of them.",
)
def explain_command(codes: tuple[str, ...], form: str) -> Exit:
    """Say what diagnostics mean and how to fix what they are about.

    CODE is written FLT2010, 2010 or unknown-key. Without one, all codes are listed.
    """
    rows = [find(word) for word in codes]
    if form == "json":
        found = [_record(row) for row in rows or TABLE]
        value = found[0] if len(rows) == 1 else found
        click.echo(json.dumps(value, indent=2))
        return Exit.CLEAN
    lines = _sections(rows) if rows else _listing()
    for line in _rendered(lines, bold=_wants_bold()) if sys.stdout.isatty() else lines:
        print(line)
    return Exit.CLEAN


def find(word: str) -> Code:
    """Return the row that a code, its digits or its name mean; raises `UsageError`."""
    key = word.strip().lower()
    row = CODES.get(PREFIX + key) or CODES.get(key.upper()) or NAMES.get(key.replace("_", "-"))
    if row is not None:
        return row
    digits = key.removeprefix(PREFIX.lower())
    guess = closest(PREFIX + digits, CODES) if digits.isdecimal() else closest(key, NAMES)
    help = f"did you mean {guess}?" if guess else "`fleet explain` lists all codes"
    raise UsageError(f"there is no diagnostic {word!r}", help=help)


def _record(row: Code) -> dict[str, str]:
    return {
        "code": row.id,
        "name": row.name,
        "severity": row.severity,
        "summary": row.summary,
        "since": row.since,
        "section": section(row.id),
    }


def _sections(rows: Iterable[Code]) -> Iterator[str]:
    """Yield the Markdown of some sections."""
    for index, row in enumerate(rows):
        yield from ([""] if index else [])
        yield from (f"### {row.id} {row.name} ({row.severity}, since {row.since})", "")
        yield from section(row.id).splitlines()


def _listing() -> Iterator[str]:
    """Yield a table of all codes, stage by stage."""
    width = max(len(row.name) for row in TABLE)
    for index, (digit, stage) in enumerate(STAGES.items()):
        yield from ([""] if index else [])
        yield from (f"## {digit}xxx {stage}", "")
        for row in TABLE:
            if row.id.removeprefix(PREFIX)[0] == digit:
                yield f"{row.id}  {row.severity:7}  {row.name:{width}}  {row.summary}"


def _wants_bold() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _rendered(lines: Iterable[str], *, bold: bool) -> Iterator[str]:
    """Yield Markdown lines as a terminal shows them.

    Headings and what is strong are bold, code is indented, and links are what they say.
    """

    def strong(text: str) -> str:
        return click.style(text, bold=True) if bold else text

    def shown(match: re.Match[str]) -> str:
        return match["code"] or match["link"] or strong(match["strong"])

    inside = False
    for line in lines:
        if line.startswith("```"):
            inside = not inside
        elif inside:
            yield f"    {line}".rstrip()
        else:
            heading = _HEADING.fullmatch(line)
            yield strong(heading[1]) if heading else _MARKUP.sub(shown, line)
