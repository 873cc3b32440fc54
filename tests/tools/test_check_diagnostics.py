from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fleet_contracts.diagnostics.codes import TABLE, Code
from fleet_contracts.explain import read_sections
from tools import check_diagnostics
from tools.check_diagnostics import Page
from tools.code_history import check_history
from tools.fixture_examples import example

TABLE_OF_TWO = (
    Code("FLT1001", "not-utf8", "error", "The file is not UTF-8.", "0.1.0"),
    Code("FLT4082", "single-child", "warning", "A composite with one child.", "0.2.0"),
)

OUTPUT = """\
a.taskset.yaml:{line}:3: error[FLT1001]: something is wrong
  = help: mend it

1 error
exit 1
"""

PAGE = """\
# Diagnostics

<!-- contents -->
<!-- end of contents -->

## 1xxx reading

### FLT1001 not-utf8

It says more about encodings than the summary does.

<!-- example: FLT1001-latin-1 -->

Prose below an example stays.

**How to fix it**

Save it again.

## 4xxx meaning

### FLT4082 single-child

*warning, since 0.2.0*

A composite adds nothing to its only child, so leave it out.

```console
$ fleet check a.taskset.yaml
a.taskset.yaml:1:1: warning[FLT4082]: it has one child
```

**How to fix it**

Use the child alone.
"""


def fixture(folder: Path, name: str, files: dict[str, str | bytes], output: str) -> Path:
    """Make a fixture like those of `fixtures/compile/err/`."""
    case = folder / name
    for path, data in files.items():
        target = case / "input" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)
    (case / "expected.txt").write_text(output, encoding="utf-8")
    return case


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    folder = tmp_path / "err"
    fixture(folder, "FLT1001-latin-1", {"a.taskset.yaml": "a: 1\n"}, OUTPUT.format(line=1))
    return folder


def checked(text: str, fixtures: Path, *, write: bool = False) -> Page:
    page = Page(text.removesuffix("\n").split("\n"), TABLE_OF_TWO, fixtures, write)
    page.check()
    return page


@pytest.fixture
def good(fixtures: Path) -> str:
    page = checked(PAGE, fixtures, write=True)
    assert page.problems == []
    return "\n".join(page.lines) + "\n"


def test_writing_puts_heads_contents_and_examples_in_place(good: str, fixtures: Path) -> None:
    assert checked(good, fixtures).problems == []
    assert "### FLT1001 not-utf8\n\n*error, since 0.1.0*\n\nIt says" in good
    assert "**1xxx reading**\n\n- [FLT1001](#flt1001-not-utf8) not-utf8\n" in good
    assert "- [FLT4082](#flt4082-single-child) single-child (warning)\n" in good
    assert good.count("*warning, since 0.2.0*") == 1
    assert (
        "<!-- example: FLT1001-latin-1 -->\n\n`a.taskset.yaml`:\n\n```yaml\na: 1\n```\n\n"
        "```text\n$ fleet check a.taskset.yaml\n"
        "a.taskset.yaml:1:3: error[FLT1001]: something is wrong\n  = help: mend it\n```\n\n"
        "Prose below an example stays.\n"
    ) in good


def test_writing_twice_changes_nothing(good: str, fixtures: Path) -> None:
    assert "\n".join(checked(good, fixtures, write=True).lines) + "\n" == good


def test_a_marker_with_a_code_alone_gets_its_first_fixture(fixtures: Path) -> None:
    page = checked(PAGE.replace("FLT1001-latin-1", "FLT1001"), fixtures, write=True)
    assert page.problems == []
    assert "<!-- example: FLT1001-latin-1 -->" in page.lines


def without(start: str, end: str) -> Callable[[str], str]:
    """Return what cuts a page from a text on up to another."""

    def cut(text: str) -> str:
        head, _, rest = text.partition(start)
        return head + end + rest.partition(end)[2]

    return cut


def replaced(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)


def swapped(text: str) -> str:
    head, _, rest = text.partition("## 1xxx")
    first, _, second = rest.partition("## 4xxx")
    return f"{head}## 4xxx{second}\n## 1xxx{first}"


MISTAKES: dict[str, tuple[Callable[[str], str], str]] = {
    "section lacks": (without("### FLT1001", "## 4xxx"), "FLT1001 has no section"),
    "section twice": (lambda text: text + text.partition("## 4xxx")[2], "FLT4082 has 2 sections"),
    "code of no table": (
        replaced("### FLT4082", "### FLT4089"),
        "FLT4089 has a section, but stands in no table",
    ),
    "order": (swapped, "FLT4082 stands where FLT1001 belongs"),
    "name": (replaced("### FLT1001 not-utf8", "### FLT1001 latin"), "the head should be"),
    "severity": (replaced("*warning, since", "*error, since"), "the head should be"),
    "since": (replaced("since 0.2.0", "since 0.1.0"), "the head should be"),
    "no meaning": (
        replaced("It says more about encodings than the summary does.\n", ""),
        "FLT1001 needs to say more than its summary",
    ),
    "summary only": (
        replaced("It says more about encodings than the summary does.", "The file is not UTF-8."),
        "FLT1001 needs to say more than its summary",
    ),
    "no marker": (
        replaced("<!-- example: FLT1001-latin-1 -->", ""),
        "FLT1001 has no example",
    ),
    "a fence that is not run": (
        replaced("```console", "<!-- not run: it takes long -->\n```console"),
        "FLT4082 has no example",
    ),
    "a fence without the code": (
        replaced("warning[FLT4082]", "warning[FLT4083]"),
        "FLT4082 has no example",
    ),
    "other input": (replaced("a: 1", "a: 2"), "the example is not what FLT1001-latin-1 shows"),
    "other output": (replaced("mend it", "give up"), "the example is not what"),
    "a file label lacks": (replaced("`a.taskset.yaml`:\n", ""), "the example is not what"),
    "no fixture": (
        replaced("example: FLT1001-latin-1", "example: FLT1001-gone"),
        "there is no fixture FLT1001-gone",
    ),
    "fixture of another code": (
        replaced("example: FLT1001-latin-1", "example: FLT1002-latin-1"),
        "FLT1002-latin-1 is no fixture of FLT1001",
    ),
    "no fix": (replaced("Save it again.\n", ""), "FLT1001 does not say how to fix it"),
    "a snippet with a mistake": (
        replaced("Use the child alone.", "Use it alone:\n\n```yaml\na: 1\na: 2\n```"),
        'the snippet cannot be read: the key "a" stands twice in one map',
    ),
    "no line for the fix": (
        replaced("**How to fix it**\n\nSave", "Save"),
        "FLT1001 needs one line **How to fix it** below its example",
    ),
    "the fix above the example": (
        replaced("It says", "**How to fix it**\n\nIt says"),
        "FLT1001 needs one line **How to fix it** below its example",
    ),
    "contents": (replaced("(#flt1001-not-utf8)", "(#flt1001)"), "the contents are not those"),
    "no contents": (replaced("<!-- contents -->", ""), "the page needs <!-- contents -->"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_found(name: str, good: str, fixtures: Path) -> None:
    change, message = MISTAKES[name]
    changed = change(good)
    assert changed != good
    problems = checked(changed, fixtures).problems
    assert any(message in problem for problem in problems), problems


def test_headings_inside_a_fence_begin_no_section() -> None:
    lines = ["### FLT1001 not-utf8", "", "```text", "### FLT1002 utf16", "```", "end"]
    (section,) = read_sections(lines)
    assert (section.code, section.severity, section.body[-1]) == ("FLT1001", "", "end")


def test_characters_that_cannot_be_seen_are_spelled_out(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.taskset.yaml": b"a: \xe2\x80\xae\xf9\r\n"}
    shown = example(fixture(tmp_path, "FLT1003-bidi", files, OUTPUT.format(line=1)))
    assert "`a.taskset.yaml` (`<…>` stands for what cannot be seen):" in shown
    assert "a: <U+202E><0xF9><U+000D>" in shown


def test_a_binary_file_is_not_shown(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.taskset.yaml": "a: 1".encode("utf-16")}
    shown = example(fixture(tmp_path, "FLT1002-wide", files, OUTPUT.format(line=1)))
    assert shown[:3] == ["", "`a.taskset.yaml` cannot be shown here.", ""]


def test_a_long_file_is_shown_around_the_place(tmp_path: Path) -> None:
    text = "".join(f"- {number}\n" for number in range(1, 101))
    case = fixture(tmp_path, "FLT1001-long", {"a.taskset.yaml": text}, OUTPUT.format(line=60))
    shown = example(case)
    assert "`a.taskset.yaml`, lines 48 to 72:" in shown
    assert [line for line in shown if line.startswith("- ")] == [f"- {n}" for n in range(48, 73)]
    (case / "expected.txt").write_text(OUTPUT.format(line=99), encoding="utf-8")
    assert "`a.taskset.yaml`, lines 76 to 100:" in example(case)
    (case / "input" / "rows.csv").write_text(text, encoding="utf-8")
    assert "`rows.csv`, lines 1 to 5:" in example(case)


def test_options_and_other_files_are_shown_but_no_blobs(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "rows.csv": "a\n",
        "a.taskset.yaml": "a: 1\n",
        "store/oci-layout": "{}",
        "store/blobs/sha256/00": "x",
    }
    output = OUTPUT.format(line=1).replace("something", "store/oci-layout")
    case = fixture(tmp_path, "FLT6002-newer", files, output)
    (case / "options").write_text("--output\nstore\n", encoding="utf-8")
    shown = example(case)
    labels = [line for line in shown if line.startswith("`") and line.endswith("`:")]
    assert labels == ["`a.taskset.yaml`:", "`rows.csv`:", "`store/oci-layout`:"]
    assert "$ fleet check a.taskset.yaml --output store" in shown


def test_a_file_that_would_end_its_fence_is_refused(tmp_path: Path) -> None:
    case = fixture(tmp_path, "FLT1001-fence", {"a.md": "```\n"}, OUTPUT.format(line=1))
    with pytest.raises(ValueError, match="FLT1001-fence: a line looks like the end of a fence"):
        example(case)


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "codes.json"
    assert check_history(path, TABLE_OF_TWO, write=True) == []
    return path


def test_history_remembers_every_code(history: Path) -> None:
    text = history.read_text(encoding="utf-8")
    assert json.loads(text) == {"FLT1001": "not-utf8", "FLT4082": "single-child"}
    assert check_history(history, TABLE_OF_TWO, write=False) == []


@pytest.mark.parametrize("write", [False, True])
def test_a_code_is_never_removed_or_renamed(history: Path, write: bool) -> None:
    before = history.read_text(encoding="utf-8")
    gone = check_history(history, TABLE_OF_TWO[1:], write=write)
    assert gone == ["FLT1001 not-utf8 is gone from the table"]
    renamed = TABLE_OF_TWO[0]._replace(name="latin"), TABLE_OF_TWO[1]
    problems = check_history(history, renamed, write=write)
    assert problems == ["FLT1001 was called not-utf8, and is never called latin"]
    assert history.read_text(encoding="utf-8") == before


def test_a_number_stands_for_one_code(history: Path) -> None:
    table = (*TABLE_OF_TWO, TABLE_OF_TWO[0])
    assert check_history(history, table, write=False) == ["FLT1001 stands twice in the table"]


def test_a_new_code_is_added_by_writing_only(history: Path) -> None:
    table = (*TABLE_OF_TWO, Code("FLT9001", "new", "note", "It is new.", "9.0.0"))
    assert check_history(history, table, write=False) == [
        "codes.json lacks FLT9001; run `make golden`"
    ]
    assert check_history(history, table, write=True) == []
    assert json.loads(history.read_text(encoding="utf-8"))["FLT9001"] == "new"


def test_the_program_says_what_is_wrong_and_mends_what_it_can(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("PAGE", "HISTORY"):
        shutil.copy2(getattr(check_diagnostics, name), tmp_path)
    page, history = tmp_path / "diagnostics.md", tmp_path / "codes.json"
    options = ["--page", str(page), "--history", str(history)]
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("$ fleet check", "$ fleet chekc"), encoding="utf-8")
    assert check_diagnostics.main(options) == 1
    shown = capsys.readouterr().out
    assert f"{page}: line " in shown
    assert "the example is not what FLT2010-misspelled-key shows" in shown
    check_diagnostics.main([*options, "--write"])
    assert "chekc" not in page.read_text(encoding="utf-8")
    history.write_text(json.dumps({"FLT0001": "gone"}), encoding="utf-8")
    assert check_diagnostics.main(options) == 1
    shown = capsys.readouterr().out
    assert f"{history}: FLT0001 gone is gone from the table" in shown
    assert f"{history}: codes.json lacks {TABLE[0].id}, " in shown
