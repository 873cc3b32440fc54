"""JUnit's XML: what a reader of test results counts and shows."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.junit import JunitRun, render_junit
from fleet_contracts.diagnostics.model import Diagnostic, Place
from fleet_contracts.source import Source
from formats_kit import diagnostic, place, suites

SOURCES = {"a.yaml": Source("a.yaml", 'one: 1\nkey: <wrong> & "more"\n')}
ERROR = diagnostic('found <x> & "y"', place(line=2, columns=(6, 13), pointer=("key",)), help="go")
WARNING = diagnostic("not first", place(line=1, pointer=("one",)), code="FLT2004")
NOTE = diagnostic("kept", Place("fleet.lock"), code="FLT5010")


def document(*items: Diagnostic, files: Sequence[str] = (), strict: bool = False) -> str:
    run = JunitRun(tuple(files), lambda name: f"repo/{name}", strict)
    return "\n".join(render_junit(items, SOURCES, run)) + "\n"


def names(suite: ElementTree.Element) -> list[str]:
    return [case.attrib["name"] for case in suite]


def test_clean_files_pass() -> None:
    found = suites(document(files=["a.yaml", "b.yaml"]))
    assert list(found) == ["repo/a.yaml", "repo/b.yaml"]
    for name, suite in found.items():
        (case,) = suite
        assert case.attrib == {"name": "clean", "classname": name, "file": name}
        assert len(case) == 0


def test_an_error_fails() -> None:
    found = suites(document(ERROR, files=["a.yaml", "b.yaml"]))
    assert names(found["repo/b.yaml"]) == ["clean"]
    (case,) = found["repo/a.yaml"]
    assert case.attrib == {
        "name": "FLT2010 unknown-key at /key",
        "classname": "repo/a.yaml",
        "file": "repo/a.yaml",
        "line": "2",
    }
    (failure,) = case
    assert failure.tag == "failure"
    assert failure.attrib == {"type": "FLT2010", "message": 'found <x> & "y"'}
    assert (failure.text or "").split("\n") == [
        'repo/a.yaml:2:6: error[FLT2010]: found <x> & "y"',
        "  |",
        '2 | key: <wrong> & "more"',
        "  |      ^^^^^^^",
        "  = at /key",
        "  = help: go",
    ]


def test_warnings_and_notes_pass_and_are_told() -> None:
    found = suites(document(WARNING, NOTE, files=["a.yaml"]))
    assert list(found) == ["repo/a.yaml", "repo/fleet.lock"]
    for suite, word in zip(found.values(), ("warning[FLT2004]", "note[FLT5010]"), strict=True):
        (case,) = suite
        (out,) = case
        assert out.tag == "system-out"
        assert word in (out.text or "")
    assert "line" not in found["repo/fleet.lock"][0].attrib


def test_warnings_fail_when_they_are_said_to() -> None:
    found = suites(document(WARNING, NOTE, files=["a.yaml"], strict=True))
    assert [case[0].tag for suite in found.values() for case in suite] == ["failure", "system-out"]


def test_names_hold_no_lines_and_are_told_apart() -> None:
    moved = [diagnostic(at=place(line=line, pointer=("key",))) for line in (1, 2, 9)]
    (suite,) = suites(document(*moved)).values()
    name = "FLT2010 unknown-key at /key"
    assert names(suite) == [name, f"{name} (2)", f"{name} (3)"]
    without = suites(document(diagnostic()))["repo/a.yaml"]
    assert names(without) == ["FLT2010 unknown-key"]


def test_nothing_depends_on_when_or_where() -> None:
    assert document(ERROR, WARNING, files=["a.yaml"]) == document(ERROR, WARNING, files=["a.yaml"])


ANY = st.text(st.characters(codec=None))


@given(message=ANY, file=ANY, key=ANY, line=ANY)
def test_any_text_gives_xml(message: str, file: str, key: str, line: str) -> None:
    item = diagnostic(message, place(file, pointer=(key,)), help=message)
    run = JunitRun((file,), lambda name: name, False)
    text = "\n".join(render_junit([item], {file: Source(file, line)}, run))
    text.encode("utf-8")
    ((case,),) = suites(text).values()
    narrow = text.encode("ascii", "xmlcharrefreplace").decode("ascii")
    assert ElementTree.canonicalize(narrow) == ElementTree.canonicalize(text)
    if message.isprintable():
        assert case[0].attrib["message"] == message
