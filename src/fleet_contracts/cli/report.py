"""What the commands that compile and check print: text for people, other forms for programs."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from fleet_contracts import __version__
from fleet_contracts.cli.building import Built, BuiltRoot, Settings
from fleet_contracts.cli.options import (
    color_option,
    format_option,
    max_errors_option,
    max_input_bytes_option,
    project_option,
    together,
)
from fleet_contracts.cli.output import dumped, takes_unicode, wants_colours
from fleet_contracts.cli.paths import shown_path
from fleet_contracts.compiler import CompiledRoot
from fleet_contracts.diagnostics.github import render_github
from fleet_contracts.diagnostics.json import render_json
from fleet_contracts.diagnostics.junit import JunitRun, render_junit
from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.diagnostics.sarif import SarifRun, render_sarif
from fleet_contracts.diagnostics.text import TextStyle, count_text, render_text
from fleet_contracts.explain import section
from fleet_contracts.lock_change import DRIFT
from fleet_contracts.lockfile import LOCK_NAME
from fleet_contracts.parts import CompiledVerifier
from fleet_contracts.pointer import format_pointer
from fleet_contracts.source import Source

KINDS = {"taskset": "TaskSet", "environment": "Environment"}


@dataclass(frozen=True, slots=True)
class Report:
    """What a run came to, and how it is to be told.

    At most `most` diagnostics are shown to people, all with 0. `strict` is what makes warnings
    fail, `--strict` for instance, empty where they do not.
    """

    built: Built
    settings: Settings
    color: str
    most: int
    strict: str

    @property
    def items(self) -> list[Diagnostic]:
        """All diagnostics."""
        return self.built.diagnostics

    @property
    def listed(self) -> list[Diagnostic]:
        """The diagnostics that a person is shown."""
        return self.items[: self.most] if self.most else self.items

    @property
    def sources(self) -> dict[str, Source]:
        """The files that were read."""
        return self.built.compiler.reader.sources

    def shown(self, name: str) -> str:
        """Return what a file is called from the working directory."""
        return shown_path(self.settings.project, name)

    def in_repository(self, name: str) -> str:
        """Return what a file is called in its repository, else in its project."""
        root = self.settings.project.root
        folders = (root, *root.parents)
        top = next((folder for folder in folders if (folder / ".git").exists()), root)
        path = root / name
        return path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)


def print_report(form: str, report: Report) -> None:
    """Print a report in one of `FORMATS` on stdout."""
    for line in FORMATS[form](report):
        print(line)


def _text(report: Report) -> Iterator[str]:
    """Yield diagnostics, how many there are, and one line a root; print the lock's diff."""
    style = TextStyle(wants_colours(report.color), report.shown)
    yield from render_text(report.listed, report.sources, style)
    yield from _summary(report, gap=True)
    _tell_lock(report)
    yield from map(_root_line, report.built.roots)


def _github(report: Report) -> Iterator[str]:
    yield from render_github(report.listed, report.in_repository)
    yield from _summary(report, gap=False)
    if report.built.code:
        _tell_lock(report)
    yield from map(_root_line, report.built.roots)


def _summary(report: Report, *, gap: bool) -> Iterator[str]:
    """Yield how many diagnostics there are, below a blank line if there is to be a `gap`."""
    counted = count_text(report.items, len(report.listed), report.strict)
    if gap and report.items:
        yield ""
    if counted:
        yield counted


def _root_line(built: BuiltRoot) -> str:
    root = built.root
    generation = root.generation
    if isinstance(root, CompiledVerifier):
        parts = ["Verifier", root.name, root.digest]
        generation += f", node {root.node_digest}"
    else:
        parts = [KINDS[root.kind], root.name, root.digest]
    if isinstance(root, CompiledRoot) and root.tasks is not None:
        parts.append(f"{root.tasks:,} {'Task' if root.tasks == 1 else 'Tasks'}")
        generation += f", Tasks {root.task_generation}"
        if root.reason:
            generation += f" ({root.reason})"
    parts.append(generation)
    if built.written is not None:
        parts.append(f"{built.written:,} bytes written")
    return "  ".join([*parts, f"{built.seconds:.2f} s"])


def _tell_lock(report: Report) -> None:
    """Print on stderr how the lock changed, or would have to, unless other errors hide that."""
    lock = report.built.lock
    if report.built.code and not any(item.code == DRIFT for item in report.items):
        return
    name = report.shown(LOCK_NAME)
    lines = difflib.unified_diff(
        lock.before.splitlines(keepends=True),
        lock.after.splitlines(keepends=True),
        fromfile=name if lock.before else os.devnull,
        tofile=name if lock.written else f"{name} (not written)",
    )
    for line in lines:
        ended = line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        click.echo(ended, err=True, nl=False)


def _json(report: Report) -> Iterator[str]:
    """Yield one document of `schemas/report/report.v1.json` with every diagnostic."""
    lock = report.built.lock
    moved: dict[str, Any] = {"moved": lock.moved, "dropped": lock.dropped}
    compiled = [each.root for each in report.built.roots]
    verifiers = [each for each in compiled if isinstance(each, CompiledVerifier)]
    more: dict[str, Any] = {}
    if verifiers:
        more["verifiers"] = [_plain_verifier(each) for each in verifiers]
    document = {
        "report": "fleet.report.v1",
        "roots": [_plain_root(each) for each in compiled if isinstance(each, CompiledRoot)],
        **more,
        "lock": {
            "path": report.shown(LOCK_NAME),
            "added": lock.added,
            "kept": lock.kept,
            "written": lock.written,
            **(moved if report.settings.locking.rewrites else {}),
        },
        "diagnostics": render_json(report.items, report.shown),
    }
    yield dumped(document)


def _plain_root(root: CompiledRoot) -> dict[str, Any]:
    return {
        "kind": root.kind,
        "name": root.name,
        "digest": root.digest,
        "generation": root.generation,
        "task_generation": root.task_generation,
        "tasks": root.tasks,
    }


def _plain_verifier(verifier: CompiledVerifier) -> dict[str, Any]:
    nodes = [
        {"pointer": format_pointer(node.pointer), "id": node.id, "node_digest": node.digest}
        for node in verifier.nodes
    ]
    return {
        "name": verifier.name,
        "digest": verifier.digest,
        "generation": verifier.generation,
        "nodes": nodes,
    }


def _sarif(report: Report) -> Iterator[str]:
    run = SarifRun(__version__, report.built.code, report.in_repository, section)
    yield dumped(render_sarif(report.items, report.sources, run))


def _junit(report: Report) -> Iterator[str]:
    settings = report.settings
    files = tuple(settings.project.name(path) for path in settings.files)
    lines = render_junit(
        report.items, report.sources, JunitRun(files, report.in_repository, bool(report.strict))
    )
    if takes_unicode():
        return lines
    return (line.encode("ascii", "xmlcharrefreplace").decode("ascii") for line in lines)


FORMATS: dict[str, Callable[[Report], Iterator[str]]] = {
    "text": _text,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
    "junit": _junit,
}
"""The forms of a report by name; each function yields its lines."""


report_options = together(
    format_option(list(FORMATS)),
    color_option(),
    project_option,
    max_input_bytes_option,
    max_errors_option("as text and as annotations"),
)
"""The options of every command that reports diagnostics of a project."""
