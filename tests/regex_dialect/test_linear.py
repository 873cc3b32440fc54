"""The matcher of linear time finds what Python's `re` does, in steps that grow like the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fleet_contracts.regex_dialect import RegexError, SharedPattern, compile_shared

ATOMS = ["a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", "^", "$", r"\b", r"\B", "é", r"\.", "-"]
REPEATS = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"]
PATTERNS = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: f"(?:{'|'.join(each)})"),
        st.tuples(inner, st.sampled_from(REPEATS)).map(lambda each: f"(?:{each[0]}){each[1]}"),
        inner.map(lambda each: f"({each})"),
    ),
    max_leaves=8,
)
TEXTS = st.text("aab1-. \né_", max_size=12)
SLOW = [r"(a+)+$", r"(?:a|a)+$", r"(?:a|aa)+$", r"(?:.*,){11}P", r"(\w+)*-", r"^(?:(?:a+)b?)+$"]
LENGTH = 20_000


def shared(pattern: str) -> SharedPattern | None:
    try:
        return compile_shared(pattern)
    except RegexError:
        return None


@settings(max_examples=1500, deadline=None)
@given(PATTERNS, st.lists(TEXTS, min_size=1, max_size=4))
def test_it_finds_what_backtracking_does(pattern: str, texts: list[str]) -> None:
    compiled = shared(pattern)
    assume(compiled is not None)
    assert compiled is not None
    for text in texts:
        expected = compiled._python.search(text)  # what `search` uses for short texts
        found = compiled.linear().search(text)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            groups = range(compiled.groups + 1)
            assert [found.span(n) for n in groups] == [expected.span(n) for n in groups]
            assert [found.group(n) for n in groups] == [expected.group(n) for n in groups]


@pytest.mark.parametrize("pattern", SLOW)
def test_the_steps_of_a_search_grow_like_the_text(pattern: str) -> None:
    compiled = compile_shared(pattern)
    assert compiled.longest < LENGTH
    steps = []
    for length in (LENGTH, 2 * LENGTH):
        matcher = compile_shared(pattern).linear()
        assert matcher.search("a" * length + "!") is None
        steps.append(matcher.steps)
    assert steps[1] < 2.1 * steps[0]
    assert compiled.search("a" * LENGTH + "!") is None


@pytest.mark.parametrize("block", [4095, 4096, 4097, 12_288])
def test_a_match_across_blocks(block: int) -> None:
    text = "b" * block + "a" * block + "c"
    found = compile_shared("(a+)(c?)").linear().search(text)
    assert found is not None
    assert [found.span(n) for n in range(3)] == [
        (block, 2 * block + 1),
        (block, 2 * block),
        (2 * block, 2 * block + 1),
    ]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a(?=b)", "the look-ahead `(?=` at character 2 of the pattern, which RE2 does not have"),
        (r"(a)\1", "RE2 does not have"),
        ("(?i)a", "at character 1 of the pattern"),
        ("a{2}{3}", "at character 5 of the pattern"),
        ("(a", "character 1 of the pattern"),
        ("[b-a]", "of the pattern"),
        ("((a{100}){100}){100}", "more than 1,000 copies"),
        ("[ab]{1000}" * 25, "too large"),
    ],
)
def test_what_the_engines_read_differently_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(RegexError, match=re.escape(message)):
        compile_shared(pattern)
