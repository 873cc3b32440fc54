"""Diagnostics as test results in JUnit's XML: a suite for each file, a case for each diagnostic.

Nothing in it depends on the machine or the time, and the name of a case on no line number,
so that a mistake which only moved is still the same failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.excerpt import Excerpts
from fleet_contracts.diagnostics.model import Diagnostic
from fleet_contracts.diagnostics.text import TextStyle, diagnostic_lines, visible
from fleet_contracts.pointer import format_pointer
from fleet_contracts.source import Source

NAME = "fleet"
CLEAN = "clean"
INDENT = "  "


@dataclass(frozen=True, slots=True)
class JunitRun:
    """The files that were checked, what files are called, and whether warnings fail."""

    files: tuple[str, ...]
    shown: Callable[[str], str]
    strict: bool


@dataclass(frozen=True, slots=True)
class _Case:
    name: str
    item: Diagnostic
    fails: bool


def render_junit(
    items: Iterable[Diagnostic], sources: Mapping[str, Source], run: JunitRun
) -> Iterator[str]:
    """Yield the lines of a document with diagnostics whose places are resolved.

    A file that was checked and has no diagnostics is a suite with one case that passed.
    """
    suites: dict[str, list[Diagnostic]] = {file: [] for file in run.files}
    for item in items:
        suites.setdefault(item.place.file, []).append(item)
    named = {file: _cases(found, run) for file, found in suites.items()}
    every = [case for cases in named.values() for case in cases]
    clean = sum(1 for cases in named.values() if not cases)
    excerpts = Excerpts(sources)
    style = TextStyle(False, run.shown)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites{_attributes(name=NAME, **_counts(every, clean))}>"
    for file, cases in named.items():
        shown = run.shown(file)
        yield f"{INDENT}<testsuite{_attributes(name=shown, **_counts(cases, 0 if cases else 1))}>"
        if not cases:
            yield f"{INDENT * 2}<testcase{_attributes(name=CLEAN, classname=shown, file=shown)}/>"
        for case in cases:
            yield from _case(case, shown, list(diagnostic_lines(case.item, excerpts, style)))
        yield f"{INDENT}</testsuite>"
    yield "</testsuites>"


def _cases(items: Iterable[Diagnostic], run: JunitRun) -> list[_Case]:
    """Return the cases of a file; what would have the same name gets a number."""
    met: Counter[str] = Counter()
    cases = []
    for item in items:
        name = f"{item.code} {CODES[item.code].name}"
        if item.place.pointer:
            name += f" at {format_pointer(item.place.pointer)}"
        met[name] += 1
        number = f" ({met[name]})" if met[name] > 1 else ""
        fails = item.severity == "error" or (run.strict and item.severity == "warning")
        cases.append(_Case(name + number, item, fails))
    return cases


def _counts(cases: Iterable[_Case], clean: int) -> dict[str, str]:
    """Return how many tests there are and how they ended; `clean` are files without any case."""
    fails = [case.fails for case in cases]
    return {
        "tests": str(len(fails) + clean),
        "failures": str(sum(fails)),
        "errors": "0",
        "skipped": "0",
    }


def _case(case: _Case, shown: str, lines: list[str]) -> Iterator[str]:
    span = case.item.place.span
    values = {"name": case.name, "classname": shown, "file": shown}
    if span is not None:
        values["line"] = str(span.start.line)
    yield f"{INDENT * 2}<testcase{_attributes(**values)}>"
    text = _escaped("\n".join(lines))
    if case.fails:
        failure = _attributes(type=case.item.code, message=case.item.message)
        yield f"{INDENT * 3}<failure{failure}>{text}</failure>"
    else:
        yield f"{INDENT * 3}<system-out>{text}</system-out>"
    yield f"{INDENT * 2}</testcase>"


def _attributes(**values: str) -> str:
    """Return attributes as XML; characters that XML cannot hold are shown by their escapes."""
    return "".join(f' {name}="{_escaped(visible(text))}"' for name, text in values.items())


def _escaped(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;")
