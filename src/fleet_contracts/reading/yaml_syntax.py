"""What libyaml says about a text it cannot parse, in words an author can act on."""

from __future__ import annotations

import re
from typing import NamedTuple

from fleet_contracts.diagnostics.model import Diagnostic, Place, Related
from fleet_contracts.reading.libyaml import MarkedYAMLError, Positions, YAMLError
from fleet_contracts.source import Position, Source, Span


class _Explanation(NamedTuple):
    code: str
    message: str
    help: str = ""
    at_context: bool = False  # the mistake is where the construct starts, not where it ends


_SYNTAX = "FLT1010"
_TAB = "FLT1011"
_DIRECTIVE = "FLT1014"
_TAB_HELP = "Indent with spaces."
_ESCAPE_HELP = 'Write "\\\\" for a backslash, or use single quotes, where nothing is escaped.'

_CANNOT_START = "found character that cannot start any token"
_NO_CONTENT = "did not find expected node content"
_NO_DOCUMENT_START = "did not find expected <document start>"
_DOCUMENT_END = re.compile(r"^\.\.\.(?:\s|\Z)", re.MULTILINE)

_EXPLANATIONS = {
    "could not find expected ':'": _Explanation(
        _SYNTAX,
        "This line stands where a map's key is expected, but no ':' follows it.",
        "Write `key: value`; text of several lines needs quotes, `|` or a deeper indentation.",
        at_context=True,
    ),
    "mapping values are not allowed in this context": _Explanation(
        _SYNTAX,
        "A ':' cannot stand here: the value before it is already complete.",
        "Quote the text if the ':' belongs to it; otherwise start a line for the key,"
        " indented like its neighbours.",
    ),
    "mapping keys are not allowed in this context": _Explanation(
        _SYNTAX, "A '?' cannot stand here.", "Quote the text if the '?' belongs to it."
    ),
    "block sequence entries are not allowed in this context": _Explanation(
        _SYNTAX,
        "A '-' that starts a list item cannot stand here.",
        "Start a line for the list, or quote the text if the '-' belongs to it.",
    ),
    "did not find expected key": _Explanation(
        _SYNTAX,
        "Expected the next key of the map here.",
        "Check the indentation of this line, and the quotes of the value before it.",
    ),
    "did not find expected '-' indicator": _Explanation(
        _SYNTAX,
        "Expected the next '-' of the list here.",
        "Check the indentation of this line.",
    ),
    "did not find expected ',' or ']'": _Explanation(
        _SYNTAX, "Expected ',' or ']' here.", "Close the list with ']', or quote the text in it."
    ),
    "did not find expected ',' or '}'": _Explanation(
        _SYNTAX, "Expected ',' or '}' here.", "Close the map with '}', or quote the text in it."
    ),
    _NO_CONTENT: _Explanation(
        _SYNTAX,
        "Expected a value here.",
        "Quote the text if it starts with a character that has a meaning in YAML.",
    ),
    "found unexpected ':'": _Explanation(
        _SYNTAX, "A ':' cannot stand here.", "Quote the text if the ':' belongs to it."
    ),
    "found unexpected end of stream": _Explanation(
        _SYNTAX, "The string that starts here is never closed.", "Add the quote.", at_context=True
    ),
    "found unexpected document indicator": _Explanation(
        _SYNTAX,
        "The string that starts here is not closed before the document ends.",
        "Add the quote.",
        at_context=True,
    ),
    "found unknown escape character": _Explanation(
        _SYNTAX, "A backslash with a character that is no escape.", _ESCAPE_HELP
    ),
    "did not find expected hexdecimal number": _Explanation(
        _SYNTAX, "An escape with too few hexadecimal digits.", _ESCAPE_HELP
    ),
    "found invalid Unicode character escape code": _Explanation(
        _SYNTAX, "An escape that names no Unicode character.", _ESCAPE_HELP
    ),
    "did not find expected alphabetic or numeric character": _Explanation(
        _SYNTAX,
        "Expected the name of an anchor or alias here.",
        "Quote the text if it starts with '&' or '*'.",
    ),
    "found an indentation indicator equal to 0": _Explanation(
        _SYNTAX, "The indentation of a block of text cannot be 0.", "Write a digit from 1 to 9."
    ),
    "found undefined tag handle": _Explanation(
        "FLT1030", "A tag outside the YAML core schema.", "Remove the tag."
    ),
    "found a tab character that violates indentation": _Explanation(
        _TAB, "A tab is used as indentation.", _TAB_HELP
    ),
    "found a tab character where an indentation space is expected": _Explanation(
        _TAB,
        "A tab starts the first line of a block of text.",
        "Indent with spaces; if the text itself starts with a tab, say how many spaces"
        " the indentation has (`|2`).",
    ),
    "found unknown directive name": _Explanation(
        _DIRECTIVE, "An unknown directive.", "Remove the line, or quote the text if it is text."
    ),
    "found incompatible YAML document": _Explanation(
        _DIRECTIVE, "The directive asks for a YAML version other than 1.2.", "Remove the line."
    ),
    "found duplicate %YAML directive": _Explanation(
        _DIRECTIVE, "The directive %YAML is there twice.", "Remove the line."
    ),
    "found duplicate %TAG directive": _Explanation(
        _DIRECTIVE, "A directive %TAG is there twice.", "Remove the line."
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
    """Return the diagnostic for what libyaml raised on a text.

    The place is the character at which the text stops being YAML, or the start of
    the construct that is never ended.
    """
    if not isinstance(error, MarkedYAMLError):  # its reader; `decode` refuses these before
        message = f"The text cannot be read as YAML: {error}."
        return Diagnostic("FLT1003", message, Place(source.name, span=_at(Position(1, 1))))
    mark = error.problem_mark or error.context_mark
    explanation = _explanation(str(error.problem), source.text, mark.index)
    related: tuple[Related, ...] = ()
    if explanation.at_context and error.context_mark:
        position = positions.of(error.context_mark)
    else:
        position = _position(mark, source, positions)
        context = _CONTEXTS.get(str(error.context))
        if context:
            start = _at(positions.of(error.context_mark))
            related = (Related(context, Place(source.name, span=start)),)
    place = Place(source.name, span=_at(position))
    return Diagnostic(explanation.code, explanation.message, place, explanation.help, related)


def _explanation(problem: str, text: str, index: int) -> _Explanation:
    if problem == _CANNOT_START:
        return _bad_start(text[index : index + 1])
    if problem == _NO_DOCUMENT_START:
        return _after_the_document(text, index)
    if problem == _NO_CONTENT and text.startswith("...", index):
        return _Explanation("FLT1013", "The file holds no document.", "Write the document.")
    known = _EXPLANATIONS.get(problem)
    return known or _Explanation(_SYNTAX, f"The text is not YAML: {problem}.")


def _bad_start(character: str) -> _Explanation:
    if character == "\t":
        return _Explanation(_TAB, "A tab is used as indentation.", _TAB_HELP)
    return _Explanation(
        _SYNTAX,
        f"A plain value cannot start with '{character}'.",
        "Quote the text.",
    )


def _after_the_document(text: str, index: int) -> _Explanation:
    before = text[:index]
    if _DOCUMENT_END.search(before):
        return _Explanation(
            "FLT1012",
            "A second document starts here; a file holds exactly one.",
            "Move it to a file of its own.",
        )
    if before.lstrip().startswith("%"):
        return _Explanation(
            _DIRECTIVE, "Expected the line `---` after the directives.", "Remove the directives."
        )
    return _Explanation(
        _SYNTAX,
        "The document's value is complete before this.",
        "Check the indentation of this line and the brackets before it.",
    )


def _position(mark: object, source: Source, positions: Positions) -> Position:
    """Return a mark's position; at the end of the text, the end of what is written."""
    index = getattr(mark, "index", 0)
    if index < len(source.text):
        return positions.of(mark)
    written = source.text.rstrip()
    line_start = written.rfind("\n") + 1
    return Position(written.count("\n") + 1, len(written) - line_start + 1)


def _at(position: Position) -> Span:
    return Span(position, Position(position.line, position.column + 1))
