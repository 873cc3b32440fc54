from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fleet_contracts import dataset
from fleet_contracts.diagnostics.model import Bag, Diagnostic, Edit
from fleet_contracts.pointer import format_pointer
from fleet_contracts.project import Project
from fleet_contracts.scope import Location, Scope
from fleet_contracts.source import Position, Span

CAPTURE = "${row.answer | capture:'#### (-?[0-9.,]+)$'}"
TASK = {"prompt": "${row.q}", "environment": "shell"}


class Folder:
    """A project folder with one TaskSet in `sets/`, which only its location matters of."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        (self.root / "sets").mkdir()
        self.bag = Bag()

    def write(self, name: str, text: str) -> None:
        path = self.root / "sets" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())

    def start(self, value: dict[str, Any], index: int = 0) -> Iterator[dataset.Expanded]:
        location = Location(self.root / "sets" / "a.taskset.yaml", "sets/a.taskset.yaml")
        return iter(dataset.expand(Project(self.root), location, index, value, self.bag, None))

    def expand(self, value: dict[str, Any]) -> list[tuple[str, dict[str, Any], Scope]]:
        return list(self.start(value))

    def tasks(self, value: dict[str, Any]) -> dict[str, dict[str, Any]]:
        found = {key: task for key, task, _ in self.expand(value)}
        assert not self.bag.items
        return found

    def refused(self, value: dict[str, Any]) -> list[Diagnostic]:
        self.expand(value)
        return self.bag.items


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def spelled(item: Diagnostic) -> str:
    """Code and pointer of a diagnostic, and the lines of the places related to it."""
    places = [each.place for each in (*item.related, *item.cases)]
    lines = [place.span.start.line for place in places if place.span]
    return " ".join([item.code, format_pointer(item.place.pointer), *map(str, lines)])


def test_json_lines(folder: Folder) -> None:
    folder.write(
        "rows.jsonl",
        '{"q": "one", "n": 0.50, "meta": {"id": "x"}}\n\n{"q": "${index}", "n": 2, "meta": {}}\n',
    )
    task = {"prompt": "${row.q}", "n": "${row.n}", "text": "${index}: ${row.n}", "fixed": [1]}
    found = folder.expand({"rows": "rows.jsonl", "key": "set/${index}", "task": task})
    assert [(key, plain) for key, plain, _ in found] == [
        ("set/0", {"prompt": "one", "n": Decimal("0.50"), "text": "0: 0.50", "fixed": [1]}),
        ("set/1", {"prompt": "${index}", "n": 2, "text": "1: 2", "fixed": [1]}),
    ]
    assert not folder.bag.items


def test_each_task_knows_its_template_and_row(folder: Folder) -> None:
    folder.write("data/rows.jsonl", '{"q": "one"}\n\n{"q": "two"}\n')
    value = {"rows": "data/rows.jsonl", "key": "${index}", "task": TASK}
    scopes = [scope for _, _, scope in folder.start(value, 3)]
    for scope, line in zip(scopes, (1, 3), strict=True):
        assert scope.bag is folder.bag
        assert scope.location.name == "sets/a.taskset.yaml"
        assert scope.location.pointer == ("dataset", 3, "task")
        assert scope.row is not None
        assert scope.row.file == "sets/data/rows.jsonl"
        assert scope.row.span == Span(Position(line, 1), Position(line, 1))


def test_csv_cells_are_strings(folder: Folder) -> None:
    folder.write("rows.csv", 'id,q\r\n07,"a\nb"\r\n1e3,\r\n')
    assert folder.tasks({"rows": "rows.csv", "key": "c/${row.id}", "task": TASK}) == {
        "c/07": {"prompt": "a\nb", "environment": "shell"},
        "c/1e3": {"prompt": "", "environment": "shell"},
    }


def test_a_list_inside_a_json_file(folder: Folder) -> None:
    folder.write("rows.json", '{"a/b": [[], [{"q": "x"}, {"q": "y"}]]}')
    rows = {"file": "rows.json", "path": "/a~1b/1"}
    found = folder.tasks({"rows": rows, "key": "${row.q}", "task": TASK})
    assert [task["prompt"] for task in found.values()] == ["x", "y"]
    assert folder.tasks({"rows": {**rows, "path": "/a~1b/1"}, "key": "${row.q}", "task": TASK})


def test_file_without_path(folder: Folder) -> None:
    folder.write("rows.json", '[{"q": "x"}]')
    value = {"rows": {"file": "rows.json"}, "key": "${row.q}", "task": TASK}
    assert list(folder.tasks(value)) == ["x"]


def test_rows_are_streamed(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"q": "one"}\nnot json\n')
    found = folder.start({"rows": "rows.jsonl", "key": "${index}", "task": TASK})
    assert next(found)[0] == "0"
    assert not folder.bag.items
    assert next(found, None) is None
    assert [item.code for item in folder.bag] == ["FLT1050"]


def test_bad_templates_are_told_before_any_row(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"q": "one"}\n{"q": "two"}\n')
    task = {"prompt": "${q}", "tools": ["${row.q", "fine ${row.nothing}"]}
    items = folder.refused({"rows": "rows.jsonl", "key": "${row}", "task": task})
    assert [spelled(item) for item in items] == [
        "FLT3030 /dataset/0/key",
        "FLT3030 /dataset/0/task/prompt",
        "FLT3030 /dataset/0/task/tools/0",
    ]
    assert {item.place.file for item in items} == {"sets/a.taskset.yaml"}
    assert all(item.help for item in items)


def test_braces_without_a_dollar(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"q": "a"}\n')
    value = {"rows": "rows.jsonl", "key": "q/{row.q}", "task": {"prompt": ["a", "{{row.q}} b"]}}
    key, prompt = folder.refused(value)
    assert (key.code, key.help, key.fix and key.fix.edit) == (
        "FLT3030", "write `${row.q}`", Edit("{row.q}", "${row.q}"))  # fmt: skip
    assert (prompt.code, prompt.severity, prompt.place.pointer[-2:]) == (
        "FLT3035", "warning", ("prompt", 1))  # fmt: skip
    assert prompt.place.part == (0, 9)


def test_template_and_file_are_told_together(folder: Folder) -> None:
    items = folder.refused({"rows": "none.jsonl", "key": "${row}", "task": TASK})
    assert [spelled(item) for item in items] == [
        "FLT3030 /dataset/0/key",
        "FLT3001 /dataset/0/rows",
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("none.csv", "FLT3001 /dataset/0/rows"),
        ({"file": "none.csv"}, "FLT3001 /dataset/0/rows/file"),
        ("../../rows.csv", "FLT3002 /dataset/0/rows"),
        ("/rows.csv", "FLT3002 /dataset/0/rows"),
        ("a\\rows.csv", "FLT3003 /dataset/0/rows"),
        ({"file": "here.json", "path": "/a~2"}, "FLT2014 /dataset/0/rows/path"),
    ],
)
def test_files_that_cannot_be_used(folder: Folder, rows: Any, expected: str) -> None:
    folder.write("here.json", "[]")
    items = folder.refused({"rows": rows, "key": "${index}", "task": TASK})
    assert [spelled(item) for item in items] == [expected]


def test_bad_rows_give_no_task_and_name_the_dataset(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"q": "one"}\n{"q": NaN}\n[1]\n{"q": "four"}\n')
    found = folder.expand({"rows": "rows.jsonl", "key": "${row.q}", "task": TASK})
    assert [key for key, _, _ in found] == ["one", "four"]
    assert [item.code for item in folder.bag] == ["FLT1033", "FLT3034"]
    for item in folder.bag:
        assert item.place.file == "sets/rows.jsonl"
        (related,) = item.related
        assert related.place.file == "sets/a.taskset.yaml"
        assert related.place.pointer == ("dataset", 0, "rows")


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_no_rows(folder: Folder, text: str) -> None:
    folder.write("rows.jsonl", text)
    items = folder.refused({"rows": "rows.jsonl", "key": "${index}", "task": TASK})
    assert [spelled(item) for item in items] == ["FLT3034 /dataset/0/rows"]


def test_no_rows_below_a_header_or_in_a_list(folder: Folder) -> None:
    folder.write("rows.csv", "q\n")
    folder.write("rows.json", "[]")
    folder.expand({"rows": "rows.csv", "key": "${index}", "task": TASK})
    folder.expand({"rows": "rows.json", "key": "${index}", "task": TASK})
    assert [item.code for item in folder.bag] == ["FLT3034", "FLT3034"]


def test_only_bad_rows_are_told_as_such(folder: Folder) -> None:
    folder.write("rows.jsonl", "1\n")
    items = folder.refused({"rows": "rows.jsonl", "key": "${index}", "task": TASK})
    assert [(item.code, item.place.file) for item in items] == [("FLT3034", "sets/rows.jsonl")]


def test_every_problem_of_a_row_is_told_with_its_line(folder: Folder) -> None:
    rows = ['{"q": "a", "answer": "#### 1"}', '{"answer": "no"}', '{"q": "c", "answer": null}']
    folder.write("rows.jsonl", "\n".join(rows))
    task = {**TASK, "metadata": {"answer": CAPTURE, "both": "${row.q} ${row.answer}"}}
    found = folder.expand({"rows": "rows.jsonl", "key": "k/${row.q}", "task": task})
    assert [key for key, _, _ in found] == ["k/a"]
    assert [spelled(item) for item in folder.bag] == [
        "FLT3031 /dataset/0/key 2",
        "FLT3031 /dataset/0/task/prompt 2",
        "FLT3032 /dataset/0/task/metadata/answer 2",
        "FLT3031 /dataset/0/task/metadata/both 2",
        "FLT3033 /dataset/0/task/metadata/answer 3",
        "FLT3033 /dataset/0/task/metadata/both 3",
    ]
    assert folder.bag.items[1].cases[0].place.file == "sets/rows.jsonl"


def test_the_index_counts_rows_that_do_not_fill_too(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"q": "a"}\n{}\n{"q": "c"}\n')
    found = folder.expand({"rows": "rows.jsonl", "key": "${index}", "task": TASK})
    assert [key for key, _, _ in found] == ["0", "2"]


def test_the_same_mistake_in_all_rows_is_told_once_and_counted(folder: Folder) -> None:
    rows = [{"q": "x"}] * 1000 + [{"answer": "x"}] + [{"q": "x"}] * 234
    folder.write("rows.jsonl", "\n".join(map(json.dumps, rows)))
    task = {"prompt": "${row.q}", "metadata": {"a": "${row.answer}"}}
    items = folder.refused({"rows": "rows.jsonl", "key": "${index}", "task": task})
    assert [spelled(item) for item in items] == [
        "FLT3031 /dataset/0/task/metadata/a 1 2 3",
        "FLT3031 /dataset/0/task/prompt 1001",
    ]
    assert [item.more_cases for item in items] == [1_231, 0]
    assert folder.bag.errors == 1_235


def test_two_mistakes_of_a_row_in_one_string_stay_two(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"a": 1}\n{"b": 1}\n{}\n')
    task = {"prompt": "${row.a} ${row.b}"}
    items = folder.refused({"rows": "rows.jsonl", "key": "${index}", "task": task})
    assert [spelled(item) for item in items] == [
        "FLT3031 /dataset/0/task/prompt 1 3",
        "FLT3031 /dataset/0/task/prompt 2 3",
    ]


def test_a_misspelled_field_is_mended_in_the_template_only_if_all_rows_lack_it(
    folder: Folder,
) -> None:
    task = {"prompt": "${row.question} ${row.unit}"}
    folder.write("rows.jsonl", '{"qestion": 1, "units": 1}\n{"question": 1, "units": 2}\n')
    first, second = folder.refused({"rows": "rows.jsonl", "key": "${index}", "task": task})
    assert first.fix is None
    assert first.help == "correct the name of the field in the row, as other rows have it"
    assert second.fix is not None
    assert second.fix.edit == Edit("${row.unit}", "${row.units}")
    assert second.fix.place == second.place
    assert second.place.part == (16, 27)


def test_one_placeholder_twice_in_a_text_is_told_at_both_places(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"a": 1}\n{"a": 2}\n')
    task = {"prompt": "${row.b} ${row.b}"}
    items = folder.refused({"rows": "rows.jsonl", "key": "${index}", "task": task})
    assert [(item.place.part, len(item.cases)) for item in items] == [((0, 8), 2), ((9, 17), 2)]


def test_one_key_for_all_rows_is_told_once(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"q": "a"}\n{"q": "b"}\n{"q": "c"}\n{}\n')
    found = folder.expand({"rows": "rows.jsonl", "key": "same", "task": TASK})
    assert [key for key, _, _ in found] == ["same"]
    assert [spelled(item) for item in folder.bag] == [
        "FLT3020 /dataset/0/key",
        "FLT3031 /dataset/0/task/prompt 4",
    ]


def test_one_row_may_have_a_fixed_key(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"q": "a"}\n')
    assert list(folder.tasks({"rows": "rows.jsonl", "key": "same", "task": TASK})) == ["same"]


def test_the_dataset_itself_is_not_changed(folder: Folder) -> None:
    folder.write("rows.jsonl", '{"q": "a"}\n')
    value = {"rows": "rows.jsonl", "key": "${index}", "task": TASK}
    before = json.dumps(value)
    folder.tasks(value)
    assert json.dumps(value) == before


def test_gsm8k(folder: Folder, cases_dir: Path) -> None:
    rows = (cases_dir / "gsm8k" / "test.jsonl").read_text("utf-8")
    folder.write("test.jsonl", rows)
    task = {"prompt": "${row.question}", "expected": CAPTURE}
    found = folder.tasks({"rows": "test.jsonl", "key": "gsm8k/${index}", "task": task})
    assert len(found) == 1319
    assert list(found)[::1318] == ["gsm8k/0", "gsm8k/1318"]
    for row, task in zip(map(json.loads, rows.splitlines()), found.values(), strict=True):
        assert task["prompt"] == row["question"]
        assert task["expected"] == row["answer"].rpartition("#### ")[2]
    assert any("," in task["expected"] for task in found.values())


def test_big_bench_hard(folder: Folder, cases_dir: Path) -> None:
    for path in sorted((cases_dir / "bbh").glob("*.json")):
        text = path.read_text("utf-8")
        folder.write(path.name, text)
        rows = {"file": path.name, "path": "/examples"}
        key = f"bbh/{path.stem}/${{index}}"
        task = {"prompt": "${row.input}", "expected": "${row.target}"}
        found = folder.tasks({"rows": rows, "key": key, "task": task})
        expected = [
            {"prompt": each["input"], "expected": each["target"]}
            for each in json.loads(text)["examples"]
        ]
        assert list(found.values()) == expected
        assert len(expected) == 250


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("id;q;a", "the columns look separated by ';', expected commas"),
        ("id\tq\ta", "the columns look separated by a tab, expected commas"),
        ("id, q, a", "the column ' q' has a blank in front of its name"),
        ("id ,q ,a", "the column 'id ' has a blank behind its name"),
    ],
)
def test_a_header_that_is_misread_is_told_once(folder: Folder, header: str, message: str) -> None:
    cells = header.replace("id", "1").replace("q", "What?")
    folder.write("rows.csv", f"\n{header}\n{cells}\n{cells}\n")
    (item,) = folder.refused({"rows": "rows.csv", "key": "${row.id}", "task": TASK})
    assert (item.code, item.message) == ("FLT1051", message)
    assert item.place.span == Span(Position(2, 1), Position(2, 1))
    assert [each.message for each in item.related] == ["read by this dataset"]


def test_a_header_may_have_blanks_that_are_meant(folder: Folder) -> None:
    folder.write("rows.csv", "id, q\n1,x\n")
    task = {**TASK, "prompt": "${row. q}"}
    assert list(folder.tasks({"rows": "rows.csv", "key": "${row.id}", "task": task})) == ["1"]


def test_a_field_that_no_header_could_mean_is_told_as_missing(folder: Folder) -> None:
    folder.write("rows.csv", "id;x\n1\n")
    found = folder.refused({"rows": "rows.csv", "key": "${index}", "task": TASK})
    assert [item.code for item in found] == ["FLT3031"]
