"""Tasks made from rows of data: `dataset` of a TaskSet (spec section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fleet_contracts.diagnostics.model import Bag, Place, Related
from fleet_contracts.diagnostics.notation import (
    CSV_ROW,
    INDEX,
    JSON_ROW,
    PIECED,
    Notation,
    Notations,
)
from fleet_contracts.placeholder_look_alikes import look_alikes, strings
from fleet_contracts.placeholders import TemplateError
from fleet_contracts.pointer import Pointer, parse_pointer
from fleet_contracts.project import FileProblem, Project
from fleet_contracts.reading.core_schema import shortened
from fleet_contracts.reading.csv_header import wrong_blank, wrong_separator
from fleet_contracts.reading.rows import Row, read_rows
from fleet_contracts.scope import Location, Scope
from fleet_contracts.source import Position, Span
from fleet_contracts.template import Slot, Template, compile_template, compile_text

Expanded = tuple[str, dict[str, Any], Scope]
"""A Task key, the plain authored Task, and where it comes from."""


@dataclass(frozen=True, slots=True)
class RowsFile:
    """A file of rows: where it is, its shown name, where the list stands in it."""

    path: Path
    name: str
    pointer: tuple[str, ...]


def expand(  # noqa: PLR0917 - the whole of what a dataset needs, called at one place
    project: Project,
    location: Location,
    index: int,
    plain_dataset: dict[str, Any],
    bag: Bag,
    max_bytes: int | None,
) -> Iterator[Expanded]:
    """Yield the Task of each row of the `index`-th dataset of the TaskSet at `location`.

    `plain_dataset` is `{rows, key, task}` of valid shape. A Task is plain data that has
    not been checked: it shares with others what no placeholder touches, so nothing in it
    may be changed in place. Rows are streamed, and a row with a mistake gives no Task.
    Adds FLT3030, FLT3035, FLT4011 (the template, before any row is read), FLT3001 to FLT3003,
    FLT2014 (the file), FLT3031 to FLT3034, FLT1040, FLT3020 and the codes of reading (the
    rows); raises `UnresolvedError` when the file cannot be read.
    """
    scope = Scope(bag, location.below("dataset", index))

    def refuse(pointer: Pointer, problem: TemplateError) -> None:
        at = pointer[len(scope.location.pointer) :]
        scope.report(
            problem.code,
            problem.message,
            at,
            help=problem.help,
            part=problem.part,
            fix=problem.fix,
        )

    at = scope.location.pointer
    key = compile_text(plain_dataset["key"], (*at, "key"), refuse)
    task = compile_template(plain_dataset["task"], (*at, "task"), refuse)
    _refuse_look_alikes(scope, plain_dataset)
    file = _rows_file(project, scope, plain_dataset["rows"])
    if file is not None and not scope.failed:
        yield from _Expansion(scope, file, key, task).run(max_bytes)


def _refuse_look_alikes(scope: Scope, plain_dataset: dict[str, Any]) -> None:
    """Report what only looks like a placeholder: FLT3030 in a key, where braces are no use."""
    for code, field in (("FLT3030", "key"), ("FLT3035", "task")):
        for at, text in strings(plain_dataset[field], (field,)):
            for found in look_alikes(text):
                message = f"`{shortened(found.text)}` is plain text, no placeholder"
                help = f"write `{shortened(found.meant)}`"
                scope.report(code, message, at, help=help, part=found.part, fix=found.edit)


def _rows_file(project: Project, scope: Scope, rows: str | dict[str, str]) -> RowsFile | None:
    """Return the file that `rows` names, or None after reporting why it cannot be used."""
    relative, at = (rows, ("rows",)) if isinstance(rows, str) else (rows["file"], ("rows", "file"))
    pointer: tuple[str, ...] = ()
    if not isinstance(rows, str):
        try:
            pointer = parse_pointer(rows.get("path", ""))
        except ValueError as error:
            help = "write a JSON Pointer such as /examples"
            scope.report("FLT2014", str(error), ("rows", "path"), help=help)
    try:
        path = project.locate(scope.location.path.parent, relative)
    except FileProblem as problem:
        scope.report(problem.code, problem.message, at, help=problem.help)
        return None
    return RowsFile(path, project.name(path), pointer)


@dataclass(slots=True)
class _Expansion:
    """One dataset on its way through its rows.

    `scope` is that of the dataset. `tasks` counts the rows that fill the template.
    """

    scope: Scope
    file: RowsFile
    key: Template
    task: Template
    tasks: int = 0

    def run(self, max_bytes: int | None) -> Iterator[Expanded]:
        """Yield the Tasks, reporting what is wrong with rows on the way."""
        location = self.scope.location.below("task")
        notations = self._notations()
        told = len(self.scope.bag)
        index = -1
        for index, row in enumerate(self._rows(max_bytes)):
            try:
                key = self.key.fill(row.value, index)
                task = self.task.fill(row.value, index)
            except TemplateError:
                if self._refuse_header(row, index):
                    return
                self._refuse(row, index)
                continue
            self.tasks += 1
            if self.tasks == 1 or self.key.slots:
                place = self._place(row)
                yield key, task, Scope(self.scope.bag, location, row=place, notations=notations)
            elif self.tasks == 2:
                self._refuse_fixed_key(key)
        self._settle_fixes(told, rows=index + 1)
        if index < 0 and not self.scope.failed:
            message = f"{self.file.name} holds no row"
            self.scope.report("FLT3034", message, ("rows",), help="add rows, or remove the dataset")

    def _notations(self) -> Notations:
        """Return what to say of the values that come from rows, by their places."""
        row = CSV_ROW if self.file.path.suffix.lower() == ".csv" else JSON_ROW
        return {slot.pointer: _notation(slot, row) for slot in (*self.key.slots, *self.task.slots)}

    def _rows(self, max_bytes: int | None) -> Iterator[Row]:
        """Yield the good rows, and report each bad one with the dataset that reads it."""
        found = Bag()
        told = 0
        file = self.file
        rows = read_rows(file.path, file.name, found, pointer=file.pointer, max_bytes=max_bytes)
        while True:
            row = next(rows, None)
            for item in found.items[told:]:
                self.scope.failed = True
                place, related = item.place, item.related + self._reader()
                if place.span is None and not place.pointer:  # about the file as such
                    place, related = self.scope.location.place(("rows",)), item.related
                self.scope.bag.append(replace(item, place=place, related=related))
            told = len(found)
            if row is None:
                return
            yield row

    def _refuse_header(self, row: Row, index: int) -> bool:
        """Report a header of CSV that names a missing field otherwise; tell whether it does."""
        if row.header is None:
            return False
        wanted = [
            placeholder.path[0]
            for template in (self.key, self.task)
            for _, placeholder, problem in template.problems(row.value, index)
            if problem.code == "FLT3031" and placeholder.path[0] not in row.value
        ]
        misread = wanted and (wrong_separator(row.value, wanted) or wrong_blank(row.value, wanted))
        if not misread:
            return False
        start = Position(row.header, 1)
        self.scope.failed = True
        self.scope.bag.add(
            "FLT1051",
            misread.message,
            Place(self.file.name, span=Span(start, start)),
            help=misread.help,
            related=self._reader(),
        )
        return True

    def _reader(self) -> tuple[Related, ...]:
        return (Related("read by this dataset", self.scope.location.place(("rows",))),)

    def _refuse(self, row: Row, index: int) -> None:
        """Report each string that a row does not fill."""
        with_row = Scope(self.scope.bag, self.scope.location, row=self._place(row))
        start = len(self.scope.location.pointer)
        for template in (self.key, self.task):
            for slot, placeholder, problem in template.problems(row.value, index):
                with_row.report(
                    problem.code,
                    problem.message,
                    slot.pointer[start:],
                    help=problem.help,
                    alike=placeholder.source,
                    part=placeholder.part,
                    fix=problem.fix,
                )
        self.scope.failed = True

    def _settle_fixes(self, told: int, *, rows: int) -> None:
        """Take back the fix of a field that only some rows lack: the others need it as it is."""
        items = self.scope.bag.items
        for number in range(told, len(items)):
            item = items[number]
            if item.code == "FLT3031" and item.fix and len(item.cases) + item.more_cases < rows:
                help = "correct the name of the field in the row, as other rows have it"
                items[number] = replace(item, help=help, fix=None)

    def _refuse_fixed_key(self, key: str) -> None:
        self.scope.report(
            "FLT3020",
            f"every row gets the Task key {key!r}, expected a key that differs from row to row",
            ("key",),
            help="add `${index}` or a field that identifies the row",
        )

    def _place(self, row: Row) -> Place:
        start = Position(row.line, 1)
        return Place(self.file.name, span=Span(start, start))


def _notation(slot: Slot, row: Notation) -> Notation:
    """Return the notation of what a string becomes; `row` is that of the rows."""
    if slot.whole is None or slot.is_pieced:
        return PIECED
    return row if slot.whole.path else INDEX
