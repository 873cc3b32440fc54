"""Verifier trees of YAML text, put together from leaves and composites without ids."""

from __future__ import annotations

from rules_kit import CODE_LEAF, LEAF, doubts, indented

TOP = "/verifiers/0"
AT_LEAST = f"{TOP}/decision/at_least"
CODE = f"{{kind: code, entrypoint: {{file: a.py}}, image_ref: 'sha256:{'0' * 64}'}}"
SUM = "{kind: weighted_sum}"
INPUTS = "evidence: {inputs: [{name: s, select: {source: trace}, expose: {as: ctx}}]}\n"


def builtin(name: str, params: str, at_least: str = "1", rest: str = "") -> str:
    """Return a leaf without its id."""
    evaluator = f"evaluator: {{kind: builtin.v1, builtin_id: {name}, params: {params}}}\n"
    return f"type: evaluator\n{evaluator}{rest}{decision(at_least)}"


def constant(value: str, at_least: str = "1", rest: str = "") -> str:
    return builtin("constant", f"{{value: {value}}}", at_least, rest)


def right(at_least: str = "1") -> str:
    return LEAF + decision(at_least)


def measured(metric: str, reducer: str, at_least: str) -> str:
    """Return a leaf of a program with one metric `m`, which is its objective."""
    objective = f"metrics: [{{name: m, {metric}}}]\nobjective: {{metric: m, reducer: {reducer}}}\n"
    return CODE_LEAF + objective + decision(at_least)


def decision(at_least: str) -> str:
    return f"decision: {{kind: threshold, at_least: {at_least}}}\n"


def joined(kind: str, *children: str, at_least: str = "1", weights: str = "") -> str:
    """Return a composite without its id, whose children are nodes without theirs."""
    lines = f"type: composite\naggregation: {kind}\n{decision(at_least)}children:\n"
    shares = weights.split() or [""] * len(children)
    for index, (child, share) in enumerate(zip(children, shares, strict=True)):
        edge = f"  - id: e{index}\n" + (f"    weight: {share}\n" if share else "")
        lines += f"{edge}    node:\n      id: n{index}\n{indented(child, 6)}"
    return lines


def task(*nodes: str, rest: str = "") -> str:
    """Return a Task of Verifiers `v0`, `v1`, …"""
    listed = [f"  - id: v{index}\n{indented(node, 4)}" for index, node in enumerate(nodes)]
    return f"{rest}verifiers:\n{''.join(listed)}"


def codes(text: str) -> list[str]:
    return [item.code for item in doubts(text)]
