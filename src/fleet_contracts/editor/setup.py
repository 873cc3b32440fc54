"""What `fleet editor setup` writes into a project: planned first, then written file by file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from fleet_contracts import __version__
from fleet_contracts.editor import jsonc, vscode
from fleet_contracts.editor.jsonc import JsoncProblem
from fleet_contracts.editor.kinds import FOLDER, KINDS
from fleet_contracts.editor.schemas import editor_schema
from fleet_contracts.errors import UnresolvedError
from fleet_contracts.schemas import Schema

CATALOG = f"{FOLDER}/catalog.json"


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file by its path from the project root, what it holds (None: not there), and will hold."""

    path: str
    before: bytes | None
    after: bytes

    @property
    def change(self) -> str:
        """What writing it does: `new`, `updated` or `unchanged`."""
        if self.before is None:
            return "new"
        return "unchanged" if self.before == self.after else "updated"


@dataclass(slots=True)
class Plan:
    """Files in order; notes on what was left alone; problems, with which nothing is written."""

    root: Path
    files: list[PlannedFile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def is_up_to_date(self) -> bool:
        """Whether writing would change nothing."""
        return all(file.change == "unchanged" for file in self.files)


def plan_setup(root: Path, *, base: str = "", is_vscode: bool = False) -> Plan:
    """Return what the schemas, the catalogue and, if wanted, the settings of a project become.

    `base` is the address at which the schema folder is served, for the catalogue; without it
    the addresses there are relative to the catalogue. Raises `UnresolvedError` for a file that
    is there and cannot be read.
    """
    plan = Plan(root)
    for kind in KINDS:
        _add(plan, f"{FOLDER}/{kind.file}", schema_bytes(editor_schema(kind.name)))
    _add(plan, CATALOG, schema_bytes(catalog(base)))
    if is_vscode:
        _merge(plan, vscode.SETTINGS, vscode.merge_settings)
        _merge(plan, vscode.EXTENSIONS, vscode.merge_extensions)
    return plan


def catalog(base: str = "") -> Schema:
    """Return the SchemaStore form of a catalogue: which schema is for which files."""
    start = base.removesuffix("/") if base else "."
    return {
        "$comment": f"fleet-contracts {__version__}",
        "version": 1,
        "schemas": [
            {
                "name": kind.title,
                "description": kind.description,
                "fileMatch": kind.patterns,
                "url": f"{start}/{kind.file}",
            }
            for kind in KINDS
        ],
    }


def schema_bytes(schema: Schema) -> bytes:
    """Return a schema as it stands in a file."""
    return (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode()


def write(plan: Plan) -> None:
    """Write what changes, each file whole or not at all; raises `UnresolvedError`."""
    for file in plan.files:
        if file.change != "unchanged":
            write_whole(plan.root / file.path, file.after)


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in its place at once, with the mode it had; raises `UnresolvedError`."""
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with beside.open("xb") as file:
                file.write(data)
            if target.exists():
                beside.chmod(target.stat().st_mode & 0o777)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UnresolvedError(f"cannot write {path}: {error.strerror}") from None


def _add(plan: Plan, path: str, after: bytes) -> None:
    plan.files.append(PlannedFile(path, _read(plan.root / path), after))


def _merge(plan: Plan, path: str, merge: Callable[[str], vscode.Merged]) -> None:
    """Plan a file of somebody else's, to which only something is added."""
    before = _read(plan.root / path)
    try:
        merged = merge(_with_a_value((before or b"").decode("utf-8")))
    except UnicodeDecodeError as error:
        plan.problems.append(f"{path}: it is not UTF-8: byte {error.start} is out of place")
        return
    except JsoncProblem as problem:
        plan.problems.append(f"{path}:{problem.line}:{problem.column}: {problem.message}")
        return
    plan.notes += [f"{path}: {note}" for note in merged.notes]
    plan.files.append(PlannedFile(path, before, merged.text.encode("utf-8")))


def _with_a_value(text: str) -> str:
    """Return a text with an empty map behind it if it holds no value, as editors understand it."""
    if not jsonc.is_blank(text):
        return text
    return f"{text}{'' if text[-1:] in ('', chr(10), chr(0xFEFF)) else chr(10)}{{}}\n"


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnresolvedError(f"cannot read {path}: {error.strerror}") from None
