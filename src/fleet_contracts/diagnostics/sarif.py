"""Diagnostics as SARIF 2.1.0, for code scanning and viewers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import Diagnostic, Fix, Place, Related
from fleet_contracts.diagnostics.text import more_text, visible
from fleet_contracts.explain import STAGES
from fleet_contracts.pointer import format_pointer
from fleet_contracts.source import Lines, Position, Source, utf16_column

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
TOOL = "fleet-contracts"
BASE = "%SRCROOT%"
FINGERPRINT = "fleetDiagnostic/v1"

_SEMANTIC_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_LINK = re.compile(r"\[(?=[^\]]*\]\()")

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SarifRun:
    """What a SARIF log says beside diagnostics.

    `shown` gives a file's path in the repository, or an absolute path outside of it; `section`
    the Markdown that explains a code.
    """

    version: str
    exit_code: int
    shown: Callable[[str], str]
    section: Callable[[str], str]


def render_sarif(
    items: Iterable[Diagnostic], sources: Mapping[str, Source], run: SarifRun
) -> Document:
    """Return a log with one run, of diagnostics whose places are resolved, as plain data.

    It names the rules of the codes that were met. Columns count UTF-16 units: viewers do,
    whatever `columnKind` says.
    """
    found = list(items)
    codes = sorted({item.code for item in found})
    results = _Results(Lines(sources), run.shown, {code: at for at, code in enumerate(codes)})
    driver: Document = {"name": TOOL, "version": run.version}
    if _SEMANTIC_VERSION.fullmatch(run.version):
        driver["semanticVersion"] = run.version
    driver["rules"] = [_rule(code, run.section(code)) for code in codes]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [{"executionSuccessful": True, "exitCode": run.exit_code}],
                "originalUriBaseIds": {
                    BASE: {"description": {"text": "The root of the repository or project."}}
                },
                "columnKind": "utf16CodeUnits",
                "results": [results.result(item) for item in found],
            }
        ],
    }


def _rule(code: str, section: str) -> Document:
    row = CODES[code]
    first, _, _ = section.strip().partition("\n\n")
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in row.name.split("-")),
        "shortDescription": {"text": row.summary},
        "fullDescription": {"text": " ".join(first.split())},
        "help": {"text": section, "markdown": section},
        "defaultConfiguration": {"level": row.severity},
        "properties": {"tags": [STAGES[code[3]]]},
    }


@dataclass(slots=True)
class _Results:
    """Writes the results of one run; `rules` are the indices of its rules by code."""

    lines: Lines
    shown: Callable[[str], str]
    rules: Mapping[str, int]
    _met: Counter[tuple[str, str]] = field(default_factory=Counter)

    def result(self, item: Diagnostic) -> Document:
        result = {
            "ruleId": item.code,
            "ruleIndex": self.rules[item.code],
            "level": item.severity,
            "message": _message(item.message, *_more(item)),
            "locations": [self._location(item.place)],
            "partialFingerprints": {FINGERPRINT: self._fingerprint(item)},
        }
        related = [
            self._related(number, each)
            for number, each in enumerate((*item.related, *item.cases), start=1)
        ]
        if related:
            result["relatedLocations"] = related
        if item.fix is not None and item.fix.place.span is not None:
            result["fixes"] = [self._fix(item.fix, item.help or f"write {item.fix.edit.new}")]
        return result

    def _related(self, number: int, related: Related) -> Document:
        location = {"id": number, **self._location(related.place)}
        return {**location, "message": _message(related.message)}

    def _location(self, place: Place) -> Document:
        physical: Document = {"artifactLocation": self._artifact(place)}
        if place.span is not None:
            physical["region"] = self._region(place)
        location: Document = {"physicalLocation": physical}
        if place.pointer:
            name = format_pointer(place.pointer)
            location["logicalLocations"] = [{"fullyQualifiedName": _well_formed(name)}]
        return location

    def _artifact(self, place: Place) -> Document:
        path = self.shown(place.file)
        uri = quote(path, errors="surrogateescape")
        if path.startswith("/"):
            return {"uri": f"file://{uri}"}
        return {"uri": uri, "uriBaseId": BASE}

    def _region(self, place: Place) -> Document:
        assert place.span is not None
        start, end = (self._utf16(place.file, each) for each in place.span)
        return {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        }

    def _utf16(self, file: str, position: Position) -> Position:
        line = self.lines.line(file, position.line) or ""
        return position._replace(column=utf16_column(line, position.column))

    def _fix(self, fix: Fix, help: str) -> Document:
        replacement = {
            "deletedRegion": self._region(fix.place),
            "insertedContent": {"text": fix.edit.new},
        }
        change = {"artifactLocation": self._artifact(fix.place), "replacements": [replacement]}
        return {"description": _message(help), "artifactChanges": [change]}

    def _fingerprint(self, item: Diagnostic) -> str:
        """Return what stays the same when a diagnostic moves to another line.

        What is the same within a file is told apart by a number.
        """
        parts = (item.code, format_pointer(item.place.pointer), item.message)
        digest = sha256("\n".join(map(_well_formed, parts)).encode()).hexdigest()[:32]
        self._met[item.place.file, digest] += 1
        return f"{digest}:{self._met[item.place.file, digest]}"


def _more(item: Diagnostic) -> list[str]:
    lines = [f"help: {item.help}"] if item.help else []
    return [*lines, more_text(item)] if item.more_cases else lines


def _message(*lines: str) -> Document:
    """Return lines of plain text as a message; what would be a link in it is escaped."""
    return {"text": _LINK.sub(r"\\[", "\n".join(map(visible, lines)))}


def _well_formed(text: str) -> str:
    """Return text with lone surrogates escaped, which not every reader of JSON takes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
