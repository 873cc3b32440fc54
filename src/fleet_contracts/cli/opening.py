"""The sides of `fleet diff` as documents: of a store, or compiled where they are authored.

Nothing is written but into temporary folders.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from fleet_contracts.cli.building import told
from fleet_contracts.cli.paths import open_project, shown_path
from fleet_contracts.cli.progress import Progress
from fleet_contracts.cli.sides import USAGE, InFiles, InRevision, InStore, Side, Sides
from fleet_contracts.cli.stores import open_store, store_folder
from fleet_contracts.compiler import Compiler
from fleet_contracts.diagnostics.model import Bag, Diagnostic, Place
from fleet_contracts.diff.documents import of_digest, of_root, of_task, tasks
from fleet_contracts.diff.kept import Kept
from fleet_contracts.diff.model import Subject
from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.inspecting import find
from fleet_contracts.project import STORE_NAME, Project
from fleet_contracts.revisions import Checkout
from fleet_contracts.source import Source
from fleet_contracts.store.layout import is_store
from fleet_contracts.store.model import StoreError
from fleet_contracts.store.reader import Store


@dataclass(frozen=True, slots=True)
class Choices:
    """What the options of the command say; None leaves a choice to the project."""

    project: Path | None
    store: Path | None
    catalog: Path
    max_bytes: int


@dataclass(slots=True)
class Opened:
    """A side: its document, None where there is none, and the errors that kept it from being one.

    `shown` says what a file is called.
    """

    label: str
    subject: Subject | None = None
    errors: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    shown: Callable[[str], str] = str


@dataclass(slots=True)
class Opener:
    """Opens sides; what it writes on the way is gone when `stack` is closed."""

    choices: Choices
    stack: ExitStack
    progress: Progress

    def open(self, sides: Sides) -> tuple[Opened, Opened]:
        """Open both sides; a store of several roots is asked for the one of the other's name.

        Raises `UsageError`, `UnresolvedError` and `StoreError` for what cannot be opened.
        """
        old, new = sides.old, sides.new
        if isinstance(old, InStore) and not old.word and not isinstance(new, InStore):
            other = self._open(new)
            pair = self._open(old, other.subject.name if other.subject else None), other
        else:
            first = self._open(old)
            pair = first, self._open(new, first.subject.name if first.subject else None)
        for side, opened in zip((old, new), pair, strict=True):
            if not isinstance(side, InStore) and side.key and opened.subject:
                opened.subject = _task(side, opened.subject)
        if not any(each.subject or each.errors for each in pair):
            raise UsageError(f"there is neither {old.label} nor {new.label}")
        return pair

    def _open(self, side: Side, name: str | None = None) -> Opened:
        if isinstance(side, InStore):
            return Opened(side.label, self._stored(side, name))
        return self._file(side) if isinstance(side, InFiles) else self._of_revision(side)

    def _stored(self, side: InStore, name: str | None) -> Subject:
        choices = self.choices
        directory = side.directory or store_folder(choices.store, choices.project)
        if side.hint and not is_store(directory):
            raise UsageError(f"{side.hint}, and there is no store at {directory}", help=USAGE)
        store = open_store(directory)
        if side.word:
            return _named(store, side)
        if len(store.roots) == 1:
            return of_root(store, store.roots[0])
        root = store.find(name) if name else None
        if root is None:
            names = ", ".join(sorted(root.name or root.document.digest for root in store.roots))
            raise UsageError(
                f"the store {directory} has {len(store.roots)} roots",
                help=f"write {directory}#ROOT, ROOT being one of {names}" if names else "",
            )
        return of_root(store, root)

    def _file(self, side: InFiles) -> Opened:
        if side.may_lack and not os.path.lexists(side.path):
            return Opened(side.label)
        if not side.path.exists():
            raise UsageError(f"{side.path} leads to no file")
        project, files = open_project((side.path,), self.choices.project)
        opened = Opened(side.label, shown=lambda name: shown_path(project, name))
        self._compile(opened, project, files[0], project.root)
        return opened

    def _of_revision(self, side: InRevision) -> Opened:
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory(prefix="fleet-")))
        checkout = Checkout(side.repository, side.revision, folder.resolve())
        path = checkout.find(side.path)
        if path is None:
            if side.may_lack:
                return Opened(side.label)
            where = side.revision or "the index"
            raise UsageError(
                f"{where} has no file {side.path!r}",
                help="paths begin at the top of the repository; `./` begins at this folder",
            )
        top = side.repository.top
        project = checkout.project(path, self._project_in(top))
        checkout.write(path)
        inside = project.root.relative_to(checkout.folder)

        def shown(name: str) -> str:
            return f"{side.revision}:{(inside / name).as_posix()}"

        opened = Opened(side.label, shown=shown)
        self._compile(opened, project, checkout.folder / path, top / inside)
        prefix, there = f"{checkout.folder}{os.sep}", f"{side.revision}:"
        opened.errors = [
            replace(
                each,
                message=each.message.replace(prefix, there),
                help=each.help.replace(prefix, there),
            )
            for each in opened.errors
        ]
        return opened

    def _project_in(self, top: Path) -> str | None:
        """Return the project root that was asked for, from the top of a repository."""
        if self.choices.project is None:
            return None
        root = self.choices.project.resolve()
        if not root.is_relative_to(top):
            raise UsageError(f"the project root {root} is outside the repository {top}")
        inside = root.relative_to(top).as_posix()
        return "" if inside == "." else inside

    def _compile(self, opened: Opened, project: Project, path: Path, home: Path) -> None:
        """Compile a file; Artifacts come from the store in `home`."""
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory(prefix="fleet-")))
        artifacts = self.choices.store or home / STORE_NAME
        self.progress.begin(opened.label)
        sink = Kept(folder)
        self.stack.callback(sink.close)
        compiler = Compiler(
            project=project,
            sink=sink,
            store=Store.open(artifacts) if is_store(artifacts) else None,
            catalog_file=self.choices.catalog,
            max_bytes=self.choices.max_bytes,
            progress=self.progress.advance,
        )
        root = compiler.compile(path)
        opened.sources = compiler.reader.sources
        opened.errors = [each for each in told(compiler) if each.severity == "error"]
        if root is not None and not opened.errors:
            opened.subject = sink.subject()


def _task(side: InFiles | InRevision, subject: Subject) -> Subject | None:
    """Return the Task that a side names; None where its file may lack it and does."""
    if side.may_lack and subject.kind == "taskset" and side.key not in tasks(subject):
        return None
    return of_task(subject, side.key)


def _named(store: Store, side: InStore) -> Subject:
    """Return what a word names in a store; raises what `find` raises."""
    root = store.find(side.word)
    if root is not None:
        return of_root(store, root)
    try:
        found = find(store, side.word)
    except UnresolvedError as error:
        if side.hint:
            raise UnresolvedError(f"{side.hint}, and {error.message}", help=error.help) from None
        raise
    subject = of_digest(store, found.ref.digest)
    return subject if found.place is None else replace(subject, name=found.place.key)


def store_errors(error: StoreError) -> list[Diagnostic]:
    """Return what a store is refused for as diagnostics."""
    bag = Bag()
    bag.add(error.code, error.message, Place(error.path), help=error.help)
    return bag.items
