"""Modules import downwards only: the table of layers, and no circles inside packages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "fleet_contracts"
PACKAGE = "fleet_contracts"
MOST_LINES = 400

# A layer's number and the modules and packages in it. A module imports rows above its own,
# and within its own package. Rows of one layer stand in the order in which they build on
# each other.
TABLE = """
0  fleet_contracts errors pointer source decimal_text suggest
0  regex_dialect images
0  canonical
1  models schemas explain
1  bundle
1  diagnostics
2  project scope reading
2  validate suppress
3  documents include lockfile placeholders placeholder_look_alikes
3  catalog pins placeholder_syntax
3  environments lock_change rules template
3  dataset
4  generations nodes store
4  lower pages
4  artifacts verify
5  taskset parts
5  compiler
5  inspecting
5  editor lsp
5  scaffold migrate
5  diff revisions
6  cli
6  __main__
"""
ROWS = {name: row for row, line in enumerate(TABLE.splitlines()) for name in line.split()[1:]}

# Third-party packages that take long to import and that few commands need.
HEAVY = {"jsonschema_rs", "lsprotocol", "pygls", "rfc8785"}

MODULES = {
    ".".join((PACKAGE, *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(SOURCE.rglob("*.py"))
}
GENERATED = {"authoring", "content", "lock", "catalog", "since"}


def part(module: str) -> str:
    """Return the name in the table that a module belongs to."""
    names = module.split(".")
    return names[1] if len(names) > 1 else names[0]


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield every module that some code imports, of this package and of others."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            for alias in node.names:
                inside = f"{base}.{alias.name}"
                yield inside if inside in MODULES else base


def own_imports(module: str) -> set[str]:
    """Return the modules of this package that a module imports."""
    found = set(imported(ast.parse(MODULES[module].read_text(encoding="utf-8"))))
    return {name for name in found if name.split(".")[0] == PACKAGE}


def test_every_module_is_in_the_table_and_the_other_way_round() -> None:
    assert {part(module) for module in MODULES} == set(ROWS)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module: str) -> None:
    own = part(module)
    wrong = {
        name for name in own_imports(module) if part(name) != own and ROWS[part(name)] >= ROWS[own]
    }
    assert not wrong, f"{module} imports {sorted(wrong)}, which do not stand above it"


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {module: own_imports(module) for module in MODULES}
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_only_heavy_packages_are_imported_inside_functions(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    local = {name for function in functions for name in imported(function)}
    assert local <= HEAVY


@pytest.mark.parametrize("module", [m for m in MODULES if m.split(".")[-1] not in GENERATED])
def test_a_module_has_one_job(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= MOST_LINES
