"""Our own unified diffs: they say what `difflib` says, or at least lead to the same text."""

from __future__ import annotations

import difflib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.cli.unified import unified

TEXTS = st.lists(st.sampled_from("abcd"), max_size=25).map("\n".join)


def patched(before: str, diff: list[str]) -> str:
    """Apply a diff, and check the context of each hunk and its numbers."""
    old = before.splitlines(keepends=True)
    new: list[str] = []
    at = 0
    counts = [0, 0]
    for line in diff[2:]:
        text, _, note = line[1:].partition("\n\\")
        text = text if note else line[1:]
        head = re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
        if head:
            assert counts == [0, 0]
            counts = [int(head[2] or 1), int(head[4] or 1)]
            start = int(head[1]) - (counts[0] > 0)
            new += old[at:start]
            at = start
            assert len(new) == int(head[3]) - (counts[1] > 0)
            continue
        if line[0] in " -":
            assert old[at] == text
            at += 1
            counts[0] -= 1
        if line[0] in " +":
            new.append(text)
            counts[1] -= 1
    assert counts == [0, 0]
    return "".join(new + old[at:])


@given(TEXTS, TEXTS)
def test_a_diff_leads_from_one_text_to_the_other(before: str, after: str) -> None:
    diff = list(unified(before, after, "some"))
    assert patched(before, diff) == after
    assert (diff == []) == (before == after)


@pytest.mark.parametrize("changed", [{0}, {9}, {4}, {2, 8}, {1, 9}, {0, 5, 6}])
def test_lines_that_change_each_by_itself_are_told_as_difflib_does(changed: set[int]) -> None:
    before = [f"{n}\n" for n in range(12)]
    after = [f"new {n}" if n in changed else f"{n}" for n in range(12)]
    expected = difflib.unified_diff(before, [f"{line}\n" for line in after], "some", "some")
    assert list(unified("".join(before), "".join(f"{line}\n" for line in after), "some")) == list(
        expected
    )


def test_a_missing_line_feed_is_told() -> None:
    assert "".join(unified("a", "b", "x")) == (
        "--- x\n+++ x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"
        "\\ No newline at end of file\n"
    )
