"""Authored roots to content, lock and diagnostics; the one entrance for programs.

Nothing here prints, exits, or reads the clock or the environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from fleet_contracts import canonical, schemas
from fleet_contracts.artifacts import Artifacts
from fleet_contracts.catalog import read_catalog
from fleet_contracts.diagnostics.model import Bag, Place, Related
from fleet_contracts.documents import Loaded, Reader
from fleet_contracts.environments import STANDALONE_ONLY, Environments
from fleet_contracts.lockfile import LOCK_NAME, read_lock
from fleet_contracts.lower.environment import lower_environment
from fleet_contracts.lower.files import Files
from fleet_contracts.models import authoring as a
from fleet_contracts.pages import put_taskset
from fleet_contracts.parts import PARTS, VERIFIER, CompiledVerifier, check_tasks, compile_verifier
from fleet_contracts.pins import Locking, Pins
from fleet_contracts.pointer import Pointer
from fleet_contracts.project import Project
from fleet_contracts.reading.decode import MAX_INPUT_BYTES
from fleet_contracts.rules.keys import check_name
from fleet_contracts.scope import Location, Scope
from fleet_contracts.store.model import ContentSink, Root, StoreError
from fleet_contracts.store.reader import Store
from fleet_contracts.taskset import Progress, TaskSetCompiler

ROOTS = ("taskset/v1", "environment/v1")
ANY = (*ROOTS, *PARTS)
SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class CompiledRoot:
    """What a root became; `task_generation`, `tasks` and `reason` are a TaskSet's.

    `reason` says which feature asked for the Task generation, empty for v1alpha1.
    """

    kind: Literal["taskset", "environment"]
    name: str
    digest: str
    generation: str
    task_generation: str | None = None
    tasks: int | None = None
    reason: str = ""


def _ignore(done: int, total: int) -> None:
    """Take no notice of progress."""


@dataclass(slots=True)
class Compiler:
    """Compiles the roots of one project, one after the other.

    `bag` collects every diagnostic, `pins` knows which builtins were used, and the content
    goes to `sink`. A root that failed adds nothing to the sink's roots. `overlay` is that of the
    `Reader`. `accepts` are the versions that a document may have, `PARTS` among them where files
    are to be looked at that are no roots; `alone` has the names of those. `locking` says what may
    be done to the lock.
    """

    project: Project
    sink: ContentSink
    store: Store | None = None
    catalog_file: Path = schemas.CATALOG_FILE
    max_bytes: int = MAX_INPUT_BYTES
    progress: Progress = _ignore
    overlay: Mapping[Path, bytes] = field(default_factory=dict)
    accepts: tuple[str, ...] = ROOTS
    locking: Locking = field(default_factory=Locking)
    bag: Bag = field(default_factory=Bag)
    reader: Reader = field(init=False)
    pins: Pins | None = field(init=False)
    alone: set[str] = field(default_factory=set)
    _names: dict[str, Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the lock and the catalogue; `pins` is None when either was refused."""
        self.reader = Reader(self.project, self.max_bytes, self.overlay)
        self.project.seen.update((self.project.root / LOCK_NAME, self.catalog_file.absolute()))
        before = self.bag.errors
        lock = read_lock(self.project.root, self.bag, self.reader.sources)
        catalog = read_catalog(self.catalog_file, self.bag, self.reader.sources)
        self.pins = None
        if lock is not None and self.bag.errors == before:
            self.pins = Pins(lock, catalog, self.locking)

    def compile(self, path: Path) -> CompiledRoot | CompiledVerifier | None:
        """Compile one authored root; None when it has errors, which are in the bag then.

        A standalone Verifier becomes content, too; None for a file of Tasks. Raises
        `UnresolvedError` when the store cannot be read or written.
        """
        if self.pins is None:
            return None
        try:
            return self._compile(self.pins, path)
        except StoreError as error:
            place = Place(error.path or self.project.name(path))
            self.bag.add(error.code, error.message, place, help=error.help)
            return None

    def _compile(self, pins: Pins, path: Path) -> CompiledRoot | CompiledVerifier | None:
        before = self.bag.errors
        loaded = self.reader.load(path, self.accepts, self.bag)
        if loaded is None:
            return None
        location, value, _ = loaded
        if value["authoring"] in PARTS:
            return self._part(location, value, before)
        name = self._name(location, value)
        kind = _COMPILE[value["authoring"]]
        return kind(self, pins, loaded, name, before)

    def _part(
        self, location: Location, value: dict[str, Any], before: int
    ) -> CompiledVerifier | None:
        """Look at a file that is no root; `before` is how many errors there were before it."""
        self.alone.add(location.name)
        scope, files = Scope(self.bag, location), Files(self.project, self.sink)
        if value["authoring"] != VERIFIER:
            check_tasks(scope, files, value)
            return None
        name = authored_stem(location.path, VERIFIER)
        compiled = compile_verifier(scope, files, value, name)
        return None if self.bag.errors > before else compiled

    def _name(self, location: Location, value: dict[str, Any]) -> str:
        """Return the root's name and report one that cannot be used or is taken."""
        scope = Scope(self.bag, location)
        name = value.get("name")
        if name is None:
            name = authored_stem(location.path, value["authoring"])
            if not check_name(name):
                scope.report(
                    "FLT4005",
                    f"the file name gives {name!r}, which is no registry name",
                    (),
                    help="add `name:` of lower-case letters, digits, '.', '_' and '-'",
                )
        at: Pointer = ("name",) if "name" in value else ()
        place = location.place(at)
        first = self._names.setdefault(name, place)
        if first is not place:
            scope.report(
                "FLT4006",
                f"two roots are named {name!r}",
                at,
                help="give one of them another `name:`",
                related=(Related("the other root", first),),
            )
        self._check_stored(scope, value["authoring"].partition("/")[0], name, at)
        return str(name)

    def _check_stored(self, scope: Scope, kind: str, name: str, at: Pointer) -> None:
        """Report a name that a root of another kind has in the store that is read from."""
        stored = self.store.find(name) if self.store is not None else None
        if stored is not None and stored.kind != kind:
            scope.report(
                "FLT6004",
                f"the store has {_with_article(stored.kind)} named {name!r}",
                at,
                help="give one of the two another `name:`, or compile into another store",
            )

    def _taskset(self, pins: Pins, loaded: Loaded, name: str, before: int) -> CompiledRoot | None:
        """Compile a TaskSet; `before` is how many errors there were before this root."""
        files = Files(self.project, self.sink)
        tasks = TaskSetCompiler(
            reader=self.reader,
            environments=Environments(self.reader, pins),
            files=files,
            artifacts=Artifacts(self.store, files),
            sink=self.sink,
            bag=self.bag,
            progress=self.progress,
        )
        tasks.run(loaded)
        if self.bag.errors > before:
            return None
        content = put_taskset(self.sink, tasks.entries, tasks.task_generation)
        self.sink.add_root(
            Root(
                kind="taskset",
                generation=content.generation,
                name=name,
                description=loaded.value.get("description"),
                document=content.document,
                task_packs=content.packs,
                common=tuple(files.closure.values()),
            )
        )
        return CompiledRoot(
            kind="taskset",
            name=name,
            digest=content.document.digest,
            generation=f"fleet.taskset.{content.generation}",
            task_generation=tasks.task_generation,
            tasks=len(tasks.entries),
            reason=tasks.reason,
        )

    def _environment(
        self, pins: Pins, loaded: Loaded, name: str, before: int
    ) -> CompiledRoot | None:
        """Compile a standalone Environment; `before` as for a TaskSet."""
        location, value, _ = loaded
        fields = {key: item for key, item in value.items() if key not in STANDALONE_ONLY}
        scope = Scope(self.bag, location)
        authored = msgspec.convert(fields, a.Environment)
        resolved = Environments(self.reader, pins).resolve(scope, authored, ())
        if resolved is None:
            return None
        document = lower_environment(resolved)
        if self.bag.errors > before:
            return None
        ref = self.sink.put(canonical.encode(document))
        self.sink.add_root(
            Root("environment", "v1alpha1", name, value.get("description"), document=ref)
        )
        return CompiledRoot("environment", name, ref.digest, document.schema)


_COMPILE: dict[str, Callable[..., CompiledRoot | None]] = {
    "taskset/v1": Compiler._taskset,
    "environment/v1": Compiler._environment,
}


def _with_article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def authored_stem(path: Path, version: str) -> str:
    """Return the name of a file without the ending that documents of its version have."""
    kind = "." + version.partition("/")[0]
    name = path.name
    for suffix in SUFFIXES:
        if name.endswith(suffix):
            return name.removesuffix(suffix).removesuffix(kind)
    return name
