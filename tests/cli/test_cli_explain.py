"""`fleet explain`: which codes it finds, and how it shows them."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import click
import pytest
from cli_kit import ESCAPE, command
from click.shell_completion import ShellComplete

from fleet_contracts.cli.explain import explain_command
from fleet_contracts.diagnostics.codes import CODES, TABLE
from fleet_contracts.errors import InternalError
from fleet_contracts.explain import PAGE_FILE, STAGES, section

CHECKOUT = Path(__file__).resolve().parents[2]


class Terminal(io.StringIO):
    """A stdout that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, *words: str, **variables: str) -> str:
    """Return what `fleet explain` prints on a terminal, with a few variables set."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    screen = Terminal()
    with redirect_stdout(screen):
        assert explain_command.main(list(words), standalone_mode=False) == 0
    return screen.getvalue()


@pytest.mark.parametrize(
    "word",
    ["FLT2010", "flt2010", "Flt2010", "2010", "unknown-key", "Unknown-Key", "unknown_key", " 2010"],
)
def test_a_code_is_found_however_it_is_written(word: str, tmp_path: Path) -> None:
    ended = command(tmp_path, "explain", word)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("### FLT2010 unknown-key (error, since 0.1.0)\n\n")
    assert ended.out.endswith(section("FLT2010"))


def test_several_codes_stand_one_below_the_other(tmp_path: Path) -> None:
    ended = command(tmp_path, "explain", "1001", "not-a-decimal")
    assert ended.code == 0
    headings = [line for line in ended.out.splitlines() if line.startswith("### ")]
    assert [line.split()[1] for line in headings] == ["FLT1001", "FLT2020"]


def test_piped_text_is_the_markdown_of_the_page(tmp_path: Path) -> None:
    shown = command(tmp_path, "explain", "FLT2010").out
    assert ESCAPE not in shown
    assert "```yaml\nauthoring: taskset/v1\n" in shown
    assert "\n**How to fix it**\n" in shown
    assert "<!--" not in shown
    page = (CHECKOUT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    assert PAGE_FILE.read_text(encoding="utf-8") == page
    assert section("FLT2010").partition("\n")[0] in page


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_section_that_can_be_read_alone(code: str) -> None:
    text = section(code)
    assert "**How to fix it**" in text
    assert text == text.strip("\n") + "\n"
    assert "<!--" not in text
    assert not text.startswith(("#", "*error", "*warning", "*note"))


def test_no_section_is_a_mistake_of_ours() -> None:
    with pytest.raises(InternalError, match="no section FLT0000"):
        section("FLT0000")


def test_without_a_code_all_are_listed_by_stage(tmp_path: Path) -> None:
    ended = command(tmp_path, "explain")
    assert ended.code == 0
    lines = ended.out.splitlines()
    rows = [line.split(maxsplit=3) for line in lines if line.startswith("FLT")]
    assert [row[0] for row in rows] == [row.id for row in TABLE]
    assert all(CODES[row[0]][1:4] == (row[2], row[1], row[3]) for row in rows)
    headings = [line for line in lines if line.startswith("## ")]
    assert headings == [f"## {digit}xxx {stage}" for digit, stage in STAGES.items()]
    page = PAGE_FILE.read_text(encoding="utf-8")
    assert all(f"\n{heading}\n" in page for heading in headings)


@pytest.mark.parametrize(
    ("word", "help"),
    [
        ("unkown-key", "did you mean unknown-key?"),
        ("FLT20100", "did you mean FLT2010?"),
        ("9999", "`fleet explain` lists all codes"),
        ("FLT", "`fleet explain` lists all codes"),
        ("spaceship", "`fleet explain` lists all codes"),
        ("", "`fleet explain` lists all codes"),
    ],
)
def test_an_unknown_code_is_wrong_usage(word: str, help: str, tmp_path: Path) -> None:
    ended = command(tmp_path, "explain", "2010", word)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"error: there is no diagnostic {word!r}\n  = help: {help}\n"


def test_json_of_one_code_is_an_object(tmp_path: Path) -> None:
    ended = command(tmp_path, "explain", "--format", "json", "single-child")
    assert ended.code == 0
    assert json.loads(ended.out) == {
        "code": "FLT4082",
        "name": "single-child",
        "severity": "warning",
        "summary": CODES["FLT4082"].summary,
        "since": CODES["FLT4082"].since,
        "section": section("FLT4082"),
    }


def test_json_of_several_and_of_all_codes_is_a_list(tmp_path: Path) -> None:
    some = command(tmp_path, "explain", "--format", "json", "2010", "1001")
    assert [item["code"] for item in json.loads(some.out)] == ["FLT2010", "FLT1001"]
    every = command(tmp_path, "explain", "--format", "json")
    assert [item["code"] for item in json.loads(every.out)] == [row.id for row in TABLE]


def test_a_terminal_gets_bold_headings_and_indented_code(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = on_terminal(monkeypatch, "FLT2010").splitlines()
    assert lines[0] == f"{ESCAPE}[1mFLT2010 unknown-key (error, since 0.1.0){ESCAPE}[0m"
    assert f"{ESCAPE}[1mHow to fix it{ESCAPE}[0m" in lines
    assert "    authoring: taskset/v1" in lines
    assert not any(line.startswith("```") for line in lines)
    assert "`tasks.taskset.yaml`:" in lines


@pytest.mark.parametrize("variable", [("NO_COLOR", "1"), ("TERM", "dumb")])
@pytest.mark.parametrize("words", [("FLT2010",), ()])
def test_a_terminal_without_colours_gets_no_escapes(
    words: tuple[str, ...], variable: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = on_terminal(monkeypatch, *words, **dict([variable]))
    assert ESCAPE not in shown
    assert "#" not in shown.partition("\n")[0]


def test_mark_up_inside_code_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "fleet_contracts.cli.explain.section",
        lambda code: "Use `**/*.yaml` and `a**`, **never** [that](#there).\n",
    )
    shown = on_terminal(monkeypatch, "FLT2010").splitlines()
    assert shown[-1] == f"Use `**/*.yaml` and `a**`, {ESCAPE}[1mnever{ESCAPE}[0m that."


@pytest.mark.parametrize(
    ("incomplete", "expected"),
    [
        ("FLT200", ["FLT2001", "FLT2002", "FLT2003", "FLT2004", "FLT2005"]),
        ("flt200", ["FLT2001", "FLT2002", "FLT2003", "FLT2004", "FLT2005"]),
        ("unknown-k", ["unknown-key"]),
        ("", [row.id for row in TABLE]),
        ("spaceship", []),
    ],
)
def test_codes_and_names_are_completed(incomplete: str, expected: list[str]) -> None:
    group = click.Group(commands={"explain": explain_command})
    completions = ShellComplete(group, {}, "fleet", "_FLEET_COMPLETE").get_completions(
        ["explain"], incomplete
    )
    assert [item.value for item in completions] == expected
    assert all(item.help for item in completions)
