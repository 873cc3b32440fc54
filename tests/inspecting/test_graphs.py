"""Verifier forests as graphs: odd names stay labels, and nothing of them becomes language."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.text import visible
from fleet_contracts.inspecting.forest import ForestNode, forest
from fleet_contracts.inspecting.graphs import dot, dot_text, mermaid, mermaid_text
from fleet_contracts.models import content as c

PASSES = c.Decision(kind="threshold", at_least="1")
ODD_IDS = ["end", "graph", "1.", "__a__", "o", "x", "_", "a--b", "style", "subgraph", "1.-_"]
ODD_TEXTS = [
    'a"]; click n0 "javascript:x"',
    "<script>alert(1)</script>",
    "#quot;#35;",
    "`**b**` __c__",
    "1. x\n- y",
    "&lt;&amp;",
    "%%{init: {}}%%",
    r"\N \G \l \\ back\ ".strip() + "\\",
    "x --> y | z",
    "\x1b[31mred\x07",
    "é 😀",
]
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def leaf(id: str) -> c.EvaluatorLeaf:
    evaluator = c.BuiltinEvaluator(builtin_id="constant", params={"value": "1"})
    return c.EvaluatorLeaf(id=id, evaluator=evaluator, decision=PASSES)


def odd_forest() -> list[ForestNode]:
    edges = [
        c.Edge(id=id, node=leaf(id if index % 2 else f"n{id}"), weight="0.1")
        for index, id in enumerate(ODD_IDS)
    ]
    top = c.Composite(id="top", children=edges, aggregation=c.WeightedSum(), decision=PASSES)
    return forest([top, leaf("end")])


def mermaid_meaning(text: str) -> str:
    """Return what a label says once its entity codes are read."""
    return re.sub(r"#([0-9]+);", lambda match: chr(int(match[1])), text)


def dot_meaning(text: str) -> str:
    """Return what Graphviz shows for the inside of a quoted string."""
    return html.unescape(re.sub(r"\\(.)", r"\1", text))


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_text_is_a_label_and_nothing_else(text: str) -> None:
    escaped = mermaid_text(text)
    assert mermaid_meaning(escaped) == visible(text)
    assert re.fullmatch(r"(?:\w| |#[0-9]+;)*", escaped)
    quoted = f'"{dot_text(text)}"'
    match = QUOTED.fullmatch(quoted)
    assert match is not None
    assert dot_meaning(match[1]) == visible(text)


@given(st.text())
def test_any_text_is_one_label(text: str) -> None:
    escaped = mermaid_text(text)
    assert mermaid_meaning(escaped) == visible(text)
    assert not set(escaped) & set('"<>`*[](){}|\n')
    match = QUOTED.fullmatch(f'"{dot_text(text)}"')
    assert match is not None
    assert dot_meaning(match[1]) == visible(text)


def test_mermaid_names_nodes_by_number_whatever_their_ids() -> None:
    lines = list(mermaid('odd "title" \\', odd_forest()))
    assert lines[:4] == ["---", 'title: "odd \\"title\\" \\\\"', "---", "flowchart TD"]
    node = re.compile(r'    n([0-9]+)(?:\["|\(")(.*)(?:"\]|"\))')
    edge = re.compile(r'    n0 -- "(.*)" --> n([0-9]+)')
    nodes = [match for match in map(node.fullmatch, lines[4:]) if match]
    edges = [match for match in map(edge.fullmatch, lines[4:]) if match]
    assert len(nodes) + len(edges) == len(lines) - 4
    assert [int(match[1]) for match in nodes] == list(range(len(ODD_IDS) + 2))
    named = [mermaid_meaning(match[2].split("<br/>")[0]) for match in nodes]
    ids = [id if index % 2 else f"n{id}" for index, id in enumerate(ODD_IDS)]
    assert named == ["top", *ids, "end"]
    words = ["0.1" if index % 2 else f"{id} 0.1" for index, id in enumerate(ODD_IDS)]
    assert [mermaid_meaning(match[1]) for match in edges] == words


def test_dot_names_nodes_by_number_whatever_their_ids() -> None:
    lines = list(dot('odd "title" \\', odd_forest()))
    assert lines[0] == 'digraph "odd \\"title\\" \\\\" {'
    assert lines[-1] == "}"
    node = re.compile(r'    n([0-9]+) \[label="(.*)"(, style=rounded)?\]')
    nodes = [match for match in map(node.fullmatch, lines) if match]
    assert [int(match[1]) for match in nodes] == list(range(len(ODD_IDS) + 2))
    assert [bool(match[3]) for match in nodes] == [False] + [True] * (len(ODD_IDS) + 1)
    assert nodes[0][2] == r"top\nweighted_sum\npasses at 1"
    edges = [line for line in lines if " -> " in line]
    assert edges[0] == '    n0 -> n1 [label="end 0.1"]'
    assert edges[1] == '    n0 -> n2 [label="0.1"]'
    assert len(edges) == len(ODD_IDS)


def test_an_edge_without_weight_and_id_of_its_own_has_no_label() -> None:
    gate = c.Composite(
        id="gate",
        children=[c.Edge(id="one", node=leaf("one"))],
        aggregation=c.AllOf(),
        decision=PASSES,
    )
    assert "    n0 --> n1" in list(mermaid("t", forest([gate])))
    assert "    n0 -> n1" in list(dot("t", forest([gate])))
