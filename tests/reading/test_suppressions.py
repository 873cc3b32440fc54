"""Comments that suppress: which text is one, what it names and which line it covers."""

from __future__ import annotations

import pytest

from fleet_contracts.reading.suppressions import Suppression, find_suppressions
from fleet_contracts.source import Position, Source


def find(text: str) -> list[Suppression]:
    return find_suppressions(Source("a.yaml", text))


def read(text: str) -> list[tuple[list[str], int | None]]:
    """Return the codes of each comment and the line that it covers."""
    return [([code.text for code in each.codes], each.line) for each in find(text)]


@pytest.mark.parametrize(
    ("comment", "codes", "reason"),
    [
        ("# fleet: ignore FLT4082", ["FLT4082"], ""),
        ("# fleet: ignore FLT4082 one child for now", ["FLT4082"], "one child for now"),
        ("#fleet:ignore FLT4082", ["FLT4082"], ""),
        ("#  fleet :\tignore   FLT4082", ["FLT4082"], ""),
        ("# fleet: ignore FLT4082,FLT1035", ["FLT4082", "FLT1035"], ""),
        ("# fleet: ignore FLT4082 , FLT1035  why, then", ["FLT4082", "FLT1035"], "why, then"),
        ("# fleet: ignore FLT4082, why", ["FLT4082", "why"], ""),
        ("# fleet: ignore FLT4082,", ["FLT4082"], ""),
        ("# fleet: ignore FLT4082: why: that", ["FLT4082"], "why: that"),
        ("# fleet: ignore FLT4082, FLT1035:why", ["FLT4082", "FLT1035"], "why"),
        ("# fleet: ignore FLT4082 : why", ["FLT4082"], "why"),
        ("# fleet: ignore FLT4082:", ["FLT4082"], ""),
        ("# fleet: ignore", [], ""),
        ("# fleet: ignore  ", [], ""),
        ("# fleet: ignore: FLT4082", [":"], "FLT4082"),
        ("# fleet: ignore[FLT4082]", ["[FLT4082]"], ""),
        ("# fleet: ignore single-child # and more", ["single-child"], "# and more"),
    ],
)
def test_what_a_comment_names(comment: str, codes: list[str], reason: str) -> None:
    for ending in ("", "\n", "\r\n", "\nb: 1\n"):
        (found,) = find(f"a: 1 {comment}{ending}")
        assert [code.text for code in found.codes] == codes
        assert found.reason == reason
        assert found.line == 1


@pytest.mark.parametrize(
    "comment",
    [
        "# Fleet: ignore FLT4082",
        "# fleet: Ignore FLT4082",
        "# fleet ignore FLT4082",
        "# fleet: ignored FLT4082 for long",
        "# fleet: ignore-next FLT4082",
        "## fleet: ignore FLT4082",
        "# see # fleet: ignore FLT4082",
        "# the fleet: ignore FLT4082",
        "#\n# a fleet\n# to ignore",
    ],
)
def test_other_comments_mean_nothing(comment: str) -> None:
    assert find(f"a: 1 {comment}\n") == []
    assert find(f"{comment}\na: 1\n") == []


MARK = "# fleet: ignore FLT4082"


@pytest.mark.parametrize(
    "text",
    [
        f'a: "x {MARK}"\n',
        f"a: 'x {MARK}'\n",
        f'a: "x\n  {MARK}\n  y"\n',
        f"a: |\n  x\n  {MARK}\n  y\n",
        f"a: >-\n  {MARK}\n",
        f"a: !!str\n  &x |\n  {MARK}\n",
        f"- {{a: ['{MARK}']}}\n",
        f"a#b: x{MARK}\n",
        f'"{MARK}": 1\n',
    ],
)
def test_text_is_no_comment(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # behind something: that line
        (f"a: 1\nb: 2 {MARK}\nc: 3\n", 2),
        (f"a: {MARK}\n  b: 2\n", 1),
        (f"a: | {MARK}\n  text\n", 1),
        (f"a: &x {MARK}\n  |\n  text\n", 1),
        (f'a: !!str {MARK}\n  "text"\n', 1),
        (f"a: [1, {MARK}\n  2]\n", 1),
        (f'a: "#"  {MARK}\n', 1),
        (f'a: "x\n  # y" {MARK}\n', 2),
        (f"- {MARK}\n  a: 1\n", 1),
        (f"--- {MARK}\na: 1\n", 1),
        # alone: the next line with content
        (f"{MARK}\na: 1\n", 2),
        (f"{MARK}\n\n# more\n   \n  # and more\na: 1\n", 6),
        (f"a:\n  {MARK}\n  b: 1\n", 3),
        (f"a: [1,\n  {MARK}\n  2]\n", 3),
        (f"a: |\n  text\n{MARK}\nb: 1\n", 4),
        (f"k:\n  a: |\n    text\n\n   {MARK}\n  b: 1\n", 6),
        (f"k:\n  a: >\n    text\n  {MARK}\n", None),
        (f"a: x\n{MARK}\nb: y", 3),
        (f"a: 1\n{MARK}\n", None),
        (f"a: 1\n{MARK}", None),
        (f"a: 1\n{MARK}\n# the end", None),
        (f"{MARK}\r\n\r\na: 1\r\n", 3),
    ],
)
def test_the_line_that_is_covered(text: str, line: int | None) -> None:
    assert read(text) == [(["FLT4082"], line)]


def test_the_grammar_and_libyaml_agree() -> None:
    for head in ("", "h: {a\n  b: c}\n"):  # libyaml refuses the latter
        text = f"{head}x: |\n  {MARK}\n  y\n {MARK}\nz: 'a {MARK}' {MARK}\n"
        assert [line for _, line in read(text)] == [head.count("\n") + 5] * 2


def test_comments_that_follow_each_other_cover_one_line() -> None:
    text = f"{MARK}\n# fleet: ignore FLT1035\na: no\nb: no {MARK}\n"
    assert read(text) == [(["FLT4082"], 3), (["FLT1035"], 3), (["FLT4082"], 4)]


def test_behind_a_syntax_error_nothing_is_found() -> None:
    assert read(f"a: 1 {MARK}\nb: 2\nc: ]\nd: 1 {MARK}\n") == [(["FLT4082"], 1)]


def test_where_the_parts_stand() -> None:
    first, second = find("a: 1  # fleet: ignore FLT4082, FLT1035 why\n  # fleet: ignore X\nb: 2\n")
    assert first.span == (Position(1, 7), Position(1, 43))
    assert [code.span for code in first.codes] == [
        (Position(1, 23), Position(1, 30)),
        (Position(1, 32), Position(1, 39)),
    ]
    assert first.listed == ("FLT4082, FLT1035", (Position(1, 23), Position(1, 39)))
    assert first.removable.text == "  # fleet: ignore FLT4082, FLT1035 why"
    assert first.removable.span == (Position(1, 5), Position(1, 43))
    assert second.removable.text == "  # fleet: ignore X\n"
    assert second.removable.span == (Position(2, 1), Position(3, 1))


def test_many_comments_are_found_in_one_go() -> None:
    alone = find(f"{MARK}\n" * 5_000 + "a: 1\n")
    assert {each.line for each in alone} == {5_001}
    trailing = find(f"- 1 {MARK}\n" * 5_000)
    assert [each.line for each in trailing] == list(range(1, 5_001))
    assert len(find(f"- 1 {f'{MARK} ' * 5_000}\n")) == 1
