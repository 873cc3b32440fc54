"""The template of a dataset: taken apart once, then filled row by row (spec section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

from fleet_contracts.placeholder_syntax import parse_placeholders
from fleet_contracts.placeholders import Placeholder, TemplateError
from fleet_contracts.pointer import Pointer, Token
from fleet_contracts.reading.numbers import NumberText
from fleet_contracts.reading.yaml_spot import MAX_DEPTH

OnProblem: TypeAlias = Callable[[Pointer, TemplateError], None]
"""Called with the place of a string in the template and what is wrong with it."""

_Build: TypeAlias = Callable[[list[Any]], Any]
"""Makes a part of the filled template from the values of all slots."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A string that holds placeholders.

    `pointer` is its place in the file. `whole` is set where the string is exactly one
    placeholder and takes the row's value with its type.
    """

    pointer: Pointer
    parts: tuple[str | Placeholder, ...]
    whole: Placeholder | None

    @property
    def is_pieced(self) -> bool:
        """Whether it becomes text whatever the row holds: a capture, or more than a placeholder."""
        return self.whole is None or self.whole.pattern is not None

    def fill(self, row: dict[str, Any], index: int) -> Any:
        """Return what the string becomes with a row, as plain data; raises `TemplateError`."""
        if self.whole is not None:
            return _plain(self.whole.value(row, index), MAX_DEPTH - len(self.pointer))
        return "".join(
            [part if isinstance(part, str) else part.text(row, index) for part in self.parts]
        )

    def problems(
        self, row: dict[str, Any], index: int
    ) -> Iterator[tuple[Placeholder, TemplateError]]:
        """Yield each placeholder that a row does not fill, and why."""
        for part in self.parts:
            if isinstance(part, Placeholder):
                try:
                    Slot(self.pointer, (part,), self.whole).fill(row, index)
                except TemplateError as problem:
                    yield part, problem


@dataclass(frozen=True, slots=True)
class Template:
    """Plain data whose strings hold placeholders; what they do not touch is shared."""

    slots: tuple[Slot, ...]
    build: _Build

    def fill(self, row: dict[str, Any], index: int) -> Any:
        """Return the data for a row; raises `TemplateError` where the row does not fill it."""
        return self.build([slot.fill(row, index) for slot in self.slots])

    def problems(
        self, row: dict[str, Any], index: int
    ) -> Iterator[tuple[Slot, Placeholder, TemplateError]]:
        """Yield each placeholder that a row does not fill, its string, and why."""
        for slot in self.slots:
            for placeholder, problem in slot.problems(row, index):
                yield slot, placeholder, problem


def compile_template(value: Any, pointer: Pointer, on_problem: OnProblem) -> Template:
    """Return the template that plain data at a place is.

    Placeholders are read in string values, never in map keys. Strings that cannot be
    read are given to `on_problem` and stay as they are.
    """
    compiler = _Compiler([], on_problem)
    build = compiler.compile(value, pointer)
    return Template(tuple(compiler.slots), build or _constant(value))


def compile_text(text: str, pointer: Pointer, on_problem: OnProblem) -> Template:
    """Return the template of a string that stays a string, such as a Task key."""
    compiler = _Compiler([], on_problem, only_text=True)
    build = compiler.compile(text, pointer)
    return Template(tuple(compiler.slots), build or _constant(text))


@dataclass(slots=True)
class _Compiler:
    slots: list[Slot]
    on_problem: OnProblem
    only_text: bool = False

    def compile(self, value: Any, pointer: Pointer) -> _Build | None:
        """Return what fills a value, or None where it stays as it is."""
        if type(value) is str:
            return self._string(value, pointer) if "${" in value else None
        if type(value) is dict:
            return self._collection(value, value.items(), pointer)
        if type(value) is list:
            return self._collection(value, enumerate(value), pointer)
        return None

    def _string(self, text: str, pointer: Pointer) -> _Build | None:
        try:
            parts = parse_placeholders(text)
        except TemplateError as problem:
            self.on_problem(pointer, problem)
            return None
        first = parts[0]
        if len(parts) == 1 and isinstance(first, str):
            return _constant(first)
        is_whole = len(parts) == 1 and not self.only_text
        whole = first if is_whole and isinstance(first, Placeholder) else None
        self.slots.append(Slot(pointer, parts, whole))
        return itemgetter(len(self.slots) - 1)

    def _collection(self, value: Any, items: Any, pointer: Pointer) -> _Build | None:
        changes: list[tuple[Token, _Build]] = []
        for token, inside in items:
            build = self.compile(inside, (*pointer, token))
            if build is not None:
                changes.append((token, build))
        return _changed(value, changes) if changes else None


def _constant(value: Any) -> _Build:
    return lambda _: value


def _changed(value: Any, changes: list[tuple[Token, _Build]]) -> _Build:
    """Return what copies a map or list and fills some of its places."""

    def build(values: list[Any]) -> Any:
        filled = value.copy()
        for token, inside in changes:
            filled[token] = inside(values)
        return filled

    return build


def _plain(value: Any, levels: int) -> Any:
    """Return a row's value as plain data: exact numbers instead of their texts.

    Raises `TemplateError` with FLT1040 when it has more than `levels` levels of maps
    and lists.
    """
    kind = type(value)
    if kind is NumberText:
        return value.to_number()
    if kind is not dict and kind is not list:
        return value
    if levels <= 0:
        message = f"with this value nesting is deeper than {MAX_DEPTH} levels"
        raise TemplateError("FLT1040", message, "flatten the value in the row")
    if kind is dict:
        return {key: _plain(inside, levels - 1) for key, inside in value.items()}
    return [_plain(inside, levels - 1) for inside in value]
