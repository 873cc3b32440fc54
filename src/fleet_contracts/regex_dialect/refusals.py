"""What is said of a pattern outside the dialect: what was found, where, and what to write."""

from __future__ import annotations

import re

from fleet_contracts.regex_dialect.tree import LAST
from fleet_contracts.suggest import closest

NOT_IN_RE2 = ", which RE2 does not have"
_NOT_IN_PYTHON = ", which Python does not have"
_NOT_SHARED = ", which RE2 and Python do not both have"

# Groups by how they start, longer starts first: what they are, whose they are, and the fix.
_GROUPS = (
    (
        "(?<=",
        "the look-behind `(?<=`",
        NOT_IN_RE2,
        "match the text before it too, and put `(…)` around what you want",
    ),
    (
        "(?<!",
        "the look-behind `(?<!`",
        NOT_IN_RE2,
        "match what may stand before instead, such as `(?:^|[^0-9])`",
    ),
    (
        "(?=",
        "the look-ahead `(?=`",
        NOT_IN_RE2,
        "match the text behind it too, and put `(…)` around what you want",
    ),
    (
        "(?!",
        "the look-ahead `(?!`",
        NOT_IN_RE2,
        "match what may stand behind instead, such as `(?:[^0-9]|$)`",
    ),
    ("(?#", "the comment `(?#`", NOT_IN_RE2, "remove it"),
    ("(?>", "the atomic group `(?>`", NOT_IN_RE2, "write `(?:`; matching never takes long here"),
    ("(?(", "the condition `(?(`", NOT_IN_RE2, "write both cases as `(?:…|…)`"),
    ("(?|", "the group `(?|`", _NOT_SHARED, "write `(?:`, and one group around all that you want"),
    ("(?P=", "the back-reference `(?P=`", NOT_IN_RE2, "write the pattern of the group once more"),
    ("(?P>", "the call `(?P>`", _NOT_SHARED, "write the pattern of the group once more"),
)
_GROUP_NAME = re.compile(r"\(\?P?<([^<>]*)>")
_FLAGS = re.compile(r"\(\?([A-Za-z]*)(?:-[A-Za-z]*)?[:)]")
_FLAG_FIXES = {
    "i": "write both cases where they may differ, as in `[Yy]es`",
    "s": r"write `(?:.|\n)` for a character that may be a line feed",
    "m": r"write `(?:^|\n)` for the start of a line, and `(?:\n|$)` for its end",
    "x": "write the pattern without blanks and comments",
    "a": "remove it; all classes are ASCII",
    "u": "remove it, and write the letters that you mean, as in `[A-Za-zäöü]`",
    "U": "write `*?` for `*`, and `*` for `*?`",
}

# Escapes of other dialects that mean something that can be written; in a class, if at all, the
# second way.
_ESCAPES: dict[str, tuple[str, str | None]] = {
    "Z": ("$", None),
    "z": ("$", None),
    "h": (r"[ \t]", r" \t"),
    "R": (r"(?:\r\n?|\n)", None),
    "N": (r"[^\n]", None),
    "a": (r"\x07", r"\x07"),
    "e": (r"\x1b", r"\x1b"),
    "b": (r"\b", r"\x08"),
    "0": (r"\x00", r"\x00"),
}
_PROPERTY = re.compile(r"\\[pP](?:\{[^}]*\}|.)?", re.DOTALL)
_CODE_POINT = re.compile(
    r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))"
)
_SPECIAL = frozenset(r"\.+*?()|[]{}^$-&~")


class RegexError(ValueError):
    """A pattern outside the shared dialect.

    `offset` counts characters from 0, and is None for what the pattern is as a whole.
    `help` is the fix in one sentence, and `mended` the pattern with it, where there is one.
    """

    def __init__(
        self,
        before: str,
        offset: int | None,
        after: str = "",
        *,
        help: str = "",
        mended: str | None = None,
    ) -> None:
        """What is said comes before and after the place."""
        super().__init__(before, offset, after)
        self.offset = offset
        self.help = help
        self.mended = mended
        self._before = before
        self._after = after

    def __str__(self) -> str:
        return self.told("the pattern")

    def told(self, pattern: str) -> str:
        """Return the message, with what to call the pattern in it."""
        where = "" if self.offset is None else f" at character {self.offset + 1}"
        return f"{self._before}{where} of {pattern}{self._after}"


def shown(text: str) -> str:
    """Return part of a pattern for a message."""
    return f"`{text}`" if text.isprintable() else repr(text)


def replaced(pattern: str, start: int, end: int, new: str) -> str:
    """Return the pattern with other text from one offset to another."""
    return pattern[:start] + new + pattern[end:]


def bad_group(pattern: str, start: int) -> RegexError:
    """Return what is wrong with a group that starts with `(?` in a way of other dialects."""
    for opening, what, whose, help in _GROUPS:
        if pattern.startswith(opening, start):
            return RegexError(f"found {what}", start, whose, help=help)
    name = _GROUP_NAME.match(pattern, start)
    if name:
        return _bad_name(pattern, start, name)
    if pattern.startswith(("(?<", "(?P<"), start):
        help = "write `(?P<name>…)`, or just `(…)`"
        return RegexError("the name of the group", start, " is never closed by `>`", help=help)
    flags = _FLAGS.match(pattern, start)
    if flags:
        help = next((_FLAG_FIXES[each] for each in flags[1] if each in _FLAG_FIXES), "remove it")
        after = ", but patterns have no flags"
        return RegexError(f"found {shown(flags[0])}", start, after, help=help)
    found = shown(pattern[start : start + 3])
    after = ", which starts no group of the dialect"
    help = r"write `(?:…)` for a group, or `\(` for a plain `(`"
    return RegexError(f"found {found}", start, after, help=help)


def _bad_name(pattern: str, start: int, name: re.Match[str]) -> RegexError:
    if name[1].isidentifier() and name[1].isascii():
        good = f"(?P<{name[1]}>"
        mended = replaced(pattern, start, name.end(), good)
        help = f"write `{good}`"
        return RegexError(
            f"found {shown(name[0])}", start, _NOT_IN_PYTHON, help=help, mended=mended
        )
    after = ", expected letters, digits and `_`"
    help = "rename it, or write just `(…)`"
    return RegexError(f"found the group name {shown(name[1])}", start, after, help=help)


def bad_escape(pattern: str, start: int, *, in_class: bool) -> RegexError:
    """Return what is wrong with an escape that RE2 and Python do not both have."""
    char = pattern[start + 1]
    known = _code_point(pattern, start) or _known(pattern, start, in_class=in_class)
    if known:
        found, new = known
        mended = replaced(pattern, start, start + len(found), new)
        after = " in a class, where it means nothing" if in_class and char == "b" else _NOT_SHARED
        return RegexError(
            f"found {shown(found)}", start, after, help=f"write {shown(new)}", mended=mended
        )
    property = _PROPERTY.match(pattern, start)
    if property:
        help = "write a class of the characters that you mean, as in `[A-Za-zäöü]`"
        return RegexError(f"found {shown(property[0])}", start, _NOT_IN_PYTHON, help=help)
    found = shown(pattern[start : start + 2])
    if char.isdigit() and char.isascii() and not in_class:
        help = "write the pattern of the group once more"
        return RegexError(f"found the back-reference {found}", start, NOT_IN_RE2, help=help)
    if char == "x":
        after = ", expected two hexadecimal digits behind it"
        help = r"write it as in `\x1b`, or the character itself"
        return RegexError(f"found {found}", start, after, help=help)
    if char in "ABG":
        return RegexError(f"found {found}", start, _NOT_SHARED, help="remove it")
    if char in "uU":
        help = "write the character itself"
        return RegexError(f"found {found}", start, _NOT_SHARED, help=help)
    if char == "K":
        help = "put `(…)` around what you want"
        return RegexError(f"found {found}", start, NOT_IN_RE2, help=help)
    if char == "Q":
        help = r"remove it, and write `\` before each special character"
        return RegexError(f"found {found}", start, _NOT_IN_PYTHON, help=help)
    help = f"write {shown(char)}" if not char.isascii() else f"write `{char}`, or `\\\\{char}`"
    return RegexError(f"found {found}", start, _NOT_SHARED, help=help)


def _known(pattern: str, start: int, *, in_class: bool) -> tuple[str, str] | None:
    """Return an escape with one way to write it here, and that way."""
    char = pattern[start + 1]
    new = _ESCAPES.get(char, (None, None))[in_class]
    if new is None or (char == "N" and pattern.startswith("{", start + 2)):
        return None
    if char == "0" and pattern[start + 2 : start + 3].isdigit():
        return None
    return pattern[start : start + 2], new


def _code_point(pattern: str, start: int) -> tuple[str, str] | None:
    """Return an escape of a code point, and its character as it can be written."""
    match = _CODE_POINT.match(pattern, start)
    if match is None:
        return None
    code = int(next(filter(None, match.groups())), 16)
    char = chr(code) if code <= LAST else ""
    if char in _SPECIAL:
        return match[0], f"\\{char}"
    if char.isprintable():
        return (match[0], char) if char else None
    return (match[0], f"\\x{code:02x}") if code < 256 else None


_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s\v",
    "upper": "A-Z",
    "word": r"\w",
    "xdigit": "0-9A-Fa-f",
}
_POSIX_CLASS = re.compile(r"\[:(\^?)([A-Za-z]+):\]")


def bracket_in_class(pattern: str, start: int) -> RegexError:
    """Return what is wrong with a `[` inside a class."""
    named = _POSIX_CLASS.match(pattern, start)
    if named is None:
        mended = replaced(pattern, start, start + 1, r"\[")
        after = " inside a class, where it needs a backslash"
        return RegexError("found `[`", start, after, help=r"write `\[`", mended=mended)
    name = named[2] if named[2] in _POSIX else closest(named[2], _POSIX)
    new = "" if named[1] or not name else _POSIX[name]
    return RegexError(
        f"found {shown(named[0])}",
        start,
        _NOT_IN_PYTHON,
        help=f"write {shown(new)} for it" if new else "write the characters that you mean",
        mended=replaced(pattern, start, named.end(), new) if new else None,
    )
