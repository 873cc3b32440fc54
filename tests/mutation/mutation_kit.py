"""Checks a broken copy of a valid project, and what is said of it."""

from __future__ import annotations

import functools
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jsonschema
import referencing
from referencing.jsonschema import DRAFT202012

from fleet_contracts import schemas, validate
from fleet_contracts.compiler import Compiler
from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.github import render_github
from fleet_contracts.diagnostics.json import render_json
from fleet_contracts.diagnostics.model import Bag, Diagnostic
from fleet_contracts.diagnostics.text import TextStyle, render_text
from fleet_contracts.project import Project
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source
from fleet_contracts.store.hashing import HashSink
from fleet_contracts.store.layout import is_store
from fleet_contracts.store.reader import Store

CHECKOUT = Path(__file__).resolve().parents[2]
LONGEST: Final = 5
"""Seconds that a check of a small project may take. It is far from what one takes."""
STORE = "store"
STEP: Final = 1 if os.environ.get("FLEET_CI") == "1" else 5
"""Every change is tried in CI, and each fifth elsewhere, so that `make test` stays short."""


def cases() -> dict[str, Path]:
    """Return the folders of all valid projects, by name."""
    fixtures = sorted((CHECKOUT / "fixtures" / "compile" / "ok").iterdir())
    examples = sorted(path for path in (CHECKOUT / "examples").iterdir() if path.is_dir())
    return {
        **{path.name: path / "input" for path in fixtures if path.is_dir()},
        **{f"example-{path.name}": path for path in examples},
    }


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Let what takes longer fail with the place at which it was."""

    def interrupt(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True, slots=True)
class Bench:
    """A copy of a valid project, one file of which is broken at a time."""

    folder: Path
    roots: tuple[Path, ...]
    files: tuple[Path, ...]

    @classmethod
    def of(cls, case: Path, to: Path) -> Bench:
        """Copy a project."""
        folder = to.resolve() / "project"
        shutil.copytree(case, folder)
        kinds = ("*.taskset.yaml", "*.environment.yaml")
        roots = [path for kind in kinds for path in sorted(folder.glob(kind))]
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        authored = [path for path in files if STORE not in path.relative_to(folder).parts]
        return cls(folder, tuple(roots), tuple(authored))

    def check(self, file: Path, data: bytes) -> list[Diagnostic]:
        """Check the project with other bytes in one file; every promise is asserted."""
        before = file.read_bytes()
        file.write_bytes(data)
        try:
            with at_most(LONGEST):
                return self._check()
        finally:
            file.write_bytes(before)

    def _check(self) -> list[Diagnostic]:
        directory = self.folder / STORE
        store = Store.open(directory) if is_store(directory) else None
        compiler = Compiler(Project(self.folder), HashSink(), store)
        compiled = [compiler.compile(path) for path in self.roots]
        items = resolve_places(compiler.bag, compiler.reader.sources)
        assert (None in compiled) == any(item.severity == "error" for item in items)
        for item in items:
            look_at(item, compiler.reader.sources)
        rendered(items, compiler.reader.sources)
        return items


def look_at(item: Diagnostic, sources: dict[str, Source]) -> None:
    """Assert that a diagnostic has a code, a text and a place, and that its fix fits."""
    assert item.code in CODES
    assert item.message
    assert item.place.file
    source = sources.get(item.place.file)
    span = item.place.span
    if source is not None:
        assert span is not None, item
        lines = source.text.split("\n")
        assert 1 <= span.start.line <= span.end.line <= len(lines) + 1
        assert span.start.column >= 1
    if item.fix is not None and item.fix.place.span is not None:
        span = item.fix.place.span
        assert span.start.line == span.end.line
        line = sources[item.fix.place.file].text.split("\n")[span.start.line - 1]
        assert line[span.start.column - 1 : span.end.column - 1] == item.fix.edit.old


def rendered(items: list[Diagnostic], sources: dict[str, Source]) -> None:
    """Assert that what is printed can be, and stands on lines of its own."""
    lines = list(render_text(items, sources, TextStyle(colours=False, shown=str)))
    lines += render_github(items, str)
    assert all("\r" not in line for line in lines)
    "\n".join(lines).encode()
    assert len(render_json(items, str)) == len(items)


@functools.cache
def _slow(reference: str) -> jsonschema.Draft202012Validator:
    def retrieved(uri: str) -> referencing.Resource[Any]:
        return DRAFT202012.create_resource(schemas.load(uri.removeprefix(schemas.BASE)))

    kind: Any = referencing.Registry  # its keyword is not in its types
    registry = kind(retrieve=retrieved)
    return jsonschema.Draft202012Validator({"$ref": schemas.BASE + reference}, registry=registry)


def assert_agreed(data: bytes) -> None:
    """Assert that both validators say the same of an authored document, if it is one."""
    bag = Bag()
    source = decode(data, "a.yaml", bag)
    document = None if source is None else read_yaml(source, bag)
    if document is None or not isinstance(document.value, dict):
        return
    version = document.value.get("authoring")
    reference = schemas.AUTHORED.get(version) if isinstance(version, str) else None
    if reference is not None:
        value = validate.plain_numbers(document.value)
        assert _slow(reference).is_valid(value) is validate.is_valid(reference, document.value)
