"""What is wrong with the syntax of a text, as a diagnostic."""

from __future__ import annotations

from fleet_contracts.diagnostics.model import Diagnostic, Place, Related
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.yaml12.cursor import SyntaxProblem
from fleet_contracts.source import Position, Source, Span


def explain(problem: SyntaxProblem, source: Source, positions: Positions) -> Diagnostic:
    """Return the diagnostic of a syntax problem.

    Its place is the character at which the text stops being YAML, or the start of what
    is never ended.
    """
    related: tuple[Related, ...] = ()
    if problem.context:
        message, start = problem.context
        place = Place(source.name, span=_at(positions.at(start)))
        related = (Related(message, place),)
    place = Place(source.name, span=_at(_position(problem.index, source, positions)))
    return Diagnostic(problem.code, problem.message, place, problem.help, related)


def _position(index: int, source: Source, positions: Positions) -> Position:
    """Return an offset's position; at the end of the text, the end of what is written."""
    if index < len(source.text):
        return positions.at(index)
    written = source.text.rstrip()
    line_start = written.rfind("\n") + 1
    return Position(written.count("\n") + 1, len(written) - line_start + 1)


def _at(position: Position) -> Span:
    return Span(position, Position(position.line, position.column + 1))
