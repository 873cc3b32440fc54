"""One root from its manifest down to the last object it names (spec sections 3 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fleet_contracts.generations import generation_number
from fleet_contracts.pages import Entry
from fleet_contracts.store.damage import MEND_MISSING
from fleet_contracts.store.layout import BLOB_TYPE, PACK_TYPE, blob_path
from fleet_contracts.store.model import Ref, StoreError, TaskPack
from fleet_contracts.store.reach import HeldRoot
from fleet_contracts.verify.documents import MEND, USE_NEWER, DocumentKind, Problem, read_document
from fleet_contracts.verify.files import check_pack
from fleet_contracts.verify.layers import layout_problem
from fleet_contracts.verify.named import Named, named_by_artifact, named_by_task, ref_of
from fleet_contracts.verify.objects import Objects
from fleet_contracts.verify.pages import entries_of, order_problem, page_problems


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a valid document: its generation, and what it names."""

    schema: str
    named: Sequence[Named]


@dataclass(slots=True)
class Known:
    """What was found out once for all roots of a store.

    `sound` has the size of each blob whose bytes are those of its name.
    """

    directory: Path
    sound: Mapping[str, int]
    tables: dict[str, list[Ref] | None] = field(default_factory=dict)
    facts: dict[tuple[DocumentKind, str], Facts | None] = field(default_factory=dict)
    same: dict[Named, Named] = field(default_factory=dict)


@dataclass(slots=True)
class Walk:
    """The walk through one root.

    `problems` are what is wrong with it beyond its blobs; it is `broken` when some of it could
    not be looked at. `tasks` is how many Tasks a TaskSet has.
    """

    known: Known
    root: HeldRoot
    problems: list[StoreError] = field(default_factory=list)
    broken: bool = False
    tasks: int | None = None
    task_generation: str | None = None
    _objects: Objects = field(init=False)
    _packs: list[tuple[Ref, ...]] = field(default_factory=list)
    _task_packs: list[TaskPack] = field(default_factory=list)
    _common: dict[str, Ref] = field(default_factory=dict)
    _seen: set[Named] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Begin without any object."""
        self._objects = Objects(self.known.directory)

    @property
    def is_sound(self) -> bool:
        """Whether all of the root was looked at and nothing was wrong."""
        return not (self.problems or self.broken)

    def run(self) -> None:
        """Look at everything; raises `UnresolvedError` when the disk fails."""
        self._read_layers()
        document = self.root.document
        value = self._document(self.root.kind, document, self.root.title)
        if value is None:
            return
        wanted = f"fleet.{self.root.kind}.{self.root.generation}"
        if value["schema"] != wanted:
            self._report("FLT6016", f"is of type {wanted}, its document of {value['schema']}", MEND)
        if self.root.kind == "taskset":
            self._taskset(value)
        elif self.root.kind == "artifact":
            for named in named_by_artifact(value):
                self._follow(named, self.root.title)
        if self.is_sound:
            found = layout_problem(
                self.known.directory, self.root, self._packs, self._task_packs, self._common
            )
            self.problems += [] if found is None else [found]

    def _read_layers(self) -> None:
        types = (self.root.manifest.artifact_type, BLOB_TYPE, PACK_TYPE)
        for layer in self.root.manifest.layers:
            size = self.known.sound.get(layer.digest)
            if size is None:
                self.broken = True  # its file was reported
            elif size != layer.size:
                told = f"says that {layer.digest} has {layer.size:,} bytes, it has {size:,}"
                self._report("FLT6016", told, MEND)
            elif layer.media_type not in types:
                told = f"has a layer of type {layer.media_type!r}, which this release does not know"
                self._report("FLT6015", told, USE_NEWER)
            elif layer.media_type == PACK_TYPE:
                self._read_pack(layer.ref)
            else:
                self._objects.add_blob(layer.ref)

    def _read_pack(self, pack: Ref) -> None:
        tables = self.known.tables
        if pack.digest not in tables:
            tables[pack.digest] = None
            try:
                tables[pack.digest] = check_pack(self.known.directory, pack)
            except StoreError as error:
                self.problems.append(error)
        table = tables[pack.digest]
        if table is None:
            self.broken = True
            return
        self._packs.append(tuple(table))
        self._objects.add_pack(pack, table)

    def _taskset(self, value: dict[str, Any]) -> None:
        self.task_generation = value["task_generation"]
        try:
            highest = generation_number(value["task_generation"])
        except ValueError:
            told = f"holds Tasks up to {self.task_generation}, which this release does not know"
            self._report("FLT6015", told, USE_NEWER)
            return
        self.tasks = 0
        if "tasks" in value:
            self._tasks(None, entries_of(value["tasks"]), highest)
            return
        previous: str | None = None
        for page in value["pages"]:
            is_last = page is value["pages"][-1]
            previous = self._page(page, previous, highest, is_last=is_last)
        if value["task_count"] != self.tasks and not self.broken:
            told = f"names {value['task_count']:,} Tasks, its pages hold {self.tasks:,}"
            self._report("FLT6014", told, MEND)

    def _page(
        self, page: dict[str, Any], previous: str | None, highest: int, *, is_last: bool
    ) -> str | None:
        """Look at a page and its Tasks; return its last key."""
        ref = ref_of(page)
        value = self._document("taskset_page", ref, self.root.title)
        if value is None:
            return previous
        entries = entries_of(value["tasks"])
        found = list(page_problems(page, entries, is_last=is_last))
        disorder = order_problem(previous, entries)
        for told in found if disorder is None else [*found, disorder]:
            message = f"the page {ref.digest} of {self.root.title} {told}"
            self._add(Problem("FLT6014", message, MEND), self._objects.path(ref.digest))
        self._tasks(ref, entries, highest)
        return entries[-1].key

    def _tasks(self, page: Ref | None, entries: list[Entry], highest: int) -> None:
        assert self.tasks is not None
        self.tasks += len(entries)
        self._task_packs.append(TaskPack(page, [entry.ref for entry in entries]))
        for key, ref in entries:
            facts = self._facts("task", ref, f"Task {key!r} of {self.root.title}")
            if facts is None:
                continue
            number = int(facts.schema.removeprefix("fleet.task.v1alpha"))
            if number > highest:
                told = f"Task {key!r} is of {facts.schema}, above the {self.task_generation}"
                message = f"{told} of {self.root.title}"
                self._add(Problem("FLT6014", message, MEND), self._objects.path(ref.digest))
            for named in facts.named:
                if named not in self._seen:
                    self._follow(named, f"Task {key!r} of {self.root.title}")

    def _follow(self, named: Named, by: str) -> None:
        """Look at an object that is no Task and no page, and at what it names."""
        self._seen.add(named)
        ref, kind = named
        self._common[ref.digest] = ref
        if kind == "blob":
            self._is_there(ref, by)
            return
        facts = self._facts(kind, ref, by)
        for item in facts.named if facts else ():
            if item not in self._seen:
                self._follow(item, f"the {kind} {ref.digest} of {self.root.title}")

    def _facts(self, kind: DocumentKind, ref: Ref, by: str) -> Facts | None:
        """Return what is known of a document; one that is wrong is reported once for all roots."""
        facts = self.known.facts
        key = kind, ref.digest
        if key in facts:
            if self._is_there(ref, by) and facts[key] is None:
                self.broken = True
            return facts[key]
        value = self._document(kind, ref, by)
        if value is None:
            if self._objects.size(ref.digest) is not None:
                facts[key] = None
            return None
        same = self.known.same
        finder = _NAMED_BY.get(kind)
        named = (
            () if finder is None else tuple(same.setdefault(each, each) for each in finder(value))
        )
        found = facts[key] = Facts(value["schema"], named)
        return found

    def _document(self, kind: DocumentKind, ref: Ref, by: str) -> dict[str, Any] | None:
        if not self._is_there(ref, by):
            return None
        value, problem = read_document(kind, ref.digest, self._objects.read(ref.digest))
        if problem is not None:
            path = self._objects.path(ref.digest)
            self._add(problem._replace(message=f"{problem.message} ({by})"), path)
        return value

    def _is_there(self, ref: Ref, by: str) -> bool:
        """Whether a layer holds an object; reports one that is not there or of another size."""
        size = self._objects.size(ref.digest)
        if size == ref.size:
            return True
        path = blob_path(self.known.directory, self.root.ref.digest)
        if size is not None:
            message = f"{by} says that {ref.digest} has {ref.size:,} bytes, it has {size:,}"
            self._add(Problem("FLT6014", message, MEND), path)
        elif not self.broken:
            message = f"no layer holds the object {ref.digest} of {by}"
            self._add(Problem("FLT6010", message, MEND_MISSING), path)
        return size is not None

    def _report(self, code: str, told: str, help: str) -> None:
        """Report something about the root itself, at its manifest."""
        self.broken = True
        path = blob_path(self.known.directory, self.root.ref.digest)
        self._add(Problem(code, f"{self.root.title} {told}", help), path)

    def _add(self, problem: Problem, path: Path) -> None:
        self.problems.append(
            StoreError(problem.code, problem.message, str(path), help=problem.help)
        )


_NAMED_BY: dict[DocumentKind, Callable[[dict[str, Any]], Iterator[Named]]] = {
    "task": named_by_task,
    "artifact": named_by_artifact,
}
