from __future__ import annotations

from lsp_kit import TASKS, stretch

from fleet_contracts.lsp.outline import Entry, outline
from fleet_contracts.lsp.tree import read_tree

DATASET = """\
dataset:
  - rows: r.csv
    key: row/${index}
    task:
      verifiers: [{id: a, type: evaluator}]
  - {task: {verifiers: [{type: evaluator}]}}
  - {key: only}
"""


def shown(text: str) -> list[tuple[str, str]]:
    """Return name and kind of every entry, with a '>' for each level."""

    def lines(entries: list[Entry], depth: int) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for each in entries:
            assert each.whole.start <= each.shown.start <= each.shown.end <= each.whole.end
            assert stretch(text, each.shown).strip("\"'") in (each.name, "")
            found.append((">" * depth + each.name, each.kind))
            found += lines(each.inside, depth + 1)
        return found

    root = read_tree(text).root
    return lines(outline(root), 0) if root else []


def test_environments_tasks_and_their_verifiers() -> None:
    expected = [("shell", "environment"), ("one", "task"), (">answer", "leaf")]
    assert shown(TASKS) == expected


def test_templates_have_the_key_of_their_rows() -> None:
    root = read_tree(DATASET).root
    assert root is not None
    found = [(each.name, len(each.inside)) for each in outline(root)]
    assert found == [("row/${index}", 1), ("task", 0)]


def test_a_standalone_verifier_is_its_own_outline() -> None:
    text = "node: {id: top, children: [{node: {id: a}}, {node: {x: 1}}, {}, {node: }]}\n"
    assert shown(text) == [("top", "composite"), (">a", "leaf")]


def test_a_tree_without_end_has_an_outline_that_ends() -> None:
    depth = 40
    text = "node: " + "{id: a, children: [{node: " * depth + "x" + "}]}" * depth
    root = read_tree(text).root
    assert root is not None
    level, entries = 0, outline(root)
    while entries:
        level, entries = level + 1, entries[0].inside
    assert level == 32


def test_other_shapes_have_no_outline() -> None:
    for text in ("", "x", "[a]", "tasks: 3", "tasks: [a, b]", "node: [a]", "environments: *x"):
        assert all(kind == "task" for _, kind in shown(text))
