"""YAML that the machine form is written as: every reader gets the same values back."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.inspecting.yaml_text import YamlWriter
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source

WORDS = ["no", "On", "null", "~", "1e3", "0o14", "0x1f", "12:30:00", "1_000", ".5", "-", "---", "?"]
TEXTS = st.text() | st.sampled_from(WORDS) | st.text("a :#-\n\t'\"{}[]|>&*!%@`é😀", max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(TEXTS, inside, max_size=4),
    max_leaves=12,
)


def written(value: Any, *, ascii_only: bool = False) -> str:
    return "".join(line + "\n" for line in YamlWriter(ascii_only).lines(value))


def strictly_read(text: str) -> Any:
    """Read with our reader, which also tells of what YAML 1.1 reads otherwise."""
    bag = Bag()
    document = read_yaml(Source("a.yaml", text), bag)
    assert document is not None
    assert not [*bag.items, *document.warnings]
    return document.value


def read(text: str, version: tuple[int, int]) -> Any:
    yaml = YAML(typ="safe", pure=True)
    yaml.version = version
    return yaml.load(io.StringIO(text))


@given(st.dictionaries(TEXTS, VALUES, max_size=4), st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_value_comes_back(value: Any, ascii_only: bool) -> None:
    text = written(value, ascii_only=ascii_only)
    assert strictly_read(text) == value
    assert text.isascii() or not ascii_only


@pytest.mark.parametrize("version", [(1, 1), (1, 2)])
@pytest.mark.parametrize(
    "text", [*WORDS, "yes", "a: b", "a #b", "x\ny\n", "x\n\n y", " x\ny", "\\"]
)
def test_text_that_looks_like_something_else_stays_text(
    text: str, version: tuple[int, int]
) -> None:
    value = {"key": text, text: [text, {text: text}]}
    assert read(written(value), version) == value


def test_text_of_several_lines_is_a_block() -> None:
    assert written({"prompt": "One.\n\n  Two: #2\n"}) == "prompt: |\n  One.\n\n    Two: #2\n"
    assert written({"prompt": "One.\nTwo."}) == "prompt: |-\n  One.\n  Two.\n"
    assert written({"prompt": "One.\r\nTwo."}) == 'prompt: "One.\\u000d\\u000aTwo."\n'


def test_a_key_longer_than_yaml_allows_is_announced() -> None:
    value = {"k" * 2000: {"a": ["b"]}}
    assert written(value).startswith("? ")
    assert strictly_read(written(value)) == value


def test_lists_in_lists_and_empty_ones() -> None:
    value = {"a": [[1, []], [{}, {"b": None}]], "c": {}}
    assert written(value) == "a:\n  - - 1\n    - []\n  - - {}\n    - b: null\nc: {}\n"
