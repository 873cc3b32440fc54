from __future__ import annotations

import pytest
from validate_kit import FILE, read, render

from fleet_contracts import schemas, validate
from fleet_contracts.diagnostics.model import Bag

ALL = tuple(schemas.AUTHORED)
KNOWN = "`taskset/v1`, `tasks/v1`, `environment/v1` or `verifier/v1`"
MISSING = "missing `authoring`, which says what the document is"


def checked(text: str, expected: tuple[str, ...] = ALL) -> tuple[str | None, str]:
    bag = Bag()
    version = validate.check_version(read(text).value, expected, FILE, bag)
    return version, render(bag)


@pytest.mark.parametrize("version", ALL)
def test_a_known_version_is_returned(version: str) -> None:
    assert checked(f"authoring: {version}") == (version, "")
    assert checked(f"{{$schema: a, authoring: {version}}}") == (version, "")


def test_a_version_further_down_is_a_warning() -> None:
    assert checked("{$schema: a, tasks: {}, authoring: tasks/v1, name: b}") == (
        "tasks/v1",
        "  FLT2004 key /authoring: expected `authoring` as the first key, "
        "found `tasks` before it\n    help: move it to the top",
    )


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("[a]", "FLT2001 (top): expected a map that starts with `authoring: taskset/v1`, "
         "found a list of 1\n    help: write `authoring: taskset/v1` as the first line"),
        ("[{a: 1}]", "FLT2001 (top): expected a map that starts with `authoring: taskset/v1`, "
         "found a list of 1\n"
         "    help: if these are rows, name the TaskSet whose `dataset` reads them"),
        ("null", "FLT2001 (top): expected a map that starts with `authoring: taskset/v1`, "
         "found `null`\n    help: write `authoring: taskset/v1` as the first line"),
        ("authoring:tasks/v1", "FLT2001 (top): expected a map that starts with "
         "`authoring: taskset/v1`, found \"authoring:tasks/v1\"\n"
         "    help: put a space after the ':'"),
        ("{}", f"FLT2001 (top): {MISSING}\n"
         "    help: add `authoring: taskset/v1` as the first line"),
        ("node: {}", f"FLT2001 (top): {MISSING}\n"
         "    help: add `authoring: verifier/v1` as the first line"),
        ("builtin: a@v1", f"FLT2001 (top): {MISSING}\n"
         "    help: add `authoring: environment/v1` as the first line"),
        ("Authoring: tasks/v1", f"FLT2001 key /Authoring: {MISSING}, found `Authoring`\n"
         "    help: did you mean `authoring`?"),
        ("schema: taskset/v1", f"FLT2001 key /schema: {MISSING}, "
         "found `schema`, the version key of content\n"
         "    help: write `authoring: taskset/v1` in its place"),
        ("schema: fleet.task.v1alpha4", f"FLT2001 key /schema: {MISSING}, "
         "found `schema`, the version key of content\n"
         "    help: name the authored file; this one is made by a program"),
        ("schema_version: fleet.evidence.v1alpha1", f"FLT2001 key /schema_version: {MISSING}, "
         "found `schema_version`, the version key of a Runtime record\n"
         "    help: name the authored file; this one is made by a program"),
        ("authoring:", f"FLT2002 /authoring: expected {KNOWN}, found `null`\n"
         "    help: write e.g. `taskset/v1`"),
        ("authoring: 1", f"FLT2002 /authoring: expected {KNOWN}, found the number 1\n"
         "    help: write e.g. `taskset/v1`"),
        ("authoring: taskset/v9", f'FLT2002 /authoring: expected {KNOWN}, found "taskset/v9"\n'
         "    help: write `taskset/v1`, the newest that this release reads"),
        ("authoring: taskset/v0", f'FLT2002 /authoring: expected {KNOWN}, found "taskset/v0"\n'
         "    help: run `fleet migrate --write` on this file: it becomes `taskset/v1`"),
        ("authoring: TaskSet/v1", f'FLT2002 /authoring: expected {KNOWN}, found "TaskSet/v1"\n'
         "    help: did you mean `taskset/v1`?"),
        ("authoring: taskset", f'FLT2002 /authoring: expected {KNOWN}, found "taskset"\n'
         "    help: did you mean `taskset/v1`?"),
        ("authoring: suite/v1", f'FLT2002 /authoring: expected {KNOWN}, found "suite/v1"\n'
         "    help: write e.g. `taskset/v1`"),
    ],
)  # fmt: skip
def test_a_document_that_does_not_say_what_it_is(text: str, finding: str) -> None:
    assert checked(text) == (None, f"  {finding}")


def test_a_document_of_another_kind() -> None:
    assert checked("authoring: verifier/v1", ("tasks/v1",)) == (
        None,
        "  FLT2003 /authoring: expected `tasks/v1`, found a Verifier file (`verifier/v1`)\n"
        "    help: name a file of Tasks here",
    )
    assert checked("authoring: tasks/v1", ("taskset/v1", "environment/v1")) == (
        None,
        "  FLT2003 /authoring: expected `taskset/v1` or `environment/v1`, "
        "found a file of Tasks (`tasks/v1`)\n"
        "    help: name a TaskSet or an Environment here",
    )
