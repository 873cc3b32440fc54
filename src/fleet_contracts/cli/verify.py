"""`fleet verify`: whether stores hold what they say."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from fleet_contracts.cli.exits import Exit, exit_for
from fleet_contracts.cli.options import asked_by, strict_option
from fleet_contracts.cli.output import dumped
from fleet_contracts.cli.progress import Progress
from fleet_contracts.cli.store_report import (
    diagnostic_lines,
    named_store,
    shown,
    store_report_options,
)
from fleet_contracts.cli.stores import store_folder
from fleet_contracts.diagnostics.json import render_json
from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.errors import UsageError
from fleet_contracts.store.packs import is_digest
from fleet_contracts.verify import Verified, VerifiedRoot, verify_store

KINDS = {"taskset": "TaskSet", "environment": "Environment", "artifact": "Artifact"}
DIGEST_START = "sha256:"
MEGABYTE = 10**6


@dataclass(frozen=True, slots=True)
class _Run:
    """A store that was looked at, and the seconds it took."""

    verified: Verified
    seconds: float


@click.command("verify")
@click.argument("words", metavar="[DIR|DIGEST]...", nargs=-1)
@store_report_options
@strict_option
def verify_command(
    words: tuple[str, ...], form: str, color: str, max_errors: int, strict: bool
) -> Exit:
    """Check every byte of a store.

    Reads all blobs, walks every root through all that it names, and holds each document against
    the schema of its own generation. DIR is a store, by default .fleet in the project root.
    With a DIGEST, of a root or of anything in one, only the roots that hold it are checked.
    Nothing is written.
    """
    digests, folders = _sorted_words(words)
    runs = []
    with Progress(verb="verifying", unit="MB") as progress:
        for folder in folders:
            progress.begin(shown(str(folder)))
            started = time.perf_counter()

            def advance(done: int, everything: int) -> None:
                progress.advance(done // MEGABYTE, everything // MEGABYTE)

            verified = verify_store(folder, digests, advance)
            runs.append(_Run(verified, time.perf_counter() - started))
    items = [item for run in runs for item in run.verified.diagnostics]
    if form == "json":
        print(dumped(_document(runs, items)))
    else:
        for line in _text(runs, items, color, max_errors, asked_by("strict") if strict else ""):
            print(line)
    return exit_for(items, strict=strict)


def _sorted_words(words: Sequence[str]) -> tuple[list[str], list[Path]]:
    digests = [word for word in words if word.startswith(DIGEST_START)]
    for digest in digests:
        if not is_digest(digest):
            raise UsageError(
                f"{digest} is no digest", help="write all 64 lower-case hexadecimal digits"
            )
    folders = [named_store(word) for word in words if not word.startswith(DIGEST_START)]
    return digests, folders or [store_folder(None, None)]


def _text(
    runs: Sequence[_Run], items: Sequence[Diagnostic], color: str, most: int, strict: str
) -> Iterator[str]:
    """Yield diagnostics, one line a root, and one line a store."""
    yield from diagnostic_lines(items, color, most, strict)
    for run in runs:
        verified = run.verified
        yield from map(_root_line, verified.roots)
        counted = f"{verified.blobs:,} {'blob' if verified.blobs == 1 else 'blobs'}"
        name = shown(str(verified.directory))
        yield f"{name}  {counted}, {verified.bytes:,} bytes read  {run.seconds:.2f} s"


def _root_line(root: VerifiedRoot) -> str:
    parts = [KINDS[root.kind], root.name or "(no name)", root.digest]
    generation = root.generation
    if root.tasks is not None:
        parts.append(f"{root.tasks:,} {'Task' if root.tasks == 1 else 'Tasks'}")
        generation += f", Tasks {root.task_generation}"
    return "  ".join([*parts, generation, "sound" if root.is_sound else "damaged"])


def _document(runs: Sequence[_Run], items: Sequence[Diagnostic]) -> dict[str, Any]:
    """Return a document of `schemas/report/verify.v1.json`."""
    return {
        "report": "fleet.verify_report.v1",
        "stores": [
            {
                "path": shown(str(run.verified.directory)),
                "blobs": run.verified.blobs,
                "bytes": run.verified.bytes,
                "roots": [
                    {
                        "kind": root.kind,
                        "name": root.name,
                        "digest": root.digest,
                        "generation": root.generation,
                        "task_generation": root.task_generation,
                        "tasks": root.tasks,
                        "sound": root.is_sound,
                    }
                    for root in run.verified.roots
                ],
            }
            for run in runs
        ],
        "diagnostics": render_json(items, shown),
    }
