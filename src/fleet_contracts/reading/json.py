"""Strict JSON (RFC 8259, I-JSON keys) with numbers kept as they are spelled."""

from __future__ import annotations

import json
from typing import Any, Final

from fleet_contracts.diagnostics.model import Bag, Place, Related
from fleet_contracts.reading.aliases import measure
from fleet_contracts.reading.core_schema import shortened
from fleet_contracts.reading.decode import MOST_REFUSALS
from fleet_contracts.reading.document import Document
from fleet_contracts.reading.json_tokens import Problem, find_problems
from fleet_contracts.reading.numbers import NumberText, can_be_exact
from fleet_contracts.reading.surrogates import lone_escapes
from fleet_contracts.reading.yaml_spot import MAX_DEPTH
from fleet_contracts.source import Position, Source, Span

FAILED: Final = object()
"""What `StrictJson.parse` returns for a text that is refused."""

# The standard library's sentences by how they start, in words about the author's text.
_SYNTAX = (
    (
        "Expecting property name",
        "expected a key in double quotes",
        "use double quotes, and no comma after the last entry",
    ),
    ("Expecting ':'", "expected ':' after the key", "write a ':' between key and value"),
    (
        "Expecting ','",
        "expected ',' or the closing bracket",
        "separate entries by ',', and close every bracket",
    ),
    (
        "Expecting value",
        "expected a value",
        "write a string in double quotes, a number, true, false, null, a map or a list",
    ),
    (
        "Extra data",
        "expected nothing more after the value",
        "write one value only, or each on a line of its own in a .jsonl file",
    ),
    ("Unterminated string", "the string that starts here is never closed", "add the quote"),
    (
        "Invalid control character",
        "a raw control character in a string",
        r"write it as an escape, such as \n or \t",
    ),
    ("Invalid \\", "an escape that JSON does not have", r"write \\ for a backslash"),
    ("Illegal trailing comma", "a comma before the closing bracket", "remove the comma"),
)

_REASONS = {
    "FLT1020": ("the key {} stands twice in one map", "remove or rename one of them"),
    "FLT1033": ("found {}, which JSON does not have", "write a number, null or a string"),
    "FLT1034": (
        "found {}, a number that is too large or too small to be kept exactly",
        "write a shorter number, or a string",
    ),
    "FLT1040": (f"nesting is deeper than {MAX_DEPTH} levels", "flatten the structure"),
}


def read_json(source: Source, bag: Bag) -> Document | None:
    """Return the plain data of a JSON text, or None after adding what is wrong with it.

    Numbers are `NumberText`. Adds FLT1005, FLT1020, FLT1033, FLT1034, FLT1040 and
    FLT1050 (RFC 8259; RFC 7493 section 2.3 for repeated keys).
    """
    value = StrictJson(source.name, bag).parse(source.text)
    return None if value is FAILED else Document(source, value, {})


class StrictJson:
    """A JSON parser for one file, or for the lines of one file."""

    def __init__(self, name: str, bag: Bag) -> None:
        """`name` is the file's, for places; what is refused goes into `bag`."""
        self._name = name
        self._bag = bag
        self._suspicious = False
        self._decode = json.JSONDecoder(
            object_pairs_hook=self._map,
            parse_float=self._number,
            parse_int=self._number,
            parse_constant=self._constant,
        ).decode

    def parse(self, text: str, *, line: int | None = None) -> Any:
        """Return the value of a text, or `FAILED` after adding what is wrong with it.

        `line` is the line of the file that the text is (1-based); without one the text
        is the whole file, and places get pointers too.
        """
        before = len(self._bag)
        self._suspicious = False
        try:
            value = self._decode(text)
        except json.JSONDecodeError as error:
            self._refuse_syntax(error, text, line)
            return FAILED
        except RecursionError:
            self._refuse_problems(text, line)
            if len(self._bag) == before:  # it is not the text that is too deep
                raise
            return FAILED
        if self._suspicious or _is_deep(text, value):
            self._refuse_problems(text, line)
        if "\\u" in text:
            self._refuse_surrogates(text, line)
        return value if len(self._bag) == before else FAILED

    def _map(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            self._suspicious = True
        return value

    def _number(self, text: str) -> NumberText:
        if not can_be_exact(text):
            self._suspicious = True
        return NumberText(text)

    def _constant(self, text: str) -> None:
        self._suspicious = True

    def _refuse_syntax(self, error: json.JSONDecodeError, text: str, line: int | None) -> None:
        message, help = f"the text is not JSON: {error.msg}", "correct the text"
        for start, sentence, advice in _SYNTAX:
            if error.msg.startswith(start):
                message, help = sentence, advice
        span = _span(text, error.pos, error.pos + 1, line)
        self._bag.add("FLT1050", message, Place(self._name, span=span), help=help)

    def _refuse_problems(self, text: str, line: int | None) -> None:
        for problem in find_problems(text, MAX_DEPTH):
            related: tuple[Related, ...] = ()
            if problem.first:
                first = self._place(text, *problem.first, line, problem)
                related = (Related("first defined here", first),)
            message, help = _REASONS[problem.code]
            self._bag.add(
                problem.code,
                message.format(shortened(text[problem.start : problem.end])),
                self._place(text, problem.start, problem.end, line, problem),
                help=help,
                related=related,
            )
            if len(self._bag) >= MOST_REFUSALS:
                return

    def _refuse_surrogates(self, text: str, line: int | None) -> None:
        for start, end in lone_escapes(text, 0, len(text)):
            self._bag.add(
                "FLT1005",
                f"the escape {text[start:end]} is half of a surrogate pair",
                Place(self._name, span=_span(text, start, end, line)),
                help="write both halves, or the character itself",
            )
            if len(self._bag) >= MOST_REFUSALS:
                return

    def _place(self, text: str, start: int, end: int, line: int | None, problem: Problem) -> Place:
        span = _span(text, start, end, line)
        if line is not None:
            return Place(self._name, span=span)
        at: Any = "key" if problem.code == "FLT1020" else "value"
        return Place(self._name, problem.pointer, at, span)


def _is_deep(text: str, value: Any) -> bool:
    """Tell whether a value is nested too deeply; short texts cannot be."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    return measure(value, len(text)).levels > MAX_DEPTH


def _span(text: str, start: int, end: int, line: int | None) -> Span:
    """Return the span between two offsets on one line."""
    line_start = text.rfind("\n", 0, start) + 1
    number = text.count("\n", 0, start) + (1 if line is None else line)
    column = start - line_start + 1
    return Span(Position(number, column), Position(number, column + end - start))
