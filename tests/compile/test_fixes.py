"""Every edit that a diagnostic offers mends what it is about, in every failing fixture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixture_kit import ERR, ROOTS, copied, folders

from fleet_contracts.compiler import Compiler
from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import Diagnostic, Fix
from fleet_contracts.project import Project
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.store.hashing import HashSink

OFFERED = (
    "FLT1035 FLT2001 FLT2002 FLT2010 FLT2012 FLT2013 FLT2020 FLT2022 FLT3010 FLT3011 FLT3030 "
    "FLT3031 FLT4001"
)
"""Codes that offer an edit in their fixture, among others."""


def checked(folder: Path) -> list[Diagnostic]:
    compiler = Compiler(project=Project(folder), sink=HashSink())
    for pattern in ROOTS:
        for path in sorted(folder.glob(pattern)):
            compiler.compile(path)
    return resolve_places(compiler.bag, compiler.reader.sources)


def applied(text: str, fix: Fix) -> str:
    """Return a text with the edit made; what it replaces must be what stands there."""
    span = fix.place.span
    assert span is not None
    lines = text.split("\n")
    line = lines[span.start.line - 1]
    start, end = span.start.column - 1, span.end.column - 1
    assert line[start:end] == fix.edit.old
    lines[span.start.line - 1] = line[:start] + fix.edit.new + line[end:]
    return "\n".join(lines)


def same(items: list[Diagnostic], item: Diagnostic) -> Iterator[Diagnostic]:
    """Yield diagnostics that say of a place what another one did."""
    places = {item.place, item.fix.place if item.fix else item.place}
    for each in items:
        if each.code == item.code and each.place in places:
            yield each


@pytest.mark.parametrize("case", folders(ERR), ids=lambda path: path.name)
def test_an_offered_edit_mends(case: Path, tmp_path: Path) -> None:
    folder = copied(case, tmp_path)
    before = checked(folder)
    for item in before:
        if item.fix is None:
            continue
        path = folder / item.fix.place.file
        data = path.read_bytes()
        text = data.decode()
        path.write_bytes(applied(text, item.fix).encode())
        after = checked(folder)
        assert not list(same(after, item)), f"{item.fix} does not mend {item}"
        path.write_bytes(data)


@pytest.mark.parametrize("code", OFFERED.split())
def test_an_edit_is_offered(code: str, tmp_path: Path) -> None:
    assert code in CODES
    fixes = []
    for case in (each for each in folders(ERR) if each.name.startswith(code)):
        fixes += [
            item.fix for item in checked(copied(case, tmp_path / case.name)) if item.code == code
        ]
    assert any(fixes)
