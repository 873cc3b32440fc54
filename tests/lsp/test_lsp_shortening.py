from __future__ import annotations

from pathlib import Path

import pytest
from lsp_kit import TASKS

from fleet_contracts.lsp.checking import Checker, Settings
from fleet_contracts.lsp.shortening import LEAST_CHARACTERS, shortened

HEAD, TASK = TASKS[: TASKS.index("  one:")], TASKS[TASKS.index("  one:") :]
MANY = HEAD + "".join(TASK.replace("one:", f"t{index}:") for index in range(100))
MISTAKES = [
    "    x: a: b\n",
    '    x: "a\n',
    "\tx: y\n",
    "   x: y\n",
    "    x: [a }\n",
    "x\n",
]


def with_mistake(mistake: str, task: int) -> str:
    """Return many Tasks with a line too much before one of them."""
    return MANY.replace(f"  t{task}:", f"{mistake}  t{task}:")


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("task", [1, 50, 99])
def test_a_shortened_text_has_the_same_syntax_error_at_the_same_place(
    tmp_path: Path, mistake: str, task: int
) -> None:
    path = tmp_path.resolve() / "a.taskset.yaml"
    text = with_mistake(mistake, task)
    checker = Checker(Settings())
    first = checker(path, {path: text.encode()}, lambda: False)
    again = checker(path, {path: text.encode()}, lambda: False)
    assert first.found[path]
    assert again.found == first.found
    assert (again.sources[path].text == text) == (task == 1)


def test_entries_before_the_error_become_empty_lines() -> None:
    text = shortened(with_mistake(MISTAKES[0], 50))
    assert text is not None
    assert text.count("\n") == MANY.count("\n") + 1
    assert len(text) < len(MANY) * 0.6
    assert "  t0:\n" in text
    assert "  t1:\n" not in text
    assert "  t49:\n" in text


@pytest.mark.parametrize(
    "text",
    [
        MANY,
        "",
        with_mistake(MISTAKES[0], 50)[-LEAST_CHARACTERS + 1 :],
        with_mistake(MISTAKES[0], 50).replace("How", "&a How", 9),
        with_mistake(MISTAKES[0], 50).replace("many?\n", "many?\r", 1),
        "[" * (LEAST_CHARACTERS + 1),
        "- a: b\n" * LEAST_CHARACTERS + "  c",
        "a: {b: c,\n d: e}\n" + "# x\n" * LEAST_CHARACTERS + "]",
    ],
)
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert shortened(text) is None


def test_a_mended_text_is_checked_as_a_whole_again(tmp_path: Path) -> None:
    path = tmp_path.resolve() / "a.taskset.yaml"
    checker = Checker(Settings())
    broken = with_mistake(MISTAKES[0], 90)
    for text, codes in (
        (broken, {"FLT1010"}),
        (broken.replace("t3:", "t2:"), {"FLT1010"}),
        (MANY.replace("t3:", "t2:"), {"FLT1020"}),
        (MANY, set()),
        (broken, {"FLT1010"}),
    ):
        found = checker(path, {path: text.encode()}, lambda: False).found.get(path, [])
        assert {item.code for item in found} == codes
