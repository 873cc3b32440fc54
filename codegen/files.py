"""Reading and writing schema files in their one layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "schemas"
MODELS = ROOT / "src" / "fleet_contracts" / "models"
BASE = "https://fleet-contracts.dev/schemas/"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def load(path: str) -> Schema:
    """Return one schema file; `path` is relative to `schemas/`."""
    schema: Schema = json.loads((SCHEMAS / path).read_text(encoding="utf-8"))
    return schema


def dump(schema: Schema) -> str:
    """Return the text of a schema file: two spaces, one final line feed."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
