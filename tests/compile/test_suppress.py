"""What comments take away of what the compiler finds, and what is said of the comments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fleet_contracts.compiler import Compiler
from fleet_contracts.diagnostics.codes import CODES
from fleet_contracts.diagnostics.model import Diagnostic, Place, distinct
from fleet_contracts.project import Project
from fleet_contracts.reading.spans import resolve_places
from fleet_contracts.source import Position, Source, Span
from fleet_contracts.store.hashing import HashSink
from fleet_contracts.suppress import SUPPRESSIBLE, Outcome, apply, without_suppressed

HEAD = """\
authoring: taskset/v1
environments:
  shell: {builtin: terminal@v1}
"""
DECISION = "decision: {kind: threshold, at_least: 1}"
LEAF = f"""\
type: evaluator
evaluator: {{kind: builtin.v1, builtin_id: answer-equals, params: {{expected: "42"}}}}
{DECISION}
"""


def indented(text: str, spaces: int) -> str:
    return "".join(f"{' ' * spaces}{line}\n" for line in text.splitlines())


def task(*lines: str, children: str = "children:") -> str:
    """Return a Task whose one Verifier is a composite of one child (FLT4082)."""
    head = "- id: top\n  type: composite\n  aggregation: {kind: min}\n"
    child = f"  {children}\n    - id: a\n      node:\n        id: a\n{indented(LEAF, 8)}"
    own = "".join(f"{line}\n" for line in lines)
    verifiers = indented(f"{head}  {DECISION}\n{child}", 2)
    return f"prompt: p\nenvironment: shell\n{own}verifiers:\n{verifiers}"


def taskset(text: str) -> str:
    return f"{HEAD}tasks:\n  one:\n{indented(text, 4)}"


def outcome(folder: Path, files: Mapping[str, str]) -> Outcome:
    """Compile `a.taskset.yaml` of some files and apply their comments."""
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8", newline="")
    compiler = Compiler(project=Project(folder), sink=HashSink())
    compiler.compile(folder / "a.taskset.yaml")
    sources = compiler.reader.sources
    return apply(distinct(resolve_places(compiler.bag, sources)), sources)


def told(items: list[Diagnostic]) -> list[tuple[str, int]]:
    """Return the code and the line of each."""
    return [(each.code, each.place.span.start.line) for each in items if each.place.span]


def only(folder: Path, text: str) -> tuple[list[str], list[str]]:
    """Return the codes that are kept and those that are not, of one TaskSet."""
    found = outcome(folder, {"a.taskset.yaml": text})
    return [each.code for each in found.kept], [each.diagnostic.code for each in found.suppressed]


def test_a_warning_is_told_without_a_comment(tmp_path: Path) -> None:
    assert only(tmp_path, taskset(task())) == (["FLT4082"], [])


@pytest.mark.parametrize(
    "children",
    [
        "children: # fleet: ignore FLT4082",
        "children: # fleet: ignore FLT4082 more will come",
        "# fleet: ignore FLT4082\n\n  # soon\n  children:",
    ],
)
def test_a_comment_takes_it_away(tmp_path: Path, children: str) -> None:
    assert only(tmp_path, taskset(task(children=children))) == ([], ["FLT4082"])


def test_another_line_or_code_is_not_covered(tmp_path: Path) -> None:
    text = taskset(task("# fleet: ignore FLT4082", children="children: # fleet: ignore FLT4081"))
    assert only(tmp_path, text) == (["FLT4082", "FLT1060", "FLT1060"], [])


def test_one_comment_covers_all_of_its_line(tmp_path: Path) -> None:
    line = "metadata: {a: no, b: on, c: 1:30} # fleet: ignore FLT1035"
    assert only(tmp_path, taskset(task(line))) == (["FLT4082"], ["FLT1035"] * 3)


def test_the_reason_is_kept(tmp_path: Path) -> None:
    text = taskset(task(children="children: # fleet: ignore FLT4082 more  will come "))
    (item,) = outcome(tmp_path, {"a.taskset.yaml": text}).suppressed
    assert item.reason == "more  will come"


def test_an_error_cannot_be_suppressed(tmp_path: Path) -> None:
    text = taskset(task("seed_mounts: none # fleet: ignore FLT2012"))
    found = outcome(tmp_path, {"a.taskset.yaml": text})
    assert sorted(each.code for each in found.kept) == ["FLT1061", "FLT2012", "FLT4082"]
    assert found.suppressed == []


def test_nothing_is_called_unused_beside_an_error(tmp_path: Path) -> None:
    lines = ["# fleet: ignore FLT1035", "seed_mounts: none"]
    assert only(tmp_path, taskset(task(*lines)))[0] == ["FLT2012", "FLT4082"]


def test_nothing_is_called_unused_where_only_a_part_was_looked_at() -> None:
    sources = {"a": Source("a", "a: 1 # fleet: ignore FLT4082, FLT4083\n")}
    assert told(without_suppressed([], sources)) == [("FLT1060", 1)]
    assert told(without_suppressed([], sources, alone=["a"])) == []


def test_the_comment_stands_where_the_warning_is_told(tmp_path: Path) -> None:
    comment = "# fleet: ignore FLT1035"
    single = "children: # fleet: ignore FLT4082"
    template = indented(task(comment, "metadata: {date: 2024-01-01}", children=single), 6)
    dataset = "dataset:\n  - rows: rows.jsonl\n    key: row/${index}\n    task:\n"
    defaults = f"defaults:\n  completion: {{mode: max_turns, max_turns: 1e1}} {comment}\n"
    tasks = f"  two:\n{indented(task(children=single), 4)}  three:\n{indented(task(), 4)}"
    environment = "authoring: environment/v1\nbuiltin: terminal@v1\nenv:\n  A: on\n"
    head = HEAD.replace("{builtin: terminal@v1}", "{file: b.environment.yaml}")
    files = {
        "a.taskset.yaml": f"{head}include: [b.tasks.yaml]\n{defaults}{dataset}{template}",
        "b.tasks.yaml": f"authoring: tasks/v1\ntasks:\n{tasks}",
        "b.environment.yaml": environment.replace("A: on", f"A: on {comment}"),
        "rows.jsonl": '{"a": "no"}\n{"a": "yes"}\n',
    }
    found = outcome(tmp_path, files)
    assert [(each.place.file, each.code) for each in found.kept] == [("b.tasks.yaml", "FLT4082")]
    assert sorted(
        (each.diagnostic.place.file, each.diagnostic.code) for each in found.suppressed
    ) == [
        ("a.taskset.yaml", "FLT1035"),
        ("a.taskset.yaml", "FLT1035"),
        ("a.taskset.yaml", "FLT4082"),
        ("b.environment.yaml", "FLT1035"),
        ("b.tasks.yaml", "FLT4082"),
    ]


def test_a_comment_about_a_file_without_comments_is_no_use(tmp_path: Path) -> None:
    line = "metadata: {a: b} # fleet: ignore FLT3005"
    text = taskset(task(line)).replace("prompt: p", "prompt: {file: p.txt}")
    found = outcome(tmp_path, {"a.taskset.yaml": text, "p.txt": "one\r\ntwo\r\n"})
    assert sorted(each.code for each in found.kept) == ["FLT1060", "FLT3005", "FLT4082"]


def at(line: int, code: str) -> Diagnostic:
    return Diagnostic(code, "m", Place("a", span=Span(Position(line, 1), Position(line, 2))))


def test_what_has_no_line_is_kept() -> None:
    sources = {"a": Source("a", "# fleet: ignore FLT4082\na: 1\n")}
    nowhere = Diagnostic("FLT4082", "m", Place("a"))
    elsewhere = Diagnostic("FLT4082", "m", Place("b", span=at(2, "FLT4082").place.span))
    assert apply([nowhere, at(2, "FLT4082"), elsewhere], sources).kept == [nowhere, elsewhere]


@pytest.mark.parametrize("code", ["FLT1060", "FLT1061"])
def test_what_is_said_of_comments_cannot_be_suppressed(code: str) -> None:
    sources = {"a": Source("a", f"a: 1 # fleet: ignore {code}\n")}
    found = apply([at(1, code)], sources)
    assert [each.code for each in found.kept] == [code, "FLT1061"]
    assert found.kept[-1].message == f"{code} is about suppressions and cannot be suppressed"


def test_every_warning_and_note_can_be_suppressed() -> None:
    wanted = {row.id for row in CODES.values() if row.severity != "error"}
    assert wanted - SUPPRESSIBLE == {"FLT1060", "FLT1061"}
    for code in SUPPRESSIBLE:
        sources = {"a": Source("a", f"a: 1 # fleet: ignore {code}\n")}
        assert apply([at(1, code)], sources).kept == []


@pytest.mark.parametrize(
    ("codes", "message", "help", "new"),
    [
        ("FLT4010", "FLT4010 is an error and cannot be suppressed", "mend what", None),
        ("duplicate-member", "FLT4010 is an error and cannot be suppressed", "mend what", None),
        ("single-child", "found `single-child`, expected a code", "write `FLT4082`", "FLT4082"),
        ("single-childs", "found `single-childs`", "did you mean `FLT4082`?", "FLT4082"),
        ("flt4082", "found `flt4082`", "did you mean `FLT4082`?", "FLT4082"),
        ("[FLT4082]", "found `[FLT4082]`", "did you mean `FLT4082`?", "FLT4082"),
        ("FLT9999", "found `FLT9999`", "write the code that stands in brackets", None),
        ("the child is", "found `the`", "write the code that stands in brackets", None),
        ("x" * 99, f"found `{'x' * 40}…`", "write the code that stands in brackets", None),
        ("", "this comment names no code", "write the code, as in", None),
    ],
)
def test_a_comment_that_cannot_be_obeyed(
    codes: str, message: str, help: str, new: str | None
) -> None:
    text = f"a: 1 # fleet: ignore {codes}\n"
    (item,) = without_suppressed([], {"a": Source("a", text)})
    assert item.code == "FLT1061"
    assert item.message.startswith(message)
    assert item.help.startswith(help)
    assert (item.fix and item.fix.edit.new) == new
    if item.fix:
        mended = applied(text, item)
        assert mended == f"a: 1 # fleet: ignore {new}\n"


@pytest.mark.parametrize(
    ("text", "used", "message", "mended"),
    [
        ("a: 1 # fleet: ignore FLT4082 x\n", [], "line 1 has no FLT4082 to suppress", "a: 1\n"),
        (
            "a: 1 # fleet: ignore FLT4082, FLT4083 x\n",
            [],
            "line 1 has no FLT4082 and no FLT4083 to suppress",
            "a: 1\n",
        ),
        (
            "a: 1 # fleet: ignore FLT4082 ,FLT4083, FLT4085 x\n",
            ["FLT4082", "FLT4085"],
            "line 1 has no FLT4083 to suppress",
            "a: 1 # fleet: ignore FLT4082, FLT4085 x\n",
        ),
        (
            "a:\n  # fleet: ignore FLT4082\n  b: 1\n",
            [],
            "line 3 has no FLT4082 to suppress",
            "a:\n  b: 1\n",
        ),
        (
            "a: 1\r\n# fleet: ignore FLT4082\r\n",
            [],
            "no line follows that this comment could cover",
            "a: 1\r\n",
        ),
    ],
)
def test_an_unused_comment_can_be_removed(
    text: str, used: list[str], message: str, mended: str
) -> None:
    source = Source("a", text)
    outcome = apply([at(1, code) for code in used], {"a": source})
    assert [each.diagnostic.code for each in outcome.suppressed] == used
    (item,) = outcome.kept
    assert (item.code, item.message) == ("FLT1060", message)
    assert applied(text, item) == mended


def applied(text: str, item: Diagnostic) -> str:
    """Return a text with the edit of a diagnostic made."""
    assert item.fix is not None
    assert item.fix.place.span is not None
    start, end = (_offset(text, position) for position in item.fix.place.span)
    assert text[start:end] == item.fix.edit.old
    return text[:start] + item.fix.edit.new + text[end:]


def _offset(text: str, position: Position) -> int:
    lines = text.split("\n")[: position.line - 1]
    return sum(len(line) + 1 for line in lines) + position.column - 1
