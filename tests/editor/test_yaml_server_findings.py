"""What the YAML language server finds in good and bad files with our schemas and settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from yaml_server_kit import (
    BUILTIN_IDS,
    KINDS,
    LEAF,
    TREE,
    Finding,
    described,
    edited,
    findings,
    good_files,
    open_all,
)

from fleet_contracts import scaffold, schemas
from fleet_contracts.cli.init import init_command
from node_kit import CHECKOUT
from stdio_kit import LspClient, position

pytestmark = pytest.mark.node


class Mistake(NamedTuple):
    """One edit of a good text, and the findings it leads to: the place's text and the message."""

    text: str
    old: str
    new: str
    found: list[tuple[str, str]]


def one_of(*values: str) -> str:
    return f"Value is not accepted. Valid values: {', '.join(map(json.dumps, values))}."


def not_allowed(key: str) -> tuple[str, str]:
    return key, f"Property {key} is not allowed."


def missing(at: str, key: str) -> tuple[str, str]:
    return at, f'Missing property "{key}".'


# A missing key is reported at the key of the map that misses it; in a list, at its first letter.
MISTAKES = {
    "unknown-key": Mistake(LEAF, "    prompt:", "    promt:", [not_allowed("promt")]),
    "unknown-key-at-top": Mistake(
        LEAF, "environments:", "enviroments:", [not_allowed("enviroments")]
    ),
    "unknown-key-of-leaf": Mistake(LEAF, "decision:", "decison:", [not_allowed("decison")]),
    "unknown-key-of-inner-leaf": Mistake(TREE, "objective:", "goal:", [not_allowed("goal")]),
    "unknown-key-of-composite": Mistake(
        TREE, "weighted_sum}\n        decision: {kind: threshold, at_least: 1}",
        "weighted_sum}\n        evaluator: {}",
        [missing("i", "decision"), not_allowed("evaluator")],
    ),
    "unknown-key-of-evaluator": Mistake(
        LEAF, "builtin_id: answer-equals", "builtin_id: answer-equals\n          args: []",
        [not_allowed("args")],
    ),
    "key-of-another-builtin": Mistake(
        LEAF, "{expected:", "{tolerance: 1, expected:", [not_allowed("tolerance")]
    ),
    "missing-version": Mistake(LEAF, "authoring: taskset/v1\n", "", [missing("e", "authoring")]),
    "missing-type": Mistake(LEAF, "        type: evaluator\n", "", [missing("i", "type")]),
    "missing-kind": Mistake(
        LEAF, "kind: builtin.v1\n          ", "", [missing("evaluator", "kind")]
    ),
    "missing-builtin": Mistake(
        LEAF, "builtin_id: answer-equals\n          ", "", [missing("evaluator", "builtin_id")]
    ),
    "missing-aggregation": Mistake(
        TREE, "        aggregation: {kind: weighted_sum}\n", "", [missing("i", "aggregation")]
    ),
    "missing-param": Mistake(TREE, "pattern: total, ", "", [missing("params", "pattern")]),
    "missing-turns": Mistake(TREE, ", max_turns: 20", "", [missing("completion", "max_turns")]),
    "no-image": Mistake(
        LEAF, "{builtin: terminal@v1}", "{workdir: /work}",
        [("shell", "One of the keys `builtin`, `image_ref`, `file` is needed.")],
    ),
    "two-images": Mistake(
        TREE, "{image_ref:", "{builtin: terminal@v1, image_ref:",
        [("image_ref", "`builtin`, `image_ref` and `file` exclude each other.")],
    ),
    "misspelled-builtin-environment": Mistake(
        LEAF, "environment: shell", "environment: {bultin: terminal@v1}",
        [
            ("environment", "One of the keys `builtin`, `image_ref`, `file` is needed."),
            not_allowed("bultin"),
        ],
    ),
    "wrong-type-of-node": Mistake(
        LEAF, "type: evaluator", "type: evaluater",
        [("evaluater", one_of("evaluator", "composite"))],
    ),
    "wrong-kind": Mistake(
        LEAF, "builtin.v1", "builtin.v2",
        [("builtin.v2", one_of("builtin.v1", "code.v1", "judge.v1"))],
    ),
    "wrong-builtin": Mistake(
        LEAF, "answer-equals", "answer-equal", [("answer-equal", one_of(*BUILTIN_IDS))]
    ),
    "wrong-metric": Mistake(
        TREE, "type: decimal", "type: float",
        [("float", one_of("decimal", "integer", "boolean", "category"))],
    ),
    "wrong-aggregation": Mistake(
        TREE, "weighted_sum", "sum", [("sum", one_of("weighted_sum", "min", "all_of", "code"))]
    ),
    "wrong-source": Mistake(
        TREE, "source: capture", "source: file",
        [("file", one_of("submission", "trace", "capture", "seed_mount"))],
    ),
    "wrong-decision": Mistake(
        LEAF, "threshold", "treshold", [("treshold", 'Value must be "threshold".')]
    ),
    "wrong-version": Mistake(
        LEAF, "taskset/v1", "taskset/v2", [("taskset/v2", 'Value must be "taskset/v1".')]
    ),
    "number-for-text": Mistake(
        LEAF, '"42"', "42", [("42", 'Incorrect type. Expected "string".')]
    ),
    "number-as-prompt": Mistake(
        LEAF, "What is 6 times 7?", "42",
        [("42", "Incorrect type. Expected one of string, object, array.")],
    ),
    "map-for-list": Mistake(
        TREE, "captures:\n      - {id: report, kind: file.v1, path: report.md}", "captures: {}",
        [("{}", 'Incorrect type. Expected "array".')],
    ),
    "word-for-decimal": Mistake(
        LEAF, "at_least: 1", "at_least: all",
        [("all", f"Expected: {described('Decimal')}")],
    ),
    "tag-for-pin": Mistake(
        TREE, "image_ref: sha256:" + "0" * 64 + "\n", "image_ref: python:3.13\n",
        [("python:3.13", f"Expected: {described('ImageReference')}")],
    ),
    "two-mistakes": Mistake(
        edited(LEAF, "    prompt:", "    promt:"), "answer-equals", "answer-equal",
        [not_allowed("promt"), ("answer-equal", one_of(*BUILTIN_IDS))],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def with_mistakes(yaml_server: LspClient) -> dict[str, tuple[Path, str]]:
    """All texts with a mistake, opened at once, by name."""
    texts = {
        name: (yaml_server.folder / f"{name}.taskset.yaml", edited(each.text, each.old, each.new))
        for name, each in MISTAKES.items()
    }
    open_all(yaml_server, texts.values())
    return texts


def test_good_files_have_no_findings(yaml_server: LspClient) -> None:
    texts = [
        (yaml_server.folder / path.relative_to(CHECKOUT), path.read_text(encoding="utf-8"))
        for path in good_files()
    ]
    texts += [
        (yaml_server.folder / "a.taskset.yaml", LEAF),
        (yaml_server.folder / "b.taskset.yaml", TREE),
    ]
    open_all(yaml_server, texts)
    assert {path.name.split(".")[1] for path, _ in texts} >= {"taskset", "tasks", "environment"}
    assert {
        str(path.relative_to(yaml_server.folder)): found
        for path, text in texts
        if (found := findings(yaml_server, path, text))
    } == {}


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_of_each_kind_is_found_by_the_name_of_the_file(
    yaml_server: LspClient, kind: str
) -> None:
    example = schemas.load(schemas.AUTHORED[f"{kind}/v1"])["examples"][0]
    good = json.dumps(example, indent=2)
    bad = json.dumps({**example, "authoring": "something/v1"}, indent=2)
    texts = [
        (yaml_server.folder / f"good.{kind}.yaml", good),
        (yaml_server.folder / "some" / "folder" / f"bad.{kind}.yml", bad),
    ]
    open_all(yaml_server, texts)
    expected = Finding('"something/v1"', f'Value must be "{kind}/v1".')
    assert [findings(yaml_server, *each) for each in texts] == [[], [expected]]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_where_it_is(
    yaml_server: LspClient, with_mistakes: dict[str, tuple[Path, str]], name: str
) -> None:
    assert findings(yaml_server, *with_mistakes[name]) == MISTAKES[name].found


def test_a_mistake_goes_when_it_is_mended(yaml_server: LspClient) -> None:
    path = yaml_server.folder / "edit.taskset.yaml"
    bad = edited(LEAF, "answer-equals", "answer-equal")
    yaml_server.open(path, bad)
    assert len(findings(yaml_server, path, bad)) == 1
    place = position(bad, "answer-equal", len("answer-equal"))
    yaml_server.change(path, {"range": {"start": place, "end": place}, "text": "s"})
    assert findings(yaml_server, path, LEAF) == []


def test_a_modeline_names_the_schema_as_well(yaml_server: LspClient) -> None:
    folder = yaml_server.folder / "elsewhere"
    lines = "# yaml-language-server: $schema=../.schemas/taskset.v1.json\n"
    bad = edited(LEAF, "answer-equals", "answer-equal")
    texts = [
        (folder / "good.yaml", lines + LEAF),
        (folder / "bad.yaml", lines + bad),
        (folder / "without.yaml", bad),
    ]
    open_all(yaml_server, texts)
    expected = Finding("answer-equal", one_of(*BUILTIN_IDS))
    assert [findings(yaml_server, *each) for each in texts] == [[], [expected], []]


@pytest.mark.parametrize("kind", scaffold.KINDS)
def test_what_fleet_init_writes_names_its_schema(yaml_server: LspClient, kind: str) -> None:
    folder = yaml_server.folder / f"new-{kind}"
    init_command.main([kind, str(folder)], standalone_mode=False)
    [path] = folder.glob(f"*.{kind}.yaml")
    text = path.read_text(encoding="utf-8")
    texts = [
        (path, text),
        (folder / "renamed.yaml", text),
        (folder / "bad.yaml", edited(text, f"{kind}/v1\n", f"{kind}/v9\n")),
    ]
    open_all(yaml_server, texts)
    expected = Finding(f"{kind}/v9", f'Value must be "{kind}/v1".')
    assert [findings(yaml_server, *each) for each in texts] == [[], [], [expected]]
