"""A place in a YAML text, and the blanks, comments and lines between its tokens."""

from __future__ import annotations

import re

from ruamel.yaml.error import YAMLError

BREAK = r"(?:\r\n?|\n)"
GAP = " \t\r\n"
"""Characters that separate tokens."""

FLOW = ",[]{}"
"""Characters that end plain text inside brackets."""

MARKER = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n])")
"""The line that starts or ends a document."""

NO_COLUMN = -1
"""The column of the end of a document: outside of everything."""

TAB_HELP = "indent with spaces"

INDENT = re.compile(r"( *+(?:- +)*+)")
"""Matches what stands before the first token of a line but for `- `."""

_GLUED_KEY = re.compile(r" *+(?:- +)*+[A-Za-z_][\w./-]*?:(?=[^\s:/])")
_BARE_KEY = re.compile(r" *+(?:- +)*+([A-Za-z_][\w-]*+)(?=[ =]+[\[{\"'])")
_SKIP = re.compile(rf"(?:[ \t]*+(?:\#[^\r\n]*+)?{BREAK})*+")
_INDENT = re.compile(r"( *+)([ \t]*+)")
_END_OF_LINE = re.compile(rf"(?:\#[^\r\n]*+)?{BREAK}")
_BLANKS = re.compile(r"[ \t]*+")


class SyntaxProblem(YAMLError):
    """The text is not YAML 1.2.

    `index` is the offset of the mistake, `context` what was being read, in words, with
    the offset of its start.
    """

    def __init__(
        self,
        index: int,
        message: str,
        help: str,
        *,
        code: str = "FLT1010",
        context: tuple[str, int] | None = None,
    ) -> None:
        """Say what is wrong at an offset."""
        super().__init__(message)
        self.index = index
        self.message = message
        self.help = help
        self.code = code
        self.context = context


class Cursor:
    """Where the parser is; the text ends in a line break.

    `index` is the next character. Behind a new line it is the first one that is
    neither blank nor a comment, `column` the number of spaces before it (`NO_COLUMN`
    at the end of the document), and `tab` the offset of a tab between them, or -1.
    """

    def __init__(self, text: str) -> None:
        """Start at the first character."""
        self.text = text
        self.index = 0
        self.line_start = 0
        self.column = NO_COLUMN
        self.tab = -1

    def to_content(self, line_start: int) -> None:
        """Go from the start of a line to the next token."""
        text = self.text
        line_start = _SKIP.match(text, line_start).end()  # type: ignore[union-attr] # always matches
        indent = _INDENT.match(text, line_start)
        assert indent
        self.line_start = line_start
        self.index = indent.end()
        self.tab = indent.end(1) if indent[2] else -1
        self.column = len(indent[1])
        if self.index >= len(text) or self.is_marker(line_start):
            self.column = NO_COLUMN

    def end_line(self, index: int) -> bool:
        """Go on to the next line's token if nothing but a comment is left of this one."""
        index = self.skip_blanks(index)
        end = _END_OF_LINE.match(self.text, index)
        if not end or (self.text[index] == "#" and not self.is_comment(index)):
            return False
        self.to_content(end.end())
        return True

    def is_marker(self, line_start: int) -> bool:
        """Tell whether a line is `---` or `...`."""
        return bool(MARKER.match(self.text, line_start))

    def is_indicator(self, index: int, character: str) -> bool:
        """Tell whether `-`, `?` or `:` stands here with white space behind it."""
        text = self.text
        return text.startswith(character, index) and text[index + 1] in GAP

    def skip_blanks(self, index: int) -> int:
        """Return the offset of what follows spaces and tabs."""
        return _BLANKS.match(self.text, index).end()  # type: ignore[union-attr] # always matches

    def is_comment(self, index: int) -> bool:
        """Tell whether a comment starts here: a '#' behind white space."""
        return self.text[index] == "#" and (index == 0 or self.text[index - 1] in GAP)


def tab_problem(index: int) -> SyntaxProblem:
    """Return what is wrong with a tab that indents."""
    return SyntaxProblem(index, "a tab is used as indentation", TAB_HELP, code="FLT1011")


def glued_colon(text: str, index: int) -> SyntaxProblem | None:
    """Return what is wrong with a line that starts with a key, but with no `: ` behind it.

    `index` is any offset on the line.
    """
    line_start = text.rfind("\n", 0, index) + 1
    key = _GLUED_KEY.match(text, line_start)
    if key:
        message = "the ':' behind a key needs a space"
        return SyntaxProblem(key.end() - 1, message, "put a space after the ':'")
    key = _BARE_KEY.match(text, line_start)
    if key:
        message = f"expected ':' behind the key `{key[1]}`"
        return SyntaxProblem(key.end(), message, f"write `{key[1]}:`")
    return None


def comment_problem(index: int) -> SyntaxProblem:
    """Return what is wrong with a '#' that touches a token (section 6.6)."""
    message = "a comment needs white space before its '#'"
    return SyntaxProblem(index, message, "put a space before the '#', or quote the text")


def shallow_problem(index: int, what: str, start: int) -> SyntaxProblem:
    """Return what is wrong with a further line that is not indented enough (section 6.1)."""
    return SyntaxProblem(
        index,
        "this line is not indented deeper than the key or '-' that its value belongs to",
        "indent the line",
        context=(f"the {what} starts here", start),
    )


def blanks_problem(index: int) -> SyntaxProblem:
    """Return what is wrong with blank lines that hide an indentation (section 8.1.1.1)."""
    return SyntaxProblem(
        index,
        "the first lines of this block of text are blank and indented deeper than its first line"
        " of text, so that the text would be lost",
        "remove the spaces from the blank lines",
    )
