"""A Verifier forest as a graph for Mermaid or Graphviz.

Nodes are called `n0`, `n1`, ... in document order; what the documents call them stands in
labels only, so that no name can be taken for a part of the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from fleet_contracts.diagnostics.text import visible
from fleet_contracts.inspecting.forest import ForestNode
from fleet_contracts.models import content as c

_HARMLESS = re.compile(r"[A-Za-z0-9]+(?:[ _./-][A-Za-z0-9]+)*")
"""Text without anything that Mermaid, or the Markdown in its labels, takes for a mark."""


def mermaid(title: str, trees: Sequence[ForestNode]) -> Iterator[str]:
    """Yield the lines of a Mermaid flowchart."""
    yield "---"
    yield f"title: {_front_matter(title)}"
    yield "---"
    yield "flowchart TD"
    for number, node, parent in numbered(trees):
        label = "<br/>".join(map(mermaid_text, label_lines(node)))
        opening, closing = ("[", "]") if isinstance(node.node, c.Composite) else ("(", ")")
        yield f'    n{number}{opening}"{label}"{closing}'
        if parent is not None:
            words = edge_words(node)
            arrow = f'-- "{mermaid_text(words)}" -->' if words else "-->"
            yield f"    n{parent} {arrow} n{number}"


def dot(title: str, trees: Sequence[ForestNode]) -> Iterator[str]:
    """Yield the lines of a Graphviz graph."""
    yield f'digraph "{dot_text(title)}" {{'
    yield f'    graph [label="{dot_text(title)}", labelloc=t]'
    yield "    node [shape=box]"
    for number, node, parent in numbered(trees):
        label = r"\n".join(map(dot_text, label_lines(node)))
        style = "" if isinstance(node.node, c.Composite) else ", style=rounded"
        yield f'    n{number} [label="{label}"{style}]'
        if parent is not None:
            words = edge_words(node)
            attributes = f' [label="{dot_text(words)}"]' if words else ""
            yield f"    n{parent} -> n{number}{attributes}"
    yield "}"


GRAPHS: dict[str, Callable[[str, Sequence[ForestNode]], Iterator[str]]] = {
    "mermaid": mermaid,
    "dot": dot,
}
"""The kinds of graphs by name; each function yields its lines."""


def numbered(trees: Sequence[ForestNode]) -> Iterator[tuple[int, ForestNode, int | None]]:
    """Yield every node with its number and that of its parent, in document order."""
    waiting: list[tuple[ForestNode, int | None]] = [(tree, None) for tree in reversed(trees)]
    number = 0
    while waiting:
        node, parent = waiting.pop()
        yield number, node, parent
        waiting += [(child, number) for child in reversed(node.children)]
        number += 1


def label_lines(node: ForestNode) -> list[str]:
    """Return what a node's box says: its id, what it does, and when it passes."""
    kind = node.kind
    if isinstance(node.node, c.EvaluatorLeaf):
        evaluator = node.node.evaluator
        if isinstance(evaluator, c.BuiltinEvaluator):
            kind = evaluator.builtin_id
    decision = "only measures" if node.at_least is None else f"passes at {node.at_least}"
    return [node.node.id, kind, decision]


def edge_words(node: ForestNode) -> str:
    """Return the weight of the edge to a node, and the edge's id where it differs."""
    assert node.edge is not None
    parts = [] if node.edge.id == node.node.id else [node.edge.id]
    return " ".join([*parts, *([] if node.weight is None else [node.weight])])


def mermaid_text(text: str) -> str:
    """Return text for a quoted Mermaid label; what could be a mark becomes an entity code.

    >>> mermaid_text('a "b"'), mermaid_text("answer-1.5")
    ('a #34;b#34;', 'answer-1.5')
    """
    shown = visible(text)
    if _HARMLESS.fullmatch(shown):
        return shown
    return "".join(each if each.isalnum() or each == " " else f"#{ord(each)};" for each in shown)


def dot_text(text: str) -> str:
    r"""Return text for a quoted Graphviz string, in which backslashes and entities have a meaning.

    >>> dot_text('a "b" \\N &amp;')
    'a \\"b\\" \\\\N &amp;amp;'
    """
    shown = visible(text)
    return shown.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def _front_matter(title: str) -> str:
    """Return a title as a quoted YAML scalar."""
    quoted = visible(title).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
