"""One authored TaskSet to content (spec sections 2, 4 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from msgspec import UNSET

from fleet_contracts import canonical, dataset, rules, schemas, validate
from fleet_contracts.artifacts import Artifacts
from fleet_contracts.diagnostics.model import Bag, Place, Related
from fleet_contracts.documents import Loaded, Reader, without_wrong_members
from fleet_contracts.environments import Environments
from fleet_contracts.generations import (
    deciding_need,
    generation_name,
    generation_number,
)
from fleet_contracts.include import included_files
from fleet_contracts.lower.environment import lower_environment
from fleet_contracts.lower.files import STAND_IN, Files
from fleet_contracts.lower.task import lower_task
from fleet_contracts.models import authoring as a
from fleet_contracts.models import content as c
from fleet_contracts.pages import Entry
from fleet_contracts.pointer import Pointer, format_pointer
from fleet_contracts.rules.keys import check_key, directory_keys
from fleet_contracts.scope import NOTHING, Location, Scope
from fleet_contracts.store.model import ContentSink

TASK_FIELDS = a.Task.__struct_fields__
STAND_INS: dict[str, Any] = {"prompt": "", "environment": UNSET, "verifiers": []}
"""What a Task must have, and what stands for it where it is missing."""

PROGRESS_STEP = 256
MOST_EXPLAINED = 100

Progress = Callable[[int, int], None]
"""Called now and then with the Tasks done and all there are, 0 while that is not known."""


@dataclass(frozen=True, slots=True)
class LocalEnvironment:
    """A lowered Environment and what Tasks may name of it."""

    blob: c.Blob
    endpoints: frozenset[str] | None
    native_tools: frozenset[str] | None


UNKNOWN = LocalEnvironment(STAND_IN, None, None)
"""Stands for an Environment with mistakes, so that the rest of a Task is looked at."""


@dataclass(slots=True)
class TaskSetCompiler:
    """Compiles the Tasks of one TaskSet.

    `entries` are its Task documents, sorted by key once `run` is done; `generation` is the
    highest Task generation, `reason` why it is so high.
    """

    reader: Reader
    environments: Environments
    files: Files
    artifacts: Artifacts
    sink: ContentSink
    bag: Bag
    progress: Progress
    entries: list[Entry] = field(default_factory=list)
    generation: int = 1
    reason: str = ""
    _head: a.AuthoredTaskSet = field(init=False)
    _root: Location = field(init=False)
    _defaults: tuple[tuple[str, Any], ...] = ()
    _refused: Mapping[Pointer, frozenset[str]] = field(init=False)
    _local: dict[str, LocalEnvironment | None] = field(default_factory=dict)
    _places: dict[str, Scope] = field(default_factory=dict)

    def run(self, loaded: Loaded) -> None:
        """Compile a TaskSet document of valid shape, which loses its Tasks on the way."""
        self._root, value, self._refused = loaded
        self._local = dict.fromkeys(self._refused.get(("environments",), ()))
        tasks = value.pop("tasks", {})
        datasets = value.pop("dataset", [])
        total = 0 if datasets or "include" in value else len(tasks)
        self._head = msgspec.convert(value, a.AuthoredTaskSet)
        if self._head.defaults is not UNSET:
            self._defaults = _written(self._head.defaults)
        for key, plain, scope in self._authored(tasks, datasets):
            self._task(key, plain, scope)
            if len(self._places) % PROGRESS_STEP == 0:
                self.progress(len(self._places), total)
        self._finish()

    def _authored(
        self, tasks: dict[str, Any], datasets: list[dict[str, Any]]
    ) -> Iterator[tuple[str, dict[str, Any], Scope]]:
        """Yield every authored Task: written here, included, made from rows."""
        yield from self._in_file(self._root, tasks, self._refused)
        if self._head.include is not UNSET:
            yield from self._included(self._head.include)
        for index, each in enumerate(datasets):
            told = 0
            rows = dataset.expand(
                self.reader.project, self._root, index, each, self.bag, self.reader.max_bytes
            )
            for key, plain, scope in rows:
                if validate.is_valid(schemas.AUTHORED_TASK, plain):
                    yield key, plain, scope
                else:
                    told += 1
                    if told <= MOST_EXPLAINED:
                        self._explain(plain, scope)
                    good, scope.refused = without_wrong_members(plain)
                    yield key, good, scope
            if told > MOST_EXPLAINED:
                self._not_explained(index, told)

    def _included(self, patterns: list[str]) -> Iterator[tuple[str, dict[str, Any], Scope]]:
        scope = Scope(self.bag, self._root)
        for path, place in included_files(self.reader.project, scope, patterns).items():
            found = Bag()
            loaded = self.reader.load(path, ("tasks/v1",), found)
            here = Related("included here", place)
            self.bag.extend(replace(item, related=(*item.related, here)) for item in found)
            if loaded is not None:
                location, value, refused = loaded
                yield from self._in_file(location, value["tasks"], refused, place)

    def _in_file(
        self,
        location: Location,
        tasks: dict[str, Any],
        refused: Mapping[Pointer, frozenset[str]],
        included: Place | None = None,
    ) -> Iterator[tuple[str, dict[str, Any], Scope]]:
        while tasks:
            key = next(iter(tasks))
            plain = tasks.pop(key)
            scope = Scope(self.bag, location.below("tasks", key), included=included)
            scope.refused = refused.get(("tasks", key), NOTHING)
            yield key, plain, scope

    def _not_explained(self, index: int, bad: int) -> None:
        """Report that not all of the bad rows of a dataset were explained (FLT2018)."""
        Scope(self.bag, self._root.below("dataset", index, "task")).report(
            "FLT2018",
            f"{bad:,} rows make no valid Task, and only the first {MOST_EXPLAINED} are explained",
            (),
            key=True,
            help="mend these, and check again",
        )

    def _explain(self, plain: dict[str, Any], scope: Scope) -> None:
        """Report why a Task made from a row is no Task, at the template, with the row."""
        found = Bag()
        place = scope.location.place()
        validate.explain(schemas.AUTHORED_TASK, plain, place, found, scope.notations)
        cases = (Related("with this row", scope.row),) if scope.row else ()
        for item in found:
            self.bag.append(replace(item, cases=cases))

    def _task(self, key: str, plain: dict[str, Any], scope: Scope) -> None:
        first = self._places.get(key)
        if first is not None:
            self._duplicate(key, first, scope)
            return
        self._places[key] = scope
        self._check_key(key, scope)
        task = self._complete(msgspec.convert(plain, a.Task), scope)
        environment = self._environment(scope, task.environment)
        if environment is None:
            scope.failed = True
            environment = UNKNOWN
        rules.check_task(scope, task, environment.endpoints, environment.native_tools)
        mounts = [] if task.seed_mounts is UNSET else task.seed_mounts
        lowered = lower_task(
            scope, self.files, task, environment.blob, self.artifacts.mounts(scope, mounts)
        )
        if scope.failed or scope.refused:
            return
        self._note_generation(key, lowered)
        self.entries.append(Entry(key, self.sink.put(canonical.encode(lowered))))

    def _check_key(self, key: str, scope: Scope) -> None:
        if scope.row is None:
            top = Location(scope.location.path, scope.location.name)
            check_key(Scope(self.bag, top, included=scope.included), key, scope.location.pointer)
            return
        template = Location(scope.location.path, scope.location.name, scope.location.pointer[:-1])
        with_row = Scope(self.bag, template, row=scope.row, notations=scope.notations)
        check_key(with_row, key, ("key",))

    def _duplicate(self, key: str, first: Scope, scope: Scope) -> None:
        related: tuple[Related, ...] = (
            Related("first defined here", first.location.place(kind="key")),
        )
        if first.row is not None:
            related = (*related, Related("from this row", first.row))
        scope.report(
            "FLT3020",
            f"Task {key!r} is defined twice",
            (),
            key=True,
            help="rename or remove one of them",
            related=related,
        )

    def _complete(self, task: a.Task, scope: Scope) -> a.Task:
        """Return the Task with what it leaves out taken from `defaults`.

        What is not there either is reported, and an empty one stands for it.
        """
        missing = [
            (name, item)
            for name, item in self._defaults
            if getattr(task, name) is UNSET and name not in scope.refused
        ]
        if missing:
            scope.defaults = self._root.below("defaults")
            scope.defaulted = frozenset(name for name, _ in missing)
            task = msgspec.structs.replace(task, **dict(missing))
        for name in self._refused.get(("defaults",), NOTHING):
            if getattr(task, name, UNSET) is UNSET:
                scope.refused |= {name}
        lacking = [name for name in STAND_INS if getattr(task, name) is UNSET]
        is_told = scope.refused <= set(TASK_FIELDS)  # else one of them may be misspelled
        names = [f"`{name}`" for name in lacking if name not in scope.refused]
        if is_told and names:
            scope.report(
                "FLT4003",
                f"this Task has no {' and no '.join(names)}",
                (),
                key=True,
                help=f"write {'it' if len(names) == 1 else 'them'} here or in `defaults`",
            )
        return msgspec.structs.replace(task, **{name: STAND_INS[name] for name in lacking})

    def _environment(self, scope: Scope, choice: Any) -> LocalEnvironment | None:
        at: Pointer = ("environment",)
        if choice is UNSET:
            return None
        if not isinstance(choice, str):
            return self._lowered_environment(scope, choice, at)
        if choice not in self._local:
            known = {} if self._head.environments is UNSET else self._head.environments
            if choice not in known:
                rules.unknown_environment(scope, choice, {**known, **self._local}, at)
                return None
            root = Scope(self.bag, self._root)
            self._local[choice] = self._lowered_environment(
                root, known[choice], ("environments", choice)
            )
        return self._local[choice]

    def _lowered_environment(
        self, scope: Scope, authored: a.Environment, at: Pointer
    ) -> LocalEnvironment | None:
        resolved = self.environments.resolve(scope, authored, at)
        if resolved is None:
            return None
        document = lower_environment(resolved)
        if resolved.scope.failed:
            return None
        blob = self.files.put(canonical.encode(document))
        endpoints = frozenset(endpoint.name for endpoint in resolved.endpoints)
        return LocalEnvironment(blob, endpoints, frozenset(resolved.native_tools))

    def _note_generation(self, key: str, task: c.Task) -> None:
        number = int(task.schema.removeprefix("fleet.task.v1alpha"))
        if number > self.generation:
            self.generation = number
            need = deciding_need(task)
            if need is not None:
                where = format_pointer(need.pointer) or "/"
                self.reason = f"{need.feature} at {where} of Task {key!r}"

    def _finish(self) -> None:
        scope = Scope(self.bag, self._root)
        for key, longer in directory_keys(self._places):
            other = self._places[longer].location.place(kind="key")
            self._places[key].report(
                "FLT4002",
                f"Task key {key!r} is also a directory of {longer!r}",
                (),
                key=True,
                help="rename one of them",
                related=(Related("the other Task", other),),
            )
        if not self._places and not self.bag.errors:
            scope.report("FLT3022", "this TaskSet has no Task", (), help="add one under `tasks`")
        self.entries.sort(key=lambda entry: entry.key)
        floor = self._head.minimum_task_generation
        if floor is not UNSET and generation_number(floor) > self.generation:
            self.generation = generation_number(floor)
            self.reason = f"minimum_task_generation: {floor}"

    @property
    def task_generation(self) -> str:
        """The generation name that the TaskSet records."""
        return generation_name(self.generation)


def _written(defaults: a.Task) -> tuple[tuple[str, Any], ...]:
    pairs = ((name, getattr(defaults, name)) for name in TASK_FIELDS)
    return tuple((name, item) for name, item in pairs if item is not UNSET)
