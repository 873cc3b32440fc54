"""The regular expressions that RE2 and Python read alike (spec section 4, `capture`).

A pattern is checked piece by piece and rewritten for Python's `re`: classes are ASCII,
`\\s` is RE2's (without vertical tab), `$` is the end of the text and never a place
before a final line feed. Anything the two engines read differently is refused.
"""

from __future__ import annotations

import re

MAX_REPEAT = 1000

_SPACE = r"\t\n\f\r "
_SAME_ESCAPES = frozenset("dDwWbBAnrtfv")
_PUNCTUATION = frozenset(r"""\.+*?()|[]{}^$-/!"#%&',:;<=>@_`~ """)
_REPEAT = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_OPEN_REPEAT = re.compile(r"\{,[0-9]*\}")
_GROUP_NAME = re.compile(r"\?P<([A-Za-z_][A-Za-z0-9_]*)>")
_HEX = re.compile(r"x([0-9A-Fa-f]{2})")


class RegexError(ValueError):
    """A pattern outside the shared dialect; `offset` counts characters from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(f"{message} (at character {offset + 1} of the pattern)")
        self.offset = offset


def compile_shared(pattern: str) -> re.Pattern[str]:
    """Return the compiled pattern; raises `RegexError` outside the shared dialect.

    >>> compile_shared("#### (-?[0-9.,]+)$").search("x #### 1,000").group(1)
    '1,000'
    >>> compile_shared("a$").search("a\\n") is None
    True
    """
    translated = _translate(pattern)
    try:
        return re.compile(translated, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise RegexError(str(error), getattr(error, "pos", None) or 0) from None


def _translate(pattern: str) -> str:
    pieces: list[str] = []
    position = 0
    repeatable = False
    while position < len(pattern):
        char = pattern[position]
        if char == "\\":
            piece, position = _escape(pattern, position, in_class=False)
            repeatable = piece not in (r"\b", r"\B", r"\A")
        elif char == "[":
            piece, position = _class(pattern, position)
            repeatable = True
        elif char == "(":
            piece, position = _group(pattern, position)
            repeatable = False
        elif char in "*+?" or (char == "{" and _REPEAT.match(pattern, position)):
            if not repeatable:
                raise RegexError(f"nothing to repeat before {char!r}", position)
            piece, position = _quantifier(pattern, position)
            repeatable = False
        elif _OPEN_REPEAT.match(pattern, position):
            raise RegexError("'{,n}' is a repeat in Python and plain text in RE2", position)
        else:
            piece = r"\Z" if char == "$" else char
            position += 1
            repeatable = char not in "^$|"
        pieces.append(piece)
    return "".join(pieces)


def _escape(pattern: str, start: int, *, in_class: bool) -> tuple[str, int]:
    if start + 1 >= len(pattern):
        raise RegexError("a pattern cannot end with a backslash", start)
    char = pattern[start + 1]
    hexadecimal = _HEX.match(pattern, start + 1)
    if hexadecimal:
        return rf"\x{hexadecimal[1]}", hexadecimal.end()
    if char == "s":
        return (_SPACE if in_class else f"[{_SPACE}]"), start + 2
    if char == "S" and not in_class:
        return f"[^{_SPACE}]", start + 2
    if in_class and char in "bBAS":
        raise RegexError(f"'\\{char}' means nothing inside a class", start)
    if char in _SAME_ESCAPES or char in _PUNCTUATION:
        return pattern[start : start + 2], start + 2
    raise RegexError(f"'\\{char}' is not read alike by RE2 and Python", start)


def _class(pattern: str, start: int) -> tuple[str, int]:
    position = start + 1
    pieces = ["["]
    if pattern.startswith("^", position):
        pieces.append("^")
        position += 1
    first = position
    while position < len(pattern):
        char = pattern[position]
        if char == "]" and position > first:
            return "".join([*pieces, "]"]), position + 1
        if char == "\\":
            piece, position = _escape(pattern, position, in_class=True)
        elif char in "[]" or pattern[position : position + 2] in ("--", "&&", "||", "~~"):
            raise RegexError(rf"write {char!r} as '\{char}' inside a class", position)
        else:
            piece = char
            position += 1
        pieces.append(piece)
    raise RegexError("a class '[' is not closed", start)


def _group(pattern: str, start: int) -> tuple[str, int]:
    if not pattern.startswith("(?", start):
        return "(", start + 1
    if pattern.startswith("(?:", start):
        return "(?:", start + 3
    name = _GROUP_NAME.match(pattern, start + 1)
    if name:
        return "(" + name[0], name.end()
    raise RegexError("look-around, flags and other '(?' groups are not in the dialect", start)


def _quantifier(pattern: str, start: int) -> tuple[str, int]:
    repeat = _REPEAT.match(pattern, start)
    end = repeat.end() if repeat else start + 1
    if repeat:
        counts = [int(text) for text in (repeat[1], repeat[3]) if text and len(text) < 5]
        if len(counts) < 1 + bool(repeat[3]) or max(counts) > MAX_REPEAT:
            raise RegexError(f"a repeat count is at most {MAX_REPEAT}", start)
    if pattern.startswith("?", end):
        end += 1
    elif pattern.startswith("+", end):
        raise RegexError("possessive repeats are not in the dialect", end)
    return pattern[start:end], end
