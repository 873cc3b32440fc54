from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import check_docs
from tools.doc_pages import matches, read_commands, read_steps, settled

GREETING = """\
# A page

<!-- file: names/one.txt -->

```text
Ada
```

```console
$ cat names/one.txt
{output}
$ false
$ echo $?
1
```
"""


def page(folder: Path, text: str) -> Path:
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    return path


def check(path: Path, *options: str) -> int:
    return check_docs.main([*options, str(path)])


def test_pages_are_run_from_top_to_bottom(tmp_path: Path) -> None:
    right = page(
        tmp_path, GREETING.format(output="Ada").replace("$ false", "$ ls nowhere || (exit 1)\n…")
    )
    assert check(right) == 0


def test_other_output_is_shown_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = page(tmp_path, "```console\n$ echo Ada\nBob\n```\n")
    assert check(wrong) == 1
    shown = capsys.readouterr().out
    assert f"{wrong}:2: `echo Ada` prints something else" in shown
    assert "-Bob" in shown
    assert "+Ada" in shown


def test_a_command_that_fails_in_silence_is_a_problem(tmp_path: Path) -> None:
    assert check(page(tmp_path, GREETING.format(output="Ada"))) == 1


def test_nothing_run_is_a_failure(tmp_path: Path) -> None:
    assert check(page(tmp_path, "# Only words\n\n```python\n$ no command\n```\n")) == 1
    excused = "<!-- not run: it needs a network -->\n```console\n$ false\n```\n"
    assert check(page(tmp_path, excused)) == 1


def test_a_command_that_the_shell_never_reaches_is_a_problem(tmp_path: Path) -> None:
    assert check(page(tmp_path, "```console\n$ echo one\none\n$ exit 0\n$ true\n```\n")) == 1


def test_write_puts_real_output_in_place_and_keeps_what_matches(tmp_path: Path) -> None:
    digest = "sha256:" + "0123456789abcdef" * 4
    path = page(
        tmp_path,
        f"Before.\n\n```console\n$ echo one two\none …\n$ echo {digest} 0.25 s\n```\n\nAfter.\n",
    )
    assert check(path, "--write") == 0
    assert path.read_text(encoding="utf-8") == (
        "Before.\n\n```console\n$ echo one two\none …\n"
        f"$ echo {digest} 0.25 s\nsha256:0123456789ab… … s\n```\n\nAfter.\n"
    )
    assert check(path) == 0


def test_files_of_the_checkout_can_be_copied_but_none_may_leave_the_folder(tmp_path: Path) -> None:
    copied = "<!-- copy: tools/__init__.py -->\n```console\n$ ls tools\n__init__.py\n```\n"
    assert check(page(tmp_path, copied)) == 0
    outside = page(tmp_path, "<!-- file: ../out.txt -->\n```text\nx\n```\n")
    with pytest.raises(ValueError, match="leaves the folder"):
        check(outside)


def test_programs_of_this_interpreter_come_first(tmp_path: Path) -> None:
    environment = check_docs.surroundings(tmp_path)
    assert environment["PATH"].split(":")[0] == str(Path(sys.executable).parent)
    assert not [name for name in environment if name.startswith("FLEET_")]


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        ([], [], True),
        ([], [""], False),
        (["a … c"], ["a b c"], True),
        (["a … c"], ["a  c"], False),
        (["a (b) [c] .*"], ["a (b) [c] .*"], True),
        (["a.c"], ["abc"], False),
        (["first", "…", "last"], ["first", "2", "3", "last"], True),
        (["first", "…", "last"], ["first", "last"], True),
        (["first", "…"], ["second"], False),
    ],
)
def test_ellipses_stand_for_what_varies(expected: list[str], found: list[str], same: bool) -> None:
    assert matches(expected, found) is same


def test_commands_may_go_on_for_lines() -> None:
    (command,) = read_commands(["$ printf '%s' \\", ">   one", "> quoted output"])
    assert command.text == "printf '%s' \\\n  one\nquoted output"
    (command,) = read_commands(["$ cat reply", "text", "> quoted output"])
    assert command.expected == ["text", "> quoted output"]


def test_fences_must_begin_with_a_command_and_end() -> None:
    with pytest.raises(ValueError, match="begins with"):
        read_commands(["output"])
    with pytest.raises(ValueError, match="no end"):
        list(read_steps(["```console", "$ true"]))


def test_a_comment_belongs_to_the_fence_right_after_it() -> None:
    lines = ["<!-- file: a -->", "words", "```text", "x", "```"]
    assert list(read_steps(lines)) == []


def test_settled_output_hides_times_and_the_tail_of_digests() -> None:
    assert settled("12 Tasks  0.01 s") == "12 Tasks  … s"
    assert settled("sha256:" + "ab" * 32) == "sha256:" + "ab" * 6 + "…"
