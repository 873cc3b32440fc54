"""What is wrong with a text that cannot be parsed, in words an author can act on."""

from __future__ import annotations

from typing import NamedTuple

from ruamel.yaml.error import MarkedYAMLError, YAMLError

from fleet_contracts.diagnostics.model import Diagnostic, Place, Related
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.yaml12.cursor import SyntaxProblem
from fleet_contracts.source import Position, Source, Span


class _Explanation(NamedTuple):
    code: str
    message: str
    help: str = ""
    at_context: bool = False  # the mistake is where the construct starts, not where it ends


_SYNTAX = "FLT1010"
_TAB = "FLT1011"
_DIRECTIVE = "FLT1014"
_TAB_HELP = "indent with spaces"
_ESCAPE_HELP = 'write "\\\\" for a backslash, or use single quotes, where nothing is escaped'

_CANNOT_START = "found character that cannot start any token"
_NO_DOCUMENT_START = "did not find expected <document start>"

_EXPLANATIONS = {
    "could not find expected ':'": _Explanation(
        _SYNTAX,
        "this line stands where a map's key is expected, but no ':' follows it",
        "write `key: value`; text of several lines needs quotes, `|` or a deeper indentation",
        at_context=True,
    ),
    "mapping values are not allowed in this context": _Explanation(
        _SYNTAX,
        "a ':' cannot stand here: the value before it is already complete",
        "quote the text if the ':' belongs to it; otherwise start a line for the key,"
        " indented like its neighbours",
    ),
    "mapping keys are not allowed in this context": _Explanation(
        _SYNTAX, "a '?' cannot stand here", "quote the text if the '?' belongs to it"
    ),
    "block sequence entries are not allowed in this context": _Explanation(
        _SYNTAX,
        "a '-' that starts a list item cannot stand here",
        "start a line for the list, or quote the text if the '-' belongs to it",
    ),
    "did not find expected key": _Explanation(
        _SYNTAX,
        "expected the next key of the map here",
        "check the indentation of this line, and the quotes of the value before it",
    ),
    "did not find expected '-' indicator": _Explanation(
        _SYNTAX,
        "expected the next '-' of the list here",
        "check the indentation of this line",
    ),
    "did not find expected ',' or ']'": _Explanation(
        _SYNTAX, "expected ',' or ']' here", "close the list with ']', or quote the text in it"
    ),
    "did not find expected ',' or '}'": _Explanation(
        _SYNTAX, "expected ',' or '}' here", "close the map with '}', or quote the text in it"
    ),
    "did not find expected node content": _Explanation(
        _SYNTAX,
        "expected a value here",
        "quote the text if it starts with a character that has a meaning in YAML",
    ),
    "found unexpected ':'": _Explanation(
        _SYNTAX, "a ':' cannot stand here", "quote the text if the ':' belongs to it"
    ),
    "found unexpected end of stream": _Explanation(
        _SYNTAX, "the string that starts here is never closed", "add the quote", at_context=True
    ),
    "found unexpected document indicator": _Explanation(
        _SYNTAX,
        "the string that starts here is not closed before the document ends",
        "add the quote",
        at_context=True,
    ),
    "found unknown escape character": _Explanation(
        _SYNTAX, "a backslash with a character that is no escape", _ESCAPE_HELP
    ),
    "did not find expected hexdecimal number": _Explanation(
        _SYNTAX, "an escape with too few hexadecimal digits", _ESCAPE_HELP
    ),
    "found invalid Unicode character escape code": _Explanation(
        _SYNTAX, "an escape that names no Unicode character", _ESCAPE_HELP
    ),
    "did not find expected alphabetic or numeric character": _Explanation(
        _SYNTAX,
        "expected the name of an anchor or alias here",
        "quote the text if it starts with '&' or '*'",
    ),
    "found an indentation indicator equal to 0": _Explanation(
        _SYNTAX, "the indentation of a block of text cannot be 0", "write a digit from 1 to 9"
    ),
    "found undefined tag handle": _Explanation(
        "FLT1030", "a tag outside the YAML core schema", "remove the tag"
    ),
    "found a tab character that violates indentation": _Explanation(
        _TAB, "a tab is used as indentation", _TAB_HELP
    ),
    "found a tab character where an indentation space is expected": _Explanation(
        _TAB,
        "a tab starts the first line of a block of text",
        "indent with spaces; if the text itself starts with a tab, say how many spaces"
        " the indentation has (`|2`)",
    ),
    "found duplicate %YAML directive": _Explanation(
        _DIRECTIVE, "the directive %YAML is there twice", "remove the line"
    ),
    "found duplicate %TAG directive": _Explanation(
        _DIRECTIVE, "a directive %TAG is there twice", "remove the line"
    ),
}

# What libyaml was in the middle of, as a related place.
_CONTEXTS = {
    "while parsing a block mapping": "the map starts here",
    "while parsing a flow mapping": "the map starts here",
    "while parsing a block collection": "the list starts here",
    "while parsing a flow sequence": "the list starts here",
    "while scanning a quoted scalar": "the string starts here",
    "while parsing a quoted scalar": "the string starts here",
    "while scanning a block scalar": "the block of text starts here",
    "while scanning a plain scalar": "the text starts here",
}


def explain_syntax_error(error: YAMLError, source: Source, positions: Positions) -> Diagnostic:
    """Return the diagnostic for what a parser raised on a text.

    The place is the character at which the text stops being YAML, or the start of
    the construct that is never ended.
    """
    if isinstance(error, SyntaxProblem):
        return _strict_problem(error, source, positions)
    if not isinstance(error, MarkedYAMLError):  # its reader; `decode` refuses these before
        message = f"the text cannot be read as YAML: {error}"
        return Diagnostic("FLT1003", message, Place(source.name, span=_at(Position(1, 1))))
    mark = error.problem_mark or error.context_mark
    explanation = _explanation(str(error.problem), source.text, mark.index)
    related: tuple[Related, ...] = ()
    if explanation.at_context and error.context_mark:
        position = positions.of(error.context_mark)
    else:
        position = _position(mark.index, source, positions)
        context = _CONTEXTS.get(str(error.context))
        if context:
            start = _at(positions.of(error.context_mark))
            related = (Related(context, Place(source.name, span=start)),)
    place = Place(source.name, span=_at(position))
    return Diagnostic(explanation.code, explanation.message, place, explanation.help, related)


def reached(error: YAMLError) -> int:
    """Return the offset up to which a parser understood the text."""
    if isinstance(error, SyntaxProblem):
        return error.reached
    mark = error.problem_mark or error.context_mark if isinstance(error, MarkedYAMLError) else None
    return mark.index if mark else 0


def _strict_problem(problem: SyntaxProblem, source: Source, positions: Positions) -> Diagnostic:
    related: tuple[Related, ...] = ()
    if problem.context:
        message, start = problem.context
        place = Place(source.name, span=_at(positions.at(start)))
        related = (Related(message, place),)
    place = Place(source.name, span=_at(_position(problem.index, source, positions)))
    return Diagnostic(problem.code, problem.message, place, problem.help, related)


def _explanation(problem: str, text: str, index: int) -> _Explanation:
    if problem == _CANNOT_START:
        return _bad_start(text[index : index + 1])
    if problem == _NO_DOCUMENT_START:
        return _after_the_document(text, index)
    known = _EXPLANATIONS.get(problem)
    return known or _Explanation(_SYNTAX, f"the text is not YAML: {problem}")


def _bad_start(character: str) -> _Explanation:
    if character == "\t":
        return _Explanation(_TAB, "a tab is used as indentation", _TAB_HELP)
    return _Explanation(
        _SYNTAX,
        f"a plain value cannot start with '{character}'",
        "quote the text",
    )


def _after_the_document(text: str, index: int) -> _Explanation:
    if text[:index].lstrip().startswith("%"):
        return _Explanation(
            _DIRECTIVE, "expected the line `---` after the directives", "remove the directives"
        )
    return _Explanation(
        _SYNTAX,
        "the document's value is complete before this",
        "check the indentation of this line and the brackets before it",
    )


def _position(index: int, source: Source, positions: Positions) -> Position:
    """Return an offset's position; at the end of the text, the end of what is written."""
    if index < len(source.text):
        return positions.at(index)
    written = source.text.rstrip()
    line_start = written.rfind("\n") + 1
    return Position(written.count("\n") + 1, len(written) - line_start + 1)


def _at(position: Position) -> Span:
    return Span(position, Position(position.line, position.column + 1))
