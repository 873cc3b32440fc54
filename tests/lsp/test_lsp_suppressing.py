from __future__ import annotations

import pytest
from lsp_kit import MARK

from fleet_contracts.lsp.suppressing import suppression
from fleet_contracts.lsp.tree import read_tree
from fleet_contracts.reading.suppressions import find_suppressions
from fleet_contracts.source import Source

COMMENT = "# fleet: ignore FLT4082"


def suppressed(marked: str) -> str | None:
    """Return a text with the suppression of what stands on the marked line."""
    before, _, after = marked.partition(MARK)
    text = before + after
    line = before.count("\n") + 1
    source = Source("a.yaml", text)
    where = suppression("FLT4082", line, source, read_tree(text))
    if where is None:
        return None
    starts = [0]
    for each in text.split("\n"):
        starts.append(starts[-1] + len(each) + 1)
    offset = starts[where.at.line - 1] + where.at.column - 1
    return text[:offset] + where.text + text[offset:]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("a: §1\nb: 2\n", f"a: 1  {COMMENT}\nb: 2\n"),
        ("a: §1", f"a: 1  {COMMENT}"),
        ("a: §1  \r\nb: 2\r\n", f"a: 1  {COMMENT}  \r\nb: 2\r\n"),
        ("a:\n  b: §1 # why\n", f"a:\n  {COMMENT}\n  b: 1 # why\n"),
        ("a: §1 # why\r\n", f"{COMMENT}\r\na: 1 # why\r\n"),
        ("a: '§#'\n", f"a: '#'  {COMMENT}\n"),
        ("a: §x#y\n", f"a: x#y  {COMMENT}\n"),
        ("a: §|\n  text\n  # text\nb: 1\n", f"a: |  {COMMENT}\n  text\n  # text\nb: 1\n"),
        ("- a: §'x\n    y'\n", f"{COMMENT}\n- a: 'x\n    y'\n"),
        ("- b: 1\n  a: §x\n    y\n", f"- b: 1\n  {COMMENT}\n  a: x\n    y\n"),
        ("a: {b: §1,\n  c: 2}\n", f"a: {{b: 1,  {COMMENT}\n  c: 2}}\n"),
        ("a: [§]\n", f"a: []  {COMMENT}\n"),
        (
            "a: §1 # fleet: ignore FLT4080 because\n",
            "a: 1 # fleet: ignore FLT4080, FLT4082 because\n",
        ),
        ("# fleet: ignore FLT4080\na: §1\n", "# fleet: ignore FLT4080, FLT4082\na: 1\n"),
    ],
)
def test_the_comment_stands_where_it_suppresses_and_changes_nothing(
    marked: str, expected: str
) -> None:
    text = suppressed(marked)
    assert text == expected
    line = marked[: marked.index(MARK)].count("\n") + 1 + expected.count("\n") - marked.count("\n")
    (found,) = find_suppressions(Source("a.yaml", text))
    assert found.line == line
    assert "FLT4082" in [code.text for code in found.codes]
    before, after = read_tree(marked.replace(MARK, "")).root, read_tree(text).root
    assert before is not None
    assert after is not None
    assert [node.text for node in before.walk()] == [node.text for node in after.walk()]


@pytest.mark.parametrize(
    "marked",
    [
        "a: |\n  te§xt\n",
        "a: |\n  x\n  te§xt\nb: 1\n",
        "a: 'x\n  §y'\n",
        "a: x\n  §y\n",
        "a: §[1, }\n",
    ],
)
def test_nothing_is_inserted_inside_a_text_and_into_a_broken_document(marked: str) -> None:
    assert suppressed(marked) is None
