"""What the tests of the language server share: small projects, marks in texts, a client."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fleet_contracts.lsp.documents import OpenTexts
from fleet_contracts.lsp.session import Session
from fleet_contracts.source import Position, Span
from stdio_kit import LspClient, covered, position

COMMAND = (sys.executable, "-m", "fleet_contracts", "lsp", "--stdio")
MARK = "§"
EVERYTHING = {
    "textDocument": {
        "publishDiagnostics": {
            "relatedInformation": True,
            "tagSupport": {"valueSet": [1, 2]},
            "dataSupport": True,
            "versionSupport": True,
        },
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}

TASKS = """\
authoring: taskset/v1
environments:
  shell: {builtin: terminal@v1}
tasks:
  one:
    prompt: How many?
    environment: shell
    verifiers:
      - id: answer
        type: evaluator
        evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "2"}}
        decision: {kind: threshold, at_least: 1}
"""
TASK = TASKS[TASKS.index("  one:") :]
INCLUDED = f"authoring: tasks/v1\ntasks:\n{TASK.replace('one:', 'two:')}"


def session(folder: Path, **texts: str) -> Session:
    """Return a session with files open: `a_taskset` is `a.taskset.yaml`."""
    made = Session(OpenTexts(folder))
    for name, text in texts.items():
        path = folder / f"{name.replace('_', '.')}.yaml"
        path.write_text(text, encoding="utf-8")
        assert made.texts.put(path.as_uri(), 1, text) is not None
    return made


def marked(text: str) -> tuple[str, Position]:
    """Return a text without its mark `§`, and where that stood."""
    before, _, after = text.partition(MARK)
    position = Position(before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1)
    return before + after, position


def stretch(text: str, span: Span) -> str:
    """Return what a span of one line covers."""
    assert span.start.line == span.end.line
    return text.split("\n")[span.start.line - 1][span.start.column - 1 : span.end.column - 1]


class FleetClient(LspClient):
    """A client of `fleet lsp` that can take everything, unless it says otherwise."""

    def __init__(self, folder: Path, *words: str, **more: Any) -> None:
        more.setdefault("capabilities", EVERYTHING)
        super().__init__([*COMMAND, *words], folder, **more)

    def published(self, path: Path, *codes: str) -> list[dict[str, Any]]:
        """Wait until the diagnostics of a file, open or not, have just these codes."""
        uri = path.as_uri()

        def is_there() -> bool:
            found = self._published.get(uri, (None, []))[1]
            return uri in self._published and [each.get("code") for each in found] == [*codes]

        self._wait(is_there, f"did not publish {codes} about {path.name}")
        return self._published[uri][1]

    def was_told_of(self, path: Path) -> bool:
        """Whether anything was ever published about a file."""
        return path.as_uri() in self._published

    def actions(self, path: Path, text: str, needle: str, *only: str) -> list[dict[str, Any]]:
        """Ask for code actions where some text stands."""
        place = position(text, needle)
        context: dict[str, Any] = {"diagnostics": []}
        if only:
            context["only"] = [*only]
        span = {"start": place, "end": place}
        params = {"textDocument": {"uri": path.as_uri()}, "range": span, "context": context}
        found: list[dict[str, Any]] = self.request("textDocument/codeAction", params)
        return found


def applied(text: str, action: dict[str, Any]) -> str:
    """Return a text after a code action, whose edits are of that text only."""
    (change,) = action["edit"]["documentChanges"]
    for edit in sorted(change["edits"], key=lambda e: -e["range"]["start"]["line"]):
        old = covered(text, edit["range"])
        start = sum(len(line) + 1 for line in text.split("\n")[: edit["range"]["start"]["line"]])
        offset = start + edit["range"]["start"]["character"]
        text = text[:offset] + edit["newText"] + text[offset + len(old) :]
    return text


def told(diagnostics: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
    """Return code, line and character of each diagnostic, as the protocol counts."""
    return [(each.get("code", ""), *each["range"]["start"].values()) for each in diagnostics]
