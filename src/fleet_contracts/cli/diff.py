"""`fleet diff`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import click

from fleet_contracts.cli.exits import Exit, exit_for
from fleet_contracts.cli.opening import Choices, Opened, Opener, store_errors
from fleet_contracts.cli.options import (
    catalog_option,
    color_option,
    format_option,
    max_input_bytes_option,
)
from fleet_contracts.cli.output import dumped, wants_colours
from fleet_contracts.cli.progress import Progress
from fleet_contracts.cli.sides import Sides, read_sides
from fleet_contracts.cli.stores import store_options
from fleet_contracts.diagnostics import json as diagnostics_json
from fleet_contracts.diagnostics import text as diagnostics_text
from fleet_contracts.diagnostics.text import TextStyle, count_text
from fleet_contracts.diff.difference import difference
from fleet_contracts.diff.json import render_json
from fleet_contracts.diff.model import Difference
from fleet_contracts.diff.text import render_text
from fleet_contracts.schemas import CATALOG_FILE
from fleet_contracts.store.model import StoreError

FILES = "fleet_contracts.files"
MOST_SHOWN = 50


class _WithFiles(click.Command):
    """A command that can tell what stood behind `--`, which click forgets."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what stands behind the first `--`, None without one."""
        ctx.meta[FILES] = None
        if "--" in args:
            at = args.index("--")
            ctx.meta[FILES] = args[at + 1 :]
            args = args[:at]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return what stands behind the name in the line of usage."""
        return ["[OPTIONS] A B | [REV [REV]] [--] FILE"]


@click.command("diff", cls=_WithFiles)
@click.argument("words", nargs=-1)
@click.option("--staged", "--cached", "staged", is_flag=True, help="Compare what is staged.")
@click.option("--stat", is_flag=True, help="Name Tasks and count them, without their fields.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything differs.")
@click.option("-q", "--quiet", is_flag=True, help="Print no difference; implies --exit-code.")
@format_option(["text", "json"], "How the difference on stdout is written.")
@color_option()
@store_options
@catalog_option(CATALOG_FILE)
@max_input_bytes_option
@click.pass_context
def diff_command(context: click.Context, /, words: tuple[str, ...], **options: Any) -> Exit:
    """Say which Tasks changed, and what that means for old attempts.

    Authored files are compiled and compared by content, so that comments, layout and defaults
    make no difference. Each Task that changed is one to

    \b
      rerun     what the agent met is another: its old attempts are of no use
      regrade   only Verifiers changed: old attempts can be graded again
      reuse     only metadata changed, or the key: old results stay good

    A and B are each an authored file, a file of a git revision (REV:FILE; :FILE is staged), a
    compiled store (DIR), or what `fleet inspect` shows of one: ROOT, ROOT#KEY or a digest, with
    DIR# before it for another store. FILE#KEY is a Task of a file. What a file of a revision
    includes comes from that revision, too.

    \b
      fleet diff FILE              HEAD against the file as it is
      fleet diff REV -- FILE       REV against the file as it is
      fleet diff REV REV -- FILE   two revisions; REV..REV and REV...REV as in git
      fleet diff --staged FILE     HEAD against what is staged
    """
    sides = read_sides(words, context.meta[FILES], staged=options["staged"])
    with ExitStack() as stack:
        return _run(sides, stack, options)


def _run(sides: Sides, stack: ExitStack, options: dict[str, Any]) -> Exit:
    choices = Choices(
        options["project"], options["output"], options["catalog"], options["max_input_bytes"]
    )
    opened: tuple[Opened, ...] = ()
    found: Difference | None = None
    try:
        with Progress() as progress:
            old, new = opened = Opener(choices, stack, progress).open(sides)
            if not old.errors and not new.errors:
                found = difference(old.subject, new.subject, with_names=sides.same_file)
    except StoreError as error:
        opened = (*opened, Opened("", errors=store_errors(error)))
    if found is None or not options["quiet"]:
        for line in _report(sides, opened, found, options):
            print(line)
    if found is None:
        return exit_for(item for each in opened for item in each.errors)
    tells = options["exit_code"] or options["quiet"]
    return Exit.ERRORS if tells and found.differs else Exit.CLEAN


def _report(
    sides: Sides, opened: tuple[Opened, ...], found: Difference | None, options: dict[str, Any]
) -> Iterator[str]:
    labels = sides.old.label, sides.new.label
    if options["form"] == "json":
        parts = [diagnostics_json.render_json(each.errors, each.shown) for each in opened]
        yield dumped(render_json(found, labels, [item for part in parts for item in part]))
        return
    colours = wants_colours(options["color"])
    if found is not None:
        style = TextStyle(colours, str)
        yield from render_text(found, labels, style, fields=not options["stat"])
        return
    items = [item for each in opened for item in each.errors]
    left = MOST_SHOWN
    for each in opened:
        shown = each.errors[:left]
        left -= len(shown)
        style = TextStyle(colours, each.shown)
        yield from diagnostics_text.render_text(shown, each.sources, style)
        if shown:
            yield ""
    yield count_text(items, MOST_SHOWN - left)
