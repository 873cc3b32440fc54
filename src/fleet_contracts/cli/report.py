"""What `fleet compile` and `fleet check` print: text for people, JSON for programs."""

from __future__ import annotations

import codecs
import difflib
import json
import os
import sys
from collections.abc import Callable, Iterator

import click

from fleet_contracts.cli.building import Built, BuiltRoot, LockChange
from fleet_contracts.diagnostics.json import render_json
from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.diagnostics.text import TextStyle, count_text, render_text

KINDS = {"taskset": "TaskSet", "environment": "Environment"}

Shown = Callable[[str], str]


def print_text(built: Built, items: list[Diagnostic], shown: Shown, *, most: int) -> None:
    """Print diagnostics, then how many there are, then one line a root.

    At most `most` diagnostics are printed, all with 0. The lock's diff goes to stderr.
    """
    style = TextStyle(_wants_colours(), shown)
    listed = items[:most] if most else items
    for line in render_text(listed, built.compiler.reader.sources, style):
        print(line)
    errors = sum(item.severity == "error" for item in items)
    warnings = sum(item.severity == "warning" for item in items)
    counted = count_text(errors, warnings, len(items) - len(listed))
    if counted:
        print(f"\n{counted}")
    elif items:
        print()
    if built.lock.added and not errors:
        click.echo("".join(_diff(built.lock, shown)), err=True, nl=False)
    for each in built.roots:
        print(_root_line(each))


def _wants_colours() -> bool:
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def _takes_unicode() -> bool:
    """Whether stdout can take any text; elsewhere JSON escapes what is not ASCII."""
    return codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"


def _root_line(built: BuiltRoot) -> str:
    root = built.root
    generation = root.generation
    parts = [KINDS[root.kind], root.name, root.digest]
    if root.tasks is not None:
        parts.append(f"{root.tasks:,} {'Task' if root.tasks == 1 else 'Tasks'}")
        generation += f", Tasks {root.task_generation}"
        if root.reason:
            generation += f" ({root.reason})"
    parts.append(generation)
    if built.written is not None:
        parts.append(f"{built.written:,} bytes written")
    return "  ".join([*parts, f"{built.seconds:.2f} s"])


def _diff(lock: LockChange, shown: Shown) -> Iterator[str]:
    name = shown(lock.path.name)
    state = "" if lock.written else " (not written)"
    return difflib.unified_diff(
        lock.before.splitlines(keepends=True),
        lock.after.splitlines(keepends=True),
        fromfile=name if lock.before else os.devnull,
        tofile=name + state,
    )


def print_json(built: Built, items: list[Diagnostic], shown: Shown) -> None:
    """Print one document of `schemas/report/report.v1.json` with every diagnostic."""
    lock = built.lock
    report = {
        "report": "fleet.report.v1",
        "roots": [
            {
                "kind": root.kind,
                "name": root.name,
                "digest": root.digest,
                "generation": root.generation,
                "task_generation": root.task_generation,
                "tasks": root.tasks,
            }
            for root in (each.root for each in built.roots)
        ],
        "lock": {
            "path": shown(lock.path.name),
            "added": lock.added,
            "kept": lock.kept,
            "written": lock.written,
        },
        "diagnostics": render_json(items, shown),
    }
    print(json.dumps(report, indent=2, ensure_ascii=not _takes_unicode()))
