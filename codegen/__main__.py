"""`python -m codegen write|check|freeze`: generated files, and whether they are current."""

from __future__ import annotations

import sys
from pathlib import Path

from codegen.files import ROOT, SCHEMAS, dump
from codegen.frozen import freeze, problems
from codegen.generations import generated_schemas
from codegen.since import SINCE_MODULE, since_module
from codegen.structs import generated_modules, module_path


def schema_texts() -> dict[Path, str]:
    """Return the text of every generated schema by its path."""
    return {SCHEMAS / path: dump(schema) for path, schema in generated_schemas().items()}


def module_texts() -> dict[Path, str]:
    """Return the text of every generated module by its path; generated schemas are read."""
    texts = {module_path(name): text for name, text in generated_modules().items()}
    return {**texts, SINCE_MODULE: since_module()}


def stale(texts: dict[Path, str]) -> list[Path]:
    """Return the files that do not hold their text."""
    return [p for p, text in texts.items() if not p.exists() or p.read_text("utf-8") != text]


def write() -> int:
    """Write what changed and name it, schemas before the modules made of them."""
    for produce in (schema_texts, module_texts):
        texts = produce()
        for path in stale(texts):
            path.write_text(texts[path], encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return 0


def check() -> int:
    """Name every generated file that is not current and every frozen schema that moved."""
    lines = [
        f"{path.relative_to(ROOT)} is not current; run `make generate`"
        for path in stale(schema_texts() | module_texts())
    ]
    lines += problems()
    print("\n".join(lines) or "generated files are current, frozen schemas are unchanged")
    return 1 if lines else 0


def main(arguments: list[str]) -> int:
    """Run one of the three actions and return its exit code."""
    match arguments:
        case ["write"]:
            return write()
        case ["check"]:
            return check()
        case ["freeze"]:
            for path in freeze():
                print(f"froze schemas/{path}")
            return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
