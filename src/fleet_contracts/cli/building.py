"""One run of the compiler over the files of a command, and what it leaves on disk."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from fleet_contracts.cli.exits import Exit, exit_for
from fleet_contracts.cli.progress import Progress
from fleet_contracts.compiler import ROOTS, CompiledRoot, Compiler
from fleet_contracts.diagnostics.model import Bag, Diagnostic, Place, distinct
from fleet_contracts.lock_change import LockChange, change_of, report_drift
from fleet_contracts.lockfile import add_pins
from fleet_contracts.parts import CompiledVerifier
from fleet_contracts.pins import Locking
from fleet_contracts.project import STORE_NAME, Project
from fleet_contracts.reading.data_lines import with_lines
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.schemas import CATALOG_FILE
from fleet_contracts.store.hashing import HashSink
from fleet_contracts.store.layout import is_store
from fleet_contracts.store.model import StoreError
from fleet_contracts.store.reader import Store
from fleet_contracts.store.verifier import VerifierFolder
from fleet_contracts.store.writer import Transaction
from fleet_contracts.suppress import without_suppressed

Compiled: TypeAlias = CompiledRoot | CompiledVerifier

DATA_SUFFIXES = frozenset({".csv", ".json", ".jsonl"})
MOST_EXCERPTS = 1_000  # lines of one data file that are read again to be shown


@dataclass(frozen=True, slots=True)
class Settings:
    """What a command was asked to do; `store` None means `.fleet` in the project root.

    With `strict`, warnings stop it as errors do; `accepts` and `locking` are the `Compiler`'s.
    A standalone Verifier is written to `verifier_folder`, and then no store is looked at.
    """

    project: Project
    files: Sequence[Path]
    store: Path | None
    catalog: Path | None
    max_bytes: int
    writes: bool
    strict: bool = False
    accepts: tuple[str, ...] = ROOTS
    verifier_folder: Path | None = None
    locking: Locking = field(default_factory=Locking)


@dataclass(frozen=True, slots=True)
class BuiltRoot:
    """A compiled root or Verifier, the bytes that were new of it, and the seconds it took.

    `written` is None where nothing was to be written.
    """

    root: Compiled
    written: int | None
    seconds: float


@dataclass(slots=True)
class Built:
    """The result of a run: every root, or none of them when anything failed.

    `diagnostics` have their places resolved, without those that comments suppress, and are in
    order, file by file as they were read.
    """

    compiler: Compiler
    roots: list[BuiltRoot]
    lock: LockChange
    diagnostics: list[Diagnostic]
    code: Exit


def build(settings: Settings) -> Built:
    """Compile all files; write the store and then the lock if everything went well."""
    bag = Bag()
    with ExitStack() as stack:
        store, sink = _open(settings, bag)
        if isinstance(sink, Transaction):
            stack.enter_context(sink)
        progress = stack.enter_context(Progress())
        compiler = Compiler(
            project=settings.project,
            sink=sink,
            store=store,
            catalog_file=settings.catalog or CATALOG_FILE,
            max_bytes=settings.max_bytes,
            progress=progress.advance,
            accepts=settings.accepts,
            locking=settings.locking,
            bag=bag,
        )
        compiled = compile_files(compiler, settings, progress)
        lock = LockChange() if compiler.pins is None else change_of(compiler.pins)
        if compiler.pins is not None and settings.locking.locked:
            report_drift(lock, compiler.pins, bag, settings.locking.command)
        found, code = _outcome(compiler, settings)
        if isinstance(sink, Transaction) and code is Exit.CLEAN:
            known = len(bag)
            with _reported(bag):
                _name_verifier(sink, compiled)
                sink.commit()
            if len(bag) > known:
                found, code = _outcome(compiler, settings)
    if code is not Exit.CLEAN:
        return Built(compiler, [], lock, found, code)
    if settings.writes and compiler.pins is not None and lock.added:
        add_pins(compiler.pins.lock, compiler.pins.added)
        lock.written = True
    written = sink.written_by_root if isinstance(sink, Transaction) else {}
    roots = [BuiltRoot(root, written.get(root.name), seconds) for root, seconds in compiled]
    return Built(compiler, roots, lock, found, code)


def _open(settings: Settings, bag: Bag) -> tuple[Store | None, Transaction | HashSink]:
    """Return the store to read from, if there is one, and where content goes.

    With a store that cannot be used the documents are checked all the same.
    """
    if settings.verifier_folder is not None:
        return None, VerifierFolder.begin(settings.verifier_folder)
    directory = settings.store or settings.project.root / STORE_NAME
    store: Store | None = None
    sink: Transaction | HashSink = HashSink()
    with _reported(bag):
        store = Store.open(directory) if is_store(directory) else None
        if settings.writes:
            sink = Transaction.begin(directory)
    return store, sink


@contextmanager
def _reported(bag: Bag) -> Iterator[None]:
    """Turn a `StoreError` into a diagnostic."""
    try:
        yield
    except StoreError as error:
        bag.add(error.code, error.message, Place(error.path), help=error.help)


def compile_files(
    compiler: Compiler, settings: Settings, progress: Progress
) -> list[tuple[Compiled, float]]:
    """Return every root that has no errors, with the seconds it took."""
    compiled = []
    for path in settings.files:
        progress.begin(settings.project.name(path))
        started = time.perf_counter()
        root = compiler.compile(path)
        if root is not None:
            compiled.append((root, time.perf_counter() - started))
    return compiled


def _name_verifier(sink: Transaction, compiled: list[tuple[Compiled, float]]) -> None:
    """Tell the folder of a standalone Verifier what it is to hold; a store knows its roots."""
    if isinstance(sink, VerifierFolder):
        for verifier, _ in compiled:
            assert isinstance(verifier, CompiledVerifier)
            sink.add_verifier(verifier.name, verifier.document, verifier.blobs)


def _outcome(compiler: Compiler, settings: Settings) -> tuple[list[Diagnostic], Exit]:
    """Return all that is to be told until now, and the exit code that it leads to."""
    found = told(compiler)
    return found, exit_for(found, strict=settings.strict)


def told(compiler: Compiler) -> list[Diagnostic]:
    """Return what was found until now and is not suppressed, with places, in order."""
    sources = compiler.reader.sources
    items = distinct(resolve_places(compiler.bag, sources))
    found = without_suppressed(items, sources, compiler.alone)
    _add_data_lines(compiler, found)
    return _in_order(found)


def _add_data_lines(compiler: Compiler, items: list[Diagnostic]) -> None:
    """Add to the sources of a compiler what the first diagnostics of data files are about."""
    wanted: dict[str, set[int]] = {}
    for item in items:
        name, span = item.place.file, item.place.span
        if span is not None and Path(name).suffix.lower() in DATA_SUFFIXES:
            numbers = wanted.setdefault(name, set())
            if len(numbers) < MOST_EXCERPTS:
                numbers.add(span.start.line)
    sources = compiler.reader.sources
    for name in wanted.keys() - sources.keys():
        source = with_lines(compiler.project.root / name, name, wanted[name])
        if source is not None:
            sources[name] = source


def _in_order(items: list[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics file by file as they were met, then by place, notes last."""
    files = {item.place.file: index for index, item in reversed(list(enumerate(items)))}

    def order(item: Diagnostic) -> tuple[int, bool, int, int]:
        start = item.place.span.start if item.place.span else (0, 0)
        return files[item.place.file], item.severity == "note", start[0], start[1]

    return sorted(items, key=order)
