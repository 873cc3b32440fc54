"""Whatever is authored is read equal or refused with places, in bounded time."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.document import Document
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source

AUTHORED = """\
authoring: taskset/v1
name: "trips \\u00e9 \\ud83d\\ude02"
environments:
  shell: {builtin: terminal@v1, network: {mode: allowlist, allow: [example.com:443, 'a:1']}}
defaults: &defaults
  environment: shell # the only one
tasks:
  group/one:
    prompt: |
      How many trips does it take?

        Write "the number" #alone.
    verifiers:
      - id: overall
        type: composite
        children:
          - {id: answer, weight: 0.750, node: &node {id: answer, type: evaluator}}
          - id: written
            weight: 2.5e-1
            node: *node
        aggregation: {kind: weighted_sum,
                      on_child_error: zero}
    metadata:
      "ключ 漢字": >-
        folded
        text
      'it''s': "two
        lines"
  ? group/two
  : <<: *defaults
"""


def attempt(data: bytes) -> tuple[Document | None, Bag]:
    """Read bytes, and check that what is wrong has a place inside the text."""
    bag = Bag()
    source = decode(data, "a.yaml", bag)
    document = read_yaml(source, bag) if source else None
    assert (document is None) == bool(bag.items)
    text = source.text if source else data.decode("utf-8", "replace")
    lines = text.split("\n")
    for item in resolve_places(bag.items, {"a.yaml": source} if source else {}):
        assert item.message[0].islower() or not item.message[0].isalpha()
        assert not item.message.endswith(".")
        assert item.help
        for place in (item.place, *(related.place for related in item.related)):
            assert place.span is not None
            assert place.span.start <= place.span.end
            for line, column in place.span:
                assert 1 <= line <= len(lines) + 1
                assert 1 <= column <= (len(lines[line - 1]) if line <= len(lines) else 0) + 2
    return document, bag


def exact(value: Any) -> Any:
    """Make equal what has one value, but not 1 and true."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return ("number", Decimal(str(value)))
    return (type(value).__name__, value)


TEXTS = st.text(
    st.characters(
        codec="utf-8",
        exclude_categories=("Cc", "Cs", "Zl", "Zp"),
        exclude_characters="\ufffe\uffff\ufeff\u061c\u200e\u200f"
        + "".join(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))),
    )
    | st.sampled_from("\n\t :-#?&*!|>'\"%@`{}[],0129.eE~<"),
    max_size=12,
)
# Exponents that both JSON and YAML spell with a point or not at all.
NUMBERS = st.integers(-(10**30), 10**30) | st.decimals(-(10**6), 10**6, places=3).map(float)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | NUMBERS
    | TEXTS
    | st.sampled_from(["no", "1", "007", "null", "1e3"]),
    lambda inside: (
        st.lists(inside, max_size=4) | st.dictionaries(TEXTS, inside, min_size=1, max_size=4)
    ),
    max_leaves=16,
)


@given(VALUES, st.sampled_from([None, 1, 4]), st.booleans())
def test_json_reads_equal(value: Any, indent: int | None, escaped: bool) -> None:
    document, bag = attempt(json.dumps(value, indent=indent, ensure_ascii=escaped).encode())
    assert document, bag.items
    assert exact(document.value) == exact(value)


def _reads_itself(text: bytes) -> bool:
    try:
        YAML(typ="rt", pure=True).load(text)
    except YAMLError:
        return False
    return True


@settings(deadline=None)
@given(
    st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4),
    st.booleans(),
    st.sampled_from([20, 80]),
    st.sampled_from([2, 4]),
)
def test_yaml_of_another_emitter_reads_equal(
    value: dict[str, Any], flow: bool, width: int, indent: int
) -> None:
    emitter = YAML(typ="rt", pure=True)
    emitter.default_flow_style = flow
    emitter.width = width
    emitter.indent(mapping=indent, sequence=indent + 2, offset=2)
    out = io.BytesIO()
    emitter.dump(value, out)
    assume(_reads_itself(out.getvalue()))  # it folds keys that are wider than the page
    document, bag = attempt(out.getvalue())
    assert document, (bag.items, out.getvalue().decode())
    assert exact(document.value) == exact(value)


def test_the_authored_document_itself() -> None:
    _, bag = attempt(AUTHORED.encode())
    assert [item.code for item in bag] == ["FLT1022"]
    document, _ = attempt(AUTHORED.replace("<<: *defaults", "{}").encode())
    assert document
    assert [*document.odd_numbers.values()] == ["2.5e-1"]


MUTATION = st.tuples(
    st.integers(0, len(AUTHORED.encode()) - 1),
    st.sampled_from(["flip", "delete", "insert", "double", "cut"]),
    st.sampled_from(list(b"\x00\x09\x0a\x0d !\"#%&'*,-.0:<>?@[]`{|}~\\ax\xc2\xe2\xff")),
    st.integers(1, 40),
)


@settings(max_examples=600, deadline=None)
@given(st.lists(MUTATION, min_size=1, max_size=4))
def test_mutations_are_read_or_refused_with_places(
    mutations: list[tuple[int, str, int, int]],
) -> None:
    data = bytearray(AUTHORED.encode())
    for offset, kind, byte, length in mutations:
        at = min(offset, len(data))
        if kind == "flip":
            data[at : at + 1] = bytes([byte])
        elif kind == "insert":
            data[at:at] = bytes([byte])
        elif kind == "delete":
            del data[at : at + length]
        elif kind == "double":
            data[at:at] = data[at : at + length]
        else:
            del data[at:]
    attempt(bytes(data))


@settings(max_examples=300)
@given(st.binary(max_size=60) | st.text(max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused_with_places(data: bytes) -> None:
    attempt(data)


LARGE = 300_000
HOSTILE = {
    "open brackets": "[" * 1_000_000,
    "open braces": "{a: " * LARGE,
    "dashes": "- " * LARGE,
    "questions": "? " * LARGE,
    "deep blocks": "".join(" " * level + "a:\n" for level in range(600)),
    "lists as keys": "{" + "[a]: b, " * 50_000 + "}",
    "brackets in brackets": "[" * 100 + "[a], " * 20_000,
    "an endless string": 'a: "' + "b " * LARGE,
    "an endless string of lines": "a: 'b" + "\n c" * LARGE,
    "a long line": "a: " + "b " * LARGE + "\nc: ]",
    "a long key": "a" * LARGE + ": b",
    "blanks": 'a: "b' + " " * LARGE + '"c',
    "empty lines": "a: b" + "\n" * LARGE + "]",
    "tabs": "a:\n" + "\t" * LARGE + "b: c",
    "comments": "# a\n" * LARGE + "]",
    "a comment": "a: [b]" + "#" * LARGE,
    "duplicate keys": "k: v\n" * 100_000,
    "duplicate keys in brackets": "{" + "k: v, " * 50_000 + "}",
    "escapes": '"' + "\\ud83d" * 50_000 + '"',
    "wrong escapes": '"' + "\\q" * LARGE + '"',
    "anchors": "&a " * LARGE,
    "unknown aliases": "- *a\n" * 50_000,
    "directives": "%A b\n" * 50_000,
    "colons": ":" * LARGE,
    "quotes": "- 'a\n" * 50_000,
    "billion laughs": "a: &a [x, x]\n"
    + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(25)
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end_soon_without_a_traceback(name: str) -> None:
    bag = Bag()
    assert read_yaml(Source("a.yaml", HOSTILE[name]), bag) is None
    assert 0 < len(bag) <= 10_000
    assert all(item.place.span for item in bag)
