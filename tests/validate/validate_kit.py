"""Explaining YAML snippets, and files of snippets with what is said about each.

A file of cases holds blocks between empty lines: a title (`# …`), the snippet as
`NAME: YAML` on one line, and the findings. `$PIN` in a snippet is a pinned image.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from fleet_contracts import schemas, validate
from fleet_contracts.diagnostics.model import Bag, Diagnostic, Place
from fleet_contracts.pointer import format_pointer
from fleet_contracts.reading.document import Document
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source

FILE = "a.yaml"
CASES = Path(__file__).parent / "cases"


class Case(NamedTuple):
    """A snippet of the shape `name`, and what is said about it."""

    title: str
    name: str
    snippet: str
    findings: str


def load_cases() -> list[Case]:
    """Return the cases of all files."""
    blocks = [
        block.strip()
        for file in sorted(CASES.glob("*.txt"))
        for block in file.read_text(encoding="utf-8").split("\n\n")
    ]
    return [_case(block) for block in blocks]


def _case(block: str) -> Case:
    title, line, findings = block.split("\n", 2)
    name, _, snippet = line.partition(": ")
    return Case(title.removeprefix("# "), name, snippet, findings)


def read(text: str) -> Document:
    """Return a YAML text's document; it has to be readable."""
    bag = Bag()
    pin = f"'sha256:{'0' * 64}'"
    document = read_yaml(Source(FILE, text.replace("$PIN", pin)), bag)
    assert document is not None, render(bag)
    return document


def render(items: Iterable[Diagnostic]) -> str:
    """Return findings as text: code, place, message, and a line for the help."""
    lines = []
    for item in items:
        at = "key " if item.place.at == "key" else ""
        where = format_pointer(item.place.pointer) or "(top)"
        lines.append(f"  {item.code} {at}{where}: {item.message}")
        lines += [f"    help: {item.help}"] if item.help else []
    return "\n".join(lines)


def reference(name: str) -> str:
    """Return the reference of an authored version, or of a shared definition."""
    return schemas.AUTHORED.get(name, f"authoring/definitions.json#/$defs/{name}")


def explained(name: str, value: Any) -> Bag:
    """Return what is wrong with plain data that the fast validator refuses."""
    assert not validate.is_valid(reference(name), value)
    bag = Bag()
    validate.explain(reference(name), value, Place(FILE), bag)
    return bag
