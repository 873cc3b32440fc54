"""A place in a set of schema files, and what can be read off it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from fleet_contracts.pointer import Pointer, format_pointer, parse_pointer

Files: TypeAlias = Mapping[str, Any]
"""Schema documents by path, e.g. `authoring/taskset.v1.json`."""

UNIONS = ("oneOf", "anyOf")
ANNOTATIONS = frozenset({
    "$schema", "$id", "$defs", "$comment", "title", "description", "deprecated", "default",
    "examples", "discriminator", "format", "readOnly", "writeOnly", "x-fleet-since",
})  # fmt: skip
"""Keywords that say nothing about what is valid."""


@dataclass(frozen=True, slots=True)
class Node:
    """A schema, the file it stands in, and its pointer there; true and false are schemas, too."""

    files: Files
    path: str
    pointer: Pointer
    schema: Any

    @classmethod
    def root(cls, files: Files, path: str) -> Node:
        """Return the schema of a whole file."""
        return cls(files, path, (), files[path])

    def at(self, *tokens: str | int) -> str:
        """Return what a place below this one is called: file and JSON Pointer."""
        return f"schemas/{self.path}#{format_pointer(self.pointer + tokens)}"

    def below(self, *tokens: str | int) -> Node:
        """Return the schema of a place below this one."""
        schema = self.schema
        for token in tokens:
            schema = schema[token]
        return Node(self.files, self.path, self.pointer + tokens, schema)

    def followed(self) -> Node:
        """Return the schema that is meant: behind `$ref`, and a map, or false."""
        node = self
        while isinstance(node.schema, dict) and "$ref" in node.schema:
            file, _, fragment = node.schema["$ref"].partition("#")
            path = str(PurePosixPath(node.path).parent / file) if file else node.path
            node = Node.root(node.files, path).below(*parse_pointer(fragment))
        return Node(node.files, node.path, node.pointer, {}) if node.schema is True else node

    def part(self, keyword: str) -> Node:
        """Return the schema below a keyword; what is not there accepts everything."""
        if keyword in self.schema:
            return self.below(keyword)
        return Node(self.files, self.path, (*self.pointer, keyword), True)

    def branches(self) -> list[Node]:
        """Return the branches of a union, none for another schema."""
        for keyword in UNIONS:
            if keyword in self.schema:
                return [self.below(keyword, n) for n in range(len(self.schema[keyword]))]
        return []

    @property
    def is_union(self) -> bool:
        """Whether the schema is nothing but a union."""
        return bool(self.branches()) and not self.schema.keys() - ANNOTATIONS - {*UNIONS}

    @property
    def choices(self) -> list[Any] | None:
        """The values of `const` or `enum`; None where neither limits them."""
        if "const" in self.schema:
            return [self.schema["const"]]
        values: list[Any] | None = self.schema.get("enum")
        return values

    @property
    def types(self) -> frozenset[str] | None:
        """The JSON types that are accepted; None for all of them."""
        choices = self.choices
        if choices is not None:
            return frozenset(map(type_of, choices))
        types = self.schema.get("type")
        if types is None:
            return None
        found = {types} if isinstance(types, str) else set(types)
        return frozenset(found | {"integer"} if "number" in found else found)


def type_of(value: Any) -> str:
    """Return the JSON type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "integer", float: "number", list: "array", dict: "object"}
    return names[type(value)]
