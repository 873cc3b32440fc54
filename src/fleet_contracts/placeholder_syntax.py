"""How placeholders are written in the strings of a dataset (spec section 4)."""

from __future__ import annotations

import re

from fleet_contracts.diagnostics.model import Edit, Part
from fleet_contracts.placeholders import Placeholder, TemplateError
from fleet_contracts.reading.core_schema import shortened
from fleet_contracts.regex_dialect import RegexError, SharedPattern, compile_shared
from fleet_contracts.suggest import closest

# `$${` is a plain `${`; any other `$` is plain text.
_OPEN = re.compile(r"\$?\$\{")
_NAME = re.compile(r"[^|}]*")
_TRANSFORM = re.compile(r"\|[ \t\r\n]*([^:'|}]*)")
_PATTERN = re.compile(r"[ \t\r\n]*:[ \t\r\n]*'((?:[^']|'')*)('?)[ \t\r\n]*")
_SUBSCRIPT = re.compile(r"""row\[(["'])([^"'.|}]+)\1\]""")  # as in program code
_SPACE = " \t\r\n"
# What a person takes for one placeholder: to the brace that closes it, with what stands in
# quotes left out of account; to the next brace; to the end of the word.
_EXTENT = re.compile(
    r"\$\{(?:[^|}]*+(?:\|(?:[^'}]|'(?:[^']|'')*+')*+)?\}|[^}\r\n]*\}|[ \t]*[^ \t\r\n]*)"
)

_QUOTES = "close the pattern with a quote, and double each quote inside it"
_LONGEST_NAME = 60


def parse_placeholders(text: str) -> tuple[str | Placeholder, ...]:
    """Return the plain texts and placeholders that a string of a template is made of.

    `$${` gives the plain text `${`; no plain text is empty or stands beside another.
    Raises `TemplateError` with FLT3030 for what is no placeholder and FLT4011 for a
    pattern outside the shared dialect.
    """
    parts: list[str | Placeholder] = []
    plain: list[str] = []
    position = 0
    while True:
        opened = _OPEN.search(text, position)
        plain.append(text[position : opened.start() if opened else len(text)])
        if opened is not None and opened[0] == "$${":
            plain.append("${")
            position = opened.end()
            continue
        before = "".join(plain)
        if before:
            parts.append(before)
        if opened is None:
            return tuple(parts)
        plain = []
        try:
            placeholder, position = _placeholder(text, opened.start())
        except TemplateError as problem:
            raise _placed(problem, text, opened.start()) from None
        parts.append(placeholder)


def _placed(problem: TemplateError, text: str, start: int) -> TemplateError:
    """Return a problem with the part of a text that it is about, and its edit for all of that."""
    extent = _EXTENT.match(text, start)
    assert extent is not None
    problem.part = Part(start, extent.end())
    if problem.fix is not None:
        fix = problem.fix
        problem.fix = Edit(extent[0], extent[0].replace(fix.old, fix.new, 1))
    return problem


def _placeholder(text: str, start: int) -> tuple[Placeholder, int]:
    """Return the placeholder that starts at an offset, and where it ends."""
    match = _NAME.match(text, start + 2)
    end = match.end() if match else start + 2
    if end == len(text):
        raise _unclosed(text[start:])
    path = _path(text[start + 2 : end].strip(_SPACE))
    if text[end] == "}":
        return Placeholder(text[start : end + 1], path, start=start), end + 1
    pattern, end = _capture(text, end)
    if end == len(text):
        raise _unclosed(text[start:])
    if text[end] != "}":
        found = shortened(text[end:])
        raise _bad(f"found {found!r} after the pattern, expected '}}'", _QUOTES)
    return Placeholder(text[start : end + 1], path, _compiled(pattern), start), end + 1


def _path(name: str) -> tuple[str, ...]:
    """Return the field names that a placeholder's name means, none for `index`."""
    if name == "index":
        return ()
    head, dot, rest = name.partition(".")
    fields = tuple(rest.split("."))
    if head == "row" and dot and all(fields):
        return fields
    if head == "row":
        raise _bad(f"found an empty field name in {name!r}", "write `${row.field}`")
    if head == "index":
        raise _bad(f"found {name!r}, but `index` is a number without fields", "write `${index}`")
    if not name:
        raise _bad("found a placeholder without a name", "write `${row.field}` or `${index}`")
    guess = closest(head, ("row", "index"))
    plain = "or `$${` for a plain `${`"
    subscript = _SUBSCRIPT.fullmatch(name)
    edit = None
    if subscript:
        fix = f"write `${{row.{subscript[2]}}}`"
        edit = Edit(name, f"row.{subscript[2]}")
    elif guess:
        fix = f"did you mean `{guess}`?"
        is_whole = bool(dot) == (guess == "row")
        edit = Edit(name, guess + name.removeprefix(head)) if is_whole else None
    elif "." in name or len(name) > _LONGEST_NAME:
        fix = f"write `${{row.field}}` for a field of the row, {plain}"
    else:
        fix = f"write `${{row.{name}}}` for a field of the row, {plain}"
    found = f"found {shortened(name)!r} in a placeholder"
    raise _bad(f"{found}, expected `row.field` or `index`", fix, edit)


def _capture(text: str, start: int) -> tuple[str, int]:
    """Return the pattern of the transform that starts at an offset, and where it ends."""
    match = _TRANSFORM.match(text, start)
    word = match[1].strip(_SPACE) if match else ""
    end = match.end() if match else start + 1
    if word != "capture":
        edit = None
        if match and closest(word, ["capture"]):
            edit = Edit(match[0], match[0].replace(word, "capture", 1))
        fix = "did you mean `capture`?" if edit else ""
        found = f"the transform {shortened(word)!r}" if word else "no transform after '|'"
        raise _bad(f"found {found}, expected `capture:'pattern'`", fix, edit)
    quoted = _PATTERN.match(text, end)
    if quoted is None:
        raise _bad(f"found {shortened(text[end:])!r} after `capture`, expected :'pattern'")
    if not quoted[2]:
        raise _bad("the pattern of `capture` has no closing quote", _QUOTES)
    return quoted[1].replace("''", "'"), quoted.end()


def _compiled(pattern: str) -> SharedPattern:
    try:
        compiled = compile_shared(pattern)
    except RegexError as error:
        message = f"the pattern {shortened(pattern)!r} cannot be used: {error}"
        raise TemplateError("FLT4011", message, "use what RE2 and Python read alike") from None
    if compiled.groups != 1:
        raise _bad(
            f"the pattern {shortened(pattern)!r} has {compiled.groups} groups, expected exactly 1",
            "put parentheses around the part to capture, and write other groups as `(?:…)`",
        )
    return compiled


def _bad(message: str, help: str = "", fix: Edit | None = None) -> TemplateError:
    return TemplateError("FLT3030", message, help, fix)


def _unclosed(rest: str) -> TemplateError:
    message = f"the placeholder {shortened(rest)!r} is not closed"
    return _bad(message, "close it with '}', or write `$${` for a plain `${`")
