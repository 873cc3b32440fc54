"""The schemas of authored files as editors get them."""

from __future__ import annotations

import functools

from fleet_contracts import __version__, schemas
from fleet_contracts.bundle import bundle, everywhere
from fleet_contracts.catalog import read_catalog
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.editor.friendly import friendly
from fleet_contracts.editor.hints import with_hints
from fleet_contracts.schemas import Schema

_BUILTIN = "BuiltinReference"


def editor_schema(kind: str) -> Schema:
    """Return the self-contained schema of `taskset`, `tasks`, `environment` or `verifier` files.

    It accepts exactly what the schema of the kind accepts, and says more: `markdownDescription`,
    `markdownEnumDescriptions`, `patternErrorMessage`, `defaultSnippets` and `examples` are
    what the YAML language server shows. It has no `$id`, which editors take for an address.
    """
    schema = friendly(bundle(schemas.AUTHORED[f"{kind}/v1"], strict=False))
    definitions = schema["$defs"]
    if _BUILTIN in definitions:
        definitions[_BUILTIN] = definitions[_BUILTIN] | {"examples": list(_builtins())}
    told: Schema = everywhere(_told, schema | {"$defs": with_hints(definitions)})
    head = {"$schema": schema["$schema"], "$comment": f"fleet-contracts {__version__}"}
    return head | {key: value for key, value in told.items() if key not in ("$schema", "$id")}


def _told(schema: Schema) -> Schema:
    """Return a schema with its description as Markdown, so that quoted words are not escaped.

    Beside a `$ref` always, or the Markdown of what it refers to would be shown.
    """
    text = schema.get("description", "")
    if "`" not in text and not (text and "$ref" in schema):
        return schema
    return {"markdownDescription": text} | schema


@functools.cache
def _builtins() -> tuple[str, ...]:
    """Return the references of the builtin Environments that are shipped."""
    return tuple(read_catalog(schemas.CATALOG_FILE, Bag(), {}))
