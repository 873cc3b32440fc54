"""Every fixture with mistakes, as an editor is told about it."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from lsp_kit import session
from lsprotocol import types as lsp

from fleet_contracts.lsp.actions import FIX_ALL
from fleet_contracts.lsp.checking import Settings, check
from fleet_contracts.lsp.convert import Client
from fleet_contracts.lsp.lines import Lines, Spot
from fleet_contracts.lsp.service import Service
from fleet_contracts.source import Span

ERR = Path(__file__).resolve().parents[2] / "fixtures" / "compile" / "err"
ROOTS = ("*.taskset.yaml", "*.environment.yaml")
CODE = re.compile(r"^\S.*? (?:error|warning|note)\[(FLT[0-9]{4})\]", re.MULTILINE)


def cases() -> list[Path]:
    """Return the fixtures of one root without options of the command line."""
    folders = (folder for folder in sorted(ERR.iterdir()) if not (folder / "options").exists())
    return [f for f in folders if sum(len(list((f / "input").glob(each))) for each in ROOTS) == 1]


@dataclass
class Editor:
    """An editor that remembers what it is told."""

    told: dict[str, list[lsp.Diagnostic]] = field(default_factory=dict)

    def text_document_publish_diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.told[params.uri] = list(params.diagnostics)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_an_editor_is_told_what_the_command_line_tells(case: Path, tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "project"
    shutil.copytree(case / "input", folder, symlinks=True)
    (root,) = (path for each in ROOTS for path in folder.glob(each))
    editor = Editor()
    client = Client(related=True, tags=True, data=True)
    service = Service(editor, session(folder), client)
    text = root.read_bytes().decode("utf-8", errors="replace")
    service.session.texts.put(root.as_uri(), 1, text)
    checked = check(root, {}, lambda: False, Settings())
    service.done(checked)
    assert checked.failures == ()
    found = sorted(str(each.code) for told in editor.told.values() for each in told)
    expected = (case / "expected.txt").read_text(encoding="utf-8")
    assert found == sorted(CODE.findall(expected))
    for each in editor.told[root.as_uri()]:
        assert each.range.start <= each.range.end
        hover = service.hover(root.as_uri(), each.range.start)
        assert hover is not None
        assert isinstance(hover.contents, lsp.MarkupContent)
        assert f"**{each.code} " in hover.contents.value


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_what_a_fix_replaces_is_not_told_again(case: Path, tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "project"
    shutil.copytree(case / "input", folder, symlinks=True)
    (root,) = (path for each in ROOTS for path in folder.glob(each))
    service = Service(Editor(), session(folder), Client())
    text = root.read_bytes().decode("utf-8", errors="replace").removeprefix("\ufeff")
    service.session.texts.put(root.as_uri(), 1, text)
    before = check(root, service.session.texts.overlay(), lambda: False, Settings())
    service.done(before)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(100_000, 0))
    actions = service.actions(root.as_uri(), whole, [FIX_ALL])
    fixed = [each for each in before.found.get(root, []) if each.fix]
    assert bool(actions) <= bool(fixed)
    for action in actions:
        assert action.edit is not None
        assert action.edit.changes is not None
        lines = Lines(text, "utf-16")
        edits = action.edit.changes[root.as_uri()]
        for edit in reversed(edits):
            start, end = (lines.offset(place) for place in _span(lines, edit.range))
            text = text[:start] + edit.new_text + text[end:]
        after = check(root, {root: text.encode()}, lambda: False, Settings())
        left = {(each.code, each.message) for each in after.found.get(root, [])}
        mended = {(each.code, each.message) for each in fixed if each.fix}
        assert after.failures == ()
        assert not left & mended


def _span(lines: Lines, span: lsp.Range) -> Span:
    start, end = (Spot(each.line, each.character) for each in (span.start, span.end))
    return Span(lines.position_of(start), lines.position_of(end))
