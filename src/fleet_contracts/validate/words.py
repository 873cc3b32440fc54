"""How values and expectations are put into words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from fleet_contracts.validate.shapes import Shape, branches, follow, is_union, kinds, tagged

_LONGEST = 60
_MANY = 12
_HUGE_BITS = 4096

_KINDS = {
    "null": "null",
    "boolean": "`true` or `false`",
    "integer": "a whole number",
    "number": "a number",
    "string": "a string",
    "array": "a list",
    "object": "a map",
}

# What a string of a definition is, in two words; anything else is "a string".
_NOUNS = {
    "Decimal": "a decimal",
    "Size": "a size",
    "Identifier": "a name",
    "TaskKey": "a Task key",
    "Digest": "a digest",
    "ImageReference": "an image reference",
    "BuiltinReference": "a builtin `NAME@vN`",
    "SourcePath": "a path",
    "FilePath": "a path",
    "AbsolutePath": "an absolute path",
    "EnvironmentPath": "a path",
    "Regex": "a pattern",
    "ToolName": "a tool name",
    "Platform": "a platform",
    "HostPort": "a `host:port`",
}

_OWN_NAMES = {
    "AuthoredTaskSet": "a TaskSet",
    "AuthoredTaskSetV0": "a TaskSet of `taskset/v0`",
    "AuthoredTasks": "a file of Tasks",
    "AuthoredEnvironment": "an Environment",
    "AuthoredVerifier": "a Verifier file",
    "File": "a file reference",
}
_CAMEL = re.compile(r"TaskSet|[A-Z][a-z0-9]*")
_PLURALS = {"bounds", "limits", "resources"}
_PROPER = {"Task", "TaskSet", "Environment", "Verifier", "Artifact"}


def clip(text: str) -> str:
    """Return text on one line, at most 60 characters long, without invisible characters."""
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    return "".join(each if each.isprintable() else _escape(each) for each in text)


def _escape(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) != 0x7F else "\\u007f"


def tick(text: str) -> str:
    """Return a name or a piece of a document, marked as such."""
    return f"`{clip(text)}`"


def quoted(text: str) -> str:
    """Return a string as it may be written in double quotes, clipped."""
    inner = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{clip(inner)}"'


def shown(value: Any) -> str:
    """Return what was found, briefly."""
    if value is None or isinstance(value, bool):
        return f"`{json.dumps(value)}`"
    if isinstance(value, str):
        return quoted(value) if value else "an empty string"
    if isinstance(value, dict):
        return f"a map with {listed(value, 'and', most=3)}" if value else "an empty map"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, int) and value.bit_length() > _HUGE_BITS:
        return "a number of more than 1,000 digits"
    return f"the number {clip(str(value))}"


def listed(words: Iterable[Any], last: str = "or", *, most: int = _MANY) -> str:
    """Return names as a list for reading, e.g. `a`, `b` or `c`."""
    names = [tick(each if isinstance(each, str) else json.dumps(each)) for each in words]
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def wanted(shape: Shape) -> str:
    """Return what a shape accepts, briefly."""
    shape = follow(shape)
    schema = shape.schema
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"one of {listed(values)}" if len(values) > 1 else listed(values)
    union = tagged(shape)
    if union and is_union(shape):
        return f"a map with {tick(union.key)}"
    if is_union(shape):
        return _either([wanted(each) for each in branches(shape)])
    if shape.title in _NOUNS:
        return _NOUNS[shape.title]
    if schema.get("type") == "object" and schema.get("required"):
        return f"a map with {listed(schema['required'], 'and')}"
    found = kinds(shape)
    if "number" in found:
        found -= {"integer"}
    return _either([words for kind, words in _KINDS.items() if kind in found])


def _either(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


def thing(shape: Shape) -> str:
    """Return the kind of thing a definition describes, e.g. `a seed mount`."""
    title = shape.title
    if title in _OWN_NAMES or not title:
        return _OWN_NAMES.get(title, "this map")
    words = [each if each in _PROPER else each.lower() for each in _CAMEL.findall(title)]
    if words[-1] == "params":
        return f"the params of {tick('-'.join(words[:-1]))}"
    if words[-1] in _PLURALS:
        return " ".join(words)
    article = "an" if words[0][0] in "aeioAEIO" else "a"
    return f"{article} {' '.join(words)}"


def sentence(shape: Shape) -> str:
    """Return the first sentence of a description, to stand inside another sentence."""
    text = re.split(r"(?<!e\.g)\.(?:\s|$)", str(shape.schema.get("description", "")))[0]
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
