"""`taskset/v0` to `taskset/v1`: the Environment of a Task is a map, no string any more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from fleet_contracts import images
from fleet_contracts.migrate.model import Edit, Step
from fleet_contracts.migrate.written import Written, find_written
from fleet_contracts.pointer import Pointer
from fleet_contracts.source import Source

OLD, NEW = "taskset/v0", "taskset/v1"

# Addresses of the schema for editors, in `$schema` and in the comment that some editors read.
_OLD_FILE, _NEW_FILE = "taskset.v0.json", "taskset.v1.json"
_MODELINE = re.compile(
    rf"(?m)^[ \t]*#[ \t]*yaml-language-server:[^\r\n]*{re.escape(_OLD_FILE)}(?![^\s])"
)

# How a block of text starts: its anchor and tag, its header, and a comment.
_BLOCK = re.compile(r"((?:[&!]\S*\s+)*)[|>][-+0-9]*([ \t]+#[^\r\n]*)?[ \t]*\r?\n")


def upgrade(value: dict[str, Any]) -> dict[str, Any]:
    """Return the plain data of a `taskset/v0` document as `taskset/v1` has it."""
    new = {**value, "authoring": NEW}
    if "$schema" in value:
        new["$schema"] = _schema(value["$schema"])
    if "defaults" in value:
        new["defaults"] = _task(value["defaults"])
    if "tasks" in value:
        new["tasks"] = {key: _task(task) for key, task in value["tasks"].items()}
    return new


def edits(source: Source, value: dict[str, Any]) -> Iterator[Edit]:
    """Yield the edits that do the same to the text."""
    found = find_written(source, _is_concerned)
    for match in _MODELINE.finditer(source.text, 0, found.pop(()).start):
        message = f"{_OLD_FILE} becomes {_NEW_FILE}"
        yield Edit(match.end() - len(_OLD_FILE), match.end(), _NEW_FILE, "mapped", (), message)
    for pointer, written in found.items():
        old = _at(value, pointer)
        if pointer == ("authoring",):
            new = _with_text(source, written, old, NEW)
            yield _edit(pointer, written, new, f"{OLD} becomes {NEW}")
        elif pointer == ("$schema",):
            address = _schema(old)
            if address != old:
                new = _with_text(source, written, old, address)
                yield _edit(pointer, written, new, f"{_OLD_FILE} becomes {_NEW_FILE}")
        else:
            yield _environment(source, pointer, written, old)


def _is_concerned(pointer: Pointer) -> bool:
    match pointer:
        case () | ("authoring",) | ("$schema",):
            return True
        case ("defaults", "environment") | ("tasks", _, "environment"):
            return True
    return False


def _at(value: Any, pointer: Pointer) -> str:
    for token in pointer:
        value = value[token]
    return str(value)


def _schema(address: str) -> str:
    file = address.rpartition("/")[2]
    return address.removesuffix(file) + _NEW_FILE if file == _OLD_FILE else address


def _task(task: dict[str, Any]) -> dict[str, Any]:
    if "environment" not in task:
        return task
    key, text = _choice(task["environment"])
    return {**task, "environment": {key: text}}


def _choice(text: str) -> tuple[str, str]:
    """Return the key of an Environment and its value; an image is without a tag there.

    >>> _choice("terminal@v1")
    ('builtin', 'terminal@v1')
    """
    if ":" not in text:
        return "builtin", text
    try:
        return "image_ref", images.parse_image(text).value
    except images.TagBeside as problem:
        return "image_ref", problem.bare
    except ValueError:
        return "image_ref", text  # what is wrong with it is no matter of versions


def _environment(source: Source, pointer: Pointer, written: Written, old: str) -> Edit:
    key, text = _choice(old)
    is_json = source.name.endswith(".json")
    start = f'{{"{key}": ' if is_json else f"{{{key}: "
    if written.is_block:
        new = _in_one_line(source.text[written.start : written.end], start, text)
    else:
        new = f"{start}{_with_text(source, written, old, text)}}}"
    message = f"a string becomes {{{key}: …}}"
    if text == old:
        return _edit(pointer, written, new, message)
    message += ", without the tag: the digest says which image it is"
    return Edit(written.start, written.end, new, "approximated", pointer, message)


def _edit(pointer: Pointer, written: Written, new: str, message: str) -> Edit:
    return Edit(written.start, written.end, new, "mapped", pointer, message)


def _with_text(source: Source, written: Written, old: str, new: str) -> str:
    """Return a scalar with another text in its quotes, behind its anchor and tag.

    What is written in another way than the text it means, is written anew.
    """
    stretch = source.text[written.start : written.end]
    if old == new:
        return stretch
    before, found, after = stretch.rpartition(old)
    if found and not written.is_alias:
        return before + new + after
    return json.dumps(new, ensure_ascii=False)


def _in_one_line(stretch: str, start: str, text: str) -> str:
    """Return a block of text as a value in brackets; its comment stands behind them.

    One with a comment elsewhere stays as it is, and the file is refused for it.
    """
    match = _BLOCK.match(stretch)
    if match is None:
        return stretch
    words = " ".join([*match[1].split(), text])
    return f"{start}{words}}}{match[2] or ''}{stretch[len(stretch.rstrip()) :]}"


STEP = Step(NEW, upgrade, edits)
