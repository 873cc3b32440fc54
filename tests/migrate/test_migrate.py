"""What `fleet migrate` makes of one file: only the values concerned change."""

from __future__ import annotations

from pathlib import Path

import pytest
from migrate_kit import ID, NAMED, REST, TAGGED, digest, migrated

from fleet_contracts import schemas, validate
from fleet_contracts.migrate.migration import STEPS

V0 = "authoring: taskset/v0\n"
V1 = "authoring: taskset/v1\n"


def task(environment: str) -> str:
    return f"tasks:\n  one:\n    {environment}\n{REST}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("environment: terminal@v1", "environment: {builtin: terminal@v1}"),
        ("environment:   terminal@v1  # why", "environment:   {builtin: terminal@v1}  # why"),
        ("'environment': 'terminal@v1'", "'environment': {builtin: 'terminal@v1'}"),
        (r'environment: "t\u0065rminal@v1"', r'environment: {builtin: "t\u0065rminal@v1"}'),
        ("environment:\n      terminal@v1", "environment:\n      {builtin: terminal@v1}"),
        ("environment: # why\n      a@v1", "environment: # why\n      {builtin: a@v1}"),
        ("environment: !!str terminal@v1", "environment: {builtin: !!str terminal@v1}"),
        ("environment: &e terminal@v1", "environment: {builtin: &e terminal@v1}"),
        ("environment: |-\n      terminal@v1\n\n", "environment: {builtin: terminal@v1}\n\n"),
        ("environment: >- # why\n      a@v1", "environment: {builtin: a@v1} # why"),
        ("environment: &e !!str |-\n     a@v1", "environment: {builtin: &e !!str a@v1}"),
        ("environment: &e:x a@v1", "environment: {builtin: &e:x a@v1}"),  # by the grammar
        ("environment: &e:x |-\n     a@v1\n\n", "environment: {builtin: &e:x a@v1}\n\n"),
        ("? environment\n    : a@v1", "? environment\n    : {builtin: a@v1}"),
        (f"environment: {ID}", f"environment: {{image_ref: {ID}}}"),
        (f"environment: '{NAMED}'", f"environment: {{image_ref: '{NAMED}'}}"),
        (f"environment: '{TAGGED}'", f"environment: {{image_ref: '{NAMED}'}}"),
        (f"environment: >-\n      {TAGGED}", f"environment: {{image_ref: {NAMED}}}"),
    ],
)
def test_an_environment_becomes_a_map_and_nothing_else_changes(
    old: str, new: str, tmp_path: Path
) -> None:
    assert migrated(tmp_path, V0 + task(old)).text == V1 + task(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("authoring: taskset/v0", "authoring: taskset/v1"),
        ("# top\n\nauthoring:   'taskset/v0' # v", "# top\n\nauthoring:   'taskset/v1' # v"),
        ('"authoring": "taskset/v0"', '"authoring": "taskset/v1"'),
        (r'authoring: "taskset\/v0"', 'authoring: "taskset/v1"'),
        ("authoring: !!str taskset/v0", "authoring: !!str taskset/v1"),
        ("authoring: |-\n  taskset/v0", "authoring: |-\n  taskset/v1"),
        (
            "description: &v taskset/v0\nauthoring: *v",
            'description: &v taskset/v0\nauthoring: "taskset/v1"',
        ),
        (
            "$schema: .schemas/taskset.v0.json\nauthoring: taskset/v0",
            "$schema: .schemas/taskset.v1.json\nauthoring: taskset/v1",
        ),
        (
            "# yaml-language-server: $schema=../taskset.v0.json\nauthoring: taskset/v0",
            "# yaml-language-server: $schema=../taskset.v1.json\nauthoring: taskset/v1",
        ),
        (
            "$schema: other.json\n# yaml-language-server: $schema=taskset.v0.json\n"
            "authoring: taskset/v0",
            "$schema: other.json\n# yaml-language-server: $schema=taskset.v0.json\n"
            "authoring: taskset/v1",
        ),
    ],
)
def test_the_version_and_the_address_of_its_schema(old: str, new: str, tmp_path: Path) -> None:
    rest = "\n" + task("environment: {}")
    before, after = rest.replace("{}", "a@v1"), rest.replace("{}", "{builtin: a@v1}")
    assert migrated(tmp_path, old + before).text == new + after


def test_line_endings_the_mark_and_a_missing_line_feed_stay(tmp_path: Path) -> None:
    old = (V0 + task("environment: a@v1")).replace("\n", "\r\n").rstrip()
    new = (V1 + task("environment: {builtin: a@v1}")).replace("\n", "\r\n").rstrip()
    assert migrated(tmp_path, f"\ufeff{old}").text == f"\ufeff{new}"
    block = old.replace("environment: a@v1", "environment: |-\r\n      a@v1")
    assert migrated(tmp_path, block).text == new


def test_json_stays_json(tmp_path: Path) -> None:
    old = '{"authoring":"taskset/v0","defaults":{"environment":"a@v1"},"tasks":{}}'
    new = old.replace("v0", "v1", 1).replace('"a@v1"', '{"builtin": "a@v1"}')
    assert migrated(tmp_path, old, "some.taskset.json").text == new


def test_aliases_are_wrapped_where_they_stand(tmp_path: Path) -> None:
    old = f"{V0}defaults: {{environment: &e a@v1}}\n{task('environment: *e')}"
    new = (
        f"{V1}defaults: {{environment: {{builtin: &e a@v1}}}}\n{task('environment: {builtin: *e}')}"
    )
    assert migrated(tmp_path, old).text == new


def test_what_an_alias_shares_with_something_else_keeps_its_meaning(tmp_path: Path) -> None:
    old = f"{V0}description: &e a@v1\n{task('environment: *e')}"
    assert "description: &e a@v1\n" in migrated(tmp_path, old).text
    tagged = f"{V0}description: &e {TAGGED}\n{task('environment: *e')}"
    outcome = migrated(tmp_path, tagged)
    assert f'environment: {{image_ref: "{NAMED}"}}' in outcome.text
    assert f"description: &e {TAGGED}" in outcome.text


def test_a_task_that_is_used_twice_is_edited_once(tmp_path: Path) -> None:
    old = V0 + task("environment: a@v1").replace("one:", "one: &t") + "  two: *t\n"
    outcome = migrated(tmp_path, old)
    assert outcome.text.count("{builtin: a@v1}") == 1
    assert [pointer for _, pointer, _ in outcome.changes] == ["authoring", "tasks/one/environment"]


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("authoring: &v taskset/v0\ndescription: *v\ntasks: {}\n", "description"),
        (f"{V0}defaults: {{environment: &e {TAGGED}, metadata: {{was: *e}}}}\n",
         "defaults/metadata/was"),
        (f"{V0}tasks:\n  one:\n    environment: &e\n      # why\n      |-\n      a@v1\n{REST}",
         "tasks/one/environment"),
    ],
)  # fmt: skip
def test_what_cannot_be_edited_by_itself_is_refused(
    text: str, pointer: str, tmp_path: Path
) -> None:
    ((code, at),) = migrated(tmp_path, text).problems
    assert code == "FLT2005"
    assert at == pointer


def test_changes_are_told_with_their_places(tmp_path: Path) -> None:
    text = f"{V0}defaults: {{environment: {TAGGED}}}\n{task('environment: a@v1')}"
    assert migrated(tmp_path, text).changes == [
        ("mapped", "authoring", (1, 12)),
        ("approximated", "defaults/environment", (2, 25)),
        ("mapped", "tasks/one/environment", (5, 18)),
    ]


def test_a_current_file_is_left_as_it_is(tmp_path: Path) -> None:
    for text in (V1 + "tasks: {}\n", "authoring: tasks/v1\ntasks: {}\n", "name: a\n" + V1):
        outcome = migrated(tmp_path, text)
        assert outcome.text == text
        assert outcome.changes == []


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("tasks: {}\n", [("FLT2001", "")]),
        ("[taskset/v0]\n", [("FLT2001", "")]),
        ("authoring: taskset/v9\n", [("FLT2002", "authoring")]),
        ("authoring: [taskset/v0]\n", [("FLT2002", "authoring")]),
        (f"{V0}tasks: {{\n", [("FLT1010", "")]),
        (f"{V0}{V0}", [("FLT1020", "authoring")]),
        (f"{V0}include: [a.yaml]\n", [("FLT2010", "include")]),
        (f"{V0}environments: {{}}\n", [("FLT2010", "environments")]),
        (f"{V0}dataset: []\n", [("FLT2010", "dataset")]),
        (V0 + task("environment: {builtin: a@v1}"), [("FLT2012", "tasks/one/environment")]),
        (V0 + task("environment: shell"), [("FLT2014", "tasks/one/environment")]),
        (V0 + task("environment: debian:12"), [("FLT2014", "tasks/one/environment")]),
        (V0 + task("environment: a@v1").replace("1.0", "1e0"),
         [("FLT2020", "tasks/one/verifiers/0/decision/at_least")]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_at_its_place(
    text: str, problems: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert migrated(tmp_path, text).problems == problems


def test_a_file_that_ends_anywhere_is_migrated_or_refused(tmp_path: Path) -> None:
    text = f"# c\n{V0}defaults: {{environment: &e 'a@v1'}}\n{task('environment: |-  # c')}"
    for length in range(len(text)):
        outcome = migrated(tmp_path, text[:length])
        assert outcome.problems or outcome.text.startswith(f"# c\n{V1}"[:length])


def test_every_old_version_has_a_schema_and_a_way_to_a_current_one() -> None:
    assert STEPS.keys() == schemas.MIGRATED.keys()
    assert not STEPS.keys() & schemas.AUTHORED.keys()
    for old, step in STEPS.items():
        schema = schemas.load(schemas.MIGRATED[old])
        assert schema["properties"]["authoring"]["const"] == old
        assert schema["deprecated"] is True
        assert step.new in STEPS or step.new in schemas.AUTHORED
        for example in schema["examples"]:
            assert validate.is_valid(schemas.AUTHORED[step.new], step.upgrade(example))


def test_the_old_version_has_what_the_new_one_has_but_three_fields() -> None:
    old, new = schemas.load("authoring/taskset.v0.json"), schemas.load("authoring/taskset.v1.json")
    gone = {"environments", "include", "dataset"}
    assert old["properties"].keys() == new["properties"].keys() - gone
    tasks = schemas.load("authoring/definitions.json")["$defs"]["Task"]["properties"]
    assert old["$defs"]["TaskV0"]["properties"].keys() == tasks.keys()


def test_what_becomes_of_the_readme_example_compiles_as_if_written_by_hand(tmp_path: Path) -> None:
    outcome = migrated(tmp_path, V0 + task("environment: terminal@v1"))
    by_hand = f"{V1}environments: {{shell: {{builtin: terminal@v1}}}}\n{task('environment: shell')}"
    assert digest(tmp_path, outcome.text) == digest(tmp_path, by_hand)
