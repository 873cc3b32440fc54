"""A project set up by `fleet editor setup --vscode`, and the YAML language server in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from fleet_contracts import schemas
from fleet_contracts.cli.editor import setup_command
from node_kit import CHECKOUT, node_command
from stdio_kit import LspClient, covered

SERVER = "yaml-language-server/bin/yaml-language-server"
KINDS = tuple(version.removesuffix("/v1") for version in schemas.AUTHORED)
CURSOR = "‸"
BUILTIN_IDS = [
    "answer-equals", "answer-matches", "answer-close", "json-equals", "file-exists",
    "file-equals", "file-matches", "constant",
]  # fmt: skip
MOST_WAITED = 60.0

CAPABILITIES = {
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {
        "completion": {
            "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}
        },
        "hover": {"contentFormat": ["markdown"]},
    },
}

LEAF = """\
authoring: taskset/v1
environments:
  shell: {builtin: terminal@v1}
tasks:
  one:
    prompt: What is 6 times 7?
    environment: shell
    verifiers:
      - id: answer
        type: evaluator
        evaluator:
          kind: builtin.v1
          builtin_id: answer-equals
          params: {expected: "42"}
        decision: {kind: threshold, at_least: 1}
"""

TREE = """\
authoring: taskset/v1
tasks:
  one:
    prompt: {file: prompts/one.md}
    environment: {image_ref: $PIN, network: {mode: open}}
    completion: {mode: max_turns, max_turns: 20}
    captures:
      - {id: report, kind: file.v1, path: report.md}
    verifiers:
      - id: overall
        type: composite
        children:
          - id: first
            weight: 0.5
            node:
              id: names-it
              type: evaluator
              evaluator:
                kind: builtin.v1
                builtin_id: file-matches
                params: {path: report.md, pattern: total, input: report}
              evidence:
                inputs:
                  - name: report
                    select: {source: capture, id: report}
                    expose: {as: ctx}
              decision: {kind: threshold, at_least: 1}
          - id: second
            weight: 0.5
            node:
              id: own-program
              type: evaluator
              evaluator:
                kind: code.v1
                entrypoint: {file: grade.py}
                image_ref: $PIN
              metrics:
                - {name: quality, type: decimal, bounds: {minimum: 0, maximum: 1}}
              objective: {metric: quality, reducer: mean}
              decision: {kind: threshold, at_least: 0.5}
        aggregation: {kind: weighted_sum}
        decision: {kind: threshold, at_least: 1}
""".replace("$PIN", "sha256:" + "0" * 64)


class Finding(NamedTuple):
    """What the server says about a piece of text."""

    text: str
    message: str


def set_up(folder: Path) -> dict[str, Any]:
    """Set a project up as its author would; return the editor's settings by section."""
    setup_command.main([str(folder), "--vscode"], standalone_mode=False)
    written = json.loads((folder / ".vscode" / "settings.json").read_text(encoding="utf-8"))
    sections: dict[str, Any] = {"yaml": {"schemaStore": {"enable": False}}}  # nothing is fetched
    for name, value in written.items():
        section, _, key = name.partition(".")
        sections.setdefault(section, {})[key] = value
    return sections


def server(folder: Path, settings: dict[str, Any]) -> LspClient:
    """Return a client of the server, to be entered."""
    return LspClient(
        node_command(SERVER, "--stdio"),
        folder,
        settings=settings,
        capabilities=CAPABILITIES,
        timeout=MOST_WAITED,
    )


def open_all(client: LspClient, texts: Iterable[tuple[Path, str]]) -> None:
    """Open documents without waiting; the server looks at each a moment after it was opened."""
    for path, text in texts:
        client.open(path, text)


def findings(client: LspClient, path: Path, text: str) -> list[Finding]:
    """Return what the server says about an open document, in the order of the text."""
    items = client.diagnostics(path)
    items.sort(key=lambda item: [*item["range"]["start"].values(), item["message"]])
    return [Finding(covered(text, item["range"]), item["message"]) for item in items]


def described(*pointer: str | int) -> str:
    """Return the description of a shared definition, or of something inside it."""
    found: Any = schemas.load("authoring/definitions.json")["$defs"]
    for token in pointer:
        found = found[token]
    return str(found["description"])


def edited(text: str, old: str, new: str) -> str:
    """Return a text with one place changed, the first of them."""
    assert old in text, old
    return text.replace(old, new, 1)


def good_files() -> list[Path]:
    """Return the examples and the input of every fixture that compiles, of all kinds."""
    folders = [CHECKOUT / "examples", *(CHECKOUT / "fixtures" / "compile" / "ok").glob("*/input")]
    endings = tuple(f".{kind}.yaml" for kind in KINDS)
    return sorted(
        path for folder in folders for path in folder.rglob("*.yaml") if path.name.endswith(endings)
    )
